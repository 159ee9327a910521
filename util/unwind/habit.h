/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The habit of an object tells whether its code keeps frame pointers, by which callers are found.
 */
#ifndef PERF_UNWIND_HABIT_H
#define PERF_UNWIND_HABIT_H

#include "arch/frames.h"
#include "symbol/elf-image.h"

enum frame_habit {
	FRAMES_UNKNOWN,  /* it has no unwind tables, or none of its functions has a frame */
	FRAMES_KEPT,     /* most functions that have a frame point to it */
	FRAMES_LEFT_OUT, /* most do not, but its tables tell */
};

/**
 * frame_habit - look at functions all over the code of an object.
 * @a: how functions of its processor call each other
 */
enum frame_habit frame_habit(const struct elf_image *e, const struct arch_frames *a);

#endif
