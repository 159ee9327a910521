// SPDX-License-Identifier: GPL-2.0-or-later
/* What perf record says about the recording and its machine: the header features, in bit order. */
#include "base/compat.h"
#include "builtin-record.h"

#include "base/alloc.h"
#include "file/feature.h"
#include "perf-version.h"

#include <limits.h>
#include <time.h>
#include <unistd.h>

static struct strbuf *feature(struct features *f, u32 bit)
{
	f->v[f->nr].bit = bit;
	f->v[f->nr].body = (struct strbuf)STRBUF_INIT;
	return &f->v[f->nr++].body;
}

void features_release(struct features *f)
{
	for (size_t i = 0; i < f->nr; i++)
		strbuf_release(&f->v[i].body);
}

struct writer_attr *writer_attrs(const struct evlist *l)
{
	struct writer_attr *a = xcalloc(l->nr, sizeof(*a));

	for (size_t i = 0; i < l->nr; i++)
		a[i] = (struct writer_attr){ &l->evsels[i]->attr, l->evsels[i]->ids,
					     l->evsels[i]->nr_ids, l->evsels[i]->name };
	return a;
}

static void add_groups(const struct evlist *l, struct features *f)
{
	struct env_group *g = xcalloc(l->nr + 1, sizeof(*g));
	u32 nr = 0;

	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->nr_members > 1)
			g[nr++] = (struct env_group){ l->evsels[i]->group_name, (u32)i,
						      l->evsels[i]->nr_members };
	if (nr)
		feature_group_desc(feature(f, HEADER_GROUP_DESC), g, nr);
	free(g);
}

static void add_host(const struct record *r, struct features *f, u32 bit)
{
	if (feature_host(&r->sysroot, bit, feature(f, bit)))
		strbuf_release(&f->v[--f->nr].body);
}

static void add_cmdline(const struct record *r, struct features *f)
{
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	exe[n > 0 ? n : 0] = 0;
	feature_cmdline(feature(f, HEADER_CMDLINE), n > 0 ? exe : "perf", r->argc, r->argv);
}

void collect_features(const struct record *r, const struct record_scan *scan,
		      const struct strbuf *tracing, struct features *f)
{
	static const u32 host_first[] = { HEADER_HOSTNAME, HEADER_OSRELEASE };
	static const u32 host_cpu[] = { HEADER_ARCH, HEADER_NRCPUS, HEADER_CPUDESC, HEADER_CPUID,
					HEADER_TOTAL_MEM };
	static const u32 host_last[] = { HEADER_BPF_PROG_INFO, HEADER_BPF_BTF, HEADER_PMU_CAPS };
	struct writer_attr *attrs = writer_attrs(&r->evlist);
	struct timespec res;

	if (tracing->len)
		strbuf_add(feature(f, HEADER_TRACING_DATA), tracing->buf, tracing->len);
	if (scan && scan->build_ids.len)
		strbuf_add(feature(f, HEADER_BUILD_ID), scan->build_ids.buf, scan->build_ids.len);
	for (size_t i = 0; i < ARRAY_SIZE(host_first); i++)
		add_host(r, f, host_first[i]);
	feature_string(feature(f, HEADER_VERSION), PERF_VERSION);
	for (size_t i = 0; i < ARRAY_SIZE(host_cpu); i++)
		add_host(r, f, host_cpu[i]);
	add_cmdline(r, f);
	feature_event_desc(feature(f, HEADER_EVENT_DESC), attrs, r->evlist.nr);
	add_host(r, f, HEADER_CPU_TOPOLOGY);
	add_host(r, f, HEADER_NUMA_TOPOLOGY);
	add_host(r, f, HEADER_PMU_MAPPINGS);
	add_groups(&r->evlist, f);
	add_host(r, f, HEADER_CACHE);
	if (scan && scan->samples)
		feature_sample_time(feature(f, HEADER_SAMPLE_TIME), scan->first_time,
				    scan->last_time);
	add_host(r, f, HEADER_MEM_TOPOLOGY);
	if (r->sample.clockid_set && !clock_getres(r->sample.clockid, &res))
		feature_clockid(feature(f, HEADER_CLOCKID),
				(u64)res.tv_sec * 1000000000 + (u64)res.tv_nsec);
	for (size_t i = 0; i < ARRAY_SIZE(host_last); i++)
		add_host(r, f, host_last[i]);
	free(attrs);
}
