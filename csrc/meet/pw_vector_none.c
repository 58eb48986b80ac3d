/* The portable level: no instructions beyond those that every processor of the build's target has.
 */
#include "pw_by_type.h"
#include "pw_vector.h"

#define TARGET
#define NAME(x) x##_none
#include "pw_read_impl.h"

const pw_vector pw_vector_none = {"none",         NULL, load_index_none,  NULL, NULL,
                                  load_keys_none, NULL, fixed_points_none};
