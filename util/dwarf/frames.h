/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the functions of one object keep what their callers left, from its .eh_frame. */
#ifndef PERF_DWARF_FRAMES_H
#define PERF_DWARF_FRAMES_H

#include "base/compat.h"

struct frames;

/** frames_open - Return: NULL when there are no rules (or no library to read them). Free with
 * frames_close(). */
struct frames *frames_open(const char *object);
void frames_close(struct frames *f);

/**
 * frames_untouched - does a register, at an instruction, still hold what the caller left in it?
 * In one thread at a time.
 * @addr: in the object's file
 * @reg: DWARF's number of it
 * Return: false also when it is not known.
 */
bool frames_untouched(struct frames *f, u64 addr, int reg);

#endif
