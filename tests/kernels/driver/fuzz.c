/* One target for libFuzzer: -DTARGET=target_meet and so on. */
#include "driver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (int t = 0; t < DRIVER_TARGETS; t++)
        if (driver_targets[t].run == TARGET) run_case(&driver_targets[t], data, size);
    return 0;
}
