// SPDX-License-Identifier: GPL-2.0-or-later
/* The picture of I/O: a row for each task. What comes in grows from the bottom of the row, what
 * goes out hangs from its top, and other calls take the whole height. */
#include "base/compat.h"

#include "timechart/timechart-internal.h"

#include "base/alloc.h"

#include <math.h>

#define LEAST_BYTES 1048576ULL /* that a task has to move to be shown, if others do too */
#define LEAST_HEIGHT 3.0       /* pixels of a call that moves hardly anything */

static const struct chart_legend legend[] = {
	{ SHADE_DISK, "Disk" }, { SHADE_NET, "Network" }, { SHADE_SYNC, "Sync" },
	{ SHADE_POLL, "Poll" }, { SHADE_ERROR, "Error" },
};

static const enum shade shade_of[IO_KINDS] = {
	[IO_READ] = SHADE_DISK,   [IO_WRITE] = SHADE_DISK, [IO_SYNC] = SHADE_SYNC,
	[IO_RECEIVE] = SHADE_NET, [IO_SEND] = SHADE_NET,   [IO_POLL] = SHADE_POLL,
};

/* Calls of one kind that start at the same pixel, or that follow each other closely on the same
 * file. They are drawn as one. */
struct group {
	u64 start, end, bytes;
	u32 calls, errors;
	u32 file;  /* of all, or IO_NO_FILE */
	s64 error; /* the last one */
};

struct picture {
	struct chart chart;
	const struct timechart_io_conf *io;
	double y;       /* of the row that is drawn */
	u64 most_bytes; /* of a group in the row; at least 1 */
	struct group groups[IO_KINDS];
};

/* Append "12.3 KB". */
static void bytes_text(u64 bytes, struct strbuf *out)
{
	static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB" };
	double v = (double)bytes;
	u32 unit = 0;

	for (; v >= 1024 && unit + 1 < ARRAY_SIZE(units); unit++)
		v /= 1024;
	strbuf_addf(out, "%.*f %s", unit ? 1 : 0, v, units[unit]);
}

static bool is_out(enum io_kind kind)
{
	return kind == IO_WRITE || kind == IO_SEND;
}

/* ---- groups ---- */

static void add_call(struct group *g, const struct io_call *call)
{
	bool failed = call->result < 0;

	g->end = g->calls ? MAX(g->end, call->end) : call->end;
	g->start = g->calls ? g->start : call->start;
	g->file = !g->calls || g->file == call->file ? call->file : IO_NO_FILE;
	g->bytes += failed || !io_moves_bytes(call->kind) ? 0 : (u64)call->result;
	g->errors += failed ? call->more + 1 : 0;
	g->error = failed ? call->result : g->error;
	g->calls += call->more + 1;
}

/* Tell whether a call belongs to a group of its kind. */
static bool belongs(const struct picture *p, const struct group *g, const struct io_call *call)
{
	if (!g->calls || call->start - g->start < p->chart.grain)
		return true;
	return call->start <= g->end + p->io->merge && g->file == call->file &&
	       (call->result < 0) == (g->errors > 0);
}

static void group_title(const struct group *g, enum io_kind kind, struct strbuf *out)
{
	strbuf_addstr(out, io_kind_name(kind));
	if (g->calls > 1)
		strbuf_addf(out, ", %u calls", g->calls);
	if (g->file != IO_NO_FILE)
		strbuf_addf(out, " fd=%u", g->file);
	if (io_moves_bytes(kind)) {
		strbuf_addstr(out, ", ");
		bytes_text(g->bytes, out);
	}
	strbuf_addf(out, ", %.3f ms", (double)(g->end - g->start) / 1e6);
	if (g->errors)
		strbuf_addf(out, ", %u errors, error=%lld", g->errors, -(long long)g->error);
}

static void draw_group(struct picture *p, const struct group *g, enum io_kind kind)
{
	struct chart *c = &p->chart;
	double height = CHART_ROW, y = p->y;
	struct strbuf title = STRBUF_INIT;
	u64 end = MAX(g->end, g->start + p->io->least);

	if (io_moves_bytes(kind) && !g->errors) {
		height = MAX(CHART_ROW * sqrt((double)g->bytes / (double)p->most_bytes),
			     LEAST_HEIGHT);
		y = is_out(kind) ? p->y : p->y + CHART_ROW - height;
	}
	chart_rect_open(c, g->start, end, y, height, g->errors ? SHADE_ERROR : shade_of[kind]);
	group_title(g, kind, &title);
	export_f(c->out, "<title>%s</title>", strbuf_str(&title));
	chart_rect_close(c);
	strbuf_release(&title);
}

static void measure_group(struct picture *p, const struct group *g, enum io_kind kind)
{
	p->most_bytes = MAX(p->most_bytes, g->bytes);
}

/* Call @fn for each group of a task. */
static void walk_groups(struct picture *p, const struct io_task *task,
			void (*fn)(struct picture *p, const struct group *g, enum io_kind kind))
{
	memset(p->groups, 0, sizeof(p->groups));
	for (u32 i = 0; i < task->nr; i++) {
		const struct io_call *call = &task->calls[i];
		struct group *g = &p->groups[call->kind];

		if (call->end < p->chart.start || call->start >= p->chart.end)
			continue;
		if (!belongs(p, g, call)) {
			fn(p, g, (enum io_kind)call->kind);
			*g = (struct group){ 0 };
		}
		add_call(g, call);
	}
	for (u32 kind = 0; kind < IO_KINDS; kind++)
		if (p->groups[kind].calls)
			fn(p, &p->groups[kind], (enum io_kind)kind);
}

/* ---- rows ---- */

static void draw_task(struct picture *p, const struct io_task *task)
{
	struct strbuf label = STRBUF_INIT;

	chart_task_text(p->chart.conf, task->id, &label);
	strbuf_addstr(&label, " (");
	bytes_text(task->bytes, &label);
	strbuf_addstr(&label, ")");
	chart_box(&p->chart, p->y, CHART_ROW);
	chart_label(&p->chart, p->y, strbuf_str(&label));
	strbuf_release(&label);
	p->most_bytes = 1;
	walk_groups(p, task, measure_group);
	walk_groups(p, task, draw_group);
	p->y += CHART_ROW + CHART_GAP;
}

/* Choose the tasks. Return: their number; the caller frees *@tasks. */
static size_t choose(const struct timechart_conf *conf, const struct io_calls *calls,
		     struct chart_task **tasks)
{
	u32 *ids = xcalloc((size_t)calls->nr_tasks + 1, sizeof(*ids));
	size_t nr;

	*tasks = xcalloc((size_t)calls->nr_tasks + 1, sizeof(**tasks));
	for (u32 i = 0; i < calls->nr_tasks; i++) {
		ids[i] = calls->tasks[i].id;
		(*tasks)[i] = (struct chart_task){ i, calls->tasks[i].bytes };
	}
	nr = chart_choose(conf, ids, LEAST_BYTES, *tasks, calls->nr_tasks);
	free(ids);
	return nr;
}

void timechart_io_svg(const struct timechart_conf *conf, const struct timechart_io_conf *io,
		      const struct io_calls *calls, struct export_out *out)
{
	struct picture p = {
		.chart = { conf, out, .start = calls->start, .end = calls->end },
		.io = io,
		.y = CHART_TOP,
	};
	struct chart_task *tasks;
	size_t nr = choose(conf, calls, &tasks);

	chart_begin(&p.chart, (u32)nr * (CHART_ROW + CHART_GAP), legend, ARRAY_SIZE(legend));
	for (size_t i = 0; i < nr; i++)
		draw_task(&p, &calls->tasks[tasks[i].number]);
	chart_end(&p.chart);
	free(tasks);
}
