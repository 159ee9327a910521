/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `perf mem` and `perf c2c record` are fronts of `record` and `report`: their options become those
 * of these commands.
 *
 *	perf mem -t load record -a sleep 1
 *	->  perf record -W -d -e cpu/mem-loads,ldlat=30/P -a sleep 1
 */
#ifndef PERF_MEM_FRONT_H
#define PERF_MEM_FRONT_H

#include "mem/mem-events.h"

/* The options. Strings are borrowed; NULL: not given. */
struct mem_front {
	/* of both verbs */
	u32 ops;              /* -t: a set of enum mem_op; 0: all */
	bool phys, page_size; /* physical addresses, sizes of pages */
	const char *cpus, *input;
	int verbose;
	bool force;
	/* of the recorder */
	const char *events; /* -e: names of events */
	u32 ldlat;          /* 0: the default */
	bool all_user, all_kernel;
	bool sample_cpu; /* each sample tells its CPU, as c2c needs it */
	/* of the report */
	bool dump, hide_unresolved, types;
	const char *separator;
	const char *sort, *fields; /* keys of the rows, and of the columns */
};

/** mem_front_ops - read -t: "load", "store", or both with a comma. Return: 0, or -EINVAL and a
 * sentence. */
int mem_front_ops(struct mem_front *f, const char *text, struct err *err);
/** mem_op_words - append the words of -t, with blanks between them. */
void mem_op_words(struct strbuf *out);

/**
 * mem_front_record - make the arguments of the recorder, those of the user left out.
 * verb_args_release() frees them, also after an error.
 * @e: the events of this machine
 * Return: as mem_events_choose().
 */
int mem_front_record(const struct mem_front *f, const struct mem_events *e, struct verb_args *a,
		     struct err *err);
/** mem_front_report - make the arguments of the report. @argc, @argv: of the user, from the verb
 * on. verb_args_release() frees them. */
void mem_front_report(const struct mem_front *f, struct verb_args *a, int argc, const char **argv);

#endif
