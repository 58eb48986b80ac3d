/* One piece of code, compiled once for every element type of a label array. */
#ifndef PW_BY_TYPE_H
#define PW_BY_TYPE_H

#define PW_CASE(key, type, ...)                                                                    \
    case key: {                                                                                    \
        typedef type T;                                                                            \
        __VA_ARGS__                                                                                \
    } break;

/* Runs the code with T bound to the element type of v. */
#define PW_BY_TYPE(v, ...)                                                                         \
    switch ((v)->itemsize * 2 + ((v)->is_signed != 0)) {                                           \
        PW_CASE(2, uint8_t, __VA_ARGS__)                                                           \
        PW_CASE(3, int8_t, __VA_ARGS__)                                                            \
        PW_CASE(4, uint16_t, __VA_ARGS__)                                                          \
        PW_CASE(5, int16_t, __VA_ARGS__)                                                           \
        PW_CASE(8, uint32_t, __VA_ARGS__)                                                          \
        PW_CASE(9, int32_t, __VA_ARGS__)                                                           \
        PW_CASE(16, uint64_t, __VA_ARGS__)                                                         \
    default: {                                                                                     \
        typedef int64_t T;                                                                         \
        __VA_ARGS__                                                                                \
    } break;                                                                                       \
    }

/* The same where the sign does not matter: T is unsigned. */
#define PW_BY_SIZE(v, ...)                                                                         \
    switch ((v)->itemsize) {                                                                       \
        PW_CASE(1, uint8_t, __VA_ARGS__)                                                           \
        PW_CASE(2, uint16_t, __VA_ARGS__)                                                          \
        PW_CASE(4, uint32_t, __VA_ARGS__)                                                          \
    default: {                                                                                     \
        typedef uint64_t T;                                                                        \
        __VA_ARGS__                                                                                \
    } break;                                                                                       \
    }

#endif
