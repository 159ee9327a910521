/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Configuration files: the system's (/etc/perfconfig) and then the user's (~/.perfconfig), or,
 * instead of both, the one file that $PERF_CONFIG names. The syntax is that of git:
 *
 *	# a comment
 *	[report]
 *		sort = comm,dso		; another
 *		queue-size = "1G"
 *
 * The name of a variable is section.name in lower case. When a variable is set several times, the
 * last value counts. Files are edited in place: comments and layout stay.
 */
#ifndef PERF_CLI_CONFIG_H
#define PERF_CLI_CONFIG_H

#include "base/compat.h"
#include "base/err.h"
#include "base/strbuf.h"

struct config_item {
	char *key;              /* "section.name"; owned */
	char *value;            /* owned */
	size_t name_start, end; /* the range of "name = value" in the text, from the name to the end
				   of the value */
};

struct config_section {
	char *name; /* owned */
	size_t end; /* where another "name = value" line may be inserted in the text; 0: nowhere */
};

struct config {
	struct config_item
		*items; /* in file order, each once: a later value replaces an earlier one */
	size_t nr_items, cap_items;
	struct config_section *sections;
	size_t nr_sections, cap_sections;
	struct strbuf problems; /* lines for stderr about files that could not be read completely */
	bool cut; /* a file has a line that is not understood: what follows it is missing */
};

/* The files that config_load() reads. */
enum config_files {
	CONFIG_ALL,    /* $PERF_CONFIG if set, otherwise the system's and the user's */
	CONFIG_SYSTEM, /* only the system's */
	CONFIG_USER,   /* only the user's */
};

/** config_init - make an empty configuration. config_release() frees it. */
void config_init(struct config *c);
/** config_release - free everything the configuration holds. */
void config_release(struct config *c);

/**
 * config_parse - add the variables in a text.
 * Return: 0, or -EINVAL with the number of the faulty line in *@line; variables before it are kept.
 */
int config_parse(struct config *c, const char *text, size_t len, unsigned int *line);

/**
 * config_load - read the files that exist. Faults are described in c->problems, and the readable
 * part of a faulty file is used. $PERF_CONFIG_NOSYSTEM and $PERF_CONFIG_NOGLOBAL leave out the
 * system's or the user's file.
 * @system: path of the system's file
 */
void config_load(struct config *c, enum config_files which, const char *system);

/**
 * config_get - return the value of "section.name" (in any case), or NULL. The text is valid until
 * the next change.
 */
const char *config_get(const struct config *c, const char *key);

/**
 * config_bool - read a truth value (true, yes, on or a number; false, no, off or 0) into @v.
 * Return: 1 when @v was set; 0 when there is no such variable, and @v stays; -EINVAL and a sentence
 * when the value is not valid.
 */
int config_bool(const struct config *c, const char *key, bool *v, struct err *err);
/**
 * config_u64 - do what config_bool() does, for a number that may have a suffix k, m or g (powers of
 * 1024).
 */
int config_u64(const struct config *c, const char *key, u64 *v, struct err *err);

/**
 * config_path - return the path of the file to change: the one that @which selects, otherwise
 * $PERF_CONFIG or the user's file. The caller frees it. NULL when there is none.
 */
char *config_path(enum config_files which, const char *system);

/**
 * config_check_key - check that "section.name" can be written to a file. Return: 0, or -EINVAL and
 * a sentence.
 */
int config_check_key(const char *key, struct err *err);

/**
 * config_edit - make the text of a file in which one variable has a new value. Its line is changed,
 * or else a line is added to its section, or else a new section at the end.
 * @text, @len: the old text
 * @out: the new text is appended here
 * @line: receives the number of the faulty line when the old text is not a configuration
 * Return: 0, or -EINVAL and a sentence when the key or the old text is not valid.
 */
int config_edit(const char *text, size_t len, const char *key, const char *value,
		struct strbuf *out, unsigned int *line, struct err *err);

/**
 * config_set - set one variable in a file, which is created when it does not exist. Return: 0, or a
 * negative errno and a sentence.
 */
int config_set(const char *path, const char *key, const char *value, struct err *err);

#endif
