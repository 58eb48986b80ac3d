/* Times pw_meet without Python: meet_driver A B ITEMSIZE REPETITIONS, files of raw signed labels,
 * at the fastest vector level. Prints ns of CPU per item, one line a call; the first call, which
 * makes the scratch, is not printed. Under callgrind the instructions of one call are the last
 * line's. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "pw_meet.h"
#include "pw_scratch.h"

static void *read_all(const char *name, long *size) {
    FILE *file = fopen(name, "rb");
    if (file == NULL) return NULL;
    void *data = NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (*size = ftell(file)) > 0) {
        rewind(file);
        data = pw_large_malloc(*size); /* on huge pages, as arrays of NumPy are */
        if (data != NULL && fread(data, 1, (size_t)*size, file) != (size_t)*size) {
            free(data);
            data = NULL;
        }
    }
    fclose(file);
    return data;
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: meet_driver A B ITEMSIZE REPETITIONS\n");
        return 2;
    }
    long a_size = 0;
    long b_size = 0;
    void *a_data = read_all(argv[1], &a_size);
    void *b_data = read_all(argv[2], &b_size);
    if (a_data == NULL || b_data == NULL || a_size != b_size) {
        fprintf(stderr, "meet_driver: cannot read two files of equal size\n");
        return 1;
    }
    const int itemsize = atoi(argv[3]);
    const pw_labels a = {a_data, a_size / itemsize, itemsize, 1};
    const pw_labels b = {b_data, b_size / itemsize, itemsize, 1};
    const pw_vector *vector = NULL;
    for (int level = 0; level < PW_VECTOR_LEVELS; level++)
        if (pw_vector_at(level) != NULL) vector = pw_vector_at(level);
    pw_scratch scratch = {{NULL}, {0}};
    int status = PW_OK;
    for (int i = 0; i <= atoi(argv[4]) && status == PW_OK; i++) {
        pw_table table;
        const clock_t before = clock();
        status = pw_meet(&a, &b, &scratch, vector, &table, NULL);
        const double spent = (double)(clock() - before) / CLOCKS_PER_SEC;
        if (status == PW_OK) pw_table_free(&table);
        if (i > 0) printf("%.4f\n", 1e9 * spent / (double)a.n);
    }
    pw_scratch_free(&scratch);
    free(a_data);
    free(b_data);
    return status;
}
