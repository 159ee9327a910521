// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The records of a guest are read in the order of time by a thread of their own (guest-feed.h),
 * which gives them the form that they have in the output: the cpumode of a guest, the time of the
 * host, the id of an added event. The CPU is set when they are inserted, because the host's records
 * before them tell where the processor of the guest was running.
 */
#include "base/compat.h"
#include "inject/guest-internal.h"

#include "wire/encode.h"

/* Only what gives addresses and processors their meaning is of use to the host. */
static bool is_wanted(u32 type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_TEXT_POKE:
		return true;
	default:
		return false;
	}
}

u16 guest_misc(u16 misc)
{
	u16 mode = (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER
			   ? PERF_RECORD_MISC_GUEST_USER
			   : PERF_RECORD_MISC_GUEST_KERNEL;

	return (misc & ~PERF_RECORD_MISC_CPUMODE_MASK) | mode;
}

/* Return which id a record has; those that a recorder synthesized have none. NULL: unknown. */
static const struct guest_sid *sid_of(const struct guest *g, u64 id)
{
	u32 at = id && id != UINT64_MAX ? map64_get(&g->by_id, id) : 0;

	return at == MAP64_NONE ? NULL : &g->sids[at];
}

/* Make the record of the output in @g->rec. Return: false when it has no place in a record. */
static bool convert(struct guest *g, const struct session_event *ev, const struct guest_sid *sid,
		    u64 time)
{
	const struct evsel *e = ev->evsel ? ev->evsel : g->s.evlist.evsels[0];
	size_t body = ev->hdr->size - MIN((size_t)ev->hdr->size, (size_t)e->layout.id_size);
	struct sample_id id = ev->id;
	wire_header hdr = *ev->hdr;

	if (body < sizeof(hdr))
		return false;
	id.time = time;
	id.id = id.stream_id = sid->id;
	id.cpu = 0; /* until it is inserted */
	hdr.misc = guest_misc(hdr.misc);
	strbuf_reset(&g->rec);
	strbuf_add(&g->rec, &hdr, sizeof(hdr));
	strbuf_add(&g->rec, ev->hdr + 1, body - sizeof(hdr));
	enc_sample_id(&g->rec, &g->events[sid->event].layout, &id);
	if (g->rec.len > UINT16_MAX || g->rec.len % 8)
		return false;
	((wire_header *)g->rec.buf)->size = (u16)g->rec.len;
	return true;
}

static int no_state(void *ctx, const struct session_event *ev, struct err *err)
{
	return 0;
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct guest *g = ctx;
	const struct guest_sid *sid;
	u64 time;

	if (!is_wanted(ev->hdr->type))
		return 0;
	sid = sid_of(g, ev->id.id);
	time = guest_clock_time(&g->clock, ev->time);
	if (!sid || !convert(g, ev, sid, time)) {
		diag_record(&g->s.diag, DIAG_BAD_RECORD, ev->hdr->type, ev->offset);
		return 0;
	}
	return feed_put(&g->feed, &(struct feed_entry){ .time = time,
							.event = sid->event,
							.vcpu = sid->vcpu,
							.rec = g->rec.buf });
}

int guest_records(void *ctx, struct guest_feed *feed, struct err *err)
{
	static const struct session_ordered_ops ops = {
		.state = { .state = no_state },
		.format = on_record,
		.all = true,
	};
	struct guest *g = ctx;

	return session_ordered(&g->s, &ops, g, 1, err);
}
