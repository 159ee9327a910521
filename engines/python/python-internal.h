/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Python engine: scripts with handlers for events run in an interpreter of this process. What
 * the files do:
 *
 *	engine.c       the table of functions that perf calls
 *	interpreter.c  start and end of the interpreter; how scripts end the run
 *	handlers.c     samples: which function of the script takes them, and its arguments
 *	fields.c       the fields of tracepoints as values
 *	words.c        what the script is told about fields that are shown as words
 *	places.c       symbols, call chains and branch stacks
 *	sample-keys.c  the parts of a sample by name
 *	lazy-dict.c    dictionaries whose values are made when they are looked at
 *	records.c      records that are no samples, and counts
 *	tables.c       the recording as rows of tables
 *	context.c      the module perf_trace_context
 *	text.c         strings and numbers that come again and again
 */
#ifndef PERF_ENGINES_PYTHON_INTERNAL_H
#define PERF_ENGINES_PYTHON_INTERNAL_H

#include "script/host.h"

typedef struct _object PyObject;

/* Before 3.9 it had the name of a private function. */
#if defined(PY_VERSION_HEX) && PY_VERSION_HEX < 0x03090000
#define PyObject_Vectorcall _PyObject_Vectorcall
#endif

/* A field of a tracepoint. */
struct py_field {
	const struct tf_field *field;
	PyObject *key; /* owned: its name */
};

/* The script does this with the samples of an event. */
struct py_event {
	bool known; /* the following was looked up */
	bool tracepoint;
	PyObject *handler;      /* owned; NULL: there is none */
	PyObject *handler_name; /* owned: "sched__sched_switch"; of tracepoints alone */
	bool takes_chain;       /* the handler has a parameter for the call chain */
	bool takes_sample;      /* and one for the other parts of the sample */
	bool misfit;            /* it takes another number of arguments than there are */
	PyObject *name;         /* owned: the name of the event */
	PyObject *attr;         /* owned: the bytes of its attr */
	const struct tf_event *tf;
	const struct tf_field *pid; /* common_pid */
	struct py_field *fields;    /* owned; without the common ones */
	u32 nr_fields;
};

/* A string that was made of bytes. */
struct py_string {
	PyObject *text; /* owned; NULL: the slot is free */
	u32 len;
	char bytes[32];
};
#define PY_STRINGS 1024

/* A string that was made of bytes which stay where they are, as those of names of functions. */
struct py_constant {
	PyObject *text; /* owned; NULL: the slot is free */
	const char *from;
};
#define PY_CONSTANTS 16384 /* a program of some size has as many functions */

/* A number that came before. */
struct py_number {
	PyObject *number; /* owned; NULL: the slot is free */
	u64 value;
};
#define PY_NUMBERS 64

struct tables;

struct python {
	const struct script_start *how; /* borrowed */
	const struct script_host *host;
	struct view *view;
	PyObject *globals;                   /* owned: those of the script */
	PyObject *context;                   /* owned: what handlers pass to perf_trace_context */
	PyObject *process_event, *unhandled; /* owned; NULL: the script has no such function */
	bool unhandled_takes_sample;
	struct py_event *events; /* owned; by evsel idx */
	size_t nr_events;
	PyObject *lazy_type; /* owned */
	PyObject *lazy[2];   /* owned, by group: dictionaries of a sample; NULL: none was made */
	bool lazy_used[2];   /* they are of the sample at hand */
	PyObject **keys;     /* owned: the names of the parts of a sample */
	PyObject *common[6]; /* owned: the names of what every tracepoint has */
	PyObject *parts[24]; /* owned: the names of the parts of frames and branches */
	struct py_constant constants[PY_CONSTANTS];
	struct py_string strings[PY_STRINGS];
	struct py_number numbers[PY_NUMBERS];
	struct tables *tables; /* owned; NULL: the script does not ask for tables */
	unsigned int calls;    /* since other threads could run */
	int status;
};

/* ---- interpreter.c ---- */

/** py_begin - start the interpreter. Return: 0, or negative and a sentence. */
int py_begin(struct python *py, const struct script_start *start, struct err *err);
/** py_run_file - run the script from its first line to the last. Return: a verdict. */
int py_run_file(struct python *py, const char *file, struct err *err);
/** py_end - end the interpreter, after all objects were given back. */
void py_end(void);
/** py_failed - the script has raised an exception: tell of it, and return the verdict. */
int py_failed(struct python *py, struct err *err);
/** py_called - return the verdict of a call whose result was @result, which is taken; NULL: it
 * raised an exception. */
int py_called(struct python *py, PyObject *result, struct err *err);
/** py_flush - write what the script has printed. Return: a verdict. */
int py_flush(struct python *py, struct err *err);
/** py_function - return a function of the script, or NULL. The caller owns it. */
PyObject *py_function(const struct python *py, const char *name);
/** py_call_named - call a function of the script with @nr arguments, which are taken, if there is
 * one. Return: a verdict. */
int py_call_named(struct python *py, const char *name, PyObject **args, size_t nr, struct err *err);
/** py_parameters - return the number of positional parameters of a function; -1 when any number
 * will do, or it cannot be told. @optional: is set to how many of them have defaults */
int py_parameters(PyObject *function, int *optional);

/* ---- handlers.c ---- */

int py_handle_sample(struct python *py, struct err *err);
/** py_forget_events - forget what was looked up of events. */
void py_forget_events(struct python *py);
/** py_event_of - return what is known of an event, which is looked up when it is first asked for;
 * NULL: an exception was raised. */
struct py_event *py_event_of(struct python *py, const struct evsel *e);

/* ---- fields.c ---- */

/** py_field_value - return the value of a field of the sample at hand; NULL: an exception. */
PyObject *py_field_value(struct python *py, const struct tf_event *tf, const struct tf_field *f,
			 const void *raw, size_t size);

/* ---- words.c ---- */

/** py_define_words - tell the script, if it wants to know, which words stand for values of fields.
 * Return: false when an exception was raised. */
bool py_define_words(struct python *py, const struct tf_event *tf, PyObject *name);

/* ---- places.c ---- */

bool py_places_begin(struct python *py);
void py_places_end(struct python *py);
/** py_chain - return the call chain of the sample at hand as a list. */
PyObject *py_chain(struct python *py);
/** py_branches - return the branch stack of the sample at hand as a list, with addresses. */
PyObject *py_branches(struct python *py);
/** py_branch_symbols - return it with the names of functions. */
PyObject *py_branch_symbols(struct python *py);

/* ---- sample-keys.c ---- */

/* The dictionaries: of all parts of a sample, and of its numbers, which is one of these parts. */
enum py_group { PY_ROOT, PY_SAMPLE };

bool py_keys_begin(struct python *py);
void py_keys_end(struct python *py);
#define PY_KEYS_MAX 64 /* of a dictionary */
/** py_key_range - set [*@first, *@end) to the keys of a dictionary. */
void py_key_range(enum py_group group, size_t *first, size_t *end);
/**
 * py_key_value - make the value of a key for the sample at hand.
 * Return: NULL without an exception when the sample has no such part, and with one when that
 * failed.
 */
PyObject *py_key_value(struct python *py, size_t key);

/* ---- lazy-dict.c ---- */

/** py_lazy_begin - make the type. Return: false when an exception was raised. */
bool py_lazy_begin(struct python *py);
void py_lazy_end(struct python *py);
/** py_lazy - return the dictionary of the sample at hand. The caller owns a reference. */
PyObject *py_lazy(struct python *py, enum py_group group);
/** py_lazy_done - the sample goes away: complete the dictionaries that somebody keeps. Return:
 * false when an exception was raised. */
bool py_lazy_done(struct python *py);

/* ---- records.c ---- */

unsigned int py_wants(struct python *py);
int py_handle_record(struct python *py, const struct session_event *ev, struct err *err);
int py_handle_count(struct python *py, const struct script_count *c, struct err *err);
int py_handle_interval(struct python *py, u64 time, struct err *err);

/* ---- tables.c ---- */

/** py_tables_begin - find out whether the script asks for tables. Return: a verdict. */
int py_tables_begin(struct python *py, struct err *err);
void py_tables_end(struct python *py);
/** py_tables_sample - hand over the rows of the sample at hand. Return: a verdict. */
int py_tables_sample(struct python *py, struct err *err);
/** py_tables_switch - hand over the rows of a context switch, if there is a table for them. Return:
 * a verdict. */
int py_tables_switch(struct python *py, const struct session_event *ev, const struct rec_switch *sw,
		     struct err *err);
/** py_tables_want_switches - tell whether there is a table for context switches. */
bool py_tables_want_switches(const struct python *py);

/* ---- context.c ---- */

/** py_context_module - make the module perf_trace_context. */
PyObject *py_context_module(void);
/** py_context_new - make the object that stands for this engine. */
PyObject *py_context_new(struct python *py);

/* ---- text.c ---- */

/** py_text - return a string of bytes that stay where they are as long as the engine runs; "" for
 * NULL. The caller owns a reference, as of the next. */
PyObject *py_text(struct python *py, const char *s);
/** py_string - return a string of @len bytes. What is not UTF-8 is shown as \xNN. */
PyObject *py_string(struct python *py, const char *s, size_t len);
/** py_same_number - return a number of which most calls want the same, such as a second or a
 * process id. The caller owns a reference. */
PyObject *py_same_number(struct python *py, u64 v);
void py_text_end(struct python *py);

#endif
