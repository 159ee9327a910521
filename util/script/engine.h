/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scripts of users in other languages. A language is a row of a table (engine.c); what runs its
 * scripts, the engine, is a shared object which is loaded when a script is asked for, so that perf
 * itself needs no interpreter.
 *
 *	language = script_language_of(spec, &file, &err);
 *	engine = script_engine_load(language, folders, &err);
 *	script_engine_start(engine, &start, &err);
 *	... script_engine_sample() and the like, in the order of time ...
 *	script_engine_stop(engine, true, &err);
 *	script_engine_free(engine);
 */
#ifndef PERF_SCRIPT_ENGINE_H
#define PERF_SCRIPT_ENGINE_H

#include "events/evlist.h"
#include "script/view.h"

struct script_host;

/* A count of `perf stat record`. */
struct script_count {
	const struct evsel *evsel;
	s32 cpu, thread; /* thread: a process id, or -1 */
	u64 time, value, enabled, running;
};

/* The ways in which a call of a script ends. */
enum script_verdict {
	SCRIPT_GO_ON = 0,
	SCRIPT_ENOUGH, /* no more events are wanted; the script is to be stopped as at the end */
	SCRIPT_OVER,   /* the script has ended itself, or failed, and has told why; see status() */
};

/* A script is started with these. */
struct script_start {
	const struct script_host *host;
	struct view *view; /* of the samples to come */
	const char *file;  /* path of the script */
	const char **args; /* its arguments */
	int nr_args;
	const char *(*setting)(const char *key); /* a variable of the configuration; NULL: none */
	/* Whether somebody has said how to decode instruction traces, which is done once: the user
	 * by an option, or the script. */
	bool *itrace;
};

/* The kinds of records that a script wants beside samples; bits. */
enum script_wants {
	SCRIPT_WANTS_RECORDS = 1, /* switches, throttling, errors of AUX traces */
	SCRIPT_WANTS_COUNTS = 2,
};

/*
 * The functions of an engine, which the shared object has under the name SCRIPT_ENGINE_TABLE. A
 * verdict is negative, with a sentence, when perf itself could not go on.
 */
struct script_engine_ops {
	const char *version; /* of the perf it was built with, whose structs it shares */
	/* Run the script, and its function for the beginning. *@state is set in any case. */
	int (*start)(void **state, const struct script_start *start, struct err *err);
	unsigned int (*wants)(void *state);
	/* Events became known, or more of them: what is kept about them is to be forgotten. */
	void (*events)(void *state);
	/* The sample at hand of the view. */
	int (*sample)(void *state, struct err *err);
	int (*record)(void *state, const struct session_event *ev, struct err *err);
	int (*count)(void *state, const struct script_count *c, struct err *err);
	int (*interval)(void *state, u64 time, struct err *err); /* after its counts */
	/* Write what the script has printed so far. */
	int (*flush)(void *state, struct err *err);
	/* @whole: run the function for the end. Nothing is called after it but free(). */
	int (*stop)(void *state, bool whole, struct err *err);
	int (*status)(const void *state); /* exit status after SCRIPT_OVER */
	void (*free)(void *state);
};
#define SCRIPT_ENGINE_TABLE "perf_script_engine"

/* A language that scripts are written in. */
struct script_language {
	const char *name; /* "Python" */
	/* These words name it in -s SPEC:FILE and -g SPEC: its name, that in small letters, and the
	 * extension of its files. They are NULL-terminated. */
	const char *const *specs;
	const char *object;  /* file name of the engine */
	const char *package; /* what has to be installed, in words */
	/* Write a script with a handler for each event. */
	void (*generate)(const struct tracefmt *tf, struct strbuf *out);
};

/** script_languages - return the table of languages, which ends with a row without a name. */
const struct script_language *script_languages(void);
/** script_language_list - append the list of languages, for users. */
void script_language_list(struct strbuf *out);
/** script_language_names - append the word for each language, with a blank behind it. */
void script_language_names(struct strbuf *out);
/**
 * script_language_of - choose the language of a script.
 * @spec: "FILE.EXTENSION" or "LANGUAGE:FILE"
 * @file: is set to the part that names the file
 * Return: NULL, and a sentence, when it is none.
 */
const struct script_language *script_language_of(const char *spec, const char **file,
						 struct err *err);
/**
 * script_language_to_generate - choose the language of `-g`: "LANGUAGE" or "FILE.EXTENSION".
 * @file: is set to the file to write; the caller frees it
 * Return: NULL when it is none.
 */
const struct script_language *script_language_to_generate(const char *spec, char **file);

/* An engine that was loaded. */
struct script_engine;

/**
 * script_engine_load - load the engine of a language. script_engine_free() frees it.
 * @folders: where it may be, NULL-terminated
 * Return: NULL, and a sentence that names what has to be installed.
 */
struct script_engine *script_engine_load(const struct script_language *language,
					 const char *const *folders, struct err *err);
/** script_engine_ops, script_engine_state - return the functions of the engine, and their first
 * argument. */
const struct script_engine_ops *script_engine_ops(const struct script_engine *e);
void *script_engine_state(const struct script_engine *e);
/** script_engine_start - begin; @start->host is filled in. Return: a verdict. */
int script_engine_start(struct script_engine *e, struct script_start *start, struct err *err);
/** script_engine_sample - hand over a sample. @at: its thread. Return: a verdict. */
int script_engine_sample(struct script_engine *e, const struct session_event *ev,
			 const struct thread_at *at, struct err *err);
/** script_engine_stop - end the script, if it was started and is not over. Return: a verdict. */
int script_engine_stop(struct script_engine *e, bool whole, struct err *err);
/** script_engine_free - free it; @e may be NULL. */
void script_engine_free(struct script_engine *e);

#endif
