/* partwise's kernels for other packages. Cython has the functions from capi.pxd; C and C++ have
 * them from partwise_import_kernels, where Python.h comes first.
 *
 * Arrays are contiguous and in native byte order. A function checks no precondition: what breaks
 * one is undefined behaviour. Inputs are not changed, no state is kept between calls, and several
 * threads may call at once, each with outputs of its own.
 */
#ifndef PARTWISE_KERNELS_H
#define PARTWISE_KERNELS_H

#include <stdint.h>

/* Raised whenever a struct or the meaning of a function changes; `abi_version()` returns what the
 * installed partwise has. */
#define PARTWISE_KERNELS_ABI 1

/* What functions return. */
enum {
    PARTWISE_OK = 0,
    PARTWISE_NO_MEMORY = 1,
    PARTWISE_STOPPED = 2 /* the poll said to stop */
};

/* Labels of one clustering: n integers of 1, 2, 4 or 8 bytes. */
typedef struct {
    const void *data;
    int64_t n;
    int itemsize;
    int is_signed;
} partwise_labels;

/* The sparse table of two clusterings. Cells are in the order of their rows, ascending by column
 * inside a row, and none is zero. Rows and columns are numbered in ascending order of their
 * labels, and none is empty. The arrays belong to the struct: `free_table` frees them. */
typedef struct {
    int64_t n_rows;
    int64_t n_cols;
    int64_t n_cells;
    uint64_t *row_labels; /* n_rows; 64-bit pattern, sign-extended where labels are signed */
    uint64_t *col_labels; /* n_cols */
    int64_t *indptr;      /* n_rows + 1 */
    int64_t *cols;        /* n_cells */
    int64_t *counts;      /* n_cells */
    int64_t *row_sizes;   /* n_rows */
    int64_t *col_sizes;   /* n_cols */
} partwise_table;

/* An unsigned integer of 128 bits: 2^64 high + low. */
typedef struct {
    uint64_t low;
    uint64_t high;
} partwise_wide;

/* Long loops call `ask` about ten times a second, and stop if it does not return 0. */
typedef struct {
    int (*ask)(void *context);
    void *context;
} partwise_poll;

#ifdef Py_PYTHON_H
#include <string.h>

/* The functions, as capi.pxd describes them; `poll` may be NULL. None of them needs the GIL. */
typedef struct {
    int (*abi_version)(void);
    int (*meet)(const partwise_labels *a, const partwise_labels *b, partwise_table *table,
                const partwise_poll *poll);
    void (*free_table)(partwise_table *table);
    int (*join)(const int64_t *indptr, const int64_t *cols, int64_t n_rows, int64_t n_cols,
                int64_t *row_component, int64_t *col_component, int64_t *n_components,
                const partwise_poll *poll);
    partwise_wide (*sum_squares)(const int64_t *x, int64_t n);
    partwise_wide (*sum_xlogx)(const int64_t *x, int64_t n);
    int (*match)(const int64_t *indptr, const int64_t *cols, const int64_t *gains, int64_t n_rows,
                 int64_t n_cols, int64_t *matched, int64_t *row_duals, int64_t *col_duals,
                 const partwise_poll *poll);
    int (*pack)(const int64_t *indptr, const int64_t *cols, const int64_t *gains,
                const int64_t *row_caps, const int64_t *col_caps, int64_t n_rows, int64_t n_cols,
                int64_t *amounts, int64_t *row_duals, int64_t *col_duals,
                const partwise_poll *poll);
} partwise_kernels;

/* Fills `kernels` and returns 0. Needs the GIL. -1 with a Python exception set: partwise has no
 * compiled kernels, or those of another ABI. */
static inline int partwise_import_kernels(partwise_kernels *kernels) {
    static const char *const names[] = {"abi_version", "meet",      "free_table", "join",
                                        "sum_squares", "sum_xlogx", "match",      "pack"};
    int i, done = -1;
    PyObject *module = PyImport_ImportModule("partwise.kernels.capi");
    PyObject *functions = module ? PyObject_GetAttrString(module, "__pyx_capi__") : NULL;
    for (i = 0; functions && i < (int)(sizeof names / sizeof *names); i++) {
        void *function = NULL;
        PyObject *capsule = PyDict_GetItemString(functions, names[i]);
        if (capsule) function = PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));
        if (!function) break;
        /* all pointers to functions have one size, and no cast from void * is portable */
        memcpy((char *)kernels + (size_t)i * sizeof kernels->meet, &function, sizeof function);
    }
    if (functions && i == (int)(sizeof names / sizeof *names) &&
        kernels->abi_version() == PARTWISE_KERNELS_ABI) {
        done = 0;
    } else if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_ImportError,
                        "the installed partwise has other kernels than this extension was built "
                        "for; build it again");
    }
    Py_XDECREF(functions);
    Py_XDECREF(module);
    return done;
}
#endif

#endif
