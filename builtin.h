/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every builtin sees: the commands, and the few helpers that print and exit. */
#ifndef PERF_BUILTIN_H
#define PERF_BUILTIN_H

#include "base/compat.h"
#include "base/color.h"
#include "base/err.h"
#include "base/progress.h"
#include "cli/config.h"
#include "cli/options.h"

/*
 * The commands. argv[0] is the name of the command. The value returned becomes the exit status as
 * the shell sees it: 0 is success, negative values are taken modulo 256 (-1 is 255, -EINVAL 234).
 */
int cmd_archive(int argc, const char **argv);
int cmd_buildid_cache(int argc, const char **argv);
int cmd_buildid_list(int argc, const char **argv);
int cmd_check(int argc, const char **argv);
int cmd_config(int argc, const char **argv);
int cmd_data(int argc, const char **argv);
int cmd_diff(int argc, const char **argv);
int cmd_evlist(int argc, const char **argv);
int cmd_flame(int argc, const char **argv);
int cmd_help(int argc, const char **argv);
int cmd_inject(int argc, const char **argv);
int cmd_list(int argc, const char **argv);
int cmd_record(int argc, const char **argv);
int cmd_report(int argc, const char **argv);
int cmd_script(int argc, const char **argv);
int cmd_stat(int argc, const char **argv);
int cmd_test(int argc, const char **argv);
int cmd_version(int argc, const char **argv);

struct record;
/** record_asked - what the options of record are about, for commands that record first. */
struct record *record_asked(void);
/** record_options - the table of record. */
const struct option *record_options(void);
/**
 * record_command - what cmd_record() does.
 * @table, @usage: of the command, with those of record_options()
 * @check: asked when all options are read, before anything is done: 0, or the exit status when it
 *	has said what is wrong; may be NULL
 * Return: exit status; record_asked()->signal is what ended it, 0: nothing did.
 */
int record_command(int argc, const char **argv, const struct option *table,
		   const char *const usage[], int (*check)(void *ctx), void *ctx);

/** version_with_options - perf -vv: the version and what is built in. */
int version_with_options(void);

/* A row of the table in perf.c. */
struct command {
	const char *name;
	int (*fn)(int argc, const char **argv);
	const char *summary; /* NULL: not in the list of commands */
};

/** find_command - a command by its name, or NULL. */
const struct command *find_command(const char *name);
/** list_commands - what `perf` without arguments prints, on stdout. */
void list_commands(void);

/**
 * parse_options - parse a command's options; prints usage, help or lists and exits when there is
 * nothing to run. See options_parse() for the arguments and the value returned.
 */
int parse_options(int argc, const char **argv, const struct option *opts, const char *const usage[],
		  int flags);

/** parse_options_subcommand - the same for a command with subcommands, see
 * options_parse_subcommand(). */
int parse_options_subcommand(int argc, const char **argv, const struct option *opts,
			     const char *const subcommands[], const char *const usage[], int flags);

/** usage_with_options - print the whole usage on stderr and exit with status 129. */
void usage_with_options(const char *const usage[], const struct option *opts)
	__attribute__((noreturn));

/** usage_with_options_msg - the same below a line of its own. */
void usage_with_options_msg(const char *const usage[], const struct option *opts, const char *fmt,
			    ...) __printf(3, 4) __attribute__((noreturn));

/**
 * usage_one_option - print on stderr the usage lines (unless @usage is NULL) and the help of one
 * option.
 * @name: its letter when @short_name, else its long name
 */
void usage_one_option(const char *const usage[], const struct option *opts, const char *name,
		      bool short_name);

/**
 * file_is_readable - may an option name @path? Says on stderr why not. NULL, an option that is not
 * given, is fine.
 */
bool file_is_readable(const char *path);

/** error - "  Error: " and the text, on stderr. */
void error(const char *fmt, ...) __printf(1, 2);
/** error_err - the sentence of @e as it is, on stderr, when there is one; returns its code (or -1).
 */
int error_err(const struct err *e);

/**
 * progress_open - a progress bar on stderr for a job that may take more than a second.
 * Return: what to hand to the room, or NULL when stderr is no terminal; progress_close() ends it.
 */
struct progress *progress_open(void);
/** progress_close - wipe the bar and free it; NULL is fine. */
void progress_close(struct progress *p);

/**
 * setup_pager - from here on standard output goes through the pager, when it is a terminal and
 * paging was not switched off. For commands with long output, before they print.
 */
void setup_pager(void);
/** pager_in_use - does standard output go through the pager? */
bool pager_in_use(void);
/** end_pager - let it show what it has, and wait for its end. For handlers of signals too. */
void end_pager(void);
/** force_pager - what -p and --no-pager decided. */
void force_pager(bool on);
/** check_pager_config - start the pager if -p was given or pager.<cmd> is true. */
void check_pager_config(const char *cmd);
/** term_columns - width of the terminal; $COLUMNS, or 80, when there is none. Right under a pager
 * as well. */
unsigned int term_columns(void);

/**
 * tell_shrunk_files - from here on a mapped file that becomes shorter is told, and ends perf with
 * 255 instead of SIGBUS. In cmd/common/sigbus.c.
 */
void tell_shrunk_files(void);
/** end_by_signal - die of the signal that the workload, or we, were killed by: the shell is to see
 * it. What was made for the run is taken away before. */
void end_by_signal(int sig) __attribute__((noreturn));
/** exec_path - where programs that are commands live: $PERF_EXEC_PATH or as built. Borrowed. */
const char *exec_path(void);
/** buildid_dir - --buildid-dir, $PERF_BUILDID_DIR or buildid.dir; NULL: the usual folder. Borrowed.
 */
const char *buildid_dir(void);
/** buildid_cache_dir - the folder of the build-id cache, usual or not; NULL without $HOME. The
 * caller frees. */
char *buildid_cache_dir(void);
/** system_config - path of the configuration file for all users. Borrowed. */
const char *system_config(void);

/**
 * perf_config - the configuration, read when first asked for; what is wrong with the files is told
 * on stderr then. Borrowed. A command reads its defaults from it before it parses options.
 */
const struct config *perf_config(void);
/** config_default_bool - set *@v from the configuration where the variable is there; warns when it
 * makes no sense. */
void config_default_bool(const char *key, bool *v);
/** config_default_u64, config_default_str - the same for other types. */
void config_default_u64(const char *key, u64 *v);
void config_default_str(const char *key, const char **v);

/** config_palette - the colours of percentages, with colors.top, colors.medium and colors.normal of
 * the configuration. */
void config_palette(struct palette *p);
/** config_color - color.ui of the configuration: true/auto, always, never; COLOR_AUTO when it is
 * not there. */
enum color_when config_color(void);

/** debug_level - the value `perf --debug verbose[=N]` gave to "verbose"; 0 when none, and for other
 * names. */
int debug_level(const char *name);
/** debug_set - take "NAME[=VALUE]"; false when there is no such name. */
bool debug_set(const char *arg);

/**
 * finish_output - flush stdout, say so and return 128 when it could not all be written, end the
 * pager. Return: @status otherwise.
 */
int finish_output(int status);

struct perf_file;
struct evlist;
struct session;
/** print_header - what --header shows of a file, to stdout. @full: as with -I */
void print_header(const struct perf_file *f, const struct evlist *evlist, bool full);
/** print_features - features that have come through a pipe since. @printed: which were shown */
void print_features(const struct perf_file *f, const struct evlist *evlist, bool full,
		    u64 *printed);
/**
 * read_pipe_header - read a pipe as far as it speaks about itself: events and features. Nothing
 * more can be read of it then. A file has told all that when it was opened.
 */
int read_pipe_header(struct session *s, struct err *err);

struct diag;
struct machine;
struct jitdumps;
/**
 * follow_jitdumps - code that run-time compilers of a recording tell of in jitdump files becomes
 * part of @m. Before its first record; end_jitdumps() says what was wrong with them, and frees.
 */
struct jitdumps *follow_jitdumps(struct machine *m, const struct session *s, const char *symfs,
				 bool force);
void end_jitdumps(struct jitdumps *j);
struct jitdump_conf;
/** jitdump_conf - how the jitdump files of a recording are found and read. Borrows all. */
void jitdump_conf(struct jitdump_conf *conf, const struct session *s, const char *symfs,
		  bool force);
/** warn_lost - on stderr, when the kernel lost records of this recording. */
void warn_lost(const struct session *s);
/** warn_diag - what the file had that could not be used, on stderr, one line per kind. */
void warn_diag(const struct diag *d);

#endif
