// SPDX-License-Identifier: GPL-2.0-or-later
/* The history of CPUs in the form of perf 6.1: rows as they come, and sums below them. */
#include "base/compat.h"

#include "schedtext/timehist.h"

#include "schedtext/schedtext-internal.h"

#include "base/alloc.h"
#include "base/units.h"

#define TASK_COLUMNS 30
#define TIME_COLUMNS 11  /* of a duration in a row, with the blank before it */
#define IGNORED_FRAMES 2 /* frames of the scheduler itself at the start of chains */

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
	struct recording *r; /* borrowed */
	struct strbuf out;
	struct callchain_conf chains;
	struct callchain_maker maker;
	bool chains_open;
	struct task_text known[KNOWN_TASKS];
};

struct timehist_text *timehist_text_new(const struct timehist_show *show, struct recording *r)
{
	struct timehist_text *t = xzalloc(sizeof(*t));

	t->show = *show;
	t->r = r;
	return t;
}

void timehist_text_free(struct timehist_text *t)
{
	if (!t)
		return;
	if (t->chains_open) {
		callchain_maker_release(&t->maker);
		callchain_conf_close(&t->chains);
	}
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

/* Append a duration in ms, with @width columns before the point. */
static void put_ms(struct strbuf *out, u64 ns, unsigned int width)
{
	sched_put_thousandths(out, ns / 1000000, (u32)(ns % 1000000 / 1000), width);
}

/* Append three durations of a row in ms. */
static void put_times(struct strbuf *out, u64 wait, u64 delay, u64 run)
{
	const u64 ns[] = { wait, delay, run };
	char *p;

	strbuf_grow(out, ARRAY_SIZE(ns) * (SCHED_NUMBER_BYTES + 1));
	p = out->buf + out->len;
	for (size_t i = 0; i < ARRAY_SIZE(ns); i++) {
		*p++ = ' ';
		p = sched_write_thousandths(p, ns[i] / 1000000, (u32)(ns[i] % 1000000 / 1000), 6);
	}
	*p = '\0';
	out->len = (size_t)(p - out->buf);
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

/* ---- call chains ---- */

static bool is_ignored(const char *name)
{
	static const char *const names[] = { "schedule",
					     "__schedule",
					     "preempt_schedule",
					     "preempt_schedule_irq",
					     "preempt_schedule_common",
					     "preempt_schedule_notrace" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static void open_chains(struct timehist_text *t)
{
	const struct callchain_source from = {
		.machine = t->r->machine,
		.symbols = recording_symbols(t->r),
		.arch = t->r->session.file->env.arch,
		.swap = t->r->session.file->swap,
		.unwind_style = t->r->unwind_style,
	};

	callchain_conf_open(&t->chains, &from);
	t->maker.conf = &t->chains;
	t->chains_open = true;
}

static void put_chain(struct timehist_text *t, const struct engine_input *in)
{
	u8 mode = PERF_RECORD_MISC_KERNEL;
	u32 frames = 0, shown = 0;
	struct callchain chain;
	struct thread_at at;

	if (!t->chains_open)
		open_chains(t);
	machine_thread_at(t->r->machine, in->pid, in->tid, in->time, &at);
	callchain_make(&t->maker, false, at.epoch, in->sample, &chain);
	for (u64 i = 0; i < chain.nr && frames < t->show.max_stack + IGNORED_FRAMES; i++) {
		struct location l;
		const char *name;

		if (chain.ips[i] >= (u64)PERF_CONTEXT_MAX) {
			mode = callchain_mode(chain.ips[i]);
			continue;
		}
		frames++;
		resolve_find(t->r->machine, recording_symbols(t->r),
			     mode == PERF_RECORD_MISC_KERNEL ? at.kernel_epoch : at.epoch, mode,
			     chain.ips[i], &l);
		name = location_symbol(&l);
		if (name && is_ignored(name))
			continue;
		strbuf_addstr(&t->out, shown++ ? " <- " : "   ");
		strbuf_addname(&t->out, name ? name : "[unknown]");
	}
}

/* ---- rows ---- */

static void put_switch(struct timehist_text *t, const struct sched_row *row)
{
	const struct timehist_show *s = &t->show;
	struct strbuf *out = &t->out;
	size_t start;

	put_blanks(out, 2);
	if (s->visual)
		put_visual(t, row->cpu, row->task.tid ? 's' : 'i');
	put_task_wide(t, &row->task);
	put_times(out, row->wait, row->delay, row->run);
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
	if (s->chains && row->in->sample && row->in->sample->nr_callchain)
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
	put_blanks(out, 3 * TIME_COLUMNS + 2);
	strbuf_addstr(out, moved ? "migrated: " : "awakened: ");
	put_task_narrow(t, &row->other);
	if (moved)
		strbuf_addf(out, " cpu %d => %d", (s32)row->from, (s32)row->to);
}

void timehist_row(void *ctx, const struct sched_row *row)
{
	struct timehist_text *t = ctx;

	if (row->kind == SCHED_ROW_WAKEUP && !t->show.wakeups)
		return;
	if (row->kind == SCHED_ROW_MIGRATION && !t->show.migrations)
		return;
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

static void put_head_line(struct timehist_text *t, const char *left, const char *task,
			  const char *times, const char *state)
{
	struct strbuf *out = &t->out;
	size_t start;

	strbuf_addstr(out, left);
	if (t->show.visual) {
		put_blanks(out, 2);
		for (u32 cpu = 0; cpu <= t->show.cpus; cpu++)
			strbuf_addch(out, task[0] == '-'   ? '-'
					  : task[0] == 't' ? (char)('0' + cpu % 10)
							   : ' ');
	}
	put_blanks(out, 2);
	start = out->len;
	strbuf_addstr(out, task);
	strbuf_pad(out, start + TASK_COLUMNS);
	strbuf_addstr(out, times);
	if (t->show.state)
		strbuf_addstr(out, state);
	strbuf_addch(out, '\n');
}

void timehist_head(struct timehist_text *t)
{
	put_head_line(t, "           time    cpu", "task name", "  wait time  sch delay   run time",
		      "  state");
	put_head_line(t, "                      ", "[tid/pid]", "     (msec)     (msec)     (msec)",
		      "       ");
	put_head_line(t, "--------------- ------", "------------------------------",
		      "  ---------  ---------  ---------", "  -----");
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
	put_ms(out, r->total, 9);
	put_ms(out, s->t->show.state ? r->sleep : r->min, 7);
	put_ms(out, s->t->show.state ? r->iowait : r->total / r->nr, 8);
	put_ms(out, s->t->show.state ? r->preempted : r->max, 8);
	if (s->t->show.state)
		put_ms(out, r->delayed, 8);
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
		put_ms(out, r->total, 6);
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
	strbuf_addf(&t->out, "\n    Total number of unique tasks: %" PRIu64 "\n", s.tasks);
	strbuf_addf(&t->out, "Total number of context switches: %" PRIu64 "\n", s.switches);
	strbuf_addstr(&t->out, "           Total run time (msec): ");
	put_ms(&t->out, s.run, 2);
	strbuf_addstr(&t->out, " \n    Total scheduling time (msec): ");
	put_ms(&t->out, span, 2);
	strbuf_addf(&t->out, "  (x %u)\n", t->show.cpus);
}

void timehist_end(struct timehist_text *t)
{
	flush(t);
}
