/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What functions and lines of source.h share. */
#ifndef PERF_DWARF_SOURCE_INTERNAL_H
#define PERF_DWARF_SOURCE_INTERNAL_H

#include "dwarf/dwarf-internal.h"
#include "dwarf/source.h"

/** source_extent - fill in where the code of an entry begins and ends. Return: whether it has code.
 */
bool source_extent(const struct dw_die *d, struct source_function *f);

#endif
