/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This finds the addresses that the place of a definition means. */
#ifndef PERF_PROBE_POINTS_H
#define PERF_PROBE_POINTS_H

#include "base/hash.h"
#include "probe/definition.h"
#include "probe/object.h"

/* An address that a probe is put at. Strings are borrowed from the object. */
struct probe_point {
	const char *function; /* the one that names the event; as its object has it */
	const char *symbol;   /* the function that has the address; NULL: not known */
	const char *module;   /* of a kernel: the module of @symbol; NULL: the kernel itself */
	u64 symbol_addr;      /* of @symbol */
	u64 addr;   /* of the object's headers; of a running kernel without its file: in memory */
	u64 offset; /* in the file of the object */
	u64 semaphore;   /* in the file: a counter that tells the program to do the work of a
			    marker; 0: none */
	u32 line;        /* behind that of @function; 0: not asked for */
	bool indirect;   /* the function returns the address of the one that will run */
	bool as_named;   /* of a kernel: the place is @addr bytes behind @symbol, as the user or a
			    cache has it */
	bool by_address; /* of a kernel: other functions have the name of @symbol, too */
	const char *provider; /* of a marker; NULL: it is none */
	const char *args; /* of a marker, as the kernel fetches them, with blanks between; NULL */
};

struct probe_points {
	struct probe_point *v; /* owned */
	size_t nr, cap;
	struct map64 by_addr; /* places in @v of those that probe_points_add() has appended */
	u64 skipped; /* the entry of a function whose prologue was skipped, as its variables are not
			in their places there; 0: none */
};

struct probe_limits {
	u32 points;      /* --max-probes */
	bool no_inlines; /* only functions that have code of their own */
};

/**
 * probe_points_find - find the addresses of a definition in an object.
 * Return: 0, or a negative errno and a sentence; -ENOENT when there are none.
 */
int probe_points_find(struct probe_object *o, const struct probe_definition *d,
		      const struct probe_limits *limits, struct probe_points *out, struct err *err);
void probe_points_release(struct probe_points *p);

#endif
