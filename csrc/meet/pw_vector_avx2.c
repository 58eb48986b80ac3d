/* The level avx2: reading loops compiled for it, and sorting (pw_cells_impl.h). */
#include "pw_vector.h"

#if PW_X86_VECTORS

#include "pw_by_type.h"
#include "pw_lanes_avx2.h"
#include "pw_tuning.h"

#define NAME(x) x##_avx2
#include "pw_cells_impl.h"
#include "pw_count_impl.h"
#include "pw_range_impl.h"
#include "pw_read_impl.h"

const pw_vector pw_vector_avx2 = {"avx2", range_avx2,     load_index_avx2, count_items_avx2,
                                  NULL,   load_keys_avx2, cells_avx2,      fixed_points_avx2};

#else

/* C wants a declaration in every file */
typedef int pw_no_avx2;

#endif
