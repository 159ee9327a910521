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

/* Names of tasks, and how they are compared. */
struct names {
	struct name_list list;
	bool fuzzy; /* a part of a name will do */
};

struct map_command {
	struct sched_map_show show;
	struct names names;
	bool some_tasks; /* the filters leave some out */
	const char *cpus, *color_cpus, *color_pids, *task_names, *color;
};

/* The engine has one context for all it asks. */
struct rows {
	struct analysis *a;
	const struct names *names;
	struct sched_map_text *text;
};

static bool names_have(const struct names *n, const struct task_at *task)
{
	const char *comm = !task->tid ? "swapper" : task->comm ? task->comm : "";

	if (!n->list.set || !n->fuzzy)
		return !n->list.set || name_list_has(&n->list, comm);
	for (size_t i = 0; i < n->list.nr; i++)
		if (strstr(comm, n->list.names[i]))
			return true;
	return false;
}

static bool rows_want(void *ctx, const struct task_at *task)
{
	const struct rows *r = ctx;

	return analysis_wants_task(r->a, task) && names_have(r->names, task);
}

static void rows_take(void *ctx, const struct sched_map_row *row)
{
	sched_map_row(((struct rows *)ctx)->text, row);
}

static int work(void *ctx, struct analysis *a, struct err *err)
{
	struct map_command *m = ctx;
	struct rows rows = { .a = a, .names = &m->names };
	struct sched_map_conf conf = {
		.tasks = analysis_tasks(a),
		.row = rows_take,
		.wants = m->names.list.set || m->some_tasks ? rows_want : NULL,
		.ctx = &rows,
	};
	struct sched_map *state = sched_map_new(&conf);
	int ret;

	m->show.write = write_stdout;
	m->show.nr_cpus = sched_cpus(analysis_recording(a)->session.file->env.nr_cpus_avail);
	setup_pager();
	rows.text = sched_map_text_new(&m->show);
	ret = analysis_run(a, sched_map_engine(), state, err);
	if (!ret) {
		sched_map_end(rows.text);
		sched_tell_losses(a, sched_map_counts(state));
	}
	sched_map_text_free(rows.text);
	sched_map_free(state);
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
		ret = name_list_parse(&m->names.list, m->task_names, "task name", err);
	if (!ret && m->color && color_parse_when(m->color, &when))
		ret = err_set(err, -EINVAL, "--color: '%s' is not auto, always or never", m->color);
	if (!ret && m->names.fuzzy && !m->task_names)
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
		OPT_BOOLEAN(0, "fuzzy-name", &m.names.fuzzy,
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
	m.some_tasks = c->source.pids || c->source.tids || c->source.comms;
	if (settle(&m, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	status = sched_read(c, work, &m);
	int_list_release(&m.show.cpus);
	int_list_release(&m.show.color_cpus);
	int_list_release(&m.show.color_pids);
	name_list_release(&m.names.list);
	return status;
}
