/* The level avx512: reading loops compiled for it, and sorting (pw_cells_impl.h). */
#include "pw_vector.h"

#if PW_X86_VECTORS

#include "pw_by_type.h"
#include "pw_lanes_avx512.h"
#include "pw_tuning.h"

#define NAME(x) x##_avx512
#include "pw_cells_impl.h"
#include "pw_count_impl.h"
#include "pw_read_impl.h"

const pw_vector pw_vector_avx512 = {"avx512",         load_index_avx512, count_items_avx512,
                                    load_keys_avx512, cells_avx512,      fixed_points_avx512};

#else

/* C wants a declaration in every file */
typedef int pw_no_avx512;

#endif
