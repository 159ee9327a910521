/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracks and what is on them in the format of ui.perfetto.dev and its trace processor: packets of a
 * Trace with the published field numbers (perfetto/trace/trace_packet.proto). A track is named
 * before something is put on it. Packets need not be in the order of time, except that of those of
 * the same time an earlier one counts as earlier.
 */
#ifndef PERF_CODEC_PFTRACE_H
#define PERF_CODEC_PFTRACE_H

#include "base/strbuf.h"

/* The sequence of packets that tracks are described by; names are numbered per sequence. */
#define PFTRACE_SEQUENCE 1

enum {
	PFTRACE_PACKET = 1, /* of a Trace */
	/* of a TracePacket */
	PFTRACE_TIMESTAMP = 8, /* ns */
	PFTRACE_TRACK_EVENT = 11,
	PFTRACE_INTERNED_DATA = 12,
	PFTRACE_SEQUENCE_FLAGS = 13,
	/* of a String of InternedData */
	PFTRACE_IID = 1,
	PFTRACE_STR = 2,
	/* values of PFTRACE_SEQUENCE_FLAGS */
	PFTRACE_STATE_CLEARED = 1, /* numbers of names begin */
	PFTRACE_NEEDS_STATE = 2,   /* the packet uses such numbers */
};

enum pftrace_type {
	PFTRACE_SLICE_BEGIN = 1,
	PFTRACE_SLICE_END = 2,
	PFTRACE_INSTANT = 3,
};

/** pftrace_packet - begin a packet. proto_end() ends it. */
size_t pftrace_packet(struct strbuf *out, u32 sequence);

/** pftrace_track - name a track. @parent: the track that it is part of, or 0 */
void pftrace_track(struct strbuf *out, u64 track, u64 parent, const char *name);
/** pftrace_process - name the track of a process. */
void pftrace_process(struct strbuf *out, u64 track, u32 pid, const char *name);
/** pftrace_thread - name the track of a thread. @parent: track of its process */
void pftrace_thread(struct strbuf *out, u64 track, u64 parent, u32 pid, u32 tid, const char *name);
/** pftrace_counter - name a track of values. @parent: as of pftrace_track() */
void pftrace_counter(struct strbuf *out, u64 track, u64 parent, const char *name, const char *unit);

/** pftrace_value - put a value on a track of values. @time: ns */
void pftrace_value(struct strbuf *out, u64 time, u64 track, u64 value);

/* Something on a track that pftrace_value() is not for. */
struct pftrace_event {
	u64 time; /* ns */
	u64 track;
	enum pftrace_type type;
	const char *category, *name; /* NULL: none */
	u32 name_iid;                /* instead of @name: its number; 0: none */
	/* An arrow leads from an event to a later one. Each has a number, 0: there is none. */
	u64 arrow_from, arrow_to;
};

void pftrace_event(struct strbuf *out, const struct pftrace_event *e);

/* Names of events get numbers, which are shorter: 1 and so on, all in one packet. */
struct pftrace_names {
	size_t packet, interned;
	u32 nr; /* names so far */
};

/** pftrace_names - begin that packet, which pftrace_names_end() ends. */
struct pftrace_names pftrace_names(struct strbuf *out);
/** pftrace_name - return the number of a name, which is the next one. */
u32 pftrace_name(struct strbuf *out, struct pftrace_names *n, const char *name);
void pftrace_names_end(struct strbuf *out, const struct pftrace_names *n);

#endif
