/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse the texts that options of a recording have on the command line, one option at a time. */
#ifndef PERF_RECORDOPTS_VALUES_H
#define PERF_RECORDOPTS_VALUES_H

#include "base/sysroot.h"
#include "recordopts/options.h"

/* The structures that option values are stored in. All pointers are borrowed. */
struct record_values {
	struct record_opts *opts;
	struct record_given *given;
	const struct sysroot *sysroot;
	const struct notices *notes; /* told of what a value means here */
};

/**
 * record_value_set - set the value of one option.
 * @option: its long name; an option that is not one of those in values.c is refused
 * @text: its argument; NULL: it was given without one
 * @unset: it was given as --no-OPTION, which lets the value be as if it were not given at all
 *
 * Return: 0, or negative errno and a sentence in @err.
 */
int record_value_set(const struct record_values *v, const char *option, const char *text,
		     bool unset, struct err *err);

/** record_callgraph_modes - append how call chains can be recorded, each with a blank behind it. */
void record_callgraph_modes(struct strbuf *out);
/** record_callgraph_part - return how many characters of a text say how call chains are recorded: a
 * mode, and what belongs to it ("dwarf,16384", "fp,defer"). What follows says how they are shown. */
size_t record_callgraph_part(const char *text);
/**
 * record_callgraph_default - set how call chains are recorded when -g alone asks for them.
 * @mode, @size: as the configuration has them; may be NULL
 * Return: 0, or negative errno and a sentence.
 */
int record_callgraph_default(struct sample_opts *s, const char *mode, const char *size,
			     struct err *err);
/** record_aio_default - set the buffers of --aio as the configuration has them. Any text is taken:
 * what is no number is 1. */
void record_aio_default(struct ring_opts *o, const char *text);
/** record_buildid_default - set what is done with build-ids as the configuration has it. Return: 0,
 * or -EINVAL when @text is no such word. */
int record_buildid_default(struct record_opts *o, const char *text);
/** record_max_rate - return the highest frequency that the kernel allows; 0: not known. */
u64 record_max_rate(const struct sysroot *sr);

#endif
