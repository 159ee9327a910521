// SPDX-License-Identifier: GPL-2.0-or-later
/* Write delays with their reasons as JSON: an object in each line. Times are in ns. */
#include "base/compat.h"

#include "schedtext/why-internal.h"

#include "codec/json.h"

static void put_number(const struct why *y, const char *name, u64 v)
{
	strbuf_addf(y->out, ",\"%s\":%" PRIu64, name, v);
}

/* Begin an object with a task. */
static void put_task(const struct why *y, const struct task_at *task)
{
	strbuf_addf(y->out, "{\"tid\":%u", task->tid);
	if (task->pid != TASK_PID_UNKNOWN)
		put_number(y, "pid", task->pid);
	json_text_member(y->out, "comm", task->tid ? task->comm : "<idle>");
}

static void put_task_at(const struct why *y, u32 pid, u32 tid, u64 time)
{
	put_task(y, task_table_at(analysis_tasks(y->a), pid, tid, time));
}

static void put_chain(const struct why *y, const struct sched_chain_at *of, u32 chain)
{
	struct strbuf text = STRBUF_INIT;

	if (why_chain(y, of, chain, &text))
		json_text_member(y->out, "chain", strbuf_str(&text));
	strbuf_release(&text);
}

static void put_sleep(const struct why *y, u32 pid, u32 tid, const struct why_sleep *s)
{
	const struct sched_chain_at of = { .pid = pid, .tid = tid, .time = s->from };
	const char state[] = { s->state, '\0' };

	if (!s->until)
		return;
	strbuf_addf(y->out, ",\"sleep\":{\"from_ns\":%" PRIu64, s->from);
	put_number(y, "until_ns", s->until);
	json_text_member(y->out, "state", state);
	if (s->io)
		put_number(y, "io_ns", s->io);
	put_chain(y, &of, s->chain);
	strbuf_addch(y->out, '}');
}

static void put_waker(const struct why *y, const struct why_waker *by)
{
	const struct sched_chain_at of = { .pid = by->pid, .tid = by->tid, .time = by->time };

	put_task_at(y, by->pid, by->tid, by->time);
	put_number(y, "cpu", by->cpu);
	put_number(y, "time_ns", by->time);
	strbuf_addstr(y->out, by->interrupt ? ",\"interrupt\":true" : "");
	put_chain(y, &of, by->chain);
	if (!by->interrupt)
		put_sleep(y, by->pid, by->tid, &by->sleep);
	strbuf_addch(y->out, '}');
}

static void put_holders(const struct why *y, const struct why_delay *d)
{
	strbuf_addstr(y->out, ",\"holders\":[");
	for (u32 i = 0; i < d->nr_holders; i++) {
		strbuf_addstr(y->out, i ? "," : "");
		put_task(y, task_table_last(analysis_tasks(y->a), d->holders[i].task));
		put_number(y, "ns", d->holders[i].ns);
		put_number(y, "runs", d->holders[i].runs);
		strbuf_addch(y->out, '}');
	}
	strbuf_addch(y->out, ']');
	if (d->others)
		put_number(y, "others_ns", d->others);
	if (d->unknown)
		put_number(y, "unknown_ns", d->unknown);
}

static void put_delay(const struct why *y, const struct why_delay *d)
{
	put_task_at(y, d->pid, d->tid, d->ran);
	put_number(y, "cpu", d->cpu);
	put_number(y, "delay_ns", d->ran - d->ready);
	put_number(y, "ready_ns", d->ready);
	put_number(y, "ran_ns", d->ran);
	strbuf_addstr(y->out, d->gap ? ",\"lossy\":true" : "");
	strbuf_addstr(y->out, d->preempted ? ",\"preempted\":true" : "");
	if (d->moved) {
		put_number(y, "from_cpu", d->from_cpu);
		put_number(y, "moved_ns", d->moved);
	}
	put_holders(y, d);
	if (!d->preempted)
		put_sleep(y, d->pid, d->tid, &d->sleep);
	strbuf_addstr(y->out, ",\"wakers\":[");
	for (u32 i = 0; i < d->nr_wakers; i++) {
		strbuf_addstr(y->out, i ? "," : "");
		put_waker(y, &d->wakers[i]);
	}
	strbuf_addstr(y->out, "]}\n");
}

void why_json(const struct why *y, const struct why_delay *delays, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		put_delay(y, &delays[i]);
}
