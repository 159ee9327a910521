/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The debug information of one object, of which types.h and variables.h tell what is in it. Only
 * one thread at a time may use it. What is damaged is left out. Addresses are those of its headers.
 */
#ifndef PERF_DWARF_DEBUGINFO_H
#define PERF_DWARF_DEBUGINFO_H

#include "base/compat.h"

struct debuginfo;
struct lines;

/**
 * debuginfo_open - read which parts of a program have debug information.
 * @path: the file with the debug information
 * Return: NULL when there is none, or no library to read it. debuginfo_close() frees the result.
 */
struct debuginfo *debuginfo_open(const char *path);
/**
 * debuginfo_open_by - do the same, but leave it to @l, the lines of the same file, which unit has
 * an address: only units that are asked for are read then. @l stays the caller's, and has to
 * outlive the result.
 */
struct debuginfo *debuginfo_open_by(struct lines *l, const char *path);
/** debuginfo_close - free everything that was read; @di may be NULL. */
void debuginfo_close(struct debuginfo *di);

/** debuginfo_fixed - tell whether the program runs at the addresses of its headers: such code may
 * have addresses of data in its operands. */
bool debuginfo_fixed(const struct debuginfo *di);
/** debuginfo_has_unit - tell whether a compilation unit has the code at an address of the headers.
 */
bool debuginfo_has_unit(struct debuginfo *di, u64 addr);

#endif
