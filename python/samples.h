/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples and other records that were read, as objects of Python. */
#ifndef PERF_PYTHON_SAMPLES_H
#define PERF_PYTHON_SAMPLES_H

#include "python/module.h"

#if __has_include(<Python.h>)

#include "python/data.h"

/* The records that were read come all at once of a recording, or in parts of a live session. */
struct pm_samples {
	PyObject_HEAD PyObject
		*owner;              /* owned reference: keeps what the strings are borrowed from */
	const struct evlist *events; /* borrowed from the owner, as the next */
	const struct tracefmt *tf;
	struct data_samples d; /* owned */
};

/** pm_samples_new - take what a reader has read, which is empty afterwards. */
struct pm_samples *pm_samples_new(PyObject *owner, struct data_reader *rd);
/** pm_samples_nr - return the number of samples, or of all records when others were wanted. */
size_t pm_samples_nr(const struct pm_samples *s);
/** pm_samples_get - return an object for one of them; NULL with an exception. */
PyObject *pm_samples_get(struct pm_samples *s, size_t i);
/** pm_samples_columns - return the numbers of all samples by name, as arrays of numpy, or as
 * memoryviews where that is not installed. */
PyObject *pm_samples_columns(const struct pm_samples *s);

#endif
#endif
