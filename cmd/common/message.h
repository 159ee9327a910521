/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions print the output and the messages of commands; the exit statuses are here,
 * too. */
#ifndef PERF_CMD_COMMON_MESSAGE_H
#define PERF_CMD_COMMON_MESSAGE_H

#include "base/err.h"
#include "base/notice.h"
#include "base/strbuf.h"
#include "cli/output-mark.h"
#include "cli/write-behind.h"

struct session;

/*
 * The exit statuses of all commands, as the shell sees them. Some commands of perf 6.1 return a
 * negative errno, which the shell sees modulo 256: those are written as such where they occur.
 */
enum exit_status {
	EXIT_OK = 0,        /* the command did what was asked */
	EXIT_FAILED = 255,  /* something went wrong; a sentence on stderr says what (perf's -1) */
	EXIT_REFUSED = 234, /* options or values that exclude each other (perf's -EINVAL) */
	EXIT_USAGE = 129,   /* the command line could not be understood; usage was printed */
	EXIT_WRITE = 128,   /* standard output took no more */
};

/** write_stdout - print a piece of text; an output_write. Return: 0, or -EPIPE. */
int write_stdout(void *ctx, const char *text, size_t len);
/** struct long_output - lines on stdout that are written while later ones are made. */
struct long_output {
	struct output_mark begin;
	struct write_behind *behind;
};
/** take_back_fn - take back what was written. @out: a struct long_output. Return: false: it cannot
 * be done. */
typedef bool take_back_fn(void *out);
/**
 * long_output_begin - begin it. Nothing else is printed on stdout before long_output_end().
 * Return: what takes back all that is printed from now on; NULL: that is not possible.
 */
take_back_fn *long_output_begin(struct long_output *o);
/** long_output_write - print a piece of text. @ctx: the output. Return: 0, or -EPIPE. */
int long_output_write(void *ctx, const char *text, size_t len);
/** long_output_end - wait until all is written. */
void long_output_end(struct long_output *o);
/** print_text - print @text on stdout and release it. */
void print_text(struct strbuf *text);

/**
 * file_is_readable - tell whether an option may name @path, and on stderr why not. NULL, an option
 * that is not given, is fine.
 */
bool file_is_readable(const char *path);

/** error - print "  Error: " and the text on stderr. */
void error(const char *fmt, ...) __printf(1, 2);

/** error_err - print the sentence of @e as it is on stderr, when there is one; returns its code (or
 * -1). */
int error_err(const struct err *e);

/** stderr_notices - writes the notices of rooms to stderr, as they are. */
extern const struct notices stderr_notices;

/** warn_lost - tell on stderr when the kernel lost records of this recording. */
void warn_lost(const struct session *s);

/**
 * warn_traces - tell on stderr, when @wanted and the recording has traces of processors, that they
 * are not decoded. Return: whether that was told.
 */
bool warn_traces(const struct session *s, bool wanted);
/** warn_stitching - tell on stderr, when --stitch-lbr is @wanted, what it does with this
 * recording. */
void warn_stitching(const struct session *s, bool wanted);

/**
 * warn_diag - tell on stderr what the file had that could not be used: the first records of each
 * kind with their offsets, and how many there are.
 * Return: as diag_status().
 */
int warn_diag(const struct session *s);
/**
 * diag_status - return the exit status of a command that has shown all that is readable:
 * EXIT_FAILED
 * when something of what was recorded is missing, EXIT_OK when nothing is or the user gave -f.
 */
int diag_status(const struct session *s);

#endif
