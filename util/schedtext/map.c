// SPDX-License-Identifier: GPL-2.0-or-later
/* The map of what runs on each CPU, in the form of perf 6.1: a column for each CPU, a row for each
 * switch. */
#include "base/compat.h"

#include "schedtext/map.h"

#include "schedtext/schedtext-internal.h"

#include "base/alloc.h"
#include "base/color.h"

#define COLOR_CPU "\033[41m" /* highlighted CPUs have a red background */

struct sched_map_text {
	const struct sched_map_show *show; /* borrowed */
	struct strbuf out;
	u32 *order; /* owned; compact: the CPUs in the order in which they appeared */
	size_t nr_order, cap_order;
};

struct sched_map_text *sched_map_text_new(const struct sched_map_show *show)
{
	struct sched_map_text *t = xzalloc(sizeof(*t));

	t->show = show;
	return t;
}

void sched_map_text_free(struct sched_map_text *t)
{
	if (!t)
		return;
	strbuf_release(&t->out);
	free(t->order);
	free(t);
}

static bool has_column(const struct sched_map_show *s, u32 cpu)
{
	return !s->cpus.nr || int_list_has(&s->cpus, (int)cpu);
}

static void put_cell(struct sched_map_text *t, const struct sched_map_row *row, u32 cpu)
{
	static const struct sched_map_cpu unseen = { .name = "  " };
	const struct sched_map_cpu *c = cpu < row->nr_cpus && row->cpus[cpu].seen ? &row->cpus[cpu]
										  : &unseen;
	const struct sched_map_show *s = t->show;
	char cell[4] = { cpu == row->cpu ? '*' : ' ', c->name[0], c->name[1], ' ' };
	const char *color = NULL;

	if (s->color && int_list_has(&s->color_cpus, (int)cpu))
		color = COLOR_CPU;
	else if (s->color && c->seen && int_list_has(&s->color_pids, (int)c->tid))
		color = COLOR_BLUE;
	if (!color) {
		strbuf_add(&t->out, cell, sizeof(cell));
		return;
	}
	strbuf_addstr(&t->out, color);
	strbuf_add(&t->out, cell, sizeof(cell) - 1);
	strbuf_addstr(&t->out, COLOR_RESET);
	strbuf_addch(&t->out, ' ');
}

static void put_cells(struct sched_map_text *t, const struct sched_map_row *row)
{
	u32 nr = t->show->compact ? (u32)t->nr_order : MAX(t->show->nr_cpus, row->nr_cpus);

	for (u32 i = 0; i < nr; i++) {
		u32 cpu = t->show->compact ? t->order[i] : i;

		if (has_column(t->show, cpu))
			put_cell(t, row, cpu);
	}
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

void sched_map_row(void *ctx, const struct sched_map_row *row)
{
	struct sched_map_text *t = ctx;
	bool new_column = t->show->compact && row->new_cpu;

	if (new_column) {
		VEC_GROW(t->order, t->nr_order + 1, t->cap_order);
		t->order[t->nr_order++] = row->cpu;
	}
	if (!has_column(t->show, row->cpu))
		return;
	strbuf_addstr(&t->out, "  ");
	put_cells(t, row);
	strbuf_addstr(&t->out, "  ");
	sched_put_time(&t->out, row->time, 5);
	strbuf_addstr(&t->out, " secs ");
	if (row->introduced)
		put_task(&t->out, row);
	if (new_column) {
		strbuf_addstr(&t->out, " (CPU ");
		strbuf_dec(&t->out, row->cpu, 0);
		strbuf_addch(&t->out, ')');
	}
	strbuf_addch(&t->out, '\n');
	if (t->out.len >= SCHED_FLUSH_BYTES)
		sched_map_end(t);
}

void sched_map_end(struct sched_map_text *t)
{
	t->show->write(t->show->ctx, strbuf_str(&t->out), t->out.len);
	strbuf_reset(&t->out);
}
