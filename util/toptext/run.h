/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The life of a live profile as text: refreshes, and keys between them. */
#ifndef PERF_TOPTEXT_RUN_H
#define PERF_TOPTEXT_RUN_H

#include "cli/console.h"
#include "toptext/toptext.h"

/* Text goes there. Pointers are borrowed. */
struct toptext_output {
	struct console *console;       /* open */
	struct fit (*fit)(void);       /* returns how wide lines may get */
	const struct palette *palette; /* of a terminal */
};

/**
 * toptext_run - write refreshes of a profile that was started. A key, a signal or a reader who has
 * gone ends that, or that no thread is left (t->view.ended).
 * Return: 0, or negative errno and a sentence.
 */
int toptext_run(struct toptext *t, const struct toptext_output *to, struct err *err);

#endif
