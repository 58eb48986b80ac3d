/* The driver for libFuzzer; the variable DRIVER_TARGET of the environment names the target. */
#include "driver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const driver_target *target;
    if (target == NULL) {
        const char *name = getenv("DRIVER_TARGET");
        for (int t = 0; name != NULL && t < DRIVER_TARGETS; t++)
            if (strcmp(driver_targets[t].name, name) == 0) target = &driver_targets[t];
        if (target == NULL) {
            fprintf(stderr, "DRIVER_TARGET is %s, which is no target\n", name ? name : "not set");
            exit(2);
        }
    }
    run_case(target, data, size);
    return 0;
}
