/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of analysis engines. An engine is a value: it names the events that it wants with the
 * fields that it reads, and takes them one after the other in the order of (time, CPU). Names of
 * events and fields are looked up once per file (engine_bind()); feed() reads numbers at places
 * that are known. Engines neither print nor resolve; their results are structs that others print.
 *
 * An event may have several names, in the order of preference, because kernels differ: sched_waking
 * where it exists, otherwise sched_wakeup. Only the first one that the recording has is fed.
 */
#ifndef PERF_ANALYZE_ENGINE_H
#define PERF_ANALYZE_ENGINE_H

#include "base/strbuf.h"
#include "events/evlist.h"
#include "tracefmt/tracefmt.h"

#define ENGINE_NAMES 3
#define ENGINE_FIELDS 8

struct engine_event {
	const char *names[ENGINE_NAMES]; /* "sched:sched_waking"; NULL: no more */
	const char *fields[ENGINE_FIELDS];
	u32 optional;  /* bits of the fields that an event may lack; they read as 0 and as "" */
	bool required; /* the engine has no result without it */
	/* An event that is no tracepoint has no fields. It is found by its attributes, and names[0]
	 * stands for it in messages; NULL: a tracepoint. All events that fit are fed. */
	bool (*fits)(const struct perf_event_attr *attr);
};

/* The place of a field in the payload. A size of 0: there is no such field. */
struct engine_place {
	u32 offset;
	u8 size;
	bool is_signed, is_text, is_dynamic;
	bool is_s32;   /* a signed number of 4 bytes in native order, as most tids are */
	u16 text_size; /* bytes of a text of fixed size */
};

/* An event of a recording as an engine reads it. */
struct engine_binding {
	bool used;   /* the engine takes this event */
	bool swap;   /* numbers are of the other byte order */
	u32 event;   /* its number in the table of the engine */
	u32 payload; /* bytes that contain all bound fields */
	struct engine_place at[ENGINE_FIELDS];
};

/* One event. It is valid during feed(). */
struct engine_input {
	u64 time; /* ns */
	u32 cpu, pid, tid;
	u32 event;    /* number in the table of the engine */
	u64 place;    /* of the record, in bytes from the start of the file */
	bool wanted;  /* it happened on a CPU that users look at */
	bool in_time; /* it happened at a time that they look at */
	const struct engine_binding *bound;
	const u8 *raw; /* at least bound->payload bytes */
	u32 raw_size;
	const struct sample *sample; /* for what is printed beside the event: its call chain */
};

struct engine {
	const char *name;   /* in messages: "sched latency" */
	const char *record; /* the command that records its events: "perf sched record" */
	const struct engine_event *events;
	u32 nr_events;
	u32 unused; /* bits of events in the table that it does not take */
	u32 needed; /* bits of those that are required beside the ones that always are */
	bool any;   /* any one of the events will do, so that none is required */
	/* It has no table and takes each event that no other engine of the pass looks for, by any
	 * of its names. Their numbers are those of the recording's list, and no fields are bound. A
	 * pass needs another engine that has events. */
	bool rest;
	/* By the number of an event: what the results lack without it, such as "runtimes are 0";
	 * NULL: nothing that has to be told. The table may be NULL. All that is told only if the
	 * first event is there, which the others complete. */
	const char *const *lacking;
	/* The engine learns how the file describes an event: @format is NULL for one that is no
	 * tracepoint. The function may be NULL. */
	void (*bound)(void *state, u32 event, const struct tf_event *format);
	void (*feed)(void *state, const struct engine_input *in);
	/* Events of a CPU are missing, between the last one of it and @time; may be NULL. */
	void (*lost)(void *state, u32 cpu, u64 time);
	/* No more events come; may be NULL. */
	void (*finish)(void *state);
};

/**
 * engine_bind - find the events of an engine in a recording, and their fields.
 * @tf: formats of the recording; NULL: it has none
 * @swap: numbers in the recording are of the other byte order
 * @state: of the engine, for its bound()
 * @out: l->nr bindings, by the number of the event
 * Return: 0, or -ENOENT and a sentence that names what is missing and how to record it.
 */
int engine_bind(const struct engine *e, void *state, const struct evlist *l,
		const struct tracefmt *tf, bool swap, struct engine_binding *out, struct err *err);

/**
 * engine_missing - append a line for each event that the recording lacks and without which results
 * are not what they could be: none of its names is there, or another one than the first.
 */
void engine_missing(const struct engine *e, const struct evlist *l, struct strbuf *out);

/** engine_knows - tell whether an event is one that the engine looks for, be it that it takes
 * another one of its names, or leaves it out. */
bool engine_knows(const struct engine *e, const struct evsel *evsel);

/** engine_unsigned - return the bytes of a number at @p in native order. */
static inline u64 engine_unsigned(const u8 *p, u8 size, bool swap)
{
	switch (size) {
	case 1:
		return *p;
	case 2:
		return swap ? __builtin_bswap16(*(const u16_una *)p) : *(const u16_una *)p;
	case 4:
		return swap ? __builtin_bswap32(*(const u32_una *)p) : *(const u32_una *)p;
	case 8:
		return swap ? __builtin_bswap64(*(const u64_una *)p) : *(const u64_una *)p;
	}
	return 0;
}

/** engine_number - return the value of a field by its number in the table, sign-extended when it is
 * signed; 0 when the event lacks it. */
static inline u64 engine_number(const struct engine_input *in, u32 field)
{
	const struct engine_place *at = &in->bound->at[field];
	unsigned int unused = 64 - 8 * (unsigned int)at->size;
	u64 v;

	if (likely(at->is_s32))
		return (u64)(s32)(*(const u32_una *)(in->raw + at->offset));
	v = engine_unsigned(in->raw + at->offset, at->size, in->bound->swap);
	return at->is_signed && at->size ? (u64)((s64)(v << unused) >> unused) : v;
}

/**
 * engine_text - return the bytes of a text field, borrowed from the event and not terminated.
 * @len: their number, up to the first zero byte
 */
const char *engine_text(const struct engine_input *in, u32 field, size_t *len);

#endif
