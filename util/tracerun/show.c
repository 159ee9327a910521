// SPDX-License-Identifier: GPL-2.0-or-later
/* Each event becomes a line, and the tables follow at the end. */
#include "base/compat.h"
#include "tracerun/tracerun-internal.h"

#include "tracerun/fields.h"

/* ---- what stands before a line ---- */

static const char *comm_of(const struct trace_run *t, u32 pid, u32 tid, u64 time)
{
	struct thread_at at;

	machine_thread_at(t->r->machine, pid, tid, time, &at);
	return machine_comm(t->r->machine, at.comm);
}

static void put_sample(struct trace_run *t)
{
	const struct sample *s = t->now->sample;

	strbuf_addf(&t->out, "%s: %s %" PRIu64 " (%s): cpu %u ip %" PRIx64 "\n",
		    t->now->evsel->name, comm_of(t, s->pid, s->tid, s->time), s->time,
		    "PERF_RECORD_SAMPLE", s->cpu, s->ip);
}

/* Begin a line about the sample that is looked at. @start: of what it tells, ns */
static void put_head(struct trace_run *t, bool timed, u64 start, bool lasted, u64 ns, u32 tid)
{
	const struct sample *s = t->now->sample;
	const struct trace_look *look = &t->look;
	const struct trace_head head = {
		.timed = timed,
		.time = look->full_time || start < t->base ? start : start - t->base,
		.lasted = lasted,
		.ns = ns,
		.tid = tid,
		.comm = look->comm ? comm_of(t, s->pid, tid, s->time) : NULL,
	};

	if (t->asked->print_sample)
		put_sample(t);
	trace_line_head(&t->out, look, &head);
}

static void count_line(struct trace_run *t)
{
	t->shown++;
	t->enough = t->asked->most_events && t->shown >= t->asked->most_events;
}

/* ---- calls ---- */

static bool is_wanted(const struct trace_run *t, s64 nr)
{
	if (!t->wanted)
		return true;
	return nr >= 0 && nr < (s64)sysargs_nr(t->sa) && t->wanted[nr];
}

static bool has_failed(const struct syscall_call *c)
{
	return c->state == SYSCALL_DONE && c->ret < 0 && c->ret >= -SYSCALL_MAX_ERRNO;
}

/* Lines of calls that go on are of no use where only some calls are shown, by what becomes of
 * them. */
static bool passes(struct trace_run *t, const struct syscall_call *c)
{
	const struct trace_asked *a = t->asked;

	if (!a->lines || t->enough || !is_wanted(t, c->nr))
		return false;
	if (a->failed && !has_failed(c))
		return false;
	if (a->least_ns &&
	    (c->state != SYSCALL_DONE || !c->begun || c->end - c->start < a->least_ns))
		return false;
	return c->state == SYSCALL_GOES_ON || trace_chain_deep(t);
}

/* A call counts from its begin on, or from its return when that is all we have seen. */
static void sum_up(struct trace_run *t, const struct syscall_call *c)
{
	size_t group;

	if (!t->asked->summary || c->state == SYSCALL_GOES_ON || !is_wanted(t, c->nr))
		return;
	group = trace_group(t, c->pid, c->tid);
	if (!c->begun || c->state == SYSCALL_LAST)
		syscall_sums_call(&t->sums, group, c->nr);
	if (c->state == SYSCALL_DONE)
		syscall_sums_return(&t->sums, group, c->nr, c->begun && c->end >= c->start,
				    c->end - c->start, c->ret);
}

void *trace_count_call(void *ctx, const struct syscall_call *call)
{
	struct trace_run *t = ctx;

	if (t->asked->summary && is_wanted(t, call->nr))
		syscall_sums_call(&t->sums, trace_group(t, call->pid, call->tid), call->nr);
	return NULL;
}

static bool show(struct trace_run *t, const struct syscall_call *c)
{
	const bool lasted = c->state == SYSCALL_DONE && c->begun && c->end >= c->start;

	if (!passes(t, c))
		return false;
	put_head(t, c->begun, c->start, lasted, c->end - c->start, c->tid);
	t->call = c;
	trace_line_call(&t->out, &t->look, t->sa, c);
	t->call = NULL;
	if (c->state == SYSCALL_GOES_ON)
		return true;
	count_line(t);
	if (t->asked->chains)
		trace_chain(t, t->asked->kernel_chains);
	return true;
}

bool trace_show_call(void *ctx, const struct syscall_call *call)
{
	struct trace_run *t = ctx;
	bool shown;

	sum_up(t, call);
	trace_path_made(t, call);
	shown = show(t, call);
	trace_path_closed(t, call);
	return shown;
}

/* ---- other events ---- */

void trace_show_event(struct trace_run *t, const struct trace_event *e)
{
	const struct sample *s = t->now->sample;
	struct tf_printer printer = { 0 };

	if (!t->asked->lines || !trace_chain_deep(t))
		return;
	syscalls_between(t->calls);
	put_head(t, true, s->time, false, 0, s->tid);
	strbuf_addname(&t->out, t->now->evsel->name);
	strbuf_addch(&t->out, '(');
	if (e->format && t->asked->print_format)
		tf_print(e->format, &printer, s->raw, s->raw_size, &t->out);
	else if (e->format)
		trace_fields(&t->out, e->format, s->raw, s->raw_size, &t->look.view);
	strbuf_addstr(&t->out, ")\n");
	strbuf_release(&printer.tmp);
	count_line(t);
	if (t->asked->chains)
		trace_chain(t, true);
}

static void find_instruction(struct trace_run *t, struct trace_fault *f)
{
	struct location l;

	recording_place(t->r, t->now, &t->at, &l);
	f->symbol = location_symbol(&l);
	f->offset = f->symbol ? l.addr - symtab_range(l.symtab, l.sym).start : l.addr;
}

void trace_show_fault(struct trace_run *t, const struct trace_event *e)
{
	const struct sample *s = t->now->sample;
	struct trace_fault fault = { .major = e->major, .at = s->addr };
	const struct map *map;

	if (!t->asked->lines || !trace_chain_deep(t))
		return;
	syscalls_between(t->calls);
	put_head(t, true, s->time, true, 0, s->tid);
	find_instruction(t, &fault);
	map = machine_find_map(t->r->machine, t->at.epoch, PERF_RECORD_MISC_USER, s->addr);
	if (!map) {
		map = machine_find_map(t->r->machine, t->at.kernel_epoch, PERF_RECORD_MISC_KERNEL,
				       s->addr);
		fault.kernel = map != NULL;
	}
	if (map) {
		fault.object = map->dso->path;
		fault.at = map->dso->kind == DSO_USER ? s->addr - map->start + map->pgoff : s->addr;
	}
	trace_line_fault(&t->out, &fault);
	count_line(t);
	if (t->asked->chains)
		trace_chain(t, true);
}

/* ---- the tables ---- */

static const char *group_name(void *ctx, const struct syscall_group *g)
{
	const struct trace_run *t = ctx;

	if (t->asked->mode == TRACE_BY_CGROUP)
		return machine_cgroup(t->r->machine, g->key - 1);
	return comm_of(t, g->pid, (u32)g->key, g->last);
}

void trace_show_summary(struct trace_run *t)
{
	const struct trace_summary summary = {
		.mode = t->asked->mode,
		.errnos = t->asked->errnos,
		.runtime = t->asked->sched,
		.most = t->asked->most_rows,
		.name = group_name,
		.ctx = t,
	};

	syscall_sums_sort(&t->sums);
	trace_summary(&t->out, &summary, t->sa, &t->sums);
}
