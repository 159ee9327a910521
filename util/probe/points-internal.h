/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ways to find addresses share these. */
#ifndef PERF_PROBE_POINTS_INTERNAL_H
#define PERF_PROBE_POINTS_INTERNAL_H

#include "probe/points.h"

/** probe_points_has - tell whether a point with that address was appended. */
bool probe_points_has(const struct probe_points *p, u64 addr);
/** probe_points_add - append a point of which only the address is known. */
struct probe_point *probe_points_add(struct probe_points *p, u64 addr);
/** probe_point_at - fill in what follows from the address of a point: the function that has it, and
 * its place in the file. */
void probe_point_at(struct probe_object *o, struct probe_point *p, u64 addr);
/** probe_name_matches - tell whether a name is the one that is wanted, or matches the pattern. */
bool probe_name_matches(const char *name, const char *wanted, bool pattern);
/** probe_function_matches - tell whether a function is the one that is wanted, by its name in the
 * source or the one of its symbol (NULL: none), whole or as a pattern. */
bool probe_function_matches(const char *name, const char *linkage, const char *wanted);
/** probe_source_functions - append the code of the functions of a name or pattern, by way of the
 * debug information, which is open. */
struct source_functions;
void probe_source_functions(struct probe_object *o, const char *wanted,
			    struct source_functions *out);
/** probe_source_first - do the same for those that begin at the line of the first one in @file
 * (NULL: in any file); of others some are appended. */
void probe_source_first(struct probe_object *o, const char *wanted, const char *file,
			struct source_functions *out);
/** probe_points_by_marker - do what probe_points_find() does for a marker of a program. */
int probe_points_by_marker(struct probe_object *o, const struct probe_definition *d,
			   const struct probe_limits *limits, struct probe_points *out,
			   struct err *err);
/** probe_points_by_source - do what probe_points_find() does by way of the debug information, which
 * is open. */
int probe_points_by_source(struct probe_object *o, const struct probe_definition *d,
			   const struct probe_limits *limits, struct probe_points *out,
			   struct err *err);

#endif
