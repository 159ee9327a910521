// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "sampletext/record-lines.h"

#include "dump/record-text.h"

bool record_lines_any(const struct record_lines *show)
{
	return show->task || show->mmap || show->switches || show->namespaces || show->lost ||
	       show->round || show->bpf || show->cgroup || show->text_poke || show->deferred;
}

static bool is_shown(const struct record_lines *show, u32 type)
{
	switch (type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return show->task;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return show->mmap;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return show->switches;
	case PERF_RECORD_NAMESPACES:
		return show->namespaces;
	case PERF_RECORD_LOST:
		return show->lost;
	case PERF_RECORD_FINISHED_ROUND:
		return show->round;
	case PERF_RECORD_KSYMBOL:
		return show->bpf || show->text_poke;
	case PERF_RECORD_BPF_EVENT:
		return show->bpf;
	case PERF_RECORD_CGROUP:
		return show->cgroup;
	case PERF_RECORD_TEXT_POKE:
		return show->text_poke;
	case PERF_RECORD_CALLCHAIN_DEFERRED_:
		return show->deferred;
	default:
		return false;
	}
}

/* The thread a record is about: its own, or that of its trailer. */
static void take_thread(const wire_header *rec, u32 *pid, u32 *tid)
{
	union rec_any r;

	if (rec_decode(NULL, rec, rec->size, &r))
		return;
	switch (rec->type) {
	case PERF_RECORD_COMM:
		*pid = r.comm.pid;
		*tid = r.comm.tid;
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		*pid = r.task.pid;
		*tid = r.task.tid;
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		*pid = r.mmap.pid;
		*tid = r.mmap.tid;
		break;
	case PERF_RECORD_NAMESPACES:
		*pid = r.namespaces.pid;
		*tid = r.namespaces.tid;
		break;
	default:
		break;
	}
}

void record_lines_note(struct record_lines *show, const struct session_event *ev)
{
	u32 pid = ev->id.pid, tid = ev->id.tid;
	struct thread_at at;

	if (ev->time || !is_shown(show, ev->hdr->type))
		return;
	take_thread(ev->hdr, &pid, &tid);
	machine_thread_at(recording_machine_of(show->rec, ev), pid, tid, 0, &at);
	map64_set(&show->early, ev->offset, at.comm);
}

void record_lines_release(struct record_lines *show)
{
	map64_release(&show->early);
}

bool record_lines_wants(const struct record_lines *show, const struct session_event *ev)
{
	return is_shown(show, ev->hdr->type) && (ev->hdr->type == PERF_RECORD_FINISHED_ROUND ||
						 sample_filter_cpu(show->filter, ev->id.cpu));
}

/* Append the user part of a chain, as the chain of a sample. */
static void put_deferred(struct sample_writer *w, const struct session_event *ev,
			 struct strbuf *out)
{
	struct sample s = { .cpumode = PERF_RECORD_MISC_USER,
			    .pid = ev->id.pid,
			    .tid = ev->id.tid };
	struct rec_deferred d;

	if (rec_deferred_decode(ev->hdr, ev->hdr->size, &d))
		return;
	s.callchain = d.ips;
	s.nr_callchain = d.nr;
	strbuf_addf(out, " DEFERRED CALLCHAIN [cookie: %" PRIx64 "]", d.cookie);
	sample_writer_chain(w, ev->evsel, &s, ev->time, out);
	strbuf_addch(out, '\n');
}

/* Return the name of a thread at a record. Threads of guests are looked up in their own model. */
static u32 comm_at(const struct record_lines *show, struct sample_writer *w,
		   const struct session_event *ev, u32 pid, u32 tid)
{
	struct thread_at at;

	if (!ev->guest)
		return sample_writer_thread(w, pid, tid, ev->time)->comm;
	machine_thread_at(recording_machine_of(show->rec, ev), pid, tid, ev->time, &at);
	return at.comm;
}

void record_lines_put(const struct record_lines *show, struct sample_writer *w,
		      const struct session_event *ev, struct strbuf *out)
{
	const struct evsel *e = ev->evsel;
	struct record_about about = { .evsel = e, .id = &ev->id };
	struct sample_id id = ev->id;
	u32 pid = id.pid, tid = id.tid, comm;

	if (!is_shown(show, ev->hdr->type))
		return;
	if (ev->hdr->type != PERF_RECORD_FINISHED_ROUND) {
		if (!e)
			return;
		take_thread(ev->hdr, &pid, &tid);
		if (!e->attr.sample_id_all) /* cpu and time then are 0 as well */
			id = (struct sample_id){ .pid = pid, .tid = tid };
		if (!sample_filter_cpu(show->filter, id.cpu))
			return;
		comm = ev->time ? MAP64_NONE : map64_get(&show->early, ev->offset);
		if (comm == MAP64_NONE)
			comm = comm_at(show, w, ev, pid, tid);
		sample_writer_start(w, e, ev->hdr, &id,
				    machine_comm(recording_machine_of(show->rec, ev), comm), out);
	}
	if (ev->hdr->type == PERF_RECORD_CALLCHAIN_DEFERRED_) {
		put_deferred(w, ev, out);
		return;
	}
	if (ev->hdr->type == PERF_RECORD_TEXT_POKE)
		record_about_poke(ev->hdr, recording_machine_of(show->rec, ev), show->symbols,
				  &about);
	record_text_put(ev->hdr, ev->hdr->size, &about, out);
}
