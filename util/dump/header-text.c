// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "dump/header-text.h"

#include "dump/header-internal.h"
#include "wire/attr-text.h"

#include <time.h>
#include <sys/stat.h>

#define MAX_MAPPINGS 4096
#define MAX_EVENTS 65536

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

static void put_cpus(const struct env *env, struct strbuf *out)
{
	strbuf_addf(out, "# nrcpus online : %u\n# nrcpus avail : %u\n", env->nr_cpus_online,
		    env->nr_cpus_avail);
}

static void put_cmdline(const struct env *env, struct strbuf *out)
{
	u32 i;

	strbuf_addstr(out, "# cmdline : ");
	for (i = 0; i < env->nr_cmdline; i++) {
		strbuf_addname(out, env->cmdline[i]);
		strbuf_addch(out, ' ');
	}
	strbuf_addch(out, '\n');
}

/* Append an event and the kernel's ids of its instances, from EVENT_DESC. */
static bool put_event(struct cur *c, u32 attr_size, struct strbuf *out)
{
	struct perf_event_attr attr = { 0 };
	const void *raw = cur_bytes(c, attr_size);
	u32 nr_ids = cur_u32(c), i;
	const char *name = cur_str(c, cur_u32(c));

	if (!raw || !name || cur_left(c) / 8 < nr_ids)
		return false;
	attr_decode(&attr, raw, attr_size, c->swap);
	strbuf_addstr(out, "# event : name = ");
	strbuf_addname(out, name);
	strbuf_addstr(out, ", ");
	if (nr_ids) {
		strbuf_addstr(out, ", id = {");
		for (i = 0; i < nr_ids; i++)
			strbuf_addf(out, "%s %" PRIu64, i ? "," : "", cur_u64(c));
		strbuf_addstr(out, " }");
	}
	strbuf_addstr(out, ", ");
	attr_text(&attr, attr_config3(raw, attr_size, c->swap), " = ", out);
	strbuf_addch(out, '\n');
	return true;
}

static void put_events(struct cur *c, struct strbuf *out)
{
	u32 nr = cur_u32(c), attr_size = cur_u32(c), i;

	if (attr_size < PERF_ATTR_SIZE_VER0)
		return;
	for (i = 0; i < nr && i < MAX_EVENTS && put_event(c, attr_size, out); i++)
		;
}

static struct cur feature(const struct perf_file *f, u32 bit)
{
	size_t size = 0;
	const void *body = perf_file_feature(f, bit, &size);

	return cur_make(body ? body : "", body ? size : 0, f->swap);
}

/* Read a u32 number, and then a u32 type and a padded string for each. */
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

/* Read u32 version, type (1: zstd), level, ratio, length of the recorder's buffers. */
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

/* Read a u32 number, and then two padded strings for each. Return: false when it is damaged. */
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

/* Read the u32 number of PMUs, and then the capabilities and the name of each. */
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

/* Read the u64 resolution in ns; the line has always shown this product. */
static void put_clock_resolution(struct cur *c, struct strbuf *out)
{
	u64 resolution = cur_u64(c);

	strbuf_addf(out, "# clockid frequency: %" PRIu64 " MHz\n", resolution * 1000);
}

static void put_clock_data(const struct env *env, struct strbuf *out)
{
	const u64 us = 1000, sec = 1000000000;
	u64 wall = env->clock_wall, clock = env->clock_time;
	const char *name = env_clock_name(env->clock);
	time_t t = (time_t)(wall / sec);
	char text[64];
	struct tm tm;

	if (!wall || !localtime_r(&t, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		return;
	strbuf_addf(out, "# clockid: %s (%u)\n", name, env->clock);
	strbuf_addf(out,
		    "# reference time: %s.%06" PRIu64 " = %" PRIu64 ".%06" PRIu64
		    " (TOD) = %" PRIu64 ".%09" PRIu64 " (%s)\n",
		    text, wall % sec / us, wall / sec, wall % sec / us, clock / sec, clock % sec,
		    name);
}

/* Append a feature from the beginning of every header. Return: false when it is another one. */
static bool put_basics(const struct perf_file *f, u32 bit, struct strbuf *out)
{
	const struct env *env = &f->env;

	switch (bit) {
	case HEADER_HOSTNAME:
		put_name(out, "hostname", env->hostname);
		return true;
	case HEADER_OSRELEASE:
		put_name(out, "os release", env->os_release);
		return true;
	case HEADER_VERSION:
		put_name(out, "perf version", env->version);
		return true;
	case HEADER_ARCH:
		put_name(out, "arch", env->arch);
		return true;
	case HEADER_NRCPUS:
		put_cpus(env, out);
		return true;
	case HEADER_CPUDESC:
		put_name(out, "cpudesc", env->cpu_desc);
		return true;
	case HEADER_CPUID:
		put_name(out, "cpuid", env->cpuid);
		return true;
	case HEADER_TOTAL_MEM:
		strbuf_addf(out, "# total memory : %" PRIu64 " kB\n", env->total_mem);
		return true;
	case HEADER_CMDLINE:
		put_cmdline(env, out);
		return true;
	default:
		return false;
	}
}

/* Append one of the long features. Return: false when it is another one. */
static bool put_extended(const struct perf_file *f, u32 bit, struct strbuf *out)
{
	struct cur c = feature(f, bit), btf;

	switch (bit) {
	case HEADER_CPU_TOPOLOGY:
		put_cpu_topology(&c, f->env.nr_cpus_avail, out);
		return true;
	case HEADER_NUMA_TOPOLOGY:
		put_numa(&c, out);
		return true;
	case HEADER_CACHE:
		put_caches(&c, out);
		return true;
	case HEADER_MEM_TOPOLOGY:
		put_memory(&c, out);
		return true;
	case HEADER_HYBRID_TOPOLOGY:
		put_hybrid(&c, out);
		return true;
	case HEADER_CPU_DOMAIN_INFO:
		put_cpu_domains(&f->env, out);
		return true;
	case HEADER_BPF_PROG_INFO:
		btf = feature(f, HEADER_BPF_BTF);
		put_bpf_programs(&c, &btf, out);
		return true;
	case HEADER_BPF_BTF:
		put_btf(&c, out);
		return true;
	default:
		return false;
	}
}

static void put_rest(const struct perf_file *f, const struct evlist *l, u32 bit, struct strbuf *out)
{
	struct cur c = feature(f, bit);

	switch (bit) {
	case HEADER_EVENT_DESC:
		put_events(&c, out);
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
	case HEADER_CLOCKID:
		put_clock_resolution(&c, out);
		break;
	case HEADER_DIR_FORMAT:
		strbuf_addf(out, "# directory data version : %" PRIu64 "\n", cur_u64(&c));
		break;
	case HEADER_COMPRESSED:
		put_compressed(f, out);
		break;
	case HEADER_CPU_PMU_CAPS:
		put_cpu_caps(f, out);
		break;
	case HEADER_CLOCK_DATA:
		put_clock_data(&f->env, out);
		break;
	case HEADER_PMU_CAPS:
		put_pmu_caps(f, out);
		break;
	default:
		break;
	}
}

/* The numbers of features are the indices. The list of missing features ends with PMU_CAPS: most
 * files cannot have newer ones. */
static const char *const feature_names[HEADER_CPU_DOMAIN_INFO + 1] = {
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
	"CPU_DOMAIN_INFO",
};

static bool is_extended(u32 bit)
{
	return bit == HEADER_CPU_TOPOLOGY || bit == HEADER_NUMA_TOPOLOGY || bit == HEADER_CACHE ||
	       bit == HEADER_MEM_TOPOLOGY || bit == HEADER_HYBRID_TOPOLOGY ||
	       bit == HEADER_CPU_DOMAIN_INFO;
}

void header_features(const struct perf_file *f, const struct evlist *evlist, bool full,
		     u64 *printed, struct strbuf *out)
{
	u32 bit;

	for (bit = 1; bit < ARRAY_SIZE(feature_names); bit++) {
		u64 mask = 1ULL << bit;

		if (!perf_file_has_feature(f, bit) || *printed & mask)
			continue;
		*printed |= mask;
		if (is_extended(bit) && !full)
			strbuf_addf(out, "# %s info available, use -I to display\n",
				    feature_names[bit]);
		else if (!put_basics(f, bit, out) && !put_extended(f, bit, out))
			put_rest(f, evlist, bit, out);
	}
}

void header_text(const struct perf_file *f, const struct evlist *evlist, s64 captured, bool full,
		 struct strbuf *out)
{
	u64 printed = 0;
	u32 bit;

	strbuf_addstr(out, "# ========\n");
	put_captured(captured, out);
	strbuf_addf(out, "# header version : %d\n# data offset    : %" PRIu64 "\n",
		    f->pipe ? 1 : f->version - 1, f->pipe ? 0 : f->data.offset);
	strbuf_addf(out, "# data size      : %" PRIu64 "\n# feat offset    : %" PRIu64 "\n",
		    f->pipe ? 0 : f->data.size, f->pipe ? 0 : f->data.offset + f->data.size);
	if (!f->pipe) {
		header_features(f, evlist, full, &printed, out);
		strbuf_addstr(out, "# missing features: ");
		for (bit = 1; bit <= HEADER_PMU_CAPS; bit++)
			if (!perf_file_has_feature(f, bit))
				strbuf_addf(out, "%s ", feature_names[bit]);
		strbuf_addch(out, '\n');
	}
	strbuf_addstr(out, "# ========\n#\n");
}

void header_text_of_file(const struct perf_file *f, const struct evlist *evlist, bool full,
			 struct strbuf *out)
{
	struct stat st = { 0 };

	if (fstat(f->fd, &st))
		st.st_mtime = time(NULL);
	header_text(f, evlist, st.st_mtime, full, out);
}
