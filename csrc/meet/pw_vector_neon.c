/* The level neon: reading loops as the compiler makes them, dense counting and sorting in vectors
 * (pw_cells_impl.h). */
#include "pw_vector.h"

#if PW_ARM_VECTORS

#include "pw_by_type.h"
#include "pw_lanes_neon.h"
#include "pw_tuning.h"

#define NAME(x) x##_neon
#include "pw_cells_impl.h"
#include "pw_count_impl.h"
#include "pw_range_impl.h"
#include "pw_read_impl.h"

const pw_vector pw_vector_neon = {"neon", range_neon,     load_index_neon, count_items_neon,
                                  NULL,   load_keys_neon, cells_neon,      fixed_points_neon};

#else

/* C wants a declaration in every file */
typedef int pw_no_neon;

#endif
