/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of a profile in the annotate browser. The recording is read again for that, the
 * first time that one is asked for: a profile does not keep the addresses of its samples. */
#ifndef PERF_BROWSE_PROFILE_CODE_H
#define PERF_BROWSE_PROFILE_CODE_H

#include "profile/profile.h"
#include "ui/widgets/ui.h"

struct profile_code;
struct annotate_counts;

/* Samples that still come. */
struct code_live {
	/* Count those that there are by now. @older: they get older, as the refreshes of rows would
	 * make them. Return: the caller frees it with annotate_counts_free() */
	struct annotate_counts *(*count)(void *ctx, bool older);
	void *ctx;
	int interval; /* ms between countings */
};

/* A place in a function. */
struct code_place {
	const struct symtab *symtab;
	u32 sym;    /* the function */
	u64 offset; /* from its start; 0: the hottest place in it */
};

/**
 * profile_code_new - prepare for a profile that was run; nothing is read so far.
 * @p, @r: borrowed
 * @command: the beginning of the command that annotates it, without its functions; copied. NULL:
 *	perf annotate with the file of @r
 * @live: it is counted again and again; borrowed; NULL: @r can be read again, which is done once
 * Return: what profile_code_free() frees.
 */
struct profile_code *profile_code_new(struct profile *p, struct recording *r, const char *command,
				      const struct code_live *live);
void profile_code_free(struct profile_code *c);
/**
 * profile_code_show - show the function of a place, with what the samples in the profile counted.
 * Messages go to ui_say().
 * @evsel: the event, or the leader of a group
 * @place: see hist_place()
 * Return: as view_run(), but VIEW_STAYS when users came back.
 */
int profile_code_show(struct profile_code *c, struct ui *ui, u32 evsel, u32 place);
/** profile_code_show_at - do so with a function that is not a place of the profile. */
int profile_code_show_at(struct profile_code *c, struct ui *ui, u32 evsel,
			 const struct code_place *at);

#endif
