/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf probe: what the options say, and the verbs. All work is done by room probe, which knows no
 * tracing file, and room kernel, which writes them: here they meet.
 */
#ifndef PERF_CMD_PROBE_H
#define PERF_CMD_PROBE_H

#include "kernel/probe-files.h"
#include "probe/event-list.h"
#include "probe/object.h"

/* A definition, and what it is about. Borrowed, unless said otherwise. */
struct probe_want {
	char *text;                /* owned */
	const char *exec, *module; /* NULL: not given in front of it */
	char *path; /* owned: what @exec is, when the build-id cache names it; NULL */
	bool again; /* the same text as the one before, for another object */
	u32 line;   /* of standard input; 0: it is a word of the command line */
};

struct probe_cmd {
	struct sysroot sysroot;
	struct probe_want *wants; /* owned */
	size_t nr_wants, cap_wants;
	const char **deletions; /* owned array of borrowed patterns */
	size_t nr_deletions, cap_deletions;
	const char *exec, *module, *vmlinux, *symfs;
	const char *list;   /* a pattern; "": all; NULL: not asked for */
	const char *funcs;  /* the same */
	const char *filter; /* --filter; NULL: not given */
	const char *lines;  /* --line; NULL */
	const char *vars;   /* --vars; NULL */
	const char *source; /* --source; NULL */
	int target_ns, verbose, max_probes;
	bool add, definition, dry_run, force, quiet, demangle, demangle_kernel, bootconfig;
	bool no_inlines, externs, range, json;
};

/** probe_verb_add - add all probes that are wanted, or show their definitions. Return: exit status.
 */
int probe_verb_add(struct probe_cmd *c);
/** probe_want_add - append a definition, whose strings then belong to @c. */
void probe_want_add(struct probe_cmd *c, struct probe_want w);
/** probe_want_failed - tell in the sentence of @err which line of standard input the definition is.
 */
void probe_want_failed(const struct probe_want *w, struct err *err);
/** probe_read_input - replace each definition "-" by the lines of standard input. Return: 0 or a
 * negative errno and a sentence. */
int probe_read_input(struct probe_cmd *c, struct err *err);
/** probe_find_markers - find the objects of markers that are wanted without one, in the build-id
 * cache. A definition that several objects have becomes several. Return: 0 or a negative errno. */
int probe_find_markers(struct probe_cmd *c, struct err *err);
/** probe_verb_delete - remove events. Return: exit status. */
int probe_verb_delete(const struct probe_cmd *c);
/** probe_verb_list - show the events that there are. Return: exit status. */
int probe_verb_list(const struct probe_cmd *c);
/** probe_verb_functions - show the functions of an object. Return: exit status. */
int probe_verb_functions(const struct probe_cmd *c);
/** probe_verb_lines - show source lines that can be probed. Return: exit status. */
int probe_verb_lines(const struct probe_cmd *c);
/** probe_verb_vars - show variables that can be arguments. Return: exit status. */
int probe_verb_vars(const struct probe_cmd *c);

/** probe_target_of - fill in what the options say of an object. @exec, @module: NULL: the ones of
 * the options */
void probe_target_of(const struct probe_cmd *c, const char *exec, const char *module,
		     struct probe_target *t);
/** probe_say - print a message that -q leaves out. */
void probe_say(const struct probe_cmd *c, const char *fmt, ...) __printf(2, 3);
/** probe_fail - print the sentence of @err and that @what failed. Return: the exit status. */
int probe_fail(const struct err *err, const char *what);

/** probe_lines_read - append the probes of one file. Return: 0 or a negative errno. */
int probe_lines_read(const struct sysroot *sr, enum probe_file which, struct probe_lines *out);

#endif
