/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tracing instance of our own: a folder in tracefs with a ring, events and settings that nobody
 * else has. Tracers that the kernel runs in the top folder only are run there, and then all that is
 * changed is put back at the end. Both are done by a guard (ftracectl/guard.h), so that it is done
 * after a crash, too; instances that were left because even the guard was killed are removed by the
 * next run.
 */
#ifndef PERF_FTRACECTL_INSTANCE_H
#define PERF_FTRACECTL_INSTANCE_H

#include "base/strbuf.h"
#include "base/sysroot.h"
#include "ftracectl/guard.h"

struct ftrace_instance {
	const struct sysroot *sr; /* borrowed */
	char *dir;                /* owned: the folder, with the prefix of @sr */
	bool top;                 /* the folder that all have in common */
	struct guard guard;
	struct strbuf changed; /* names of files whose former values the guard knows */
};

/**
 * ftrace_instance_open - make an instance, or with @top use the top folder. Instances of processes
 * that are gone are removed. tracefs is mounted when it is not.
 * Return: 0, or a negative errno and a sentence.
 */
int ftrace_instance_open(struct ftrace_instance *in, const struct sysroot *sr, bool top,
			 struct err *err);
/** ftrace_instance_close - put everything back. Return: 0, or -EBUSY when that did not work. */
int ftrace_instance_close(struct ftrace_instance *in);

/**
 * ftrace_put - write a setting. In the top folder its former value is remembered for the end.
 * @file: the name below the folder
 * @why: what needs the file, for the sentence, as "-p"
 * Return: 0, or a negative errno and a sentence that names the file.
 */
int ftrace_put(struct ftrace_instance *in, const char *file, const char *text, const char *why,
	       struct err *err);
/** ftrace_add - add a line to a file that holds a list, where ftrace_put() begins a new list. */
int ftrace_add(struct ftrace_instance *in, const char *file, const char *text, const char *why,
	       struct err *err);
/** ftrace_get - append the contents of a file. Return: 0 or a negative errno. */
int ftrace_get(const struct ftrace_instance *in, const char *file, struct strbuf *out);
/** ftrace_path - return the path of a file, which the caller frees. */
char *ftrace_path(const struct ftrace_instance *in, const char *file);
/**
 * ftrace_change - write @text to any file, and have @undo written to it at the end.
 * Return: 0, or a negative errno and a sentence.
 */
int ftrace_change(struct ftrace_instance *in, const char *path, const char *text, const char *undo,
		  const char *why, struct err *err);

/** ftrace_has_word - tell whether a word is in a file of words, as available_tracers is. */
bool ftrace_has_word(const struct ftrace_instance *in, const char *file, const char *word);

#endif
