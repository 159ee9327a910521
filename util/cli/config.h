/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Configuration files: the system's (/etc/perfconfig), then the user's (~/.perfconfig);
 * or the one file $PERF_CONFIG names instead of both. The form is git's:
 *
 *	# a comment
 *	[report]
 *		sort = comm,dso		; another
 *		queue-size = "1G"
 *
 * A variable is known as section.name, in lower case. When it is given several times the
 * last one counts. Files are edited in place: comments and layout stay.
 */
#ifndef PERF_CLI_CONFIG_H
#define PERF_CLI_CONFIG_H

#include "base/compat.h"
#include "base/err.h"
#include "base/strbuf.h"

struct config_item {
	char *key;   /* "section.name"; owned */
	char *value; /* owned */
	size_t name_start,
		end; /* bytes of "name = value" in its text, from the name to the end of the value */
};

struct config_section {
	char *name; /* owned */
	size_t end; /* where in the text another "name = value" line goes; 0: nowhere */
};

struct config {
	struct config_item
		*items; /* in file order, every one once: a later value replaces the earlier */
	size_t nr_items, cap_items;
	struct config_section *sections;
	size_t nr_sections, cap_sections;
	struct strbuf problems; /* lines for stderr about files that could not be read (in full) */
};

/* Which files config_load() reads. */
enum config_files {
	CONFIG_ALL,    /* $PERF_CONFIG, or else the system's and the user's */
	CONFIG_SYSTEM, /* only the system's */
	CONFIG_USER,   /* only the user's */
};

/** config_init - an empty configuration. */
void config_init(struct config *c);
/** config_release - free everything. */
void config_release(struct config *c);

/**
 * config_parse - add the variables of a text.
 * Return: 0, or -EINVAL with the number of the offending line in *@line; what came before it stays.
 */
int config_parse(struct config *c, const char *text, size_t len, unsigned int *line);

/**
 * config_load - read the files there are. What is wrong with one is told in c->problems, and what
 * could be read of it is used. $PERF_CONFIG_NOSYSTEM and $PERF_CONFIG_NOGLOBAL leave one out.
 */
void config_load(struct config *c, enum config_files which, const char *system);

/** config_get - the value of "section.name" (any case), or NULL; borrowed until the next change. */
const char *config_get(const struct config *c, const char *key);

/**
 * config_bool - read a truth value (true/yes/on/number, false/no/off/0) into @v.
 * Return: 1 when it was set, 0 when the variable is not there (@v unchanged), -EINVAL and a
 * sentence otherwise.
 */
int config_bool(const struct config *c, const char *key, bool *v, struct err *err);
/** config_u64 - the same for a number with an optional k, m or g (times 1024) behind it. */
int config_u64(const struct config *c, const char *key, u64 *v, struct err *err);

/** config_path - the file to change: @which, or $PERF_CONFIG, or the user's. Return: a path the
 * caller frees, or NULL. */
char *config_path(enum config_files which, const char *system);

/** config_check_key - whether "section.name" can be written. Return: 0 or -EINVAL and a sentence. */
int config_check_key(const char *key, struct err *err);

/**
 * config_edit - the text of a file with one variable set: its line changed, or added to its
 * section, or to a new section at the end.
 * @text, @len: the old text
 * @out: the new text is appended
 * Return: 0, or -EINVAL and a sentence: the key is none, or the text is not a configuration (line
 * in *@line).
 */
int config_edit(const char *text, size_t len, const char *key, const char *value,
		struct strbuf *out, unsigned int *line, struct err *err);

/** config_set - set one variable in a file, which is made if it is not there. Return: 0 or -errno
 * and a sentence. */
int config_set(const char *path, const char *key, const char *value, struct err *err);

#endif
