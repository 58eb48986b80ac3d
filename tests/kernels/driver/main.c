/* The driver as a program: runs inputs of its own making, or files, and prints a hash of all
 * outputs for each target. See README.md. */
#include "driver.h"

#define FILE_MOST (1 << 20)

static int starts_with(const char *text, const char *start, const char **rest) {
    const size_t length = strlen(start);
    if (strncmp(text, start, length) != 0) return 0;
    *rest = text + length;
    return 1;
}

static void run_file(const driver_target *target, const char *path) {
    static uint8_t bytes[FILE_MOST];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: the file cannot be opened\n", path);
        exit(2);
    }
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    run_case(target, bytes, size);
}

static void run_made(const driver_target *target, int64_t cases) {
    uint8_t bytes[512];
    for (int64_t i = 0; i < cases; i++) {
        driver_random random = {(uint64_t)i * 1000003};
        const int size = (int)random_below(&random, (uint64_t)target->size) + 1;
        /* many inputs of small numbers: there the cases at the borders are */
        const uint64_t most = i % 3 == 0 ? 256 : i % 3 == 1 ? 16 : 4;
        for (int j = 0; j < size; j++) bytes[j] = (uint8_t)random_below(&random, most);
        for (int j = 0; j < size && j < 12; j++) bytes[j] = (uint8_t)random_word(&random);
        run_case(target, bytes, (size_t)size);
    }
}

int main(int count, char **arguments) {
    const char *only = NULL;
    const char *rest;
    int64_t cases = 200;
    int n_files = 0;
    for (int i = 1; i < count; i++) {
        if (starts_with(arguments[i], "--target=", &rest)) {
            only = rest;
        } else if (starts_with(arguments[i], "--cases=", &rest)) {
            cases = atoll(rest);
        } else if (starts_with(arguments[i], "--faults=", &rest)) {
            driver_faults = atoi(rest);
        } else if (strcmp(arguments[i], "--threads") == 0) {
            driver_threads = 1;
        } else if (strcmp(arguments[i], "--library") == 0) {
            driver_library = 1;
        } else if (arguments[i][0] == '-') {
            fprintf(stderr,
                    "%s is no option: they are --target=NAME --cases=N --faults=N --threads "
                    "--library\n",
                    arguments[i]);
            return 2;
        } else {
            arguments[++n_files] = arguments[i];
        }
    }
    int some = 0;
    for (int t = 0; t < DRIVER_TARGETS; t++) {
        const driver_target *target = &driver_targets[t];
        if (only != NULL && strcmp(only, target->name) != 0) continue;
        some = 1;
        driver_hash = UINT64_C(0xCBF29CE484222325);
        driver_faults_met = 0;
        for (int i = 1; i <= n_files; i++) run_file(target, arguments[i]);
        if (n_files == 0) run_made(target, cases);
        printf("%-10s %016llx %lld faults\n", target->name, (unsigned long long)driver_hash,
               (long long)driver_faults_met);
        fflush(stdout);
    }
    if (!some) {
        fprintf(stderr, "there is no target %s\n", only);
        return 2;
    }
    return 0;
}
