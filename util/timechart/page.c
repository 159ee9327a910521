// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page of a timeline: lanes, names and marks -> one file for a browser. The data are columns of
 * numbers of variable length, as Documentation/format/timeline-page.md describes them. Names are
 * part of these compressed data, so that none of them can become markup.
 */
#include "base/compat.h"

#include "timechart/timechart-internal.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/pool.h"
#include "codec/leb.h"
#include "codec/quote.h"
#include "export/page-shell.h"
#include "export/page-units.h"

#define KIND_BITS 4

_Static_assert(LANE_KINDS <= 1 << KIND_BITS, "a kind fits its bits");

/* The parts of the page, which the build makes of util/timechart/page (scripts/mk/page.mk). */
static const char frame[] = {
#include "timechart/page-frame.inc"
	0
};

static const char style[] = {
#include "timechart/page-style.inc"
	0
};

static const char script[] = {
#include "timechart/page-script.inc"
	0
};

enum { LANE_COUNT, LANE_FACTS, LANE_LENGTH, LANE_STATE, NR_LANE_COLUMNS };
enum { MARK_TIME, MARK_EVENT, MARK_CPU, MARK_TASK, MARK_VALUE, NR_MARK_COLUMNS };
enum { ARROW_END, ARROW_LENGTH, ARROW_QUEUE, ARROW_TASK, NR_ARROW_COLUMNS };

/*
 * A page with many intervals has two sets of data. The first one is small: of what lasts for less
 * than a column of a picture it has sums only, and of most tasks nothing. Browsers show it while
 * they still read the second set, which has everything.
 */
#define EARLY_FROM 50000  /* intervals */
#define EARLY_COLUMNS 800 /* of a picture of all times */
#define EARLY_TASKS 48    /* which are about the rows of a large window */
#define EARLY_INTERVALS 300000

/*
 * Intervals are by far the most of the data. Those of a whole page are walked over once for each of
 * their columns, which is written in parts, so that no more than a part of one is in memory.
 */
#define PART ((size_t)2 << 20) /* bytes */
enum pass {
	PASS_ALL,   /* all columns are kept */
	PASS_FACTS, /* how many intervals lanes have, and how many bytes these take */
	PASS_LENGTHS,
	PASS_STATES,
};

/* The data while they are made. */
struct making {
	const struct timechart_conf *conf;
	const struct timechart_about *about;
	const struct timeline_lanes *lanes;
	u32 *cpus; /* owned; that are shown */
	u32 nr_cpus;
	bool early;  /* they are those of the first view */
	bool *waits; /* owned; by number of a lane: this task is not in the first view */
	u64 nr_thin; /* intervals of the first view so far */
	enum pass pass;
	struct page_data *out; /* borrowed */
	struct strbuf head, size, nr_marks, nr_arrows;
	struct strbuf chains;  /* of the head: call chains as texts */
	struct map64 chain_of; /* by process and number of a chain: number of the text */
	u32 nr_chains;
	struct strbuf columns[NR_LANE_COLUMNS], marks[NR_MARK_COLUMNS], arrows[NR_ARROW_COLUMNS];
	struct page_units units;
	bool ends; /* the last of @units ends the stream */
};

/* ---- the head ---- */

/* Append a member whose value is a text; nothing if there is none. */
static void put_text(struct strbuf *out, const char *key, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, ",\"%s\":", key);
	quote_json(out, text);
}

/* Append [pid, tid, name, lane of the parent or -1, shown, highlighted]. */
static void put_task(struct making *m, const struct timeline_task *t)
{
	const struct task_at *task = task_table_last(m->conf->tasks, t->id);
	const char *name = task->comm ? task->comm : "", *bright = m->conf->highlight;

	strbuf_addf(&m->head, "[%d,%u,", (s32)task->pid, task->tid);
	quote_json(&m->head, name);
	strbuf_addf(&m->head, ",%d,%d,%d]", (s32)t->parent, chart_shows(m->conf, task),
		    bright && !strcmp(name, bright));
}

/* Append [kind, name] of each queue; nothing if there are none. */
static void put_queues(struct making *m)
{
	struct strbuf name = STRBUF_INIT;

	for (u32 i = 0; i < chart_queues(m->conf); i++) {
		const struct queue *q = &m->conf->queues->v[i];

		strbuf_reset(&name);
		chart_queue_text(m->conf, q, &name);
		strbuf_addf(&m->head, "%s[%d,", i ? "," : ",\"queues\":[", q->kind);
		quote_json(&m->head, strbuf_str(&name));
		strbuf_addch(&m->head, ']');
	}
	if (chart_queues(m->conf))
		strbuf_addch(&m->head, ']');
	strbuf_release(&name);
}

/* Append the names of the other events, and how many times are not shown; nothing if there are
 * none. */
static void put_others(struct making *m)
{
	const struct other_marks *others = m->conf->others;

	for (u32 i = 0; i < chart_others(m->conf); i++) {
		strbuf_addstr(&m->head, i ? "," : ",\"others\":[");
		quote_json(&m->head, chart_other_name(m->conf, i));
	}
	if (chart_others(m->conf))
		strbuf_addch(&m->head, ']');
	if (others && others->seen > others->nr)
		strbuf_addf(&m->head, ",\"othersSeen\":%" PRIu64 ",\"othersShown\":%u",
			    others->seen, others->nr);
}

static void put_head(struct making *m)
{
	const struct timeline_lanes *l = m->lanes;
	const struct timechart_about *about = m->about;
	struct strbuf *out = &m->head;

	strbuf_addf(out, "{\"version\":4,\"start\":\"%" PRIu64 "\",\"span\":%" PRIu64, l->start,
		    l->end - l->start);
	if (m->early)
		strbuf_addstr(out, ",\"early\":true");
	put_text(out, "title", about->title);
	put_text(out, "hostname", about->hostname);
	put_text(out, "cpuModel", m->conf->cpu_model);
	strbuf_addf(out,
		    ",\"lost\":%" PRIu64 ",\"events\":%" PRIu64 ",\"bugs\":%" PRIu64
		    ",\"gaps\":%" PRIu64 ",\"switches\":%" PRIu64,
		    about->lost, about->events, l->counts.bugs, l->counts.gaps, l->counts.times);
	if (l->left_out)
		strbuf_addf(out, ",\"leftOut\":%" PRIu64 ",\"grain\":%" PRIu64, l->left_out,
			    l->grain);
	if (m->conf->long_run != UINT64_MAX)
		strbuf_addf(out, ",\"longRun\":%" PRIu64, m->conf->long_run);
	strbuf_addstr(out, ",\"cpus\":[");
	for (u32 i = 0; i < m->nr_cpus; i++)
		strbuf_addf(out, "%s%u", i ? "," : "", m->cpus[i]);
	strbuf_addstr(out, "],\"tasks\":[");
	for (u32 i = 0; i < l->nr_tasks; i++) {
		strbuf_addstr(out, i ? "," : "");
		put_task(m, &l->tasks[i]);
	}
	strbuf_addch(out, ']');
	put_queues(m);
	put_others(m);
	if (m->nr_chains)
		strbuf_addf(out, ",\"chains\":[%s]", strbuf_str(&m->chains));
	strbuf_addch(out, '}');
}

/* ---- lanes and marks ---- */

/* Return the number of the text of a call chain, from 1 on; 0: there is none. Addresses of programs
 * mean something else in each process. */
static u32 chain_text(struct making *m, u32 task, const struct lane_interval *i)
{
	u32 id = m->lanes->tasks[task].id, *nr;
	struct strbuf text = STRBUF_INIT;

	if (!i->value || !m->conf->chains)
		return 0;
	nr = map64_slot(&m->chain_of,
			(u64)task_table_last(m->conf->tasks, id)->pid << 32 | i->value);
	if (*nr != MAP64_NONE)
		return *nr;
	chart_chain(m->conf, m->lanes, task, i, &text);
	*nr = ++m->nr_chains;
	strbuf_addstr(&m->chains, *nr > 1 ? "," : "");
	quote_json(&m->chains, strbuf_str(&text));
	strbuf_release(&text);
	return *nr;
}

/* @task: number of the lane; TIMELINE_NO_LANE: the lane is one of a CPU */
static u64 state_of(struct making *m, u32 task, const struct lane_interval *i)
{
	bool sleeps = i->kind == LANE_SLEEPING || i->kind == LANE_BLOCKED;
	u32 value = i->value;

	if (sleeps && task != TIMELINE_NO_LANE)
		value = m->early ? 0 : chain_text(m, task, i);
	return (u64)value << KIND_BITS | i->kind;
}

static void pack_unit(void *ctx, int worker, size_t unit)
{
	struct making *m = ctx;

	page_units_pack(&m->units, unit, m->ends && unit + 1 == m->units.nr_units);
}

/* Compress and write what the units have. @ends: nothing comes behind it */
static void write_units(struct making *m, bool ends)
{
	m->ends = ends;
	pool_run(pool_cpus(), m->units.nr_units, pack_unit, m);
	for (size_t i = 0; i < m->units.nr_units; i++)
		page_data_put(m->out, m->units.units[i].packed.buf, m->units.units[i].packed.len);
	page_units_release(&m->units);
	m->units = (struct page_units){ 0 };
}

/* Write the column of this pass, if it has at least so many bytes, and go on with an empty one. */
static void write_part(struct making *m, size_t least)
{
	struct strbuf *column = &m->columns[m->pass == PASS_LENGTHS ? LANE_LENGTH : LANE_STATE];

	if (m->pass < PASS_LENGTHS || column->len < least)
		return;
	page_units_text(&m->units, column);
	write_units(m, false);
	strbuf_reset(column);
}

/* Return how many bytes a number takes in a column. */
static u32 bytes_of(u64 v)
{
	return (63 - (u32)__builtin_clzll(v | 1)) / 7 + 1;
}

/* The bytes that intervals take in their columns. */
struct interval_bytes {
	u64 lengths, states;
};

static void put_interval(struct making *m, u64 length, u64 state, struct interval_bytes *bytes)
{
	bytes->lengths += bytes_of(length);
	bytes->states += bytes_of(state);
	if (m->pass == PASS_ALL || m->pass == PASS_LENGTHS)
		strbuf_uleb(&m->columns[LANE_LENGTH], length);
	if (m->pass == PASS_ALL || m->pass == PASS_STATES)
		strbuf_uleb(&m->columns[LANE_STATE], state);
}

/* Append the part of a lane that is looked at, which has no gaps. Browsers read it when they draw
 * it, so that they are told where it stands, and for how long it ran: @ran. */
static void put_intervals(struct making *m, const struct lane *lane, u32 task, u64 ran)
{
	u64 start = m->lanes->start, end = m->lanes->end, first = 0;
	struct strbuf *facts = &m->columns[LANE_FACTS];
	struct interval_bytes bytes = { 0 };
	const struct lane_interval *i;
	struct lane_cursor c;
	u64 at = end;
	u32 nr = 0;

	lane_seek(&c, lane, start);
	while ((i = lane_next(&c)) && i->start < end) {
		u64 from = MAX(i->start, start);

		at = MIN(i->end, end);
		if (!nr++)
			first = from - start;
		put_interval(m, at - from, state_of(m, task, i), &bytes);
		write_part(m, PART);
	}
	if (at < end) { /* other events go on for longer than those of this lane */
		put_interval(m, end - at, LANE_NONE, &bytes);
		nr++;
	}
	if (m->pass > PASS_FACTS)
		return;
	strbuf_uleb(&m->columns[LANE_COUNT], nr);
	m->nr_thin += nr;
	if (!nr)
		return;
	strbuf_uleb(facts, first);
	strbuf_uleb(facts, ran);
	strbuf_uleb(facts, bytes.lengths);
	strbuf_uleb(facts, bytes.states);
}

/* Make a lane that looks as another one does in a picture of all times. The caller releases it. */
static struct lane thin_lane(const struct making *m, const struct lane *lane)
{
	u64 start = m->lanes->start, end = m->lanes->end, grain = (end - start) / EARLY_COLUMNS;
	const struct lane_interval *i;
	struct lane thin = { 0 };
	struct lane_cursor c;
	u64 at = 0;

	lane_seek(&c, lane, start);
	while ((i = lane_next(&c)) && i->start < end) {
		lane_add_coarse(&thin, grain, MAX(i->start, start), i->kind, i->value);
		at = MIN(i->end, end);
	}
	lane_finish(&thin, at);
	return thin;
}

/* Append a lane. One that the first view can do without is a single interval there, because the
 * order of the rows follows from how long all tasks ran. */
static void put_lane(struct making *m, const struct lane *lane, u32 task)
{
	u64 start = m->lanes->start, end = m->lanes->end, sums[LANE_KINDS];
	struct lane thin = { 0 };

	lane_sums(lane, start, end, sums);
	if (!m->early) {
		put_intervals(m, lane, task, sums[LANE_RUNNING]);
		return;
	}
	if (lane_is_empty(lane) || lane->first >= end || lane->end <= start) {
		put_intervals(m, &thin, task, 0);
		return;
	}
	if (m->nr_thin < EARLY_INTERVALS && !(task != TIMELINE_NO_LANE && m->waits[task])) {
		thin = thin_lane(m, lane);
	} else {
		lane_add(&thin, start, LANE_NONE, 1);
		lane_finish(&thin, end);
	}
	put_intervals(m, &thin, task, sums[LANE_RUNNING]);
	lane_release(&thin);
}

/* A task, and how long it and its process ran. */
struct ranked {
	u32 task;
	u64 ran, process;
};

/* The page shows the busiest processes first, and of these the busiest threads. */
static int busier(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? 1 : -1;
	return x->ran != y->ran ? (x->ran < y->ran ? 1 : -1)
				: (x->task > y->task) - (x->task < y->task);
}

/* Find out which tasks the first view can do without. */
static void choose_early(struct making *m)
{
	const struct timeline_lanes *l = m->lanes;
	struct ranked *v = xcalloc((size_t)l->nr_tasks + 1, sizeof(*v));
	u64 *processes = xcalloc((size_t)l->nr_tasks + 1, sizeof(*processes)), sums[LANE_KINDS];
	u32 *process_of = xcalloc((size_t)l->nr_tasks + 1, sizeof(*process_of)), nr = 0;
	struct map64 by_pid = { 0 };

	m->waits = xcalloc((size_t)l->nr_tasks + 1, sizeof(*m->waits));
	for (u32 i = 0; i < l->nr_tasks; i++) {
		const struct task_at *task = task_table_last(m->conf->tasks, l->tasks[i].id);
		u32 *process = map64_slot(&by_pid, task->pid);

		if (*process == MAP64_NONE)
			*process = nr++;
		process_of[i] = *process;
		if (!chart_shows(m->conf, task))
			continue;
		lane_sums(&l->tasks[i].lane, l->start, l->end, sums);
		v[i] = (struct ranked){ .task = i, .ran = sums[LANE_RUNNING] };
		processes[*process] += sums[LANE_RUNNING];
	}
	for (u32 i = 0; i < l->nr_tasks; i++) {
		v[i].task = i;
		v[i].process = processes[process_of[i]];
	}
	qsort(v, l->nr_tasks, sizeof(*v), busier);
	for (u32 i = EARLY_TASKS; i < l->nr_tasks; i++)
		m->waits[v[i].task] = true;
	map64_release(&by_pid);
	free(process_of);
	free(processes);
	free(v);
}

static void put_lanes(struct making *m)
{
	static const struct lane nothing;
	const struct timeline_lanes *l = m->lanes;

	for (u32 i = 0; i < m->nr_cpus; i++)
		for (u32 row = 0; row < TIMELINE_ROWS; row++)
			put_lane(m, &l->cpus[m->cpus[i]].rows[row], TIMELINE_NO_LANE);
	for (u32 i = 0; i < l->nr_tasks; i++) {
		const struct task_at *task = task_table_last(m->conf->tasks, l->tasks[i].id);

		put_lane(m, chart_shows(m->conf, task) ? &l->tasks[i].lane : &nothing, i);
	}
	for (u32 i = 0; i < chart_queues(m->conf); i++)
		put_lane(m, &m->conf->queues->v[i].lane, TIMELINE_NO_LANE);
}

/* Return the number of the lane of each task by its id, from 1 on; 0: it has none. The caller frees
 * it. */
static u32 *lanes_of_ids(const struct making *m, u32 *nr)
{
	u32 *lane_of;

	*nr = task_table_nr(m->conf->tasks);
	lane_of = xcalloc((size_t)*nr + 1, sizeof(*lane_of));
	for (u32 i = 0; i < m->lanes->nr_tasks; i++)
		lane_of[m->lanes->tasks[i].id] = i + 1;
	return lane_of;
}

/* Return a difference as pages have those that may be negative. */
static u64 zigzag(u64 difference)
{
	return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

/* Append a mark. @task: number of the lane + 1; 0: it is one of its CPU */
static void put_mark(struct making *m, u64 passed, u32 event, u32 cpu, u32 task, u64 value)
{
	strbuf_uleb(&m->marks[MARK_TIME], passed);
	strbuf_uleb(&m->marks[MARK_EVENT], event);
	strbuf_uleb(&m->marks[MARK_CPU], cpu);
	strbuf_uleb(&m->marks[MARK_TASK], task);
	strbuf_uleb(&m->marks[MARK_VALUE], value);
}

/* Append marks and other events, both of which are in the order of time. */
static void put_marks(struct making *m)
{
	static const struct other_marks none;
	const struct other_marks *others = m->conf->others ? m->conf->others : &none;
	const struct timeline_lanes *l = m->lanes;
	u32 nr = 0, nr_ids, *lane_of = lanes_of_ids(m, &nr_ids), lane;
	u64 last = l->start, place = 0;

	for (u32 i = 0, k = 0; i < l->nr_marks || k < others->nr;) {
		const struct timeline_mark *v = i < l->nr_marks ? &l->marks[i] : NULL;
		const struct other_mark *o = k < others->nr ? &others->v[k] : NULL;

		if (v && (!o || v->time <= o->time)) {
			i++;
			if (v->time < last || v->time > l->end)
				continue;
			/* The number of a lane may be missing, which becomes 0. */
			put_mark(m, v->time - last, v->event, v->cpu, v->task + 1,
				 (u32)(v->value + 1));
			last = v->time;
		} else {
			k++;
			if (o->time < last ||
			    !chart_other_place(m->conf, l, o, lane_of, nr_ids, &lane))
				continue;
			put_mark(m, o->time - last, TIMELINE_EVENTS + o->event, o->cpu, lane,
				 zigzag(o->place - place));
			last = o->time;
			place = o->place;
		}
		nr++;
	}
	strbuf_uleb(&m->nr_marks, nr);
	free(lane_of);
}

static void put_arrows(struct making *m)
{
	const struct queue_lanes *q = m->conf->queues;
	u64 start = m->lanes->start, last = start, nr = 0;
	u32 nr_ids, *lane_of = lanes_of_ids(m, &nr_ids);

	for (size_t i = 0; q && i < q->nr_arrows; i++) {
		const struct queue_arrow *v = &q->arrows[i];
		u64 end = MAX(v->end, last); /* works and requests of several CPUs */

		if (v->end < start || v->end > m->lanes->end)
			continue;
		strbuf_uleb(&m->arrows[ARROW_END], end - last);
		strbuf_uleb(&m->arrows[ARROW_LENGTH], v->end - MAX(v->start, start));
		strbuf_uleb(&m->arrows[ARROW_QUEUE], v->queue);
		strbuf_uleb(&m->arrows[ARROW_TASK], v->task < nr_ids ? lane_of[v->task] : 0);
		last = end;
		nr++;
	}
	strbuf_uleb(&m->nr_arrows, nr);
	free(lane_of);
}

/* ---- all of it ---- */

/* Write the columns of lanes behind the head, which names what their intervals refer to. */
static void write_lanes(struct making *m)
{
	put_head(m);
	strbuf_uleb(&m->size, m->head.len);
	page_units_text(&m->units, &m->size);
	page_units_text(&m->units, &m->head);
	for (u32 i = 0; i < NR_LANE_COLUMNS; i++)
		page_units_text(&m->units, &m->columns[i]);
	if (m->pass == PASS_ALL)
		return;
	write_units(m, false);
	for (m->pass = PASS_LENGTHS; m->pass <= PASS_STATES; m->pass++) {
		put_lanes(m);
		write_part(m, 1);
	}
}

static void write_data(struct making *m)
{
	m->cpus = chart_cpus(m->conf, m->lanes, &m->nr_cpus);
	m->pass = m->early ? PASS_ALL : PASS_FACTS;
	if (m->early)
		choose_early(m);
	put_lanes(m);
	write_lanes(m);
	if (!m->early) {
		put_marks(m);
		put_arrows(m);
	} else {
		strbuf_uleb(&m->nr_marks, 0);
		strbuf_uleb(&m->nr_arrows, 0);
	}
	page_units_text(&m->units, &m->nr_marks);
	for (u32 i = 0; i < NR_MARK_COLUMNS; i++)
		page_units_text(&m->units, &m->marks[i]);
	page_units_text(&m->units, &m->nr_arrows);
	for (u32 i = 0; i < NR_ARROW_COLUMNS; i++)
		page_units_text(&m->units, &m->arrows[i]);
	write_units(m, true);
}

static void making_release(struct making *m)
{
	strbuf_release(&m->head);
	strbuf_release(&m->size);
	strbuf_release(&m->nr_marks);
	strbuf_release(&m->nr_arrows);
	strbuf_release(&m->chains);
	map64_release(&m->chain_of);
	for (u32 i = 0; i < NR_LANE_COLUMNS; i++)
		strbuf_release(&m->columns[i]);
	for (u32 i = 0; i < NR_MARK_COLUMNS; i++)
		strbuf_release(&m->marks[i]);
	for (u32 i = 0; i < NR_ARROW_COLUMNS; i++)
		strbuf_release(&m->arrows[i]);
	page_units_release(&m->units);
	free(m->waits);
	free(m->cpus);
}

static void put_data(void *ctx, struct page_data *data)
{
	const struct making *what = ctx;
	struct making m = *what;

	m.out = data;
	write_data(&m);
	making_release(&m);
}

static void put_early(void *ctx, struct page_data *data)
{
	const struct making *what = ctx;
	struct making m = *what;
	u64 nr = 0;

	for (u32 i = 0; i < m.lanes->nr_tasks; i++)
		nr += m.lanes->tasks[i].lane.nr;
	m.early = true;
	m.out = data;
	if (nr < EARLY_FROM)
		return;
	write_data(&m);
	making_release(&m);
}

void timechart_page(const struct timechart_conf *conf, const struct timechart_about *about,
		    const struct timeline_lanes *lanes, struct export_out *out)
{
	const struct page_shell shell = { frame, style, script, put_early };
	struct making what = { .conf = conf, .about = about, .lanes = lanes };

	page_shell_write(&shell, put_data, &what, out);
}
