// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "output/header-text.h"

#include "base/cur.h"

#include <time.h>

#define MAX_MAPPINGS 4096

static void put_captured(s64 captured, struct strbuf *out)
{
	time_t t = (time_t)captured;
	char text[64];
	struct tm tm;

	if (localtime_r(&t, &tm) && strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm))
		strbuf_addf(out, "# captured on    : %s\n", text);
}

static void put_name(struct strbuf *out, const char *what, const char *name)
{
	if (!name)
		return;
	strbuf_addf(out, "# %s : ", what);
	strbuf_addname(out, name);
	strbuf_addch(out, '\n');
}

static void put_host(const struct env *env, struct strbuf *out)
{
	u32 i;

	put_name(out, "hostname", env->hostname);
	put_name(out, "os release", env->os_release);
	put_name(out, "perf version", env->version);
	put_name(out, "arch", env->arch);
	if (env->nr_cpus_avail)
		strbuf_addf(out, "# nrcpus online : %u\n# nrcpus avail : %u\n", env->nr_cpus_online,
			    env->nr_cpus_avail);
	put_name(out, "cpudesc", env->cpu_desc);
	put_name(out, "cpuid", env->cpuid);
	if (env->total_mem)
		strbuf_addf(out, "# total memory : %" PRIu64 " kB\n", env->total_mem);
	if (!env->nr_cmdline)
		return;
	strbuf_addstr(out, "# cmdline : ");
	for (i = 0; i < env->nr_cmdline; i++) {
		strbuf_addname(out, env->cmdline[i]);
		strbuf_addch(out, ' ');
	}
	strbuf_addch(out, '\n');
}

static void put_event(const struct evsel *e, struct strbuf *out)
{
	size_t i;

	strbuf_addstr(out, "# event : name = ");
	strbuf_addname(out, e->name);
	strbuf_addstr(out, ", ");
	if (e->nr_ids) {
		strbuf_addstr(out, ", id = {");
		for (i = 0; i < e->nr_ids; i++)
			strbuf_addf(out, "%s %" PRIu64, i ? "," : "", e->ids[i]);
		strbuf_addstr(out, " }");
	}
	strbuf_addstr(out, ", ");
	attr_text(&e->attr, " = ", out);
	strbuf_addch(out, '\n');
}

static struct cur feature(const struct perf_file *f, u32 bit)
{
	size_t size = 0;
	const void *body = perf_file_feature(f, bit, &size);

	return cur_make(body ? body : "", body ? size : 0, f->swap);
}

/* u32 number; then u32 type and a padded string for each */
static void put_mappings(const struct perf_file *f, struct strbuf *out)
{
	struct cur c = feature(f, HEADER_PMU_MAPPINGS);
	u32 nr = cur_u32(&c), i, type, len;
	const char *name;

	strbuf_addstr(out, "# pmu mappings: ");
	for (i = 0; i < nr && i < MAX_MAPPINGS; i++) {
		type = cur_u32(&c);
		len = cur_u32(&c);
		name = cur_str(&c, len);
		if (!name)
			break;
		strbuf_addstr(out, i ? ", " : "");
		strbuf_addname(out, name);
		strbuf_addf(out, " = %u", type);
	}
	strbuf_addch(out, '\n');
}

static void put_groups(const struct evlist *l, struct strbuf *out)
{
	size_t i, j;

	for (i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];

		if (e->leader != i || e->nr_members < 2)
			continue;
		strbuf_addstr(out, "# group: ");
		if (e->group_name && strcmp(e->group_name, "{anon_group}") != 0)
			strbuf_addname(out, e->group_name);
		strbuf_addch(out, '{');
		for (j = i; j < l->nr && j < i + e->nr_members; j++) {
			strbuf_addstr(out, j > i ? "," : "");
			strbuf_addname(out, l->evsels[j]->name);
		}
		strbuf_addstr(out, "}\n");
	}
}

static void put_times(const struct env *env, struct strbuf *out)
{
	const u64 us = 1000, sec = 1000000000;
	u64 span = env->sample_last - env->sample_first;
	char text[64];

	strbuf_addf(out, "# time of first sample : %" PRIu64 ".%06" PRIu64 "\n",
		    env->sample_first / sec, env->sample_first % sec / us);
	strbuf_addf(out, "# time of last sample : %" PRIu64 ".%06" PRIu64 "\n",
		    env->sample_last / sec, env->sample_last % sec / us);
	snprintf(text, sizeof(text), "%.3f", (double)span / 1e6);
	strbuf_addf(out, "# sample duration : %10s ms\n", text);
}

/* u32 version, type (1: zstd), level, ratio, length of the recorder's buffers */
static void put_compressed(const struct perf_file *f, struct strbuf *out)
{
	struct cur c = feature(f, HEADER_COMPRESSED);
	u32 type, level, ratio;

	cur_u32(&c);
	type = cur_u32(&c);
	level = cur_u32(&c);
	ratio = cur_u32(&c);
	strbuf_addf(out, "# compressed : %s, level = %u, ratio = %u\n",
		    type == 1 ? "Zstd" : "Unknown", level, ratio);
}

/* u32 number; then two padded strings for each. Return: false when it is damaged. */
static bool put_caps(struct cur *c, struct strbuf *out)
{
	u32 nr = cur_u32(c), i;
	const char *name, *value;

	for (i = 0; i < nr && i < MAX_MAPPINGS; i++) {
		name = cur_str(c, cur_u32(c));
		value = name ? cur_str(c, cur_u32(c)) : NULL;
		if (!value)
			return false;
		strbuf_addstr(out, i ? ", " : "");
		strbuf_addname(out, name);
		strbuf_addch(out, '=');
		strbuf_addname(out, value);
	}
	return cur_ok(c);
}

static void put_cpu_caps(const struct perf_file *f, struct strbuf *out)
{
	struct cur c = feature(f, HEADER_CPU_PMU_CAPS);
	struct strbuf caps = STRBUF_INIT;

	put_caps(&c, &caps);
	strbuf_addf(out, "# cpu pmu capabilities: %s\n",
		    caps.len ? strbuf_str(&caps) : "not available");
	strbuf_release(&caps);
}

/* u32 number of PMUs; the capabilities and then the name of each */
static void put_pmu_caps(const struct perf_file *f, struct strbuf *out)
{
	struct cur c = feature(f, HEADER_PMU_CAPS);
	u32 nr = cur_u32(&c), i;
	struct strbuf caps = STRBUF_INIT;
	const char *name;

	for (i = 0; i < nr && i < MAX_MAPPINGS; i++) {
		strbuf_reset(&caps);
		name = put_caps(&c, &caps) ? cur_str(&c, cur_u32(&c)) : NULL;
		if (!name)
			break;
		strbuf_addstr(out, "# ");
		strbuf_addname(out, name);
		strbuf_addf(out, " pmu capabilities: %s\n",
			    caps.len ? strbuf_str(&caps) : "not available");
	}
	strbuf_release(&caps);
}

static void put_feature(const struct perf_file *f, const struct evlist *l, unsigned int bit,
			const char *name, struct strbuf *out)
{
	switch (bit) {
	case HEADER_CPU_TOPOLOGY:
	case HEADER_NUMA_TOPOLOGY:
	case HEADER_CACHE:
	case HEADER_MEM_TOPOLOGY:
	case HEADER_HYBRID_TOPOLOGY:
		strbuf_addf(out, "# %s info available, use -I to display\n", name);
		break;
	case HEADER_BRANCH_STACK:
		strbuf_addstr(out, "# contains samples with branch stack\n");
		break;
	case HEADER_PMU_MAPPINGS:
		put_mappings(f, out);
		break;
	case HEADER_GROUP_DESC:
		put_groups(l, out);
		break;
	case HEADER_AUXTRACE:
		strbuf_addstr(out, "# contains AUX area data (e.g. instruction trace)\n");
		break;
	case HEADER_STAT:
		strbuf_addstr(out, "# contains stat data\n");
		break;
	case HEADER_SAMPLE_TIME:
		put_times(&f->env, out);
		break;
	case HEADER_CPU_PMU_CAPS:
		put_cpu_caps(f, out);
		break;
	case HEADER_PMU_CAPS:
		put_pmu_caps(f, out);
		break;
	case HEADER_COMPRESSED:
		put_compressed(f, out);
		break;
	default:
		break;
	}
}

void header_text(const struct perf_file *f, const struct evlist *evlist, s64 captured,
		 struct strbuf *out)
{
	/* By number; what is printed before the events has none here. */
	static const char *const names[HEADER_PMU_CAPS + 1] = {
		[1] = "TRACING_DATA",
		"BUILD_ID",
		"HOSTNAME",
		"OSRELEASE",
		"VERSION",
		"ARCH",
		"NRCPUS",
		"CPUDESC",
		"CPUID",
		"TOTAL_MEM",
		"CMDLINE",
		"EVENT_DESC",
		"CPU_TOPOLOGY",
		"NUMA_TOPOLOGY",
		"BRANCH_STACK",
		"PMU_MAPPINGS",
		"GROUP_DESC",
		"AUXTRACE",
		"STAT",
		"CACHE",
		"SAMPLE_TIME",
		"MEM_TOPOLOGY",
		"CLOCKID",
		"DIR_FORMAT",
		"BPF_PROG_INFO",
		"BPF_BTF",
		"COMPRESSED",
		"CPU_PMU_CAPS",
		"CLOCK_DATA",
		"HYBRID_TOPOLOGY",
		"PMU_CAPS",
	};
	size_t i;

	strbuf_addstr(out, "# ========\n");
	put_captured(captured, out);
	strbuf_addf(out, "# header version : 1\n# data offset    : %" PRIu64 "\n",
		    f->pipe ? 0 : f->data.offset);
	strbuf_addf(out, "# data size      : %" PRIu64 "\n# feat offset    : %" PRIu64 "\n",
		    f->pipe ? 0 : f->data.size, f->pipe ? 0 : f->data.offset + f->data.size);
	if (!f->pipe) {
		put_host(&f->env, out);
		for (i = 0; i < evlist->nr && perf_file_has_feature(f, HEADER_EVENT_DESC); i++)
			put_event(evlist->evsels[i], out);
		for (i = HEADER_CPU_TOPOLOGY; i < ARRAY_SIZE(names); i++)
			if (perf_file_has_feature(f, (unsigned int)i))
				put_feature(f, evlist, (unsigned int)i, names[i], out);
		strbuf_addstr(out, "# missing features: ");
		for (i = 1; i < ARRAY_SIZE(names); i++)
			if (!perf_file_has_feature(f, (unsigned int)i))
				strbuf_addf(out, "%s ", names[i]);
		strbuf_addch(out, '\n');
	}
	strbuf_addstr(out, "# ========\n#\n");
}
