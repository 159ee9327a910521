// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of the options of perf trace, and of its variables of the configuration. */
#include "base/compat.h"

#include "cmd/trace/trace.h"

#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"
#include "tracerun/values.h"

#include <errno.h>

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
	struct strbuf told = STRBUF_INIT;
	struct err err = { 0 };

	if (t->select.last == t->select.nr && !t->select.negated)
		return opt_filter(&events, arg, unset);
	if (t->select.events.len)
		err_set(&err, -EINVAL,
			"--filter: it is about calls and about other events, give "
			"each its own -e and --filter");
	else
		trace_select_filter(&t->select, arg, t->sa, &told, &err);
	fputs(strbuf_str(&told), stderr);
	strbuf_release(&told);
	if (!err.code)
		return 0;
	error_err(&err);
	return -1;
}

/* Take a value that room tracerun reads. */
static int take(const struct option *opt, const char *arg, int unset, trace_read_fn *read)
{
	struct trace_command *t = opt->value;
	struct err err = { 0 };

	if (!read(&t->asked, unset ? NULL : arg, &err))
		return 0;
	error("%s", err.msg);
	return -1;
}

int trace_opt_faults(const struct option *opt, const char *arg, int unset)
{
	return take(opt, arg, unset, trace_read_faults);
}

int trace_opt_duration(const struct option *opt, const char *arg, int unset)
{
	return take(opt, arg, unset, trace_read_duration);
}

int trace_opt_summary(const struct option *opt, const char *arg, int unset)
{
	struct trace_command *t = opt->value;

	t->asked.summary = !unset;
	return take(opt, arg, unset, trace_read_columns);
}

int trace_opt_string_len(const struct option *opt, const char *arg, int unset)
{
	return take(opt, arg, unset, trace_read_string_len);
}

int trace_opt_mode(const struct option *opt, const char *arg, int unset)
{
	return take(opt, arg, unset, trace_read_mode);
}

int trace_opt_map_dump(const struct option *opt, const char *arg, int unset)
{
	error("--map-dump does not exist any more: use bpftool map dump name %s", arg ? arg : "");
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
		error("trace.add_events: %s", err.msg);
	else if (select->events.len)
		rc = opt_events(&events, strbuf_str(&select->events), 0);
	trace_select_release(&rest);
	return rc;
}
