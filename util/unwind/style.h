/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The style says who unwinds copied stacks: this perf from the tables of objects, which is faster,
 * or a library, with which its results can be compared.
 */
#ifndef PERF_UNWIND_STYLE_H
#define PERF_UNWIND_STYLE_H

#include "base/err.h"

enum unwind_style {
	UNWIND_TABLES,
	UNWIND_LIBDW,
	UNWIND_LIBUNWIND,
};

/**
 * unwind_style_parse - take the first style of a list that this perf can use.
 * @list: "NAME[,NAME...]" of tables, libdw and libunwind
 * Return: 0, or -EINVAL and a sentence when a name is unknown or none of the styles is there.
 */
int unwind_style_parse(const char *list, enum unwind_style *out, struct err *err);

/** unwind_style_takes - tell whether a style can unwind recordings of an architecture, as uname
 * names it; NULL: this machine's. */
bool unwind_style_takes(enum unwind_style style, const char *arch, bool swap);
/** unwind_style_name - return the name of a style. */
const char *unwind_style_name(enum unwind_style style);

#endif
