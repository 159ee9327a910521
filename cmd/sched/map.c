// SPDX-License-Identifier: GPL-2.0-or-later
/* perf sched map: what ran on each CPU, a row for each switch. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/usage.h"
#include "cmd/sched/sched.h"

#include "base/color.h"
#include "schedtext/map.h"

#include <errno.h>
#include <unistd.h>

static const char *const usage[] = { "perf sched map [<options>]", NULL };

struct map_command {
	struct sched_map_show show;
	const char *cpus, *color_cpus, *color_pids, *task_names, *color;
	struct long_output out;
};

static int work(void *ctx, struct analysis *a, struct err *err)
{
	struct map_command *m = ctx;
	struct sched_map_show *show = &m->show;
	struct sched_counts counts;
	int ret;

	show->write = long_output_write;
	show->nr_cpus = sched_cpus(analysis_recording(a)->session.file->env.nr_cpus_avail);
	setup_pager();
	show->take_back = long_output_begin(&m->out);
	show->ctx = &m->out;
	ret = sched_map_run(show, a, &counts, err);
	long_output_end(&m->out);
	if (!ret)
		sched_tell_losses(a, &counts);
	return ret;
}

static int parse_list(struct int_list *l, const char *text, const char *option, struct err *err)
{
	if (!text || !cpu_list_parse(l, text))
		return 0;
	return err_set(err, -EINVAL, "--%s: '%s' is not a list of numbers such as 0,2-3", option,
		       text);
}

/* Read the values of the options. Return: 0, or -EINVAL and a sentence. */
static int settle(struct map_command *m, struct err *err)
{
	enum color_when when = COLOR_AUTO;
	int ret = parse_list(&m->show.cpus, m->cpus, "cpus", err) ?:
		  parse_list(&m->show.color_cpus, m->color_cpus, "color-cpus", err) ?:
		  parse_list(&m->show.color_pids, m->color_pids, "color-pids", err);

	if (!ret && m->task_names)
		ret = name_list_parse(&m->show.names, m->task_names, "task name", err);
	if (!ret && m->color && color_parse_when(m->color, &when))
		ret = err_set(err, -EINVAL, "--color: '%s' is not auto, always or never", m->color);
	if (!ret && m->show.fuzzy && !m->task_names)
		ret = err_set(err, -EINVAL, "--fuzzy-name is about the names of --task-name");
	m->show.color = color_wanted(when, STDOUT_FILENO);
	return ret;
}

int sched_map(int argc, const char **argv, struct sched_common *c, const struct option *parent)
{
	struct map_command m = { 0 };
	struct err err = { 0 };
	const struct option options[] = {
		OPT_BOOLEAN(0, "compact", &m.show.compact, "map output in compact mode"),
		OPT_STRING(0, "cpus", &m.cpus, "cpus", "display given CPUs in map"),
		OPT_STRING(0, "color-cpus", &m.color_cpus, "cpus", "highlight given CPUs in map"),
		OPT_STRING(0, "color-pids", &m.color_pids, "pids", "highlight given pids in map"),
		OPT_STRING(0, "color", &m.color, "when", "highlight: auto, always or never"),
		OPT_STRING(0, "task-name", &m.task_names, "name[,name...]",
			   "only switches from and to tasks of these names"),
		OPT_BOOLEAN(0, "fuzzy-name", &m.show.fuzzy,
			    "these are parts of the names of tasks"),
		SCHED_FILTER_OPTIONS(&c->source),
		THREAD_FILTER_OPTIONS(&c->source),
		OPT_STRING('C', "cpu", &c->source.cpus, "cpu", "list of cpus to profile"),
		OPT_PARENT(parent),
	};
	int status;

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		usage_with_options(usage, options);
	m.show.some_tasks = c->source.pids || c->source.tids || c->source.comms;
	if (settle(&m, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	status = sched_read(c, work, &m);
	int_list_release(&m.show.cpus);
	int_list_release(&m.show.color_cpus);
	int_list_release(&m.show.color_pids);
	name_list_release(&m.show.names);
	return status;
}
