/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables of the program as arguments of probes. */
#ifndef PERF_PROBE_VARIABLE_H
#define PERF_PROBE_VARIABLE_H

#include "probe/fetch.h"

struct variable;
struct variable_parts;
struct variable_place;
struct debug_function;

/** probe_variable_at - return the variable that a name means at an address: of several, that in the
 * innermost block. @parts: receives its places there, which may be none. NULL: there is no such
 * variable in the function. */
const struct variable *probe_variable_at(const struct debug_function *f, u64 addr, const char *name,
					 struct variable_parts *parts);
/** probe_place_known - tell whether the kernel can know a place at one of its addresses, and it is
 * not another part of what the place before it has. */
bool probe_place_known(const struct debug_function *f, const struct variable_place *p);

/** probe_fetch_variable - append what is fetched for an argument that names a variable. The debug
 * information is open. Return: 0, or a negative errno and a sentence. */
int probe_fetch_variable(struct probe_object *o, const struct probe_arg *a,
			 const struct probe_point *p, struct probe_fetches *out, struct err *err);
/**
 * probe_fetch_visible - append all variables that are visible at a point and can be fetched, or the
 * parameters of functions alone.
 * Return: 0, or a negative errno and a sentence when there are none.
 */
int probe_fetch_visible(struct probe_object *o, bool parameters, const struct probe_point *p,
			struct probe_fetches *out, struct err *err);

#endif
