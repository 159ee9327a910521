// SPDX-License-Identifier: GPL-2.0-or-later
/* List all suites; their order gives the numbers that users type. Append, do not insert. */
#include "base/compat.h"

#include "suites.h"

const struct test_suite *const test_suites[] = {
	&suite_kernel,    &suite_workloads,  &suite_tracepoints,  &suite_wire,
	&suite_parse,     &suite_symbols,    &suite_datafile,     &suite_endtoend,
	&suite_instances, &suite_bpf,        &suite_facts,        &suite_exports,
	&suite_counts,    &suite_counting,   &suite_benches,      &suite_lists,
	&suite_scripts,   &suite_screens,    &suite_live,         &suite_sched,
	&suite_kwork,     &suite_lock,       &suite_kmem,         &suite_kvm,
	&suite_block,     &suite_calls,      &suite_accesses,     &suite_triage,
	&suite_timelines, &suite_schedstat,  &suite_annotate,     &suite_texts,
	&suite_cli,       &suite_http,       &suite_machines,     &suite_traces,
	&suite_sysargs,   &suite_kernels,    &suite_instructions, &suite_debug,
	&suite_probes,    &suite_state,      &suite_stacks,       &suite_ftrace,
	&suite_told,      &suite_compared,   &suite_written,      &suite_builds,
	&suite_control,   &suite_auxsamples, &suite_daemon,       &suite_live_analysis,
};
const size_t nr_test_suites = ARRAY_SIZE(test_suites);
