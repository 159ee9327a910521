// SPDX-License-Identifier: GPL-2.0-or-later
/* Walk over the records of a file, to find its traces and who ran when. */
#include "base/alloc.h"
#include "base/compat.h"
#include "base/hash.h"

#include "aux/aux-text.h"
#include "auxsamples/auxsamples-internal.h"
#include "wire/framing.h"

#include <sys/mman.h>
#include <sys/stat.h>

#define NONE ((u32)-1)
#define STREAM_HEAD 16 /* bytes before the first record of a stream */
#define EARLY 65536    /* records among the first of which is the one that describes a trace */

static void note_task(struct aux_survey *sv, const struct session *s, const wire_header *rec)
{
	const struct wire_layout *l = &s->evlist.evsels[0]->layout;
	struct rec_switch sw;
	struct sample_id id = { 0 };

	if (sample_id_decode(l, rec, rec->size, &id) || (!id.pid && !id.tid))
		return;
	map64_set(&sv->pids, id.tid, id.pid);
	if (rec->type != PERF_RECORD_ITRACE_START &&
	    ((rec->type != PERF_RECORD_SWITCH && rec->type != PERF_RECORD_SWITCH_CPU_WIDE) ||
	     rec_switch_decode(rec, rec->size, &sw) || sw.out))
		return;
	VEC_GROW(sv->tasks, sv->nr_tasks + 1, sv->cap_tasks);
	sv->tasks[sv->nr_tasks++] =
		(struct aux_task){ .time = id.time, .cpu = id.cpu, .pid = id.pid, .tid = id.tid };
}

static void note_names(struct aux_survey *sv, const wire_header *rec)
{
	struct rec_comm c;
	struct rec_task t;

	if (rec->type == PERF_RECORD_COMM && !rec_comm_decode(rec, rec->size, &c))
		map64_set(&sv->pids, c.tid, c.pid);
	if (rec->type == PERF_RECORD_FORK && !rec_task_decode(rec, rec->size, &t))
		map64_set(&sv->pids, t.tid, t.pid);
}

/* Take notice of an AUXTRACE record. Return: the bytes behind it that belong to it. */
static size_t note_trace(struct aux_survey *sv, const u8 *p, const u8 *end)
{
	const wire_header *rec = (const wire_header *)p;
	struct rec_auxtrace a;
	size_t left = (size_t)(end - p) - rec->size, size;

	if (rec_auxtrace_decode(rec, rec->size, &a))
		return 0;
	size = (size_t)MIN(a.size, (u64)left);
	VEC_GROW(sv->traces, sv->nr_traces + 1, sv->cap_traces);
	sv->traces[sv->nr_traces++] = (struct aux_trace){
		.bytes = p + rec->size, .size = size, .cpu = a.cpu, .tid = a.tid
	};
	return size;
}

/* Tell whether a record describes traces of Arm SPE. @pmu: set to the type of their event */
static bool describes_spe(const wire_header *rec, u32 *pmu)
{
	struct rec_auxtrace_info i;

	if (rec_auxtrace_info_decode(rec, rec->size, &i) || i.type != AUX_ARM_SPE || !i.nr_priv)
		return false;
	*pmu = (u32)i.priv[0];
	return true;
}

/* Return the number of bytes of data behind the record that describes tracepoints. */
static size_t tracing_bytes(const wire_header *rec)
{
	if (rec->type != PERF_RECORD_HEADER_TRACING_DATA || rec->size < sizeof(*rec) + 4)
		return 0;
	return *(const u32_una *)(rec + 1);
}

bool aux_survey_ahead(const struct session *s)
{
	const wire_header *rec;
	size_t at = 0;
	u32 pmu;

	/* Records of the recorder itself come before those of the kernel. */
	while ((rec = (const wire_header *)pipe_ahead(s->file, at)) &&
	       rec->type >= PERF_RECORD_USER_TYPE_START && rec->type != PERF_RECORD_COMPRESSED &&
	       rec->type != PERF_RECORD_COMPRESSED2 && rec->type != PERF_RECORD_AUXTRACE) {
		if (rec->type == PERF_RECORD_AUXTRACE_INFO)
			return describes_spe(rec, &pmu);
		at += rec->size + tracing_bytes(rec);
	}
	return false;
}

/* Note what a record says. Return: the bytes behind it that belong to it. */
static size_t note(struct aux_survey *sv, const struct session *s, const u8 *p, const u8 *end)
{
	const wire_header *rec = (const wire_header *)p;

	switch (rec->type) {
	case PERF_RECORD_HEADER_TRACING_DATA:
		return MIN(tracing_bytes(rec), (size_t)(end - p) - rec->size);
	case PERF_RECORD_TIME_CONV:
		rec_time_conv_decode(rec, rec->size, &sv->conv);
		return 0;
	case PERF_RECORD_AUXTRACE:
		return note_trace(sv, p, end);
	case PERF_RECORD_SAMPLE:
		return 0;
	default:
		note_names(sv, rec);
		if (rec->type < PERF_RECORD_USER_TYPE_START && s->evlist.nr)
			note_task(sv, s, rec);
		return 0;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct aux_task *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* Map a stream that is in a file. Return: false: it is in none, or is empty. */
static bool map_stream(struct aux_survey *sv, const struct perf_file *f)
{
	struct stat st;
	void *map;

	if (fstat(f->fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= STREAM_HEAD)
		return false;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, f->fd, 0);
	if (map == MAP_FAILED)
		return false;
	sv->map = map;
	sv->map_size = (size_t)st.st_size;
	return true;
}

bool aux_survey(struct aux_survey *sv, const struct session *s, const struct perf_file *f)
{
	const u8 *p, *end;
	bool described = false;

	*sv = (struct aux_survey){ 0 };
	if (f->swap || f->nr_parts || !s->evlist.nr || (f->pipe ? !map_stream(sv, f) : !f->map))
		return false;
	p = f->pipe ? sv->map + STREAM_HEAD : f->map + f->data.offset;
	end = f->pipe ? sv->map + sv->map_size : p + f->data.size;
	for (size_t nr = 0; end - p >= (ptrdiff_t)sizeof(wire_header); nr++) {
		const wire_header *rec = (const wire_header *)p;

		if (rec->size < sizeof(*rec) || rec->size > end - p)
			break;
		if (rec->type == PERF_RECORD_AUXTRACE_INFO)
			described |= describes_spe(rec, &sv->pmu);
		/* Most recordings have no trace: a look at their first records is enough. */
		if (!described && (nr > EARLY || rec->type == PERF_RECORD_SAMPLE))
			break;
		p += rec->size + note(sv, s, p, end);
	}
	if (!described || !sv->nr_traces) {
		aux_survey_release(sv);
		return false;
	}
	if (sv->nr_tasks)
		qsort(sv->tasks, sv->nr_tasks, sizeof(*sv->tasks), by_time);
	return true;
}

void aux_survey_release(struct aux_survey *sv)
{
	if (sv->map)
		munmap(sv->map, sv->map_size);
	free(sv->traces);
	free(sv->tasks);
	map64_release(&sv->pids);
}

void aux_survey_task(const struct aux_survey *sv, u32 cpu, u64 time, u32 *pid, u32 *tid)
{
	size_t low = 0, high = sv->nr_tasks;

	while (low < high) { /* the first task that began later */
		size_t mid = low + (high - low) / 2;

		if (sv->tasks[mid].time <= time)
			low = mid + 1;
		else
			high = mid;
	}
	*pid = *tid = NONE;
	while (low--) {
		if (sv->tasks[low].cpu != cpu)
			continue;
		*pid = sv->tasks[low].pid;
		*tid = sv->tasks[low].tid;
		return;
	}
}
