/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Split debug information: what the linker need not read stands in a file beside each object file
 * (.dwo), or in a package of all of them (.dwp, DWARF 5, 7.3.5; in DWARF 4 extensions of GNU). The
 * unit in the program is its skeleton.
 */
#ifndef PERF_DWARF_SPLIT_INTERNAL_H
#define PERF_DWARF_SPLIT_INTERNAL_H

#include "dwarf/dwarf-internal.h"

struct dw_split {
	struct dw_file *file;  /* owned; NULL: that of the package */
	struct dw_part *parts; /* owned: the unit's parts of the package; NULL */
	struct dw_unit own;    /* the unit, when it is of a package */
	struct dw_unit *unit;  /* the unit, wherever it is; NULL: not found */
};

/**
 * dw_split_open - find the unit that a skeleton stands for.
 * @package: borrowed, NULL: there is none
 * @folder: of the program, where files are looked for that are not where the compiler left them
 * Return: whether it was found. dw_split_close() is needed in both cases.
 */
bool dw_split_open(struct dw_split *s, const struct dw_unit *skeleton, struct dw_file *package,
		   const char *folder);
void dw_split_close(struct dw_split *s);

#endif
