// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of the options of perf trace, and of its variables of the configuration. */
#include "base/compat.h"

#include "cmd/trace/trace.h"

#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"

#include <errno.h>
#include <math.h>

/* Groups of calls are the user's, those beside this perf, and those that were installed. */
static int add_list(struct trace_command *t, struct trace_select *select, const char *list,
		    struct err *err)
{
	const char *home = getenv("HOME");
	char *own = program_folder();
	char *user = xasprintf("%s/.config/perf/strace/groups", home ? home : "");
	char *beside = xasprintf("%s/scripts/strace/groups", own);
	char *installed = xasprintf("%s/scripts/strace/groups", exec_path());
	const char *const folders[] = { user, beside, installed, NULL };
	const struct sysargs_abi here = trace_programs(NULL);
	int rc;

	(void)trace_narrow_add(t->sa, &here, arch_host());
	rc = trace_select_add(select, list, t->sa, &(struct trace_groups){ folders }, err);

	free(own);
	free(user);
	free(beside);
	free(installed);
	return rc;
}

/* Names that are no calls are events. */
int trace_opt_events(const struct option *opt, const char *arg, int unset)
{
	struct trace_command *t = opt->value;
	const struct option events = { .value = &t->rec.events };
	struct err err = { 0 };

	strbuf_reset(&t->select.events);
	if (add_list(t, &t->select, arg, &err)) {
		error_err(&err);
		return -1;
	}
	if (!t->select.events.len)
		return 0;
	if (!opt_events(&events, strbuf_str(&t->select.events), unset))
		return 0;
	if (!trace_select_near(strbuf_str(&t->select.events), t->sa, &err))
		error_err(&err);
	return -1;
}

int trace_opt_filter(const struct option *opt, const char *arg, int unset)
{
	struct trace_command *t = opt->value;
	const struct option events = { .value = &t->rec.filter };
	struct err err = { 0 };

	if (t->select.last == t->select.nr && !t->select.negated)
		return opt_filter(&events, arg, unset);
	if (t->select.events.len)
		err_set(&err, -EINVAL,
			"--filter: it is about calls and about other events, give "
			"each its own -e and --filter");
	else if (!trace_select_filter(&t->select, arg, t->sa, &err))
		return 0;
	error_err(&err);
	return -1;
}

int trace_opt_faults(const struct option *opt, const char *arg, int unset)
{
	static const struct {
		const char *name;
		unsigned int bits;
	} kinds[] = {
		{ "all", TRACE_FAULTS_MAJOR | TRACE_FAULTS_MINOR },
		{ "maj", TRACE_FAULTS_MAJOR },
		{ "min", TRACE_FAULTS_MINOR },
	};
	struct trace_command *t = opt->value;

	t->asked.faults = 0;
	for (size_t i = 0; !unset && i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(arg, kinds[i].name))
			t->asked.faults = kinds[i].bits;
	if (unset || t->asked.faults)
		return 0;
	error("-F: '%s' is none of all, maj, min\n", arg);
	return -1;
}

int trace_opt_duration(const struct option *opt, const char *arg, int unset)
{
	struct trace_command *t = opt->value;
	double ms = 0;
	char *end;

	if (!unset) {
		ms = strtod(arg, &end);
		if (end == arg || *end || !(ms >= 0) || ms > 1e12) {
			error("--duration: '%s' is no number of milliseconds\n", arg);
			return -1;
		}
	}
	t->asked.least_ns = (u64)(ms * 1e6);
	return 0;
}

/* Take one part of the list of columns. Return: what follows it; NULL: it is none. */
static const char *summary_column(struct trace_asked *a, const char *part)
{
	static const char wall[] = "wall";
	const size_t len = strcspn(part, ",");
	char *end = (char *)part;
	double percent;

	if (len == strlen(wall) && !memcmp(part, wall, len)) {
		a->wall = true;
		return part + len;
	}
	percent = *part == 'p' ? strtod(part + 1, &end) : 0;
	if (end != part + len || !(percent > 0 && percent <= 100) ||
	    a->nr_quantiles == TRACE_QUANTILES)
		return NULL;
	a->quantiles[a->nr_quantiles++] = (u32)lround(percent * 1e4);
	return end;
}

/* Take "p50,p99.9,wall". */
int trace_opt_summary(const struct option *opt, const char *arg, int unset)
{
	struct trace_command *t = opt->value;
	struct trace_asked *a = &t->asked;

	a->summary = !unset;
	a->nr_quantiles = 0;
	a->wall = false;
	for (const char *p = unset || !arg ? "" : arg; *p; p += *p == ',') {
		const char *end = summary_column(a, p);

		if (!end) {
			error("--summary: '%s' is no list of at most %d parts like p50,p99.9,wall\n",
			      p, TRACE_QUANTILES);
			return -1;
		}
		p = end;
	}
	return 0;
}

int trace_opt_string_len(const struct option *opt, const char *arg, int unset)
{
	const struct sysargs_view usual = SYSARGS_VIEW_DEFAULT;
	struct trace_command *t = opt->value;
	u32 *len = &t->asked.look.view.string_len;
	char *end;
	unsigned long n = unset ? usual.string_len : strtoul(arg, &end, 10);

	if (!unset && (end == arg || *end || *arg == '-' || n > UINT32_MAX)) {
		error("--string-len: '%s' is no number of bytes\n", arg);
		return -1;
	}
	*len = (u32)n;
	return 0;
}

int trace_opt_mode(const struct option *opt, const char *arg, int unset)
{
	static const struct {
		const char *name;
		enum trace_summary_mode mode;
	} modes[] = {
		{ "thread", TRACE_BY_THREAD },
		{ "total", TRACE_BY_TOTAL },
		{ "cgroup", TRACE_BY_CGROUP },
	};
	struct trace_command *t = opt->value;

	t->asked.mode = TRACE_BY_THREAD;
	for (size_t i = 0; !unset && i < ARRAY_SIZE(modes); i++) {
		if (strcmp(arg, modes[i].name))
			continue;
		t->asked.mode = modes[i].mode;
		return 0;
	}
	if (unset)
		return 0;
	error("--summary-mode: '%s' is none of thread, total, cgroup\n", arg);
	return -1;
}

int trace_opt_map_dump(const struct option *opt, const char *arg, int unset)
{
	error("--map-dump does not exist any more: use bpftool map dump name %s\n", arg ? arg : "");
	return -1;
}

void trace_read_config(struct trace_command *t)
{
	struct trace_look *look = &t->asked.look;
	const char *print = NULL;
	u64 alignment = look->view.args_alignment;

	config_default_bool("trace.show_timestamp", &look->timestamp);
	config_default_bool("trace.show_duration", &look->duration);
	config_default_bool("trace.show_arg_names", &look->view.show_arg_names);
	config_default_bool("trace.show_prefix", &look->view.show_prefix);
	config_default_bool("trace.show_zeros", &look->view.show_zeros);
	config_default_bool("trace.no_inherit", &t->rec.o.sample.no_inherit);
	config_default_u64("trace.args_alignment", &alignment);
	look->view.args_alignment = (u32)MIN(alignment, (u64)1000);
	config_default_str("trace.tracepoint_beautifiers", &print);
	t->asked.print_format = print && !strcmp(print, "libtraceevent");
	if (print && !t->asked.print_format && strcmp(print, "libbeauty"))
		fprintf(stderr,
			"bad config value for 'trace.tracepoint_beautifiers': \"%s\" is neither "
			"libbeauty nor libtraceevent, ignoring...\n",
			print);
}

int trace_config_events(struct trace_command *t)
{
	const bool chosen = (t->select.given || t->rec.evlist.nr) && !t->select.negated;
	const struct option events = { .value = &t->rec.events };
	struct trace_select rest = { 0 }, *select = chosen ? &t->select : &rest;
	const char *list = NULL;
	struct err err = { 0 };
	int rc = 0;

	config_default_str("trace.add_events", &list);
	if (!list)
		return 0;
	strbuf_reset(&select->events);
	if (*list == '!')
		rc = err_set(&err, -EINVAL, "it adds calls and events, and cannot leave out any");
	rc = rc ?: add_list(t, select, list, &err);
	if (rc)
		error("trace.add_events: %s\n", err.msg);
	else if (select->events.len)
		rc = opt_events(&events, strbuf_str(&select->events), 0);
	trace_select_release(&rest);
	return rc;
}
