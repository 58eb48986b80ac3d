/* Cases of the gate: one call of a kernel each, on generated input that is the same at every run.
 */
#ifndef PW_CASES_H
#define PW_CASES_H

#include "pw_many.h"
#include "pw_meet.h"
#include "pw_scratch.h"
#include "pw_sweep.h"
#include "pw_table.h"

/* What a call reads and writes; each kernel uses the fields it needs. Nothing is freed: the process
 * ends with the call. */
typedef struct {
    pw_labels a;
    pw_labels b;
    pw_scratch scratch;
    pw_table table;
    pw_table other;
    pw_many many;
    pw_events events;
    int64_t n;
    int64_t *in[4];
    int64_t *out[6];
    double *reals[3];
    uint64_t *wide[4];
    uint64_t words[8];
} problem;

typedef struct {
    const char *name;
    void (*prepare)(problem *);
    int (*call)(problem *);
} kernel_case;

/* Every list ends with a case without a name. */
extern const kernel_case meet_cases[];
extern const kernel_case table_cases[];
extern const kernel_case number_cases[];
extern const kernel_case solver_cases[];
extern const kernel_case chance_cases[];
extern const kernel_case sweep_cases[];
extern const kernel_case many_cases[];
extern const kernel_case consensus_cases[];
extern const kernel_case hierarchy_cases[];
extern const kernel_case border_cases[];
extern const kernel_case worker_cases[];

/* ---- input ---------------------------------------------------------------------------------- */

/* Zeros; the process ends where there is no memory. */
void *room(int64_t bytes);
int64_t *ints(int64_t n);
int64_t *filled(int64_t n, int64_t value);

/* A sequence of its own for every place it is asked from. */
uint64_t draw(uint64_t *state);
int64_t below(uint64_t *state, int64_t most);
/* Uniform in [0, 1). */
double fraction(uint64_t *state);

pw_labels labels(int64_t *values, int64_t n);

/* k clusters and a copy of which one label in `noise` is drawn anew. */
void noisy(problem *p, int64_t n, int64_t k, int64_t noise);
/* The same with their table, and room for a number of each cell in `out`. */
void with_table(problem *p, int64_t n, int64_t k, int64_t noise);
int meet(problem *p);

/* The vector level that PARTWISE_VECTOR names, "none" where it is not set. */
const pw_vector *vector_asked(void);

/* The end of a preparation that fails. */
void must(int status);

#endif
