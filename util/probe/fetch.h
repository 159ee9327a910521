/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This turns the arguments of a definition into what the kernel fetches at an address. */
#ifndef PERF_PROBE_FETCH_H
#define PERF_PROBE_FETCH_H

#include "probe/points.h"

/* A fetch argument is what the kernel is told of an argument. */
struct probe_fetch {
	char *name;  /* owned; NULL: the kernel calls it argN */
	char *value; /* owned: "%di", "+16(%si)" */
	char *type;  /* owned: "u32", "string"; NULL: the kernel's own choice */
};

struct probe_fetches {
	struct probe_fetch *v; /* owned */
	size_t nr, cap;
};

/**
 * probe_fetch_args - turn all arguments of a definition into what is fetched at a point. One
 * argument may become several ($vars) or none.
 * Return: 0, or a negative errno and a sentence.
 */
int probe_fetch_args(struct probe_object *o, const struct probe_definition *d,
		     const struct probe_point *p, struct probe_fetches *out, struct err *err);
/** probe_symbol_find - find the address that the headers of a program give to a symbol. Return: 0,
 * or a negative errno and a sentence. */
int probe_symbol_find(const struct probe_object *o, const char *name, u64 *addr, struct err *err);
void probe_fetches_release(struct probe_fetches *f);
/** probe_fetch_add - append one; copies are made. @name, @type: may be NULL */
void probe_fetch_add(struct probe_fetches *f, const char *name, const char *value,
		     const char *type);

#endif
