// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples: which functions of the script take them, and their arguments. A sample of a tracepoint
 * goes to a function named after it, SUBSYSTEM::EVENT, with the fields of the event as arguments,
 * or else to trace_unhandled(); every sample then goes to process_event(), as packed bytes. The
 * function of an event is looked up at the first of its samples.
 */
#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>

#include "engines/perl/perl-internal.h"

/* These arguments are in front of the fields. */
enum {
	ARG_NAME,
	ARG_CONTEXT,
	ARG_CPU,
	ARG_SECS,
	ARG_NSECS,
	ARG_PID,
	ARG_COMM,
	ARG_CHAIN,
	ARG_FIELDS
};

/* ---- what is known of an event ---- */

static void forget(struct perl *pl, struct perl_event *pe)
{
	dTHXa(pl->interpreter);

	for (u32 i = 0; i < pe->nr_args; i++)
		SvREFCNT_dec(pe->args[i]);
	Safefree(pe->args);
	SvREFCNT_dec(pe->takes);
	Safefree(pe->name);
	*pe = (struct perl_event){ 0 };
}

void pl_forget_events(struct perl *pl)
{
	dTHXa(pl->interpreter);

	for (size_t i = 0; i < pl->nr_events; i++)
		forget(pl, &pl->events[i]);
	Safefree(pl->events);
	pl->events = NULL;
	pl->nr_events = 0;
}

static void look_up_tracepoint(struct perl *pl, struct perl_event *pe)
{
	dTHXa(pl->interpreter);
	const struct tf_event *tf = pe->tf;

	pe->name = savepv(form("%s::%s", tf->system, tf->name));
	pe->name_len = strlen(pe->name);
	pe->takes = pl_function(pl, pe->name);
	if (!pe->takes)
		pe->takes = SvREFCNT_inc(pl->unhandled);
	pe->pid = pl->host->find_field(tf, "common_pid");
	pe->fields = tf->fields + tf->nr_common;
	pe->nr_fields = tf->nr_fields - tf->nr_common;
	pe->nr_args = ARG_FIELDS + pe->nr_fields;
	Newx(pe->args, pe->nr_args, SV *);
	for (u32 i = 0; i < pe->nr_args; i++)
		pe->args[i] = newSV(0);
}

/* Make room for what is known of an event. */
static struct perl_event *slot_of(struct perl *pl, u32 idx)
{
	dTHXa(pl->interpreter);

	if (unlikely(idx >= pl->nr_events)) {
		size_t nr = idx + 16;

		Renew(pl->events, nr, struct perl_event);
		Zero(pl->events + pl->nr_events, nr - pl->nr_events, struct perl_event);
		pl->nr_events = nr;
	}
	return &pl->events[idx];
}

/* Look up an event when its first sample comes. Return: a verdict. */
static int look_up(struct perl *pl, struct perl_event *pe, const struct evsel *e)
{
	pe->known = true;
	pe->tracepoint = e->attr.type == PERF_TYPE_TRACEPOINT;
	pe->tf = pe->tracepoint ? pl->host->format(e, pl->view->of.tracefmt) : NULL;
	if (!pe->tf)
		return SCRIPT_GO_ON;
	look_up_tracepoint(pl, pe);
	return pl_define_words(pl, pe);
}

u64 pl_common_field(struct perl *pl, const char *name)
{
	const struct session_event *ev = pl->view->ev;
	const struct tf_event *tf = slot_of(pl, ev->evsel->idx)->tf;
	const struct tf_field *f = tf ? pl->host->find_field(tf, name) : NULL;
	u64 v = 0;

	if (f && ev->sample->raw)
		pl->host->field_int(tf, f, ev->sample->raw, ev->sample->raw_size, &v);
	return v;
}

/* ---- tracepoints ---- */

static void set_common(struct perl *pl, struct perl_event *pe)
{
	const struct sample *s = pl->view->ev->sample;
	const char *comm = pl->host->comm(pl->view->of.machine, pl->view->at->comm);
	u64 pid = 0;

	if (pe->pid)
		pl->host->field_int(pe->tf, pe->pid, s->raw, s->raw_size, &pid);
	pl_set_bytes(pl, &pe->args[ARG_NAME], pe->name, pe->name_len);
	pl_set_signed(pl, &pe->args[ARG_CONTEXT], (s64)(intptr_t)pl);
	pl_set_signed(pl, &pe->args[ARG_CPU], (s32)s->cpu);
	pl_set_unsigned(pl, &pe->args[ARG_SECS], s->time / 1000000000);
	pl_set_unsigned(pl, &pe->args[ARG_NSECS], s->time % 1000000000);
	pl_set_signed(pl, &pe->args[ARG_PID], (s64)pid);
	pl_set_bytes(pl, &pe->args[ARG_COMM], comm ? comm : "", comm ? strlen(comm) : 0);
	pl_set_chain(pl, &pe->args[ARG_CHAIN]);
}

static int call_handler(struct perl *pl, struct perl_event *pe)
{
	set_common(pl, pe);
	for (u32 i = 0; i < pe->nr_fields; i++)
		pl_set_field(pl, &pe->args[ARG_FIELDS + i], pe->tf, &pe->fields[i]);
	return pl_call(pl, pe->takes, pe->args, pe->nr_args);
}

/* ---- process_event() ---- */

void pl_packed_begin(struct perl *pl)
{
	dTHXa(pl->interpreter);

	for (size_t i = 0; i < NR_PACKED; i++)
		pl->packed[i] = newSV(0);
}

void pl_packed_end(struct perl *pl)
{
	dTHXa(pl->interpreter);

	for (size_t i = 0; i < NR_PACKED; i++)
		SvREFCNT_dec(pl->packed[i]);
}

/* The numbers of a sample, as the reference hands them over: unpack("QLLQQQQQQQ", ...). */
struct packed_sample {
	u64 ip;
	u32 pid, tid;
	u64 time, addr, id, stream_id, period, weight, transaction;
};

static int call_process_event(struct perl *pl)
{
	const struct session_event *ev = pl->view->ev;
	const struct sample *s = ev->sample;
	const struct packed_sample packed = {
		.ip = s->ip,
		.pid = s->pid,
		.tid = s->tid,
		.time = s->time,
		.addr = s->addr,
		.id = s->id,
		.stream_id = s->stream_id,
		.period = s->period,
		.weight = s->weight,
		.transaction = s->transaction,
	};
	const struct perf_event_attr *attr = &ev->evsel->attr;

	pl_set_bytes(pl, &pl->packed[PACKED_EVENT], ev->hdr, ev->hdr->size);
	pl_set_bytes(pl, &pl->packed[PACKED_ATTR], attr, sizeof(*attr));
	pl_set_bytes(pl, &pl->packed[PACKED_SAMPLE], &packed, sizeof(packed));
	pl_set_bytes(pl, &pl->packed[PACKED_RAW], s->raw ? s->raw : "", s->raw ? s->raw_size : 0);
	return pl_call(pl, pl->process_event, pl->packed, NR_PACKED);
}

/* ---- samples ---- */

int pl_handle_sample(struct perl *pl)
{
	const struct session_event *ev = pl->view->ev;
	struct perl_event *pe = slot_of(pl, ev->evsel->idx);
	int verdict = likely(pe->known) ? SCRIPT_GO_ON : look_up(pl, pe, ev->evsel);

	if (verdict == SCRIPT_GO_ON && pe->takes && ev->sample->raw)
		verdict = call_handler(pl, pe);
	if (verdict == SCRIPT_GO_ON && pl->process_event)
		verdict = call_process_event(pl);
	return verdict == SCRIPT_GO_ON && unlikely(engine_interrupted()) ? SCRIPT_ENOUGH : verdict;
}
