// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "recordunwind/choose.h"

#include "arch/arch.h"
#include "unwind/habit.h"

static enum frame_habit habit_of_file(const char *path)
{
	const struct arch *host = arch_host();
	const struct arch_frames *a;
	enum frame_habit habit;
	struct elf_image e;

	if (elf_image_open(&e, path))
		return FRAMES_UNKNOWN;
	a = e.is64 ? host->frames : host->narrow_frames;
	habit = a && !e.swap ? frame_habit(&e, a) : FRAMES_UNKNOWN;
	elf_image_release(&e);
	return habit;
}

void stacks_look(const struct intern *objects, struct stack_facts *out)
{
	*out = (struct stack_facts){ 0 };
	for (u32 i = 1; i < objects->nr; i++) {
		const char *path = intern_str(objects, i);
		enum frame_habit habit = habit_of_file(path);

		out->nr += habit != FRAMES_UNKNOWN;
		if (habit != FRAMES_LEFT_OUT || out->first)
			continue;
		out->first = path;
		out->program = i == 1;
	}
}
