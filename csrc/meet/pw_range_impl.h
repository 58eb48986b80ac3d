/* Included once per vector level: the least and the largest label, which vectors compare in labels
 * of any size; before them, 64 bits are compared one by one. */

TARGET static void NAME(range)(const pw_labels *v, uint64_t *low, uint64_t *high) {
    PW_BY_TYPE(v, {
        const T *x = (const T *)v->data;
        T least = x[0];
        T most = x[0];
        for (int64_t i = 1; i < v->n; i++) {
            least = x[i] < least ? x[i] : least;
            most = x[i] > most ? x[i] : most;
        }
        *low = (uint64_t)(int64_t)least;
        *high = (uint64_t)(int64_t)most;
    })
}
