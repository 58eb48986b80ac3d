/* Label arrays of every integer type, for the targets that read labels. */
#ifndef DRIVER_LABELS_H
#define DRIVER_LABELS_H

#include "driver.h"

/* Makes n labels as the input says: integers of a type of its choice, of one of several shapes. */
pw_labels take_labels(driver_input *in, int64_t n);
/* Writes a label, cut to the type. */
void put_label(const pw_labels *labels, int64_t i, uint64_t label);
/* The 64-bit pattern of a label, read the slow way. */
uint64_t literal_label(const pw_labels *labels, int64_t i);
/* Whether pattern x comes before pattern y. */
int label_before(uint64_t x, uint64_t y, int is_signed);
/* The distinct labels in ascending order (given back with the case); returns how many. */
int64_t distinct_labels(const pw_labels *labels, uint64_t **values);
/* Where a label stands among them. */
int64_t place_of_label(const uint64_t *values, int64_t k, uint64_t label, int is_signed);

#endif
