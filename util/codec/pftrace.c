// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "codec/pftrace.h"

#include "codec/protobuf.h"

enum {
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_DESCRIPTOR = 60,
	INTERNED_EVENT_NAMES = 2,
	DESCRIPTOR_UUID = 1,
	DESCRIPTOR_NAME = 2,
	DESCRIPTOR_PROCESS = 3,
	DESCRIPTOR_THREAD = 4,
	DESCRIPTOR_PARENT_UUID = 5,
	DESCRIPTOR_COUNTER = 8,
	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,
	COUNTER_UNIT_NAME = 6,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK_UUID = 11,
	EVENT_CATEGORIES = 22,
	EVENT_NAME = 23,
	EVENT_COUNTER_VALUE = 30,
	EVENT_FLOW_IDS = 47,
	EVENT_TERMINATING_FLOW_IDS = 48,
	TYPE_COUNTER = 4,
};

size_t pftrace_packet(struct strbuf *out, u32 sequence)
{
	size_t packet = proto_begin(out, PFTRACE_PACKET);

	proto_u64(out, PACKET_SEQUENCE_ID, sequence);
	return packet;
}

/* ---- tracks ---- */

/* A packet with the description of a track, which both are open. */
struct descriptor {
	size_t packet, itself;
};

static struct descriptor begin_track(struct strbuf *out, u64 track, u64 parent)
{
	struct descriptor d = { .packet = pftrace_packet(out, PFTRACE_SEQUENCE) };

	d.itself = proto_begin(out, PACKET_TRACK_DESCRIPTOR);
	proto_u64(out, DESCRIPTOR_UUID, track);
	proto_u64(out, DESCRIPTOR_PARENT_UUID, parent);
	return d;
}

static void end_track(struct strbuf *out, const struct descriptor *d)
{
	proto_end(out, d->itself);
	proto_end(out, d->packet);
}

void pftrace_track(struct strbuf *out, u64 track, u64 parent, const char *name)
{
	struct descriptor d = begin_track(out, track, parent);

	proto_name(out, DESCRIPTOR_NAME, name);
	end_track(out, &d);
}

void pftrace_process(struct strbuf *out, u64 track, u32 pid, const char *name)
{
	struct descriptor d = begin_track(out, track, 0);
	size_t process = proto_begin(out, DESCRIPTOR_PROCESS);

	proto_number(out, PROCESS_PID, pid);
	proto_name(out, PROCESS_NAME, name);
	proto_end(out, process);
	end_track(out, &d);
}

void pftrace_thread(struct strbuf *out, u64 track, u64 parent, u32 pid, u32 tid, const char *name)
{
	struct descriptor d = begin_track(out, track, parent);
	size_t thread = proto_begin(out, DESCRIPTOR_THREAD);

	proto_number(out, THREAD_PID, pid);
	proto_number(out, THREAD_TID, tid);
	proto_name(out, THREAD_NAME, name);
	proto_end(out, thread);
	end_track(out, &d);
}

void pftrace_counter(struct strbuf *out, u64 track, u64 parent, const char *name, const char *unit)
{
	struct descriptor d = begin_track(out, track, parent);
	size_t counter;

	proto_name(out, DESCRIPTOR_NAME, name);
	counter = proto_begin(out, DESCRIPTOR_COUNTER);
	proto_name(out, COUNTER_UNIT_NAME, unit);
	proto_end(out, counter);
	end_track(out, &d);
}

/* ---- what is on them ---- */

void pftrace_value(struct strbuf *out, u64 time, u64 track, u64 value)
{
	size_t packet = pftrace_packet(out, PFTRACE_SEQUENCE), event;

	proto_number(out, PFTRACE_TIMESTAMP, time);
	event = proto_begin(out, PFTRACE_TRACK_EVENT);
	proto_u64(out, EVENT_TYPE, TYPE_COUNTER);
	proto_u64(out, EVENT_TRACK_UUID, track);
	proto_number(out, EVENT_COUNTER_VALUE, value);
	proto_end(out, event);
	proto_end(out, packet);
}

void pftrace_event(struct strbuf *out, const struct pftrace_event *e)
{
	size_t packet = pftrace_packet(out, PFTRACE_SEQUENCE), event;

	proto_number(out, PFTRACE_TIMESTAMP, e->time);
	if (e->name_iid)
		proto_u64(out, PFTRACE_SEQUENCE_FLAGS, PFTRACE_NEEDS_STATE);
	event = proto_begin(out, PFTRACE_TRACK_EVENT);
	proto_u64(out, EVENT_TYPE, e->type);
	proto_u64(out, EVENT_NAME_IID, e->name_iid);
	proto_u64(out, EVENT_TRACK_UUID, e->track);
	if (e->category)
		proto_name(out, EVENT_CATEGORIES, e->category);
	if (e->name)
		proto_name(out, EVENT_NAME, e->name);
	if (e->arrow_from)
		proto_fixed64(out, EVENT_FLOW_IDS, e->arrow_from);
	if (e->arrow_to)
		proto_fixed64(out, EVENT_TERMINATING_FLOW_IDS, e->arrow_to);
	proto_end(out, event);
	proto_end(out, packet);
}

struct pftrace_names pftrace_names(struct strbuf *out)
{
	struct pftrace_names n = { .packet = pftrace_packet(out, PFTRACE_SEQUENCE) };

	proto_u64(out, PFTRACE_SEQUENCE_FLAGS, PFTRACE_STATE_CLEARED);
	n.interned = proto_begin(out, PFTRACE_INTERNED_DATA);
	return n;
}

u32 pftrace_name(struct strbuf *out, struct pftrace_names *n, const char *name)
{
	size_t text = proto_begin(out, INTERNED_EVENT_NAMES);

	proto_u64(out, PFTRACE_IID, ++n->nr);
	proto_name(out, PFTRACE_STR, name);
	proto_end(out, text);
	return n->nr;
}

void pftrace_names_end(struct strbuf *out, const struct pftrace_names *n)
{
	proto_end(out, n->interned);
	proto_end(out, n->packet);
}
