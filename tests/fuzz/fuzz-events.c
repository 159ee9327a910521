// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event texts on a machine with PMUs, tracepoints, kernel symbols and a vendor's table whose terms
 * come from the text, too: parsing ends, what was there before stays, errors point into the text,
 * and what was understood can be configured. The same texts as definitions of probes.
 */
#include "base/compat.h"
#include "events/config.h"
#include "events/parse.h"
#include "probe-fuzz.h"
#include "tmp-tree.h"

#include "base/alloc.h"

#include <errno.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct sysroot sr;

static void remove_tree(void)
{
	tmp_remove((char *)sr.prefix);
}

static void make_tree(void)
{
	static const char *const files[][2] = {
		{ "cpu/type", "4" },
		{ "cpu/format/event", "config:0-7,32-35" },
		{ "cpu/format/umask", "config:8-15" },
		{ "cpu/format/ldlat", "config1:0-15" },
		{ "cpu/format/far", "config3:0-63" },
		{ "cpu/events/cpu-cycles", "event=0x3c" },
		{ "cpu/events/loads", "event=0xcd,umask=?,ldlat=3" },
		{ "cpu/events/loop", "loop" },
		{ "unc_0/type", "20" },
		{ "unc_0/cpumask", "0" },
		{ "unc_0/format/event", "config:0-7" },
		{ "unc_0/events/ticks", "event=0xff" },
		{ "unc_0/events/ticks.unit", "MiB" },
		{ "unc_1/type", "21" },
		{ "unc_1/format/event", "config:0-7" },
		{ "intel_pt/type", "8" },
		{ "intel_pt/format/sinkid", "config2:0-31" },
		{ "intel_pt/sinks/s", "0x1f" },
	};

	sr.prefix = tmp_dir();
	atexit(remove_tree);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char *path = xasprintf("sys/bus/event_source/devices/%s", files[i][0]);

		tree_put(sr.prefix, path, files[i][1]);
		free(path);
	}
	tree_put(sr.prefix, "sys/kernel/tracing/events/s/sw/id", "3");
	tree_put(sr.prefix, "sys/kernel/tracing/events/s/sv/id", "4");
	tree_put(sr.prefix, "sys/kernel/tracing/events/sdt_p/m/id", "5");
	tree_put(sr.prefix, "proc/kallsyms", "ff T f\nfe D d\n0 A zero\nbroken");
}

/* "v_TERMS_PMU": dots become commas, '-' become '='. */
static int find(void *ctx, const char *pmu, const char *name, u32 nth, struct source_event *out)
{
	if (nth > 1)
		return -ENOENT;
	if (strncmp(name, "v_", 2))
		return strcmp(name, "vbad") ? -ENOENT : -EINVAL;
	out->terms = xstrdup(name + 2);
	for (char *p = out->terms; *p; p++)
		*p = *p == '.' ? ',' : *p == '-' ? '=' : *p;
	out->unit = xstrdup("u");
	if (!pmu && name[2] != 'x')
		out->pmu = xstrdup("unc");
	return 0;
}

static void offer(void *ctx, const char *pmu, struct near *near)
{
	near_add(near, "v_event-1");
}

static int probe(void *ctx, const char *sys, const char *name, const char *object, struct err *err)
{
	return *name == 'e' ? err_set(err, -EACCES, "no") : *name == 'n' ? -ENOENT : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct event_source vendor = { .name = "v", .find = find, .suggest = offer };
	const struct event_source *const sources[] = { &vendor };
	/* symbols of programs are for some commands only */
	const struct parse_env env = {
		.sr = &sr, .sources = sources, .nr_sources = 1, .probe = probe, .programs = size % 2
	};
	const struct sample_opts opts = { .freq = 99, .callgraph = CALLGRAPH_DWARF };
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	struct parse_error pe;
	struct evlist l = { 0 };

	if (!sr.prefix)
		make_tree();
	strbuf_add(&text, data, size);
	probe_fuzz(strbuf_str(&text));
	if (parse_events(&l, strbuf_str(&text), &env, &pe)) {
		if (l.nr || pe.at > text.len || !pe.text[0])
			abort();
		parse_error_format(&pe, strbuf_str(&text), 80, &out);
	} else if (!l.nr) {
		abort();
	} else {
		evlist_configure(&l, &opts);
	}
	evlist_release(&l);
	strbuf_release(&text);
	strbuf_release(&out);
	return 0;
}
