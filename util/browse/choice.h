/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All functions that were chosen to be annotated, event by event, in the annotate browser. */
#ifndef PERF_BROWSE_CHOICE_H
#define PERF_BROWSE_CHOICE_H

#include "annotaterun/choice.h"
#include "ui/widgets/ui.h"

/* This is shown. Pointers are borrowed. */
struct browsed_choice {
	const struct annotate_choice *choice;
	const struct annotate_conf *conf; /* raw: the bytes of instructions are shown at first */
	const struct annotate_text *text; /* the form of lines at first */
	const char *input;   /* the recording, for scripts; NULL: it cannot be read again */
	const char *command; /* that asked for it, without the name of a function */
};

/** browse_choice - show the functions until they are left. */
void browse_choice(struct ui *ui, const struct browsed_choice *c);

#endif
