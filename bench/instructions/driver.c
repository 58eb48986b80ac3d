/* One call of a kernel on generated input, the same at every run: driver NAME; driver alone prints
 * the names. Under `valgrind --tool=callgrind --toggle-collect=measured` what is collected is that
 * call: neither making the input nor the call before it, which makes the scratch of the meet. */
#include <stdio.h>
#include <string.h>

#include "cases.h"

int measured(const kernel_case *given, problem *p);

/* Visible and never inlined, so that callgrind finds it by its name. */
__attribute__((noinline)) int measured(const kernel_case *given, problem *p) {
    return given->call(p);
}

static const kernel_case *const lists[] = {
    meet_cases, table_cases,     number_cases, solver_cases, chance_cases,   sweep_cases,
    many_cases, consensus_cases, border_cases, worker_cases, hierarchy_cases};

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const kernel_case *given = lists[i]; given->name != NULL; given++) {
            if (argc < 2) puts(given->name);
            if (argc < 2 || strcmp(argv[1], given->name) != 0) continue;
            problem p;
            memset(&p, 0, sizeof p);
            given->prepare(&p);
            return measured(given, &p);
        }
    if (argc > 1) fprintf(stderr, "driver: no kernel %s\n", argv[1]);
    return argc > 1 ? 2 : 0;
}
