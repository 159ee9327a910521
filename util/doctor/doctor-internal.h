/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of a machine, and how they tell what they found. */
#ifndef PERF_DOCTOR_DOCTOR_INTERNAL_H
#define PERF_DOCTOR_DOCTOR_INTERNAL_H

#include "doctor/doctor.h"

typedef void doctor_check(const struct doctor_here *h, struct doctor_finding *f);

/** finding_text - set the verdict and the text of a finding, once. */
void finding_text(struct doctor_finding *f, enum doctor_verdict verdict, const char *fmt, ...)
	__printf(3, 4);
/** finding_fix - set what is to be done. */
void finding_fix(struct doctor_finding *f, const char *fmt, ...) __printf(2, 3);
/** finding_add - append a finding without text. @name: borrowed. It stays where it is until the
 * next one is added. */
struct doctor_finding *finding_add(struct doctor_findings *f, const char *name);
/**
 * finding_sentences - set verdict, text and fix from what another room says: its first line is the
 * reason, which stands behind @what, and further lines tell what to do.
 */
void finding_sentences(struct doctor_finding *f, enum doctor_verdict verdict, const char *what,
		       const char *sentences);
/** here_has - tell whether a file exists; errno says why it does not. */
bool here_has(const struct doctor_here *h, const char *path);
/** here_part - tell whether perf was built with a part. */
bool here_part(const struct doctor_here *h, const char *name);

/* what the user may do: checks-rights.c */
doctor_check check_events, check_rights, check_addresses, check_lockdown;
/* limits: checks-limits.c */
doctor_check check_memory, check_files, check_rate, check_watchdog;
/* what can be counted: checks-pmu.c */
doctor_check check_pmu, check_branches, check_mem_events;
/* tracing: checks-tracing.c */
doctor_check check_tracefs, check_kprobes, check_uprobes, check_bpf, check_btf;
/* this build, and programs beside it: checks-build.c */
doctor_check check_debuginfod, check_disassembler, check_interpreters, check_libraries;
/* where it runs: checks-place.c */
doctor_check check_container;

#endif
