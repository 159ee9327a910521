/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write scripts with a handler for each event of a recording (perf script -g). */
#ifndef PERF_SCRIPT_GENERATE_H
#define PERF_SCRIPT_GENERATE_H

#include "base/strbuf.h"
#include "tracefmt/tracefmt.h"

/** generate_perl - append a script in Perl. @tf: the formats of tracepoints; NULL: none */
void generate_perl(const struct tracefmt *tf, struct strbuf *out);
/** generate_python - append a script in Python. @tf: the formats of tracepoints; NULL: none */
void generate_python(const struct tracefmt *tf, struct strbuf *out);

/* ---- for the languages ---- */

/* The languages write the parts that their handlers have in common with these. */
struct generated_style {
	const char *scope;           /* between the subsystem and the event */
	const char *sigil;           /* in front of variables */
	const char *parameter_break; /* where a list of parameters goes on on the next line */
	const char *format_break;    /* the same of a format, in its text */
	const char *argument_break;  /* the same of a list of arguments */
	u32 formats;                 /* fields of a format on a line */
};

/* A handler is written for this event. */
struct generated_event {
	const struct generated_style *style;
	const struct tf_event *ev;
	/* private */
	unsigned char *shown; /* owned; a way to show each field */
};

/** generate_events - call @put for each event, in the order of their ids. */
void generate_events(const struct tracefmt *tf, const struct generated_style *style,
		     void (*put)(const struct generated_event *g, struct strbuf *out),
		     struct strbuf *out);
/** generate_parameters - append the names of the fields as parameters. @last: the name of one more;
 * NULL: there is none */
void generate_parameters(const struct generated_event *g, const char *last, struct strbuf *out);
/** generate_formats - append the text of a format that prints all fields. */
void generate_formats(const struct generated_event *g, struct strbuf *out);
/** generate_arguments - append the fields as arguments for that format. */
void generate_arguments(const struct generated_event *g, struct strbuf *out);

#endif
