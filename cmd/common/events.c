// SPDX-License-Identifier: GPL-2.0-or-later
/* These option callbacks choose events and their control groups, and open the channel that controls
 * them. */
#include "base/compat.h"
#include "cmd/common/events.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "cli/config.h"
#include "control/control.h"
#include "kernel/cgroup.h"
#include "kernel/tracing.h"
#include "wire/attr-text.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

void event_arg_start(struct event_sources *s, const struct sysroot *sr)
{
	const char *dir = NULL;

	event_sources_init(s, sr, getenv("PERF_CPUID"));
	config_default_str("events.dir", &dir);
	if (dir && *dir)
		event_sources_add_dir_later(s, dir);
}

static void show_refusal(const struct parse_error *pe, const char *arg)
{
	struct strbuf text = STRBUF_INIT;

	parse_error_format(pe, arg, 80, &text);
	strbuf_addstr(&text, "Run 'perf list' for a list of valid events\n");
	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
}

int opt_events(const struct option *opt, const char *arg, int unset)
{
	const struct event_arg *ea = opt->value;
	struct parse_error pe;

	if (unset)
		return -1;
	/* a tracepoint, most likely; the parser says what is wrong if this does not help */
	if (strchr(arg, ':'))
		(void)tracefs_mount(ea->sources->env.sr);
	if (!parse_events(ea->evlist, arg, &ea->sources->env, &pe)) {
		if (ea->filters)
			ea->filters->last = ea->evlist;
		return 0;
	}
	show_refusal(&pe, arg);
	if (ea->sources->later_err.code)
		fprintf(stderr, "events.dir of the configuration: %s\n",
			ea->sources->later_err.msg);
	return -1;
}

int opt_pfm_events(const struct option *opt, const char *arg, int unset)
{
	const struct event_arg *ea = opt->value;
	struct parse_error pe;
	struct err err = { 0 };
	struct libpfm *p;

	if (unset)
		return -1;
	p = event_sources_pfm(ea->sources, &err);
	if (!p) {
		error_err(&err);
		return -1;
	}
	if (!libpfm_parse(p, ea->evlist, arg, ea->sources->env.sr, &pe)) {
		if (ea->filters)
			ea->filters->last = ea->evlist;
		return 0;
	}
	show_refusal(&pe, arg);
	return -1;
}

int opt_events_dir(const struct option *opt, const char *arg, int unset)
{
	struct event_sources *s = opt->value;
	struct err err = { 0 };

	if (unset)
		return -1;
	if (!event_sources_add_dir(s, arg, &err))
		return 0;
	error_err(&err);
	return -1;
}

int opt_machines(const struct option *opt, const char *arg, int unset)
{
	struct event_sources *s = opt->value;
	struct err err = { 0 };

	if (!unset)
		return parse_machines(&s->env.machines, arg, &err) ? error_err(&err) : 0;
	s->env.machines = 0;
	return 0;
}

/* --- control groups ------------------------------------------------------------------ */

static const struct err both = { .code = -1,
				 .msg = "--cgroup and --for-each-cgroup cannot be used together" };

int opt_cgroup(const struct option *opt, const char *arg, int unset)
{
	struct cgroup_arg *a = opt->value;
	struct err err = { 0 };

	if (unset)
		return -1;
	if (a->each)
		return error_err(&both);
	return evlist_set_cgroups(a->evlist, a->sysroot, arg, &a->nr, &err) ? error_err(&err) : 0;
}

int opt_each_cgroup(const struct option *opt, const char *arg, int unset)
{
	struct cgroup_arg *a = opt->value;
	struct err err = { 0 };

	if (unset)
		return -1;
	if (a->nr)
		return error_err(&both);
	a->each = arg;
	if (a->later || !evlist_for_each_cgroup(a->evlist, a->sysroot, arg, &err))
		return 0;
	return error_err(&err);
}

/* --- filters -------------------------------------------------------------------------- */

static void tell(struct strbuf *told)
{
	fputs(strbuf_str(told), stderr);
	strbuf_release(told);
}

int opt_filter(const struct option *opt, const char *arg, int unset)
{
	struct strbuf told = STRBUF_INIT;
	int rc = unset ? -1 : event_filters_add(opt->value, arg, &told);

	tell(&told);
	return rc;
}

int opt_exclude_perf(const struct option *opt, const char *arg __unused, int unset)
{
	struct strbuf told = STRBUF_INIT;
	int rc = unset ? 0 : event_filters_exclude(opt->value, (int)getpid(), &told);

	tell(&told);
	return rc;
}

int filters_settle(struct event_filters *f, bool named)
{
	struct strbuf told = STRBUF_INIT;
	int rc = event_filters_settle(f, named, &told);

	tell(&told);
	return !rc ? 0 : rc == -ECANCELED ? EXIT_FAILED : EXIT_USAGE;
}

/* --- the control channel -------------------------------------------------------------- */

int opt_control(const struct option *opt, const char *arg, int unset)
{
	struct control *c = opt->value;
	struct err err = { 0 };

	if (!unset)
		return control_open(c, arg, &err) ? error_err(&err) : 0;
	control_close(c);
	return 0;
}

/* ---- what -vv shows of events that are opened ---- */

void open_show_attr(const struct perf_event_attr *attr, const struct evsel *e)
{
	struct strbuf sb = STRBUF_INIT;

	attr_table(attr, e->config3, &sb);
	fputs(strbuf_str(&sb), stderr);
	strbuf_release(&sb);
}

void open_show_try(struct open_shown *shown, const struct open_try *t)
{
	/* once for all the places an event is opened on */
	if (shown->of != t->evsel || memcmp(&shown->attr, t->attr, sizeof(shown->attr)))
		open_show_attr(t->attr, t->evsel);
	shown->of = t->evsel;
	shown->attr = *t->attr;
	fprintf(stderr, "sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags %#lx", t->tid,
		t->cpu, t->group, t->flags);
	if (t->fd >= 0)
		fprintf(stderr, " = %d\n", t->fd);
	else
		fprintf(stderr, "\nsys_perf_event_open failed, error %d\n", t->fd);
}
