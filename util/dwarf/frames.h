/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames tell how the functions of one object save the registers of their callers, according to its
 * .eh_frame, or its .debug_frame, which the kernel and its modules have instead.
 */
#ifndef PERF_DWARF_FRAMES_H
#define PERF_DWARF_FRAMES_H

#include "base/compat.h"

struct frames;

/**
 * frames_open - read the rules of an object. Return: NULL when it has none, or when there is no
 * library to read them. frames_close() frees the result.
 */
struct frames *frames_open(const char *object);
/** frames_close - free the rules; @f may be NULL. */
void frames_close(struct frames *f);

/**
 * frames_untouched - tell whether a register still has the caller's value at an instruction. Only
 * one thread at a time may use @f.
 * @addr: address in the object's file
 * @reg: the DWARF number of the register
 * Return: false as well when it is not known.
 */
bool frames_untouched(struct frames *f, u64 addr, int reg);

/* The place of the canonical frame address, for the instructions in [start, end). */
struct frame_cfa {
	u64 start, end;
	int reg; /* DWARF number; -1: unknown */
	s64 offset;
};
/**
 * frames_cfa - find the canonical frame address at an instruction. Only one thread at a time may
 * use @f.
 * @addr: address as the object's headers number it
 * Return: false when nothing is known; @out then says of the instruction alone that it is unknown.
 */
bool frames_cfa(struct frames *f, u64 addr, struct frame_cfa *out);

#endif
