/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks tell what perf can do here, and what would let it do more: of the machine, the kernel, the
 * user and this build (doctor_machine()), and of a recording (doctor_recording()). Each check is a
 * function in a table, whose finding is one line: whether all is well, what there is, and what to
 * do.
 */
#ifndef PERF_DOCTOR_DOCTOR_H
#define PERF_DOCTOR_DOCTOR_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/sysroot.h"

struct recording;

enum doctor_verdict {
	DOCTOR_OK,      /* all that perf has works */
	DOCTOR_LIMITED, /* some of it does not, or is less exact */
	DOCTOR_MISSING, /* it does not work */
	DOCTOR_NR_VERDICTS
};

/* A check found this. */
struct doctor_finding {
	const char *name; /* of the check: "pmu" */
	enum doctor_verdict verdict;
	char *text; /* owned: what there is, without full stop */
	char *fix;  /* owned: what to do; NULL: nothing is to be done, or nothing can be */
};

struct doctor_findings {
	struct doctor_finding *v; /* owned */
	size_t nr, cap;
};

/* A part that this perf was built with, or without. */
struct doctor_part {
	const char *name; /* as `perf check feature` knows it; NULL ends a list */
	bool on;
};

/* The machine as the checks see it. What they read from files comes from @sr. */
struct doctor_here {
	const struct sysroot *sr;
	const struct doctor_part *parts; /* borrowed */
	const char *path;                /* borrowed: the folders of programs; NULL: none */
	const char *servers;             /* borrowed: of debuginfod; NULL: none */
	unsigned int cpus;               /* online */
	u64 open_files, open_files_most; /* limits of this process */
	u64 locked_memory;               /* in bytes; UINT64_MAX: no limit */
	/* Tells whether an event can be counted; NULL: it is not tried. */
	bool (*counts)(u32 type, u64 config);
	/* Loads a small BPF program and lets it go. Return: 0, or a negative errno and a sentence.
	 * NULL: it is not tried. */
	int (*loads_bpf)(struct err *err);
};

/** doctor_here_init - describe this machine, user and process. @parts: borrowed */
void doctor_here_init(struct doctor_here *h, const struct sysroot *sr,
		      const struct doctor_part *parts);
/** doctor_machine - make all checks of a machine. */
void doctor_machine(const struct doctor_here *h, struct doctor_findings *out);
/**
 * doctor_recording - make all checks of a recording.
 * @r: opened and prepared, and not yet read
 * Return: 0, or a negative errno and a sentence when it cannot be read.
 */
int doctor_recording(struct recording *r, struct doctor_findings *out, struct err *err);
/** doctor_findings_release - free the findings. */
void doctor_findings_release(struct doctor_findings *f);

/** doctor_text - append a line for each finding, and one that counts them. @what: "this machine",
 * or the name of a recording */
void doctor_text(const struct doctor_findings *f, const char *what, struct strbuf *out);
/** doctor_json - append all findings as a JSON object, with a newline. */
void doctor_json(const struct doctor_findings *f, struct strbuf *out);

#endif
