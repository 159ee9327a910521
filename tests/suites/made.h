/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings that suites make themselves, so that they need neither rights nor a kernel that has
 * what is looked at, and know every figure that has to come out.
 *
 * Tracepoints are written as text, a line for each thing, in the order of time:
 *
 *	event sched:sched_waking char comm[16]; pid_t pid; int target_cpu
 *	task 100 101 name
 *	500 1 100/101 sched:sched_waking other 102 0
 *
 * The first line gives an event and its fields as they are declared in C; those of type __data_loc
 * char[] are strings of any length. The second one names thread 101 of process 100. The third is an
 * event: microseconds, CPU, process and thread, the name, and a value for each field, of which an
 * array of numbers takes several. No value has a blank. A line that begins with # says something to
 * the reader.
 */
#ifndef PERF_TESTS_MADE_H
#define PERF_TESTS_MADE_H

#include "base/compat.h"
#include "base/strbuf.h"
#include "wire/event.h"

#define MADE_EVENTS 12
#define MADE_FIELDS 12

/* A field of a tracepoint: its place in the raw data. */
struct made_field {
	u32 at, width; /* width: of one value */
	u32 values;    /* 1, or the number of elements of an array of numbers */
	u32 text_size; /* of an array of char; otherwise 0 */
	bool dynamic;  /* a string of any length, which follows behind the fields */
};

struct made_event {
	struct perf_event_attr attr;
	struct strbuf name;
	struct strbuf format; /* of a tracepoint, as tracefs has it; otherwise empty */
	struct made_field fields[MADE_FIELDS];
	size_t nr_fields;
	u32 raw_size; /* without strings of any length */
};

/* A recording that grows. All its samples have the same fields. */
struct made {
	u64 sample_type;
	struct wire_layout layout;
	struct made_event events[MADE_EVENTS];
	size_t nr_events;
	struct strbuf records;
};

/** made_init - begin a recording; made_release() frees it. @sample_type: the fields of samples,
 * IDENTIFIER, TID, TIME and CPU beside them. */
void made_init(struct made *m, u64 sample_type);
void made_release(struct made *m);
/** made_event - add an event. Return: its id, which the samples have; made_event_of() is it. */
u64 made_event(struct made *m, u32 type, u64 config, const char *name);
struct made_event *made_event_of(struct made *m, u64 id);
/** made_task - add the name of a thread. */
void made_task(struct made *m, u32 pid, u32 tid, const char *comm);
/** made_mmap - add a mapping of a process. */
void made_mmap(struct made *m, const struct rec_mmap *map);
/** made_sample - add a sample; its event is that of s->id. */
void made_sample(struct made *m, const struct sample *s);
/** made_lines - add what the text says. Return: 0, or TEST_FAIL after a message. */
int made_lines(struct made *m, const char *text);
/**
 * made_enter - write the recording as perf.data into a new folder and make that the current one:
 * commands find it there unasked. The caller passes @dir to made_leave(). Return: 0 or TEST_FAIL.
 */
int made_enter(const struct made *m, char **dir);
/** made_leave - remove the folder and free its name. */
void made_leave(char *dir);

/**
 * made_shows - check that this program prints the given lines.
 * @argv: arguments behind "perf", NULL-terminated
 * @lines: lines that have to be there, in this order, each behind a line feed but the first. Blanks
 *         at their ends do not count, and several between two words count as one
 * Return: enum test_result
 */
int made_shows(const char *lines, const char *const *argv);
#define MADE_SHOWS(lines, ...) made_shows(lines, (const char *const[]){ __VA_ARGS__, NULL })

/** made_tells - do so with a recording, which is freed. */
int made_tells(struct made *m, const char *lines, const char *const *argv);
#define MADE_TELLS(m, lines, ...) made_tells(m, lines, (const char *const[]){ __VA_ARGS__, NULL })

/** made_prints - do so with the recording that @text says. */
int made_prints(const char *text, const char *lines, const char *const *argv);
#define MADE_PRINTS(text, lines, ...)                                                              \
	made_prints(text, lines, (const char *const[]){ __VA_ARGS__, NULL })

#endif
