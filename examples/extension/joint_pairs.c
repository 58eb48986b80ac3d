/* An extension in C that calls partwise's kernels: the pairs that two columns have together. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "partwise_kernels.h"

static partwise_kernels kernels;

/* Takes two buffers of int64, as `array.array("q", ...)` and NumPy have them. */
static PyObject *joint_pairs(PyObject *module, PyObject *arguments) {
    Py_buffer a, b;
    partwise_labels first, second;
    partwise_table table;
    partwise_wide squares = {0, 0};
    int status;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*y*", &a, &b)) return NULL;
    first = (partwise_labels){a.buf, a.len / 8, 8, 1};
    second = (partwise_labels){b.buf, b.len / 8, 8, 1};
    if (a.len != b.len) {
        PyBuffer_Release(&a);
        PyBuffer_Release(&b);
        PyErr_SetString(PyExc_ValueError, "the columns differ in length");
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS;
    status = kernels.meet(&first, &second, &table, NULL);
    if (status == PARTWISE_OK) {
        squares = kernels.sum_squares(table.counts, table.n_cells);
        kernels.free_table(&table);
    }
    Py_END_ALLOW_THREADS;
    PyBuffer_Release(&a);
    PyBuffer_Release(&b);
    if (status != PARTWISE_OK) return PyErr_NoMemory();
    /* below 2^64 here: fewer than 2^32 items */
    return PyLong_FromUnsignedLongLong((squares.low - (uint64_t)first.n) / 2);
}

static PyMethodDef methods[] = {
    {"joint_pairs", joint_pairs, METH_VARARGS, "Return the pairs that are together in both."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "joint_pairs", NULL, -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_joint_pairs(void) {
    if (partwise_import_kernels(&kernels) < 0) return NULL;
    return PyModule_Create(&definition);
}
