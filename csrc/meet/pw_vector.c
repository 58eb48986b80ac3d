/* Which vector levels there are. The processor is asked; nothing is kept. */
#include "pw_vector.h"

const pw_vector *pw_vector_at(int level) {
    if (level == PW_VECTOR_NONE) return &pw_vector_none;
#if PW_X86_VECTORS
    __builtin_cpu_init();
    const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                     __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    if (level == PW_VECTOR_AVX2 && avx2) return &pw_vector_avx2;
    if (level == PW_VECTOR_AVX512 && avx2 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        return &pw_vector_avx512;
    }
#endif
#if PW_ARM_VECTORS
    if (level == PW_VECTOR_NEON) return &pw_vector_neon; /* no processor of the kind lacks it */
#endif
    return NULL;
}
