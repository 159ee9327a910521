/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The definitions that a run is given, each with the object that it is about. */
#ifndef PERF_PROBERUN_WANTS_H
#define PERF_PROBERUN_WANTS_H

#include "proberun/proberun.h"

/* Strings are borrowed, unless said otherwise. */
struct probe_want {
	char *text;                /* owned: the definition */
	const char *exec, *module; /* what it is about; both NULL: the kernel */
	char *path; /* owned: what @exec or @module is, when the build-id cache names it; NULL */
	bool again; /* the same text as the one before, for another object */
	u32 line;   /* of the input; 0: it is a word of the command line */
};

struct probe_wants {
	struct probe_want *v; /* owned */
	size_t nr, cap;
};

/** probe_wants_add - append a definition, whose owned strings then belong to @w. */
void probe_wants_add(struct probe_wants *w, struct probe_want want);
/** probe_wants_release - free the definitions; the list is empty then. */
void probe_wants_release(struct probe_wants *w);
/** probe_want_failed - tell in the sentence of @err which line of the input the definition is. */
void probe_want_failed(const struct probe_want *w, struct err *err);

/** probe_wants_input - tell whether a definition "-" stands for lines of standard input. */
bool probe_wants_input(const struct probe_wants *w);
/**
 * probe_wants_lines - replace each definition "-" by the lines of a text, about the object that the
 * "-" is about. Blank lines and those that begin with # are no definitions.
 * Return: 0, or -EINVAL and a sentence when the text has no definition.
 */
int probe_wants_lines(struct probe_wants *w, const char *text, size_t len, struct err *err);
/**
 * probe_wants_markers - find the objects of markers, and of definitions that are named by %EVENT,
 * in the build-id cache, when they are wanted without an object. What several objects have becomes
 * several definitions.
 * Return: 0, or a negative errno and a sentence; @w is to be released in any case.
 */
int probe_wants_markers(struct probe_wants *w, const struct probe_run *r, struct err *err);

#endif
