/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording becomes verdicts (triage/verdict.h) that say in a few sentences where the time of
 * programs goes, the worst first. The arguments of its recorder are made here, too.
 */
#ifndef PERF_TRIAGETEXT_TRIAGETEXT_H
#define PERF_TRIAGETEXT_TRIAGETEXT_H

#include "analysis/analysis.h"
#include "recordopts/verb-args.h"

enum triage_form { TRIAGE_AS_TEXT, TRIAGE_AS_JSON, TRIAGE_AS_PAGE };

struct triage_show {
	enum triage_form form;
	const char *file;  /* the recording, for commands that tell more; NULL: perf.data */
	const char *pids;  /* the processes that are asked about, as for --pid; NULL: see below */
	bool all;          /* the whole machine is; otherwise the command that was recorded */
	bool unprivileged; /* this user could not record more */
};

/** triage_run - read a recording and append the verdicts. Return: 0, or negative and a sentence. */
int triage_run(const struct triage_show *show, struct analysis *a, struct strbuf *out,
	       struct err *err);

/* These are recorded. */
struct triage_wanted {
	const char *file; /* the output */
	const char *pids; /* only these processes are asked about; NULL: no list */
	bool command;     /* a command follows */
};

/** triage_check_pids - tell whether there are processes that can be recorded. @pids: a list, or
 * NULL. Return: 0, or -ESRCH or -EINVAL and a sentence. */
int triage_check_pids(const struct sysroot *sr, const char *pids, struct err *err);

/**
 * triage_record_args - make the arguments of the recorder. verb_args_release() frees them.
 * @sr: where tracefs and the rights of this process are looked up
 * @argc, @argv: the command
 * Return: whether the process may see the kernel and all programs; otherwise only the programs
 * themselves are recorded.
 */
bool triage_record_args(struct verb_args *a, const struct triage_wanted *w,
			const struct sysroot *sr, int argc, const char **argv);

#endif
