// SPDX-License-Identifier: GPL-2.0-or-later
/* The history of CPUs in the form of perf 6.1: rows as they come, and sums below them. */
#include "base/compat.h"

#include "schedtext/timehist-internal.h"

#include "schedtext/schedtext-internal.h"

#include "base/alloc.h"
#include "base/units.h"
#include "schedtext/chains.h"
#include "schedtext/idle-chains.h"

#define TASK_COLUMNS 30
#define TIME_COLUMNS 11 /* of a duration in a row, with the blank before it */
#define MOVING_COLUMNS 14
#define PRIO_COLUMNS 8 /* "120->139" */

#define KNOWN_TASKS 256 /* tids follow one another, so neighbours use different slots */

/* The text of a task, which most often was printed a short while ago. */
struct task_text {
	u32 tid, pid;
	const char *comm;
	struct strbuf text; /* with blanks up to TASK_COLUMNS; empty: the slot is not in use */
	size_t len;         /* without these blanks */
};

struct timehist_text {
	struct timehist_show show;
	struct strbuf out;
	struct sched_chains *chains;
	struct idle_chains *idle; /* NULL: not wanted */
	struct strbuf chain;      /* that is made up */
	struct task_text known[KNOWN_TASKS];
};

struct timehist_text *timehist_text_new(const struct timehist_show *show, struct recording *r)
{
	struct timehist_text *t = xzalloc(sizeof(*t));

	t->show = *show;
	t->chains = sched_chains_new(r, show->max_stack);
	if (show->idle && show->chains && show->sums)
		t->idle = idle_chains_new();
	return t;
}

void timehist_text_free(struct timehist_text *t)
{
	if (!t)
		return;
	sched_chains_free(t->chains);
	idle_chains_free(t->idle);
	strbuf_release(&t->chain);
	for (size_t i = 0; i < KNOWN_TASKS; i++)
		strbuf_release(&t->known[i].text);
	strbuf_release(&t->out);
	free(t);
}

static void flush(struct timehist_text *t)
{
	t->show.write(t->show.ctx, strbuf_str(&t->out), t->out.len);
	strbuf_reset(&t->out);
}

/* ---- cells ---- */

static void put_blanks(struct strbuf *out, size_t nr)
{
	strbuf_pad(out, out->len + nr);
}

/* Append the durations of a row in ms. */
static void put_times(const struct timehist_text *t, const struct sched_row *row,
		      struct strbuf *out)
{
	const u64 ns[] = { row->wait, row->delay, row->moving, row->run };
	char *p;

	strbuf_grow(out, ARRAY_SIZE(ns) * (DIGITS_THOUSANDTHS + 1));
	p = out->buf + out->len;
	for (size_t i = 0; i < ARRAY_SIZE(ns); i++) {
		bool moving = &ns[i] == &ns[2];

		if (moving && !t->show.moving)
			continue;
		*p++ = ' ';
		p = digits_thousandths(p, ns[i] / 1000000, (u32)(ns[i] % 1000000 / 1000),
				       moving ? 9 : 6);
	}
	*p = '\0';
	out->len = (size_t)(p - out->buf);
}

/* Append the priority of a task, and the one it came with if that was another one. */
static void put_prio(struct strbuf *out, const struct sched_row *row)
{
	size_t start;

	put_blanks(out, 2);
	start = out->len;
	if (row->came_prio != row->prio)
		strbuf_addf(out, "%d->", row->came_prio);
	strbuf_addf(out, "%d", row->prio);
	strbuf_pad(out, start + PRIO_COLUMNS);
}

static void put_cpu(struct strbuf *out, u32 cpu)
{
	char text[] = { ' ',
			'[',
			(char)('0' + cpu / 1000),
			(char)('0' + cpu / 100 % 10),
			(char)('0' + cpu / 10 % 10),
			(char)('0' + cpu % 10),
			']' };

	strbuf_add(out, text, sizeof(text)); /* engines take no CPU above 8191 */
}

/* Append "comm[tid]" or "comm[tid/pid]"; the idle task is "<idle>". */
static void put_task(struct strbuf *out, const struct task_at *task)
{
	if (!task->tid) {
		strbuf_add(out, "<idle>", 6);
		return;
	}
	sched_put_comm(task, out);
	strbuf_addch(out, '[');
	strbuf_dec(out, task->tid, 0);
	if (task->pid != task->tid && task->pid != TASK_PID_UNKNOWN) {
		strbuf_addch(out, '/');
		strbuf_dec(out, task->pid, 0);
	}
	strbuf_addch(out, ']');
}

static const struct task_text *text_of(struct timehist_text *t, const struct task_at *task)
{
	struct task_text *k = &t->known[task->tid % KNOWN_TASKS];

	if (likely(k->text.len && k->tid == task->tid && k->pid == task->pid &&
		   k->comm == task->comm))
		return k;
	k->tid = task->tid;
	k->pid = task->pid;
	k->comm = task->comm;
	strbuf_reset(&k->text);
	put_task(&k->text, task);
	k->len = k->text.len;
	strbuf_pad(&k->text, TASK_COLUMNS);
	return k;
}

static void put_task_wide(struct timehist_text *t, const struct task_at *task)
{
	const struct task_text *k = text_of(t, task);

	strbuf_add(&t->out, k->text.buf, k->text.len);
}

static void put_task_narrow(struct timehist_text *t, const struct task_at *task)
{
	const struct task_text *k = text_of(t, task);

	strbuf_add(&t->out, k->text.buf, k->len);
}

/* Append a letter in the column of a CPU among those of all. @mark: 0: none */
static void put_visual(const struct timehist_text *t, u32 cpu, char mark)
{
	struct strbuf *out = (struct strbuf *)&t->out;
	size_t start = out->len;

	put_blanks(out, t->show.cpus + 1);
	if (mark && cpu <= t->show.cpus)
		out->buf[start + cpu] = mark;
	put_blanks(out, 2);
}

/* ---- rows ---- */

static void put_chain(struct timehist_text *t, const struct engine_input *in)
{
	strbuf_reset(&t->chain);
	sched_chains_put(t->chains, in, &t->chain);
	if (!t->chain.len)
		return;
	put_blanks(&t->out, 3);
	strbuf_add(&t->out, t->chain.buf, t->chain.len);
}

static void put_switch(struct timehist_text *t, const struct sched_row *row)
{
	const struct timehist_show *s = &t->show;
	struct strbuf *out = &t->out;
	size_t start;

	put_blanks(out, 2);
	if (s->visual)
		put_visual(t, row->cpu, row->task.tid ? 's' : 'i');
	put_task_wide(t, &row->task);
	if (s->prio)
		put_prio(out, row);
	put_times(t, row, out);
	if (s->state) {
		put_blanks(out, 6);
		strbuf_addch(out, row->state);
	}
	if (s->next || s->wakeups) {
		put_blanks(out, 2);
		start = out->len;
		if (s->next) {
			strbuf_addstr(out, "next: ");
			put_task_narrow(t, &row->other);
		}
		strbuf_pad(out, start + TASK_COLUMNS);
	}
	if (!s->next)
		strbuf_addch(out, ' ');
	if (s->chains)
		put_chain(t, row->in);
}

static void put_deed(struct timehist_text *t, const struct sched_row *row)
{
	bool moved = row->kind == SCHED_ROW_MIGRATION;
	struct strbuf *out = &t->out;

	put_blanks(out, 2);
	if (t->show.visual) {
		put_blanks(out, moved);
		put_visual(t, row->cpu, moved ? 'm' : 0);
		put_blanks(out, moved);
	}
	put_task_wide(t, &row->task);
	put_blanks(out, 3 * TIME_COLUMNS + 2 + (t->show.moving ? MOVING_COLUMNS : 0) +
				(t->show.prio ? PRIO_COLUMNS + 2 : 0));
	strbuf_addstr(out, moved ? "migrated: " : "awakened: ");
	put_task_narrow(t, &row->other);
	if (moved)
		strbuf_addf(out, " cpu %d => %d", (s32)row->from, (s32)row->to);
}

void timehist_row(struct timehist_text *t, const struct sched_row *row)
{
	sched_put_time(&t->out, row->time, 8);
	put_cpu(&t->out, row->cpu);
	if (row->kind == SCHED_ROW_SWITCH)
		put_switch(t, row);
	else
		put_deed(t, row);
	strbuf_addch(&t->out, '\n');
	if (t->out.len >= SCHED_FLUSH_BYTES)
		flush(t);
}

/* ---- head ---- */

/* It prints one of the lines above the rows. */
struct head_line {
	const char *left, *task, *prio, *before, *moving, *run, *state;
	char visual; /* stands above the columns of CPUs; 0: their numbers do */
};

static void put_head_line(struct timehist_text *t, const struct head_line *h)
{
	struct strbuf *out = &t->out;
	size_t start;

	strbuf_addstr(out, h->left);
	if (t->show.visual) {
		put_blanks(out, 2);
		for (u32 cpu = 0; cpu <= t->show.cpus; cpu++)
			strbuf_addch(out, h->visual ? h->visual : (char)('0' + cpu % 10));
	}
	put_blanks(out, 2);
	start = out->len;
	strbuf_addstr(out, h->task);
	strbuf_pad(out, start + TASK_COLUMNS);
	strbuf_addstr(out, t->show.prio ? h->prio : "");
	strbuf_addstr(out, h->before);
	strbuf_addstr(out, t->show.moving ? h->moving : "");
	strbuf_addstr(out, h->run);
	strbuf_addstr(out, t->show.state ? h->state : "");
	strbuf_addch(out, '\n');
}

void timehist_head(struct timehist_text *t)
{
	static const struct head_line lines[] = {
		{ "           time    cpu", "task name", "  prio    ", "  wait time  sch delay",
		  "  pre-mig time", "   run time", "  state", 0 },
		{ "                      ", "[tid/pid]", "          ", "     (msec)     (msec)",
		  "        (msec)", "     (msec)", "       ", ' ' },
		{ "--------------- ------", "------------------------------", "  --------",
		  "  ---------  ---------", "  ------------", "  ---------", "  -----", '-' },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		put_head_line(t, &lines[i]);
}

/* ---- sums ---- */

struct summary {
	struct timehist_text *t;
	struct analysis *a;
	const struct sched_timehist *h;
	bool ended; /* which tasks are told now */
	u64 tasks, switches, run, told;
};

static void put_task_sums(void *ctx, u32 id, const struct sched_runs *r)
{
	struct summary *s = ctx;
	struct strbuf *out = &s->t->out, name = STRBUF_INIT;
	struct task_life life = analysis_life(s->a, id);

	if ((life.ended || sched_timehist_ended(s->h, id)) != s->ended)
		return;
	s->told++;
	s->tasks++;
	s->switches += r->nr;
	s->run += r->total;
	put_task(&name, task_table_last(analysis_tasks(s->a), id));
	if (name.len < TASK_COLUMNS)
		put_blanks(out, TASK_COLUMNS - name.len);
	strbuf_add(out, name.buf, name.len);
	strbuf_release(&name);
	strbuf_addf(out, "  %6d", life.parent == UINT32_MAX ? -1 : (int)life.parent);
	strbuf_dec(out, r->nr, 11);
	sched_put_ms(out, r->total, 9);
	sched_put_ms(out, s->t->show.state ? r->sleep : r->min, 7);
	sched_put_ms(out, s->t->show.state ? r->iowait : r->total / r->nr, 8);
	sched_put_ms(out, s->t->show.state ? r->preempted : r->max, 8);
	if (s->t->show.state)
		sched_put_ms(out, r->delayed, 8);
	else
		strbuf_addf(out, "   %5.2f   %5" PRIu64, sched_runs_deviation(r), r->migrations);
	strbuf_addstr(out, s->t->show.state ? " \n" : "\n");
	if (out->len >= SCHED_FLUSH_BYTES)
		flush(s->t);
}

/* The lines above the sums, without the columns that all of them have. */
static const struct sums_head {
	const char *title, *times, *units;
} run_sums = { "Runtime",
	       "  sched-in     run-time    min-run     avg-run     max-run  stddev  migrations\n",
	       "   (count)       (msec)     (msec)      (msec)      (msec)       %\n" },
  wait_sums = { "Wait-time",
		"  sched-in     run-time      sleep      iowait     preempt       delay\n",
		"   (count)       (msec)     (msec)      (msec)      (msec)       (msec)\n" },
  idle_sums = { "Idle-time",
		" sched-out    idle-time   min-idle    avg-idle    max-idle  stddev  migrations\n",
		"   (count)       (msec)     (msec)      (msec)      (msec)       %\n" };

static void put_sums_head(struct strbuf *out, const struct sums_head *head)
{
	strbuf_addf(out, "\n%s summary\n                          comm  parent ", head->title);
	strbuf_addstr(out, head->times);
	put_blanks(out, 39);
	strbuf_addstr(out, head->units);
	for (u32 i = 0; i < 117; i++)
		strbuf_addch(out, '-');
	strbuf_addch(out, '\n');
}

static void put_tasks(struct summary *s, bool ended, const char *none)
{
	s->ended = ended;
	s->told = 0;
	sched_timehist_tasks(s->h, put_task_sums, s);
	if (!s->told)
		strbuf_addstr(&s->t->out, none);
}

static void put_idle(struct summary *s, u64 span)
{
	struct strbuf *out = &s->t->out;

	strbuf_addstr(out, "\nIdle stats:\n");
	for (u32 cpu = 0; cpu < MAX(s->t->show.cpus, sched_timehist_cpus(s->h)); cpu++) {
		const struct sched_runs *r = sched_timehist_idle(s->h, cpu);

		strbuf_addf(out, "    CPU %2u idle ", cpu);
		if (!r) {
			strbuf_addstr(out, "entire time window\n");
			continue;
		}
		strbuf_addstr(out, "for ");
		sched_put_ms(out, r->total, 6);
		strbuf_addf(out, "  msec  (%6.2f%%)\n",
			    span ? 100.0 * (double)r->total / (double)span : 0.0);
	}
}

void timehist_sums(struct timehist_text *t, struct analysis *a, const struct sched_timehist *h)
{
	struct summary s = { .t = t, .a = a, .h = h };
	u64 span = sched_timehist_span(h);

	put_sums_head(&t->out, t->show.idle ? &idle_sums : t->show.state ? &wait_sums : &run_sums);
	put_tasks(&s, false, "<no still running tasks>\n");
	strbuf_addstr(&t->out, "\nTerminated tasks:\n");
	put_tasks(&s, true, "<no terminated tasks>\n");
	put_idle(&s, span);
	if (t->idle)
		idle_chains_text(t->idle, t->show.cpus, &t->out);
	strbuf_addf(&t->out, "\n    Total number of unique tasks: %" PRIu64 "\n", s.tasks);
	strbuf_addf(&t->out, "Total number of context switches: %" PRIu64 "\n", s.switches);
	strbuf_addstr(&t->out, "           Total run time (msec): ");
	sched_put_ms(&t->out, s.run, 2);
	strbuf_addstr(&t->out, " \n    Total scheduling time (msec): ");
	sched_put_ms(&t->out, span, 2);
	strbuf_addf(&t->out, "  (x %u)\n", t->show.cpus);
}

void timehist_end(struct timehist_text *t)
{
	flush(t);
}

/* ---- idle time ---- */

void timehist_idle_begins(struct timehist_text *t, const struct engine_input *in)
{
	strbuf_reset(&t->chain);
	sched_chains_put(t->chains, in, &t->chain);
	idle_chains_begin(t->idle, in->cpu, &t->chain);
}

void timehist_idle_ends(struct timehist_text *t, u32 cpu, u64 ns)
{
	idle_chains_end(t->idle, cpu, ns);
}
