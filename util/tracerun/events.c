// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracerun/events.h"

#include "base/alloc.h"
#include "tracerun/counted.h"

#include <errno.h>
#include <unistd.h>

#define CALLS "raw_syscalls:sys_enter,raw_syscalls:sys_exit"
#define FILTER_MAX 4000 /* bytes that the kernel takes, which is a page */

/* ---- filters ---- */

/* Append one condition for each run of numbers for which @wanted is @of. */
static void add_runs(struct strbuf *out, const bool *wanted, u32 nr, bool of)
{
	for (u32 first = 0, last; first < nr; first = last + 1) {
		last = first;
		if (wanted[first] != of)
			continue;
		while (last + 1 < nr && wanted[last + 1] == of)
			last++;
		if (out->len)
			strbuf_addstr(out, of ? " || " : " && ");
		if (first == last)
			strbuf_addf(out, of ? "id == %u" : "id != %u", first);
		else
			strbuf_addf(out, of ? "(id >= %u && id <= %u)" : "(id < %u || id > %u)",
				    first, last);
	}
}

void trace_call_filter(struct strbuf *out, const bool *wanted, u32 nr)
{
	struct strbuf these = STRBUF_INIT, others = STRBUF_INIT;
	const struct strbuf *shorter = &these;

	if (!wanted)
		return;
	add_runs(&these, wanted, nr, true);
	add_runs(&others, wanted, nr, false);
	if (!these.len) /* no call at all, which no number is */
		strbuf_addstr(&these, "id == -2");
	else if (others.len < these.len)
		shorter = &others;
	if (shorter->len < FILTER_MAX)
		strbuf_add(out, shorter->buf, shorter->len);
	strbuf_release(&these);
	strbuf_release(&others);
}

static void add_filter(struct evsel *e, const char *more)
{
	char *old = e->filter;

	e->filter = old ? xasprintf("(%s) && (%s)", old, more) : xstrdup(more);
	free(old);
}

static void leave_out(struct evsel *e, const s32 *pids, size_t nr)
{
	struct strbuf filter = STRBUF_INIT;

	for (size_t i = 0; i < nr; i++)
		strbuf_addf(&filter, "%scommon_pid != %d", i ? " && " : "", pids[i]);
	if (nr)
		add_filter(e, strbuf_str(&filter));
	strbuf_release(&filter);
}

void trace_events_leave_out(struct evlist *l, const s32 *pids, size_t nr)
{
	for (size_t i = 0; i < l->nr; i++)
		if (evsel_is_tracepoint(l->evsels[i]))
			leave_out(l->evsels[i], pids, nr);
}

/* ---- processes that show the trace ---- */

/* Return: the parent of a process and its name; 0: unknown. */
static s32 parent_of(const struct sysroot *sr, s32 pid, char comm[17])
{
	struct strbuf stat = STRBUF_INIT;
	const char *open, *close;
	s32 parent = 0;

	comm[0] = 0;
	sysroot_read(sr, &stat, "/proc/%d/stat", pid);
	open = strchr(strbuf_str(&stat), '(');
	close = strrchr(strbuf_str(&stat), ')');
	if (open && close && close > open) {
		snprintf(comm, 17, "%.*s", (int)MIN(close - open - 1, (ptrdiff_t)16), open + 1);
		if (sscanf(close + 1, " %*c %d", &parent) != 1)
			parent = 0;
	}
	strbuf_release(&stat);
	return parent;
}

size_t trace_own_pids(const struct sysroot *sr, s32 *pids, size_t max)
{
	static const char *const shows[] = { "sshd",  "gnome-terminal", "konsole",
					     "xterm", "tmux: server",   "screen" };
	size_t nr = 0;
	char comm[17];

	pids[nr++] = getpid();
	for (s32 pid = getppid(); pid > 1 && nr < max;) {
		s32 parent = parent_of(sr, pid, comm);

		for (size_t i = 0; i < ARRAY_SIZE(shows); i++) {
			if (strncmp(comm, shows[i], strlen(shows[i])))
				continue;
			pids[nr++] = pid;
			return nr;
		}
		pid = parent;
	}
	return nr;
}

/* ---- events ---- */

static int parse(struct evlist *l, const char *text, const struct parse_env *env, struct err *err)
{
	struct parse_error pe;
	int rc = parse_events(l, text, env, &pe);

	if (!rc)
		return 0;
	return err_set(err, rc, "%s: %s%s%s", text, pe.text, pe.help[0] ? "\n" : "", pe.help);
}

/* Tell for each number whether calls with it are wanted and have no filter on their arguments. */
static bool *numbers_of(const struct trace_select *s, const struct sysargs *sa)
{
	bool *wanted = trace_select_numbers(s, sa);

	for (size_t i = 0; i < s->nr_filtered; i++) {
		const int nr = sysargs_number(sa, s->filtered[i].name);

		if (nr >= 0)
			wanted[nr] = false;
	}
	return wanted;
}

void trace_events_numbers(struct strbuf *filter, const struct trace_select *s,
			  const struct sysargs *sa, bool narrow)
{
	const struct sysargs *other = narrow ? sysargs_of(sa, SYSARGS_NARROW) : sa;
	const u32 nr = sysargs_nr(sa), nr_other = sysargs_nr(other);
	bool *wanted = numbers_of(s, sa), *more = numbers_of(s, other);
	bool *either = wanted ? xcalloc((size_t)nr + nr_other, sizeof(*either)) : NULL;

	for (u32 i = 0; wanted && i < nr; i++)
		either[i] = wanted[i];
	for (u32 i = 0; wanted && i < nr_other; i++)
		either[i] |= more[i];
	trace_call_filter(filter, either, MAX(nr, nr_other));
	free(wanted);
	free(more);
	free(either);
}

static void set_filter(struct evlist *l, size_t from, const struct strbuf *filter)
{
	for (size_t i = from; filter->len && i < l->nr; i++)
		add_filter(l->evsels[i], filter->buf);
}

/* Add the events of the calls that are left out, which stay off until a narrow program runs. */
static int add_left_out(struct evlist *l, const struct trace_select *s, const struct sysargs *sa,
			const struct parse_env *env, struct err *err)
{
	const size_t from = l->nr;
	struct strbuf filter = STRBUF_INIT;
	bool *others = numbers_of(s, sa);
	int rc;

	for (u32 i = 0; i < sysargs_nr(sa); i++)
		others[i] = !others[i];
	trace_call_filter(&filter, others, sysargs_nr(sa));
	rc = parse(l, CALLS, env, err);
	set_filter(l, from, &filter);
	for (size_t i = from; i < l->nr; i++)
		l->evsels[i]->terms.later = true;
	strbuf_release(&filter);
	free(others);
	return rc;
}

/*
 * No event says of which kind of programs a call is, so those of narrow ones that are wanted bring
 * those of others that have the same numbers, which are dropped when they are read. Where all but a
 * few calls are wanted that would bring those few: they may be many, so they have events of their
 * own, because the kernel does not take another filter for an event that has one.
 */
static int add_raw(struct evlist *l, const struct trace_select *s, const struct sysargs *sa,
		   const struct parse_env *env, struct err *err)
{
	const size_t from = l->nr;
	struct strbuf filter = STRBUF_INIT;
	int rc = parse(l, CALLS, env, err);

	trace_events_numbers(&filter, s, sa, !s->negated);
	set_filter(l, from, &filter);
	if (!rc && filter.len && s->negated && sysargs_of(sa, SYSARGS_NARROW) != sa)
		rc = add_left_out(l, s, sa, env, err);
	strbuf_release(&filter);
	return rc;
}

/* Page faults are told one by one, with their addresses. */
static void add_faults(struct evlist *l, u64 config, const char *name)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .config = config,
				     .size = sizeof(a),
				     .sample_period = 1,
				     .sample_type = PERF_SAMPLE_ADDR };

	evlist_add(l, &a, name)->terms.period_set = true;
}

/* Tell whether all calls that are wanted have filters on their arguments. */
static bool are_all_filtered(const struct trace_select *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (!trace_select_filtered(s, s->names[i].name))
			return false;
	return s->nr_filtered && !s->negated;
}

/* Calls with a filter on their arguments have events of their own, which have these as fields. */
static int add_filtered(struct evlist *l, const struct trace_filtered *f,
			const struct parse_env *env, struct err *err)
{
	char *text = xasprintf("syscalls:sys_enter_%s,syscalls:sys_exit_%s", f->name, f->name);
	const size_t enter = l->nr;
	int rc = parse(l, text, env, err);

	if (!rc)
		add_filter(l->evsels[enter], f->filter);
	free(text);
	return rc;
}

static int add_calls(struct evlist *l, const struct trace_asked *asked, const struct sysargs *sa,
		     const struct parse_env *env, struct err *err)
{
	const struct trace_select *s = asked->select;
	/* The programs that copy memory are at the events of all calls, also where none is let
	 * through. */
	int rc = are_all_filtered(s) && !asked->lines ? 0 : add_raw(l, s, sa, env, err);

	for (size_t i = 0; i < s->nr_filtered && !rc; i++)
		rc = add_filtered(l, &s->filtered[i], env, err);
	return rc;
}

/* A probe that the user has put on getname() tells the paths of calls. */
static int add_names(struct evlist *l, const struct parse_env *env, struct err *err)
{
	static const char name[] = "probe:vfs_getname";

	u64 id;

	for (size_t i = 0; i < l->nr; i++)
		if (!strcmp(l->evsels[i]->name, name))
			return 0;
	if (!env->sr ||
	    sysroot_read_u64(env->sr, &id, "%s/events/probe/vfs_getname/id", tracefs_path(env->sr)))
		return 0;
	return parse(l, name, env, err);
}

int trace_events_add(struct evlist *l, const struct trace_asked *asked, const struct sysargs *sa,
		     const struct parse_env *env, struct err *err)
{
	int rc = 0;

	if (asked->counted && !asked->lines)
		trace_counted_event(l);
	else if (asked->syscalls)
		rc = add_calls(l, asked, sa, env, err);
	if (!rc && asked->syscalls && asked->lines)
		rc = add_names(l, env, err);
	if (asked->faults & TRACE_FAULTS_MAJOR)
		add_faults(l, PERF_COUNT_SW_PAGE_FAULTS_MAJ, "major-faults");
	if (asked->faults & TRACE_FAULTS_MINOR)
		add_faults(l, PERF_COUNT_SW_PAGE_FAULTS_MIN, "minor-faults");
	if (!rc && asked->sched)
		rc = parse(l, "sched:sched_stat_runtime", env, err);
	return rc;
}
