// SPDX-License-Identifier: GPL-2.0-or-later
/* The map of what runs on each CPU, in the form of perf 6.1: a column for each CPU, a row for each
 * switch. */
#include "base/compat.h"

#include "schedtext/map.h"

#include "schedtext/schedtext-internal.h"

#include "analyze/sched-map.h"
#include "base/alloc.h"
#include "base/color.h"

#define COLOR_CPU "\033[41m" /* highlighted CPUs have a red background */

struct map_text {
	struct analysis *a;
	const struct sched_map_show *show; /* borrowed */
	struct sched_map *state;
	struct strbuf out;
	u32 *order; /* owned; compact: the CPUs in the order in which they appeared */
	size_t nr_order, cap_order;
};

static bool has_column(const struct sched_map_show *s, u32 cpu)
{
	return !s->cpus.nr || int_list_has(&s->cpus, (int)cpu);
}

#define CELL_COLUMNS 4
#define CELL_BYTES 32 /* the most that a cell takes, with its colour */

static const char *color_of(const struct sched_map_show *s, const struct sched_map_cpu *c, u32 cpu)
{
	if (int_list_has(&s->color_cpus, (int)cpu))
		return COLOR_CPU;
	return c->seen && int_list_has(&s->color_pids, (int)c->tid) ? COLOR_BLUE : NULL;
}

static char *write_text(char *p, const char *text)
{
	size_t len = strlen(text);

	memcpy(p, text, len);
	return p + len;
}

/* Write a cell at @p, which has room for CELL_BYTES. Return: the byte behind it. */
static char *write_cell(char *p, const struct sched_map_show *s, const struct sched_map_row *row,
			u32 cpu)
{
	static const struct sched_map_cpu unseen = { .name = "  " };
	const struct sched_map_cpu *c = cpu < row->nr_cpus && row->cpus[cpu].seen ? &row->cpus[cpu]
										  : &unseen;
	const char *color = s->color ? color_of(s, c, cpu) : NULL;

	if (color)
		p = write_text(p, color);
	*p++ = cpu == row->cpu ? '*' : ' ';
	*p++ = c->name[0];
	*p++ = c->name[1];
	if (color)
		p = write_text(p, COLOR_RESET);
	*p++ = ' ';
	return p;
}

static void put_cells(struct map_text *t, const struct sched_map_row *row)
{
	const struct sched_map_show *s = t->show;
	u32 nr = s->compact ? (u32)t->nr_order : MAX(s->nr_cpus, row->nr_cpus);
	struct strbuf *out = &t->out;
	char *p;

	strbuf_grow(out, (size_t)nr * (s->color ? CELL_BYTES : CELL_COLUMNS) + 4);
	p = write_text(out->buf + out->len, "  ");
	for (u32 i = 0; i < nr; i++) {
		u32 cpu = s->compact ? t->order[i] : i;

		if (has_column(s, cpu))
			p = write_cell(p, s, row, cpu);
	}
	p = write_text(p, "  ");
	*p = '\0';
	out->len = (size_t)(p - out->buf);
}

static void put_task(struct strbuf *out, const struct sched_map_row *row)
{
	strbuf_addstr(out, row->cpus[row->cpu].name);
	strbuf_addstr(out, " => ");
	if (row->task.tid)
		sched_put_comm(&row->task, out);
	else
		strbuf_addstr(out, "swapper");
	strbuf_addch(out, ':');
	strbuf_dec(out, row->task.tid, 0);
}

static void flush(struct map_text *t)
{
	t->show->write(t->show->ctx, strbuf_str(&t->out), t->out.len);
	strbuf_reset(&t->out);
}

static void put_row(void *ctx, const struct sched_map_row *row)
{
	struct map_text *t = ctx;
	bool new_column = t->show->compact && row->new_cpu;

	if (new_column) {
		VEC_GROW(t->order, t->nr_order + 1, t->cap_order);
		t->order[t->nr_order++] = row->cpu;
	}
	if (!has_column(t->show, row->cpu))
		return;
	put_cells(t, row);
	sched_put_time(&t->out, row->time, 5);
	strbuf_add(&t->out, " secs ", 6);
	if (row->introduced)
		put_task(&t->out, row);
	if (new_column) {
		strbuf_addstr(&t->out, " (CPU ");
		strbuf_dec(&t->out, row->cpu, 0);
		strbuf_addch(&t->out, ')');
	}
	strbuf_addch(&t->out, '\n');
	if (t->out.len >= SCHED_FLUSH_BYTES)
		flush(t);
}

/* ---- run ---- */

static bool has_name(const struct sched_map_show *s, const struct task_at *task)
{
	const char *comm = !task->tid ? "swapper" : task->comm ? task->comm : "";

	if (!s->names.set || !s->fuzzy)
		return !s->names.set || name_list_has(&s->names, comm);
	for (size_t i = 0; i < s->names.nr; i++)
		if (strstr(comm, s->names.names[i]))
			return true;
	return false;
}

static bool wants(void *ctx, const struct task_at *task)
{
	const struct map_text *t = ctx;

	return analysis_wants_task(t->a, task) && has_name(t->show, task);
}

static struct sched_map *state_new(struct map_text *t)
{
	return sched_map_new(&(struct sched_map_conf){
		.tasks = analysis_tasks(t->a),
		.row = put_row,
		.wants = t->show->names.set || t->show->some_tasks ? wants : NULL,
		.ctx = t,
	});
}

/* All events come again. */
static void *renew(void *ctx)
{
	struct map_text *t = ctx;

	if (!t->show->take_back(t->show->ctx))
		return NULL;
	strbuf_reset(&t->out);
	t->nr_order = 0;
	sched_map_free(t->state);
	t->state = state_new(t);
	return t->state;
}

int sched_map_run(const struct sched_map_show *show, struct analysis *a,
		  struct sched_counts *counts, struct err *err)
{
	struct map_text text = { .a = a, .show = show };
	struct analysis_part part = {
		.engine = sched_map_engine(),
		.state = text.state = state_new(&text),
		.renew = show->take_back ? renew : NULL,
		.ctx = &text,
	};
	int ret = analysis_run_parts(a, &part, 1, err);

	if (!ret)
		flush(&text);
	*counts = *sched_map_counts(text.state);
	sched_map_free(text.state);
	strbuf_release(&text.out);
	free(text.order);
	return ret;
}
