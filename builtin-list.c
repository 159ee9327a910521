// SPDX-License-Identifier: GPL-2.0-or-later
/* perf list: what there is to measure. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/message.h"
#include "cmd/common/pager.h"
#include "cmd/common/usage.h"
#include "cmd/list/list.h"

#include "base/alloc.h"
#include "events/pmu.h"
#include "cmd/common/events.h"

#include <errno.h>

static const char *const list_usage[] = {
	"perf list [<options>] [hw|sw|cache|tracepoint|pmu|sdt|metric|metricgroup|event_glob]", NULL
};

/* ---- what is asked for ---- */

static void section(struct list *l, enum catalog_kind kind, const struct list_pick *pick)
{
	/* Tool events end with an empty line even when there are none, and markers never do. */
	if ((list_section(l, kind, pick) || kind == CATALOG_TOOL) && kind != CATALOG_SDT &&
	    l->view.ops->gap)
		l->view.ops->gap(&l->view);
}

static const struct list_pick all = { NULL, NULL, NULL };

static void show_everything(struct list *l)
{
	size_t kind;

	for (kind = CATALOG_HARDWARE; kind <= CATALOG_SDT; kind++) {
		if (kind == CATALOG_RAW) {
			if (list_section(l, kind, &all) && l->view.ops->hint)
				l->view.ops->hint(&l->view);
			if (l->view.ops->gap)
				l->view.ops->gap(&l->view);
			continue;
		}
		section(l, kind, &all);
	}
	list_metrics(l, LIST_METRICS | LIST_GROUPS, NULL, NULL);
}

/* "sched:*": of tracepoints and markers, and the groups of metrics that have it in their names. */
static void show_halves(struct list *l, const char *arg, const char *colon)
{
	char *system = xstrndup(arg, (size_t)(colon - arg));
	const struct list_pick pick = { .system = system, .event = colon + 1 };

	section(l, CATALOG_TRACEPOINT, &pick);
	section(l, CATALOG_SDT, &pick);
	list_metrics(l, LIST_METRICS | LIST_GROUPS, NULL, system);
	free(system);
}

static void show_matching(struct list *l, const char *arg)
{
	char *glob = xasprintf("*%s*", arg);
	const struct list_pick pick = { .glob = glob };
	static const enum catalog_kind kinds[] = {
		CATALOG_HARDWARE, CATALOG_SOFTWARE,   CATALOG_TOOL, CATALOG_CACHE,
		CATALOG_PMU,      CATALOG_TRACEPOINT, CATALOG_SDT,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		section(l, kinds[i], &pick);
	list_metrics(l, LIST_METRICS, glob, NULL);
	free(glob);
}

static bool show_word(struct list *l, const char *arg)
{
	static const struct {
		const char *name, *other;
		int kinds[2], metrics;
	} words[] = {
		{ "hw", "hardware", { CATALOG_HARDWARE, -1 }, 0 },
		{ "sw", "software", { CATALOG_SOFTWARE, CATALOG_TOOL }, 0 },
		{ "tool", NULL, { CATALOG_TOOL, -1 }, 0 },
		{ "cache", "hwcache", { CATALOG_CACHE, -1 }, 0 },
		{ "tracepoint", NULL, { CATALOG_TRACEPOINT, -1 }, 0 },
		{ "pmu", NULL, { CATALOG_PMU, -1 }, 0 },
		{ "sdt", NULL, { CATALOG_SDT, -1 }, 0 },
		{ "metric", "metrics", { -1, -1 }, LIST_METRICS },
		{ "metricgroup", "metricgroups", { -1, -1 }, LIST_GROUPS },
	};
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(arg, words[i].name) && (!words[i].other || strcmp(arg, words[i].other)))
			continue;
		for (k = 0; k < 2; k++)
			if (words[i].kinds[k] >= 0)
				section(l, (enum catalog_kind)words[i].kinds[k], &all);
		if (words[i].metrics)
			list_metrics(l, words[i].metrics, NULL, NULL);
		return true;
	}
	return false;
}

static void show(struct list *l, const char *arg, bool quiet)
{
	size_t before = l->view.nr;
	const char *colon;

	if (show_word(l, arg))
		return;
	colon = strchr(arg, ':');
	if (colon)
		show_halves(l, arg, colon);
	else
		show_matching(l, arg);
	if (l->view.nr == before && !quiet && !l->unit)
		list_near(l, arg, false);
}

static int show_fields(struct list *l, int argc, const char **argv, bool json)
{
	int i, ret = 0;

	strbuf_addstr(&l->out, json ? "[\n" : "");
	for (i = 0; i < argc; i++)
		if (list_show_fields(l, argv[i], json))
			ret = -1;
	strbuf_addstr(&l->out, json ? "\n]\n" : "");
	return ret;
}

static void show_events(struct list *l, int argc, const char **argv, bool quiet)
{
	struct list_view *v = &l->view;
	int i;

	if (v->ops->begin)
		v->ops->begin(v);
	if (!argc)
		show_everything(l);
	for (i = 0; i < argc; i++)
		show(l, argv[i], quiet);
	if (v->ops->end)
		v->ops->end(v);
	if (l->unit && !v->nr && !quiet)
		fprintf(stderr, "Nothing is listed for the PMU '%s'.\n", l->unit);
}

/* ---- options ---- */

/* On machines with several kinds of cores their PMUs are called "cpu_KIND". */
static void pick_core(struct list *l, const char *kind)
{
	struct pmus pmus = { 0 };

	l->core = xasprintf("cpu_%s", kind);
	pmus_scan(&pmus, &l->sysroot);
	if (!pmus_find(&pmus, l->core)) {
		fputs("WARNING: hybrid cputype is not supported!\n", stderr);
		free(l->core);
		l->core = NULL;
	}
	pmus_release(&pmus);
}

struct list_args {
	bool raw, json, fields;
	const char *output, *cputype;
};

/* What is written to a file is for no terminal. */
static FILE *open_output(const char *path)
{
	FILE *f = path ? fopen(path, "we") : stdout;

	if (!f)
		fprintf(stderr, "cannot write %s: %s\n", path, err_str(-errno));
	return f;
}

static int put_output(FILE *f, const struct strbuf *out, const char *path)
{
	bool bad = fwrite(strbuf_str(out), 1, out->len, f) != out->len;

	if (f == stdout)
		return 0; /* finish_output() tells */
	if (fclose(f) || bad) {
		fprintf(stderr, "cannot write %s: %s\n", path, err_str(-errno));
		return -1;
	}
	return 0;
}

static int run(struct list *l, const struct list_args *a, int argc, const char **argv)
{
	struct list_view *v = &l->view;
	FILE *f = open_output(a->output);
	int ret = 0;

	if (!f)
		return -1;
	v->out = &l->out;
	v->ops = a->json ? &list_json_ops : a->raw ? &list_raw_ops : &list_text_ops;
	v->width = term_columns();
	if (a->fields)
		ret = show_fields(l, argc, argv, a->json);
	else
		show_events(l, argc, argv, a->raw || a->json);
	return put_output(f, &l->out, a->output) ? -1 : ret;
}

int cmd_list(int argc, const char **argv)
{
	struct list l = { .view = { .desc = true } };
	struct list_args a = { 0 };
	const struct option options[] = {
		OPT_BOOLEAN_FLAG(0, "raw-dump", &a.raw, "Dump raw events", PARSE_OPT_HIDDEN),
		OPT_BOOLEAN('j', "json", &a.json, "JSON encode events and metrics"),
		OPT_BOOLEAN('d', "desc", &l.view.desc,
			    "Print extra event descriptions. --no-desc to not print."),
		OPT_BOOLEAN('v', "long-desc", &l.view.long_desc,
			    "Print longer event descriptions."),
		OPT_BOOLEAN(0, "details", &l.view.details,
			    "Print information on the perf event names and expressions used "
			    "internally by events."),
		OPT_BOOLEAN(0, "deprecated", &l.deprecated, "Print deprecated events."),
		OPT_STRING(0, "cputype", &a.cputype, "hybrid cpu type",
			   "Print events applying cpu with this type for hybrid platform (e.g. "
			   "core or atom)"),
		OPT_STRING(0, "unit", &l.unit, "PMU name",
			   "Limit PMU or metric printing to the specified PMU."),
		OPT_BOOLEAN(0, "fields", &a.fields,
			    "Print what tracepoints hold and how to filter on it"),
		OPT_CALLBACK(0, "events-dir", &l.sources, "dir",
			     "read names of events from the JSON files below this folder",
			     opt_events_dir),
		OPT_STRING('o', "output", &a.output, "file", "output file name"),
		OPT_BOOLEAN(0, "debug", &l.debug, "Enable debugging output"),
		OPT_END(),
	};
	int ret;

	event_arg_start(&l.sources, &l.sysroot);
	argc = parse_options(argc, argv, options, list_usage, 0);
	if (a.fields && !argc)
		usage_with_options_msg(list_usage, options, "--fields needs a tracepoint");
	if (!a.output)
		setup_pager();
	l.view.gaps = !a.output && pager_in_use();
	if (a.cputype)
		pick_core(&l, a.cputype);
	ret = run(&l, &a, argc, argv);
	list_release(&l);
	return ret;
}
