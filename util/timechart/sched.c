// SPDX-License-Identifier: GPL-2.0-or-later
/* The picture of the scheduler: a row for each CPU, one for what works for tasks, one for each
 * task, and arrows. */
#include "base/compat.h"

#include "timechart/timechart-internal.h"

#include "base/alloc.h"
#include "base/units.h"
#include "codec/quote.h"

#define LEAST_RUN 10000000ULL /* ns that a task has to run to be shown, if others do too */

/* The parts of the row of a CPU, from its top, in pixels. */
#define CPU_ROW 56
#define CPU_RUNS 30 /* what runs, and the frequency */
#define CPU_IDLE_AT 32
#define CPU_IDLE 10
#define CPU_IRQ_AT 44
#define CPU_IRQ 5
#define CPU_SOFTIRQ_AT 50

struct picture {
	struct chart chart;
	const struct timeline_lanes *lanes;
	struct chart_task *tasks; /* owned; that are shown */
	size_t nr_tasks;
	u32 *y_of;    /* owned; by number of the lane: where its row is; 0: it is not shown */
	bool *bright; /* owned; by number of the lane: the task is highlighted by its name */
	u32 *cpus;    /* owned; that are shown */
	u32 nr_cpus;
	u32 task;     /* number of the lane whose row is drawn */
	u32 queue;    /* the one whose row is drawn */
	u32 *queue_y; /* owned; by number: where its row is */
	u32 *y_of_id; /* owned; by id of a task: where its row is; 0: it is not shown */
	u32 nr_y_of_id;
};

static const struct chart_legend legend[] = {
	{ SHADE_RUNNING, "Running" },       { SHADE_C1, "Idle" },
	{ SHADE_C1 + 2, "Deeper Idle" },    { SHADE_C6, "Deepest Idle" },
	{ SHADE_SLEEPING, "Sleeping" },     { SHADE_WAITING, "Waiting for cpu" },
	{ SHADE_BLOCKED, "Blocked on IO" }, { SHADE_INTERRUPT, "Interrupt" },
	{ SHADE_SOFTIRQ, "Softirq" },
};

/* ---- which rows there are ---- */

static void measure_tasks(struct picture *p)
{
	const struct timeline_lanes *l = p->lanes;
	u32 *ids = xcalloc((size_t)l->nr_tasks + 1, sizeof(*ids));
	u64 sums[LANE_KINDS];

	p->tasks = xcalloc((size_t)l->nr_tasks + 1, sizeof(*p->tasks));
	for (u32 i = 0; i < l->nr_tasks; i++) {
		ids[i] = l->tasks[i].id;
		lane_sums(&l->tasks[i].lane, l->start, l->end, sums);
		p->tasks[i] = (struct chart_task){ i, sums[LANE_RUNNING] };
	}
	if (p->chart.conf->processes)
		p->nr_tasks = chart_choose(p->chart.conf, ids, LEAST_RUN, p->tasks, l->nr_tasks);
	free(ids);
}

static void note_bright(struct picture *p)
{
	const struct timechart_conf *conf = p->chart.conf;

	p->bright = xcalloc((size_t)p->lanes->nr_tasks + 1, sizeof(*p->bright));
	for (u32 i = 0; conf->highlight && i < p->lanes->nr_tasks; i++) {
		const struct task_at *task = task_table_last(conf->tasks, p->lanes->tasks[i].id);

		p->bright[i] = task->comm && !strcmp(task->comm, conf->highlight);
	}
}

/* Place the rows of queues below those of CPUs, and those of tasks below both. Return: the height
 * of all, in pixels. */
static u32 place_rows(struct picture *p)
{
	u32 y = CHART_TOP + p->nr_cpus * (CPU_ROW + CHART_GAP);

	p->queue_y = xcalloc((size_t)chart_queues(p->chart.conf) + 1, sizeof(*p->queue_y));
	for (u32 i = 0; i < chart_queues(p->chart.conf); i++, y += CHART_ROW + CHART_GAP)
		p->queue_y[i] = y;
	p->nr_y_of_id = task_table_nr(p->chart.conf->tasks);
	p->y_of_id = xcalloc((size_t)p->nr_y_of_id + 1, sizeof(*p->y_of_id));
	p->y_of = xcalloc((size_t)p->lanes->nr_tasks + 1, sizeof(*p->y_of));
	for (size_t i = 0; i < p->nr_tasks; i++) {
		u32 number = p->tasks[i].number;

		p->y_of[number] = p->y_of_id[p->lanes->tasks[number].id] = y;
		y += CHART_ROW + CHART_GAP;
	}
	return y - CHART_TOP;
}

/* ---- shades and titles ---- */

static enum shade running_shade(const struct picture *p, u32 task, const struct lane_interval *i)
{
	bool is_long = i->end - i->start >= p->chart.conf->long_run;

	return is_long || p->bright[task] ? SHADE_HIGHLIGHT : SHADE_RUNNING;
}

/* The runs of a CPU refer to lanes of tasks. */
static enum shade cpu_shade(void *ctx, const struct lane_interval *i)
{
	return i->kind == LANE_RUNNING ? running_shade(ctx, i->value, i) : SHADE_NONE;
}

static enum shade idle_shade(void *ctx, const struct lane_interval *i)
{
	return i->kind == LANE_IDLE ? (enum shade)(SHADE_C1 + MIN(i->value, 5U)) : SHADE_NONE;
}

static enum shade interrupt_shade(void *ctx, const struct lane_interval *i)
{
	return i->kind == LANE_INTERRUPT ? SHADE_INTERRUPT
	       : i->kind == LANE_SOFTIRQ ? SHADE_SOFTIRQ
					 : SHADE_NONE;
}

static enum shade task_shade(void *ctx, const struct lane_interval *i)
{
	const struct picture *p = ctx;

	switch (i->kind) {
	case LANE_RUNNING:
		return running_shade(p, p->task, i);
	case LANE_RUNNABLE:
		return SHADE_WAITING;
	case LANE_BLOCKED:
		return SHADE_BLOCKED;
	case LANE_SLEEPING:
		return SHADE_SLEEPING;
	default:
		return SHADE_NONE;
	}
}

/* Append how long an interval is and when it starts. */
static void when_text(const struct picture *p, const struct lane_interval *i, struct strbuf *out)
{
	duration_text(i->end - i->start, out);
	strbuf_addstr(out, " at ");
	chart_when(&p->chart, i->start, out);
}

static void cpu_title(void *ctx, const struct lane_interval *i, struct strbuf *out)
{
	const struct picture *p = ctx;

	chart_task_text(p->chart.conf, p->lanes->tasks[i->value].id, out);
	strbuf_addstr(out, " running ");
	when_text(p, i, out);
}

static void cpu_name(void *ctx, const struct lane_interval *i, struct strbuf *out)
{
	const struct picture *p = ctx;

	chart_task_text(p->chart.conf, p->lanes->tasks[i->value].id, out);
}

static void row_title(void *ctx, const struct lane_interval *i, struct strbuf *out)
{
	strbuf_addf(out, "%s %u ", lane_kind_name(i->kind), i->value);
	when_text(ctx, i, out);
}

static void task_title(void *ctx, const struct lane_interval *i, struct strbuf *out)
{
	const struct picture *p = ctx;
	u32 waker = i->kind == LANE_RUNNABLE ? lane_waker(i->value) : LANE_NO_WAKER;
	struct strbuf chain = STRBUF_INIT;

	strbuf_addf(out, "%s ", lane_kind_name(i->kind));
	if (i->kind == LANE_RUNNING)
		strbuf_addf(out, "on CPU %u ", i->value);
	when_text(p, i, out);
	if (waker != LANE_NO_WAKER) {
		strbuf_addstr(out, ", woken by ");
		chart_task_text(p->chart.conf, p->lanes->tasks[waker].id, out);
	}
	if (chart_chain(p->chart.conf, p->lanes, p->task, i, &chain))
		strbuf_addf(out, ", in %s", strbuf_str(&chain));
	strbuf_release(&chain);
}

/* ---- CPUs ---- */

/* Find the bounds of the frequencies that are shown. Return: whether there are any. */
static bool measure_frequency(const struct chart *c, const struct lane *lane, u32 *least, u32 *most)
{
	const struct lane_interval *i;
	struct lane_cursor cursor;

	*least = UINT32_MAX;
	*most = 0;
	lane_seek(&cursor, lane, c->start);
	while ((i = lane_next(&cursor)) && i->start < c->end) {
		if (i->kind != LANE_FREQUENCY)
			continue;
		*least = MIN(*least, i->value);
		*most = MAX(*most, i->value);
	}
	return *most > 0;
}

/* Draw frequencies as a line that is the higher the faster the CPU is, and say which they are. */
static void draw_frequency(struct chart *c, const struct lane *lane, double y)
{
	struct strbuf *out = export_buf(c->out);
	const struct lane_interval *i;
	struct lane_cursor cursor;
	u64 next = c->start, end = 0;
	u32 least, most;

	if (!measure_frequency(c, lane, &least, &most))
		return;
	strbuf_addstr(out, "<path class=\"frequency\" d=\"");
	lane_seek(&cursor, lane, c->start);
	while ((i = lane_next(&cursor)) && i->start < c->end) {
		if (i->kind != LANE_FREQUENCY || i->end < next)
			continue; /* the picture cannot show it */
		strbuf_addch(out, i->start == end ? 'L' : 'M');
		chart_number(out, chart_x(c, i->start));
		strbuf_addch(out, ' ');
		chart_number(out, y + CPU_RUNS * (1 - 0.9 * i->value / most));
		strbuf_addch(out, 'H');
		chart_number(out, chart_x(c, i->end));
		end = i->end;
		next = i->start + c->grain;
	}
	strbuf_addf(out, "\"><title>%.3f to %.3f GHz</title></path>\n", least / 1e6, most / 1e6);
	export_more(c->out);
}

static void draw_cpu(struct picture *p, u32 cpu, double y)
{
	const struct lane *rows = p->lanes->cpus[cpu].rows;
	struct chart *c = &p->chart;
	const struct chart_row parts[] = {
		{ y, CPU_RUNS, &rows[TIMELINE_TASKS], p, cpu_shade, cpu_title, cpu_name },
		{ y + CPU_IDLE_AT, CPU_IDLE, &rows[TIMELINE_IDLE], p, idle_shade, row_title, NULL },
		{ y + CPU_IRQ_AT, CPU_IRQ, &rows[TIMELINE_INTERRUPT], p, interrupt_shade, row_title,
		  NULL },
		{ y + CPU_SOFTIRQ_AT, CPU_IRQ, &rows[TIMELINE_SOFTIRQ], p, interrupt_shade,
		  row_title, NULL },
	};
	char label[32];

	snprintf(label, sizeof(label), "CPU %u", cpu);
	chart_box(c, y, CPU_ROW);
	chart_label(c, y, label);
	if (c->conf->cpu_model) {
		export_f(c->out, "<text class=\"small\" x=\"4\" y=\"%.0f\">", y + 28);
		quote_xml(export_buf(c->out), c->conf->cpu_model);
		export_str(c->out, "</text>\n");
	}
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		chart_lane(c, &parts[i]);
	draw_frequency(c, &rows[TIMELINE_FREQUENCY], y);
}

/* ---- tasks ---- */

static void draw_task(struct picture *p, const struct chart_task *task)
{
	const struct timeline_task *t = &p->lanes->tasks[task->number];
	double y = p->y_of[task->number];
	struct strbuf label = STRBUF_INIT;
	struct chart_row row = { y, CHART_ROW, &t->lane, p, task_shade, task_title, NULL };

	p->task = task->number;
	chart_task_text(p->chart.conf, t->id, &label);
	strbuf_addstr(&label, " (");
	duration_text(task->weight, &label);
	strbuf_addstr(&label, ")");
	chart_box(&p->chart, y, CHART_ROW);
	chart_label(&p->chart, y, strbuf_str(&label));
	chart_lane(&p->chart, &row);
	strbuf_release(&label);
}

/* ---- workqueues, devices and virtual CPUs ---- */

static enum shade queue_shade(void *ctx, const struct lane_interval *i)
{
	switch (i->kind) {
	case LANE_RUNNING:
		return SHADE_RUNNING;
	case LANE_RUNNABLE:
		return SHADE_WAITING;
	case LANE_INTERRUPT:
		return SHADE_INTERRUPT;
	default:
		return SHADE_NONE;
	}
}

static void queue_title(void *ctx, const struct lane_interval *i, struct strbuf *out)
{
	const struct picture *p = ctx;

	queue_interval_text(&p->chart.conf->queues->v[p->queue], i, out);
	strbuf_addch(out, ' ');
	when_text(p, i, out);
}

static void draw_queue(struct picture *p, u32 queue)
{
	const struct queue *q = &p->chart.conf->queues->v[queue];
	double y = p->queue_y[queue];
	struct chart_row row = { y, CHART_ROW, &q->lane, p, queue_shade, queue_title, NULL };
	struct strbuf label = STRBUF_INIT;

	p->queue = queue;
	chart_queue_text(p->chart.conf, q, &label);
	chart_box(&p->chart, y, CHART_ROW);
	chart_label(&p->chart, y, strbuf_str(&label));
	chart_lane(&p->chart, &row);
	strbuf_release(&label);
}

/* Draw what a task has asked a queue for as lines from the row of the task, when it did so, to that
 * of the queue, when it was complete; of each queue at most one for each grain of time. */
static void draw_requests(struct picture *p)
{
	const struct queue_lanes *l = p->chart.conf->queues;
	u64 *next = xcalloc((size_t)chart_queues(p->chart.conf) + 1, sizeof(*next));

	for (size_t i = 0; l && i < l->nr_arrows; i++) {
		const struct queue_arrow *v = &l->arrows[i];
		struct strbuf *out = export_buf(p->chart.out), title = STRBUF_INIT;
		u32 y = v->task < p->nr_y_of_id ? p->y_of_id[v->task] : 0;

		if (!y || v->start < p->chart.start || v->end > p->chart.end ||
		    v->end < next[v->queue])
			continue;
		next[v->queue] = v->end + p->chart.grain;
		strbuf_addstr(out, "<path class=\"wakeup\" d=\"M");
		chart_number(out, chart_x(&p->chart, v->start));
		strbuf_addf(out, " %uL", y);
		chart_number(out, chart_x(&p->chart, v->end));
		strbuf_addf(out, " %um-2 4l2-4l2 4\"><title>", p->queue_y[v->queue] + CHART_ROW);
		chart_task_text(p->chart.conf, v->task, &title);
		strbuf_addstr(&title, " asks ");
		chart_queue_text(p->chart.conf, &l->v[v->queue], &title);
		strbuf_addstr(&title, ", complete after ");
		duration_text(v->end - v->start, &title);
		quote_xml(out, strbuf_str(&title));
		strbuf_addstr(out, "</title></path>\n");
		export_more(p->chart.out);
		strbuf_release(&title);
	}
	free(next);
}

/* ---- arrows ---- */

struct arrow {
	u32 from, to; /* lanes */
	u64 time;
};

struct arrows {
	struct arrow *v; /* owned */
	size_t nr, cap;
};

/* Collect the wakeups of a task by others that are shown, at most one for each grain of time. */
static void collect_arrows(const struct picture *p, u32 to, struct arrows *all)
{
	const struct lane_interval *i;
	struct lane_cursor cursor;
	u64 next = p->chart.start;

	lane_seek(&cursor, &p->lanes->tasks[to].lane, p->chart.start);
	while ((i = lane_next(&cursor)) && i->start < p->chart.end) {
		u32 from = i->kind == LANE_RUNNABLE ? lane_waker(i->value) : LANE_NO_WAKER;

		if (from == LANE_NO_WAKER || !p->y_of[from] || i->start < next)
			continue;
		VEC_GROW(all->v, all->nr + 1, all->cap);
		all->v[all->nr++] = (struct arrow){ from, to, i->start };
		next = i->start + p->chart.grain;
	}
}

static int compare_arrows(const void *a, const void *b)
{
	const struct arrow *l = a, *r = b;

	if (l->from != r->from)
		return l->from < r->from ? -1 : 1;
	if (l->to != r->to)
		return l->to < r->to ? -1 : 1;
	return l->time < r->time ? -1 : l->time > r->time;
}

static void put_arrow(const struct picture *p, const struct arrow *v, struct strbuf *out)
{
	u32 from = p->y_of[v->from], to = p->y_of[v->to];
	bool down = to > from;

	strbuf_addch(out, 'M');
	chart_number(out, chart_x(&p->chart, v->time));
	strbuf_addch(out, ' ');
	strbuf_dec(out, down ? from + CHART_ROW : from, 0);
	strbuf_addch(out, 'V');
	strbuf_dec(out, down ? to : to + CHART_ROW, 0);
	strbuf_addstr(out, down ? "m-2-4l2 4l2-4" : "m-2 4l2-4l2 4");
}

/* Draw the wakeups of one task by another as one element. Return: how many arrows these are. */
static size_t draw_pair(struct picture *p, const struct arrow *v, size_t nr)
{
	struct strbuf *out = export_buf(p->chart.out), title = STRBUF_INIT;
	size_t n;

	strbuf_addstr(out, "<path class=\"wakeup\" d=\"");
	for (n = 0; n < nr && v[n].from == v->from && v[n].to == v->to; n++)
		put_arrow(p, &v[n], out);
	strbuf_addstr(out, "\"><title>");
	chart_task_text(p->chart.conf, p->lanes->tasks[v->from].id, &title);
	strbuf_addstr(&title, " wakes up ");
	chart_task_text(p->chart.conf, p->lanes->tasks[v->to].id, &title);
	quote_xml(out, strbuf_str(&title));
	strbuf_addstr(out, "</title></path>\n");
	export_more(p->chart.out);
	strbuf_release(&title);
	return n;
}

static void draw_arrows(struct picture *p)
{
	struct arrows all = { 0 };

	for (size_t i = 0; i < p->nr_tasks; i++)
		collect_arrows(p, p->tasks[i].number, &all);
	if (all.nr)
		qsort(all.v, all.nr, sizeof(*all.v), compare_arrows);
	for (size_t i = 0; i < all.nr;)
		i += draw_pair(p, all.v + i, all.nr - i);
	free(all.v);
}

void timechart_svg(const struct timechart_conf *conf, const struct timeline_lanes *lanes,
		   struct export_out *out)
{
	struct picture p = {
		.chart = { conf, out, .start = lanes->start, .end = lanes->end },
		.lanes = lanes,
	};

	note_bright(&p);
	measure_tasks(&p);
	p.cpus = chart_cpus(conf, lanes, &p.nr_cpus);
	chart_begin(&p.chart, place_rows(&p), legend, ARRAY_SIZE(legend));
	for (u32 i = 0; i < p.nr_cpus; i++)
		draw_cpu(&p, p.cpus[i], CHART_TOP + i * (CPU_ROW + CHART_GAP));
	for (u32 i = 0; i < chart_queues(conf); i++)
		draw_queue(&p, i);
	for (size_t i = 0; i < p.nr_tasks; i++)
		draw_task(&p, &p.tasks[i]);
	draw_arrows(&p);
	draw_requests(&p);
	chart_end(&p.chart);
	free(p.tasks);
	free(p.cpus);
	free(p.y_of);
	free(p.y_of_id);
	free(p.queue_y);
	free(p.bright);
}
