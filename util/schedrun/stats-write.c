// SPDX-License-Identifier: GPL-2.0-or-later
/* Write counters of the scheduler as a recording. */
#include "base/compat.h"
#include "schedrun/stats.h"

#include "base/alloc.h"
#include "file/writer.h"
#include "perf-version.h"
#include "session/features.h"

/* Readers expect an event in each recording, although this one has no samples. */
static const struct perf_event_attr attr = {
	.type = PERF_TYPE_SOFTWARE,
	.size = ATTR_SIZE,
	.config = PERF_COUNT_SW_DUMMY,
	.sample_type = PERF_SAMPLE_TIME,
};
static const struct writer_attr event = { .attr = &attr, .name = "dummy:u" };

struct described {
	const struct sysroot *sysroot;
	const struct schedstat *counters;
	int argc;
	const char *const *argv; /* behind "perf sched" */
};

static void add_cmdline(const struct described *d, struct features *f)
{
	const char **line = xcalloc((size_t)d->argc + 1, sizeof(*line));

	line[0] = "sched";
	memcpy(line + 1, d->argv, (size_t)d->argc * sizeof(*line));
	features_cmdline(f, d->argc + 1, line);
	free(line);
}

static void add_feature(const struct described *d, u32 bit, struct features *f)
{
	switch (bit) {
	case HEADER_VERSION:
		feature_string(features_add(f, bit), PERF_VERSION);
		break;
	case HEADER_CMDLINE:
		add_cmdline(d, f);
		break;
	case HEADER_EVENT_DESC:
		feature_event_desc(features_add(f, bit), &event, 1);
		break;
	case HEADER_CPU_DOMAIN_INFO:
		schedstat_put_domains(d->counters, features_add(f, bit));
		break;
	default:
		features_host(f, d->sysroot, bit);
	}
}

static void add_features(const struct described *d, struct features *f)
{
	static const u32 bits[] = {
		HEADER_HOSTNAME,        HEADER_OSRELEASE,
		HEADER_VERSION,         HEADER_ARCH,
		HEADER_NRCPUS,          HEADER_CPUDESC,
		HEADER_CPUID,           HEADER_TOTAL_MEM,
		HEADER_CMDLINE,         HEADER_EVENT_DESC,
		HEADER_CPU_TOPOLOGY,    HEADER_NUMA_TOPOLOGY,
		HEADER_CPU_DOMAIN_INFO,
	};

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		add_feature(d, bits[i], f);
}

static int write_all(struct file_writer *w, const struct features *f, const struct strbuf *records,
		     struct err *err)
{
	int ret = file_writer_start(w, &event, 1, err);

	if (!ret && w->pipe)
		ret = file_writer_feature_records(w, f->v, f->nr, err);
	if (!ret)
		ret = file_writer_write(w, records->buf, records->len, err);
	if (!ret && !w->pipe)
		ret = file_writer_finish(w, f->v, f->nr, err);
	return ret;
}

int stats_write(const char *path, const struct sysroot *sysroot, const struct stats_counted *c,
		int argc, const char *const *argv, struct err *err)
{
	struct strbuf records = STRBUF_INIT;
	struct features f = { 0 };
	struct file_writer w;
	int ret = file_writer_open(&w, path, err);

	if (ret)
		return ret;
	schedstat_put_records(&c->before, &records);
	schedstat_put_records(&c->after, &records);
	add_features(&(struct described){ sysroot, &c->after, argc, argv }, &f);
	ret = write_all(&w, &f, &records, err);
	if (ret)
		file_writer_abort(&w);
	else
		ret = file_writer_close(&w, err);
	features_release(&f);
	strbuf_release(&records);
	return ret;
}
