/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command-line options: one table per command says everything there is to know
 * about its options, and the parser, the help text, completion and the check of
 * the man pages all read that table.
 *
 * Like every room this one neither prints nor exits. When a parse does not end
 * in a plain list of arguments, struct options_out holds what is to be printed,
 * where, and the status to leave with; parse_options() in builtin.h does that,
 * and is all a command needs:
 *
 *	struct record_opts o = { ... };
 *	const struct option options[] = {
 *		OPT_BOOLEAN('a', "all-cpus", &o.all_cpus, "system-wide collection from all CPUs"),
 *		OPT_STRING('o', "output", &o.output, "file", "output file name"),
 *		OPT_END(),
 *	};
 *	static const char *const usage[] = { "perf record [<options>] [<command>]", NULL };
 *
 *	argc = parse_options(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
 *
 * A table lives on the stack of its command (or is static const when it points
 * at static data); nothing in it is changed by parsing.
 */
#ifndef PERF_CLI_OPTIONS_H
#define PERF_CLI_OPTIONS_H

#include "base/compat.h"
#include "base/err.h"
#include "base/strbuf.h"

enum option_type {
	OPTION_END,
	OPTION_GROUP,    /* a heading in the help */
	OPTION_GONE,     /* one of earlier versions; .help tells what to write instead */
	OPTION_BOOLEAN,  /* bool */
	OPTION_INCR,     /* int, one more each time */
	OPTION_SET_UINT, /* unsigned int = defval */
	OPTION_SET_INT,  /* int = defval */
	OPTION_INTEGER,  /* int */
	OPTION_UINTEGER, /* unsigned int */
	OPTION_LONG,     /* long */
	OPTION_ULONG,    /* unsigned long */
	OPTION_U64,      /* u64 */
	OPTION_STRING,   /* const char *, borrowed from argv */
	OPTION_CALLBACK, /* whatever the callback makes of it */
};

/* struct option flags */
enum {
	PARSE_OPT_OPTARG =
		1 << 0, /* a value only when it is attached (-z3, --aio=2), otherwise defval */
	PARSE_OPT_NOARG = 1 << 1,  /* the callback takes no value */
	PARSE_OPT_NONEG = 1 << 2,  /* --no-x is refused */
	PARSE_OPT_HIDDEN = 1 << 3, /* not in the help */
	PARSE_OPT_LASTARG_DEFAULT =
		1 << 4,               /* defval when the option is last or followed by another */
	PARSE_OPT_EXCLUSIVE = 1 << 5, /* only one option with this flag per command line */
	PARSE_OPT_NOEMPTY = 1 << 6,   /* a string that may not be empty */
};

struct option;
/**
 * option_cb - the function that OPT_CALLBACK calls each time the option is used.
 * @opt: the row of the option; opt->value and opt->data belong to the command
 * @arg: the value; NULL when there is none and when @unset is true
 * @unset: --no-x was given
 * Return: 0, or non-zero when the value is refused. The callback, which is above the rooms,
 * has then given the reason on stderr; the usage of the option follows, and the status is 129.
 */
typedef int option_cb(const struct option *opt, const char *arg, int unset);

struct option {
	enum option_type type;
	char short_name;       /* 0: none */
	const char *long_name; /* NULL: none */
	void *value;           /* where the value is stored, of the type that option_type names */
	const char *argh;      /* name of the value in the help, such as "file" */
	const char *help;
	unsigned int flags;
	option_cb *callback;
	intptr_t defval; /* the value, a number or const char *, of an option given without one */
	bool *set;       /* set to true when the option was given (or negated), may be NULL */
	void *data;      /* for the callback */
	const struct option
		*parent; /* only in OPT_END: a table that continues this one (subcommands) */
};

/* Evaluates to @v; the compiler complains unless it is a @type *. */
#define OPT_PTR(type, v) ((void *)(0 ? (type *)NULL : (v)))

#define OPT_END()                                                                                  \
	{                                                                                          \
		.type = OPTION_END                                                                 \
	}
/* Ends the table of a subcommand; the options of @p, the command's own table, are accepted as well.
 */
#define OPT_PARENT(p)                                                                              \
	{                                                                                          \
		.type = OPTION_END, .parent = (p)                                                  \
	}
#define OPT_GROUP(h)                                                                               \
	{                                                                                          \
		.type = OPTION_GROUP, .help = (h)                                                  \
	}
/* An option that is not there, and that nothing lists: who gives it is told @h. */
#define OPT_GONE(s, l, h)                                                                          \
	{                                                                                          \
		.type = OPTION_GONE, .short_name = (s), .long_name = (l), .help = (h)              \
	}
#define OPT_ROW_(t, s, l, v, ...)                                                                  \
	{                                                                                          \
		.type = (t), .short_name = (s), .long_name = (l), .value = (v), __VA_ARGS__        \
	}

#define OPT_BOOLEAN(s, l, v, h) OPT_ROW_(OPTION_BOOLEAN, s, l, OPT_PTR(bool, v), .help = (h))
#define OPT_BOOLEAN_FLAG(s, l, v, h, f)                                                            \
	OPT_ROW_(OPTION_BOOLEAN, s, l, OPT_PTR(bool, v), .help = (h), .flags = (f))
#define OPT_BOOLEAN_SET(s, l, v, os, h)                                                            \
	OPT_ROW_(OPTION_BOOLEAN, s, l, OPT_PTR(bool, v), .help = (h), .set = (os))
#define OPT_INCR(s, l, v, h) OPT_ROW_(OPTION_INCR, s, l, OPT_PTR(int, v), .help = (h))
#define OPT_SET_UINT(s, l, v, h, i)                                                                \
	OPT_ROW_(OPTION_SET_UINT, s, l, OPT_PTR(unsigned int, v), .help = (h), .defval = (i))
#define OPT_SET_INT(s, l, v, h, i)                                                                 \
	OPT_ROW_(OPTION_SET_INT, s, l, OPT_PTR(int, v), .help = (h), .defval = (i))
#define OPT_INTEGER(s, l, v, h) OPT_ROW_(OPTION_INTEGER, s, l, OPT_PTR(int, v), .help = (h))
#define OPT_INTEGER_SET(s, l, v, os, h)                                                            \
	OPT_ROW_(OPTION_INTEGER, s, l, OPT_PTR(int, v), .help = (h), .set = (os))
#define OPT_UINTEGER(s, l, v, h)                                                                   \
	OPT_ROW_(OPTION_UINTEGER, s, l, OPT_PTR(unsigned int, v), .help = (h))
#define OPT_UINTEGER_OPTARG(s, l, v, d, h)                                                         \
	OPT_ROW_(OPTION_UINTEGER, s, l, OPT_PTR(unsigned int, v), .help = (h),                     \
		 .flags = PARSE_OPT_OPTARG, .defval = (d))
#define OPT_UINTEGER_SET(s, l, v, os, h)                                                           \
	OPT_ROW_(OPTION_UINTEGER, s, l, OPT_PTR(unsigned int, v), .help = (h), .set = (os))
#define OPT_LONG(s, l, v, h) OPT_ROW_(OPTION_LONG, s, l, OPT_PTR(long, v), .help = (h))
#define OPT_ULONG(s, l, v, h) OPT_ROW_(OPTION_ULONG, s, l, OPT_PTR(unsigned long, v), .help = (h))
#define OPT_U64(s, l, v, h) OPT_ROW_(OPTION_U64, s, l, OPT_PTR(u64, v), .help = (h))
#define OPT_U64_SET(s, l, v, os, a, h)                                                             \
	OPT_ROW_(OPTION_U64, s, l, OPT_PTR(u64, v), .argh = (a), .help = (h), .set = (os))
#define OPT_STRING(s, l, v, a, h)                                                                  \
	OPT_ROW_(OPTION_STRING, s, l, OPT_PTR(const char *, v), .argh = (a), .help = (h))
#define OPT_STRING_FLAG(s, l, v, a, h, f)                                                          \
	OPT_ROW_(OPTION_STRING, s, l, OPT_PTR(const char *, v), .argh = (a), .help = (h),          \
		 .flags = (f))
#define OPT_STRING_NOEMPTY(s, l, v, a, h) OPT_STRING_FLAG(s, l, v, a, h, PARSE_OPT_NOEMPTY)
/* @d: the string used when the option is last or followed by another option */
#define OPT_STRING_DEFAULT(s, l, v, a, h, d)                                                       \
	OPT_ROW_(OPTION_STRING, s, l, OPT_PTR(const char *, v), .argh = (a), .help = (h),          \
		 .flags = PARSE_OPT_LASTARG_DEFAULT, .defval = (intptr_t)(d))
/* @d: the string used when the option comes without a value */
#define OPT_STRING_OPTARG(s, l, v, a, h, d)                                                        \
	OPT_ROW_(OPTION_STRING, s, l, OPT_PTR(const char *, v), .argh = (a), .help = (h),          \
		 .flags = PARSE_OPT_OPTARG, .defval = (intptr_t)(d))
#define OPT_STRING_OPTARG_SET(s, l, v, os, a, h, d)                                                \
	OPT_ROW_(OPTION_STRING, s, l, OPT_PTR(const char *, v), .argh = (a), .help = (h),          \
		 .flags = PARSE_OPT_OPTARG, .defval = (intptr_t)(d), .set = (os))
#define OPT_CALLBACK(s, l, v, a, h, f)                                                             \
	OPT_ROW_(OPTION_CALLBACK, s, l, v, .argh = (a), .help = (h), .callback = (f))
#define OPT_CALLBACK_FLAG(s, l, v, a, h, f, fl)                                                    \
	OPT_ROW_(OPTION_CALLBACK, s, l, v, .argh = (a), .help = (h), .callback = (f), .flags = (fl))
#define OPT_CALLBACK_SET(s, l, v, os, a, h, f)                                                     \
	OPT_ROW_(OPTION_CALLBACK, s, l, v, .argh = (a), .help = (h), .callback = (f), .set = (os))
/* In the next two, @d goes to opt->data. */
#define OPT_CALLBACK_NOOPT(s, l, v, d, h, f)                                                       \
	OPT_ROW_(OPTION_CALLBACK, s, l, v, .help = (h), .callback = (f), .flags = PARSE_OPT_NOARG, \
		 .data = (d))
#define OPT_CALLBACK_OPTARG(s, l, v, d, a, h, f)                                                   \
	OPT_ROW_(OPTION_CALLBACK, s, l, v, .argh = (a), .help = (h), .callback = (f),              \
		 .flags = PARSE_OPT_OPTARG, .data = (d))
/* @d: the string the callback gets when the option is last or followed by another option */
#define OPT_CALLBACK_DEFAULT(s, l, v, a, h, f, d)                                                  \
	OPT_ROW_(OPTION_CALLBACK, s, l, v, .argh = (a), .help = (h), .callback = (f),              \
		 .flags = PARSE_OPT_LASTARG_DEFAULT, .defval = (intptr_t)(d))

/* parse_options() flags */
enum {
	PARSE_OPT_STOP_AT_NON_OPTION = 1 << 0, /* the first argument ends the options */
	PARSE_OPT_KEEP_DASHDASH = 1 << 1,      /* leave "--" in the arguments */
	PARSE_OPT_KEEP_ARGV0 = 1 << 2,         /* leave argv[0] in front of the arguments */
	PARSE_OPT_KEEP_UNKNOWN = 1 << 3,       /* unknown options stay in the arguments */
	PARSE_OPT_KEEP_HELP = 1 << 4,          /* -h and --help are options as others are */
};

/* Exit statuses of the command line, as scripts know them. */
enum {
	OPTIONS_STATUS_USAGE = 129, /* wrong usage, and -h */
	OPTIONS_STATUS_LIST = 130,  /* --list-opts, --list-cmds */
};

/* The text and the status with which parsing ends the command. */
struct options_out {
	struct strbuf text; /* owned: options_out_release() */
	bool to_stdout;     /* the text goes to stdout, otherwise to stderr */
	bool whole_usage;   /* the text is the complete usage, for which a terminal gets a pager */
	int status;         /* exit status */
};

/** options_out_release - free the text. */
void options_out_release(struct options_out *out);

/**
 * options_parse - parse a command line against a table.
 * @argc, @argv: argv[0] is the command; on success argv[0..ret) holds the arguments that
 *	are not options (after argv[0] with PARSE_OPT_KEEP_ARGV0)
 * @opts: a table that ends with OPT_END() or OPT_PARENT()
 * @usage: usage lines, NULL-terminated
 * @flags: PARSE_OPT_STOP_AT_NON_OPTION and the like
 * @out: zeroed by the caller; filled in when the return value is negative
 * Return: the number of arguments left, or -1, and then the caller prints out->text and exits with
 * out->status.
 */
int options_parse(int argc, const char **argv, const struct option *opts, const char *const usage[],
		  int flags, struct options_out *out);

/**
 * options_parse_subcommand - do what options_parse() does, for a command with subcommands
 * ({record|report|...}).
 * @subcommands: names, NULL-terminated. --list-cmds prints them, and a usage line is made
 *	of them when usage[0] is NULL.
 */
int options_parse_subcommand(int argc, const char **argv, const struct option *opts,
			     const char *const subcommands[], const char *const usage[], int flags,
			     struct options_out *out);

/**
 * options_usage - append the usage lines and the help of a table, sorted by short and then by long
 * name.
 * @argc, @argv: when argc > 0, only options that these words name, or whose help mentions
 *	them
 * @all: include hidden options
 */
void options_usage(struct strbuf *sb, const char *const usage[], const struct option *opts,
		   int argc, const char **argv, bool all);

/**
 * options_usage_one - append the usage lines (unless @usage is NULL) and the help of one option.
 * @name: a letter when @short_name is set, otherwise the beginning of long names; NULL:
 *	append only the usage lines
 */
void options_usage_one(struct strbuf *sb, const char *const usage[], const struct option *opts,
		       const char *name, bool short_name);

/**
 * options_subcommand_usage - append "perf CMD [<options>] {a|b}", the usage line of a command with
 * subcommands.
 */
void options_subcommand_usage(struct strbuf *sb, const char *cmd, const char *const subcommands[]);

/**
 * options_list - append the output of --list-opts: every long option in table order, on one line.
 */
void options_list(struct strbuf *sb, const struct option *opts);

/**
 * options_table - append the output of --list-opts=table, which completion and the check of the man
 * pages read. Each option is a line of fields separated by tabs: letter, long name, value ("none",
 * "optional", "required"), name of the value, "hidden" or "shown", and the first line of the help.
 * A field without contents is "-".
 */
void options_table(struct strbuf *sb, const struct option *opts);

/**
 * options_check - check a table for duplicate names, missing targets and contradictory flags.
 * Return: 0, or -EINVAL and a sentence about the first faulty row.
 */
int options_check(const struct option *opts, struct err *err);

#endif
