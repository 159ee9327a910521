// SPDX-License-Identifier: GPL-2.0-or-later
/* internals synthesize: records that describe what runs already are made from /proc, as at the
 * start of each recording. */
#include "base/compat.h"
#include "benchown/own-internal.h"

#include "base/clock.h"
#include "base/pool.h"
#include "kernel/synth.h"

#include <unistd.h>

struct making {
	struct wire_layout layout;
	struct maps_reader maps; /* as a recording has one for all processes */
	struct strbuf out;
};

static void making_init(struct making *m)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_id_all = 1 };

	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			   PERF_SAMPLE_IDENTIFIER;
	attr.mmap2 = 1;
	layout_init(&m->layout, &attr);
	m->out = (struct strbuf)STRBUF_INIT;
	maps_reader_init(&m->maps, NULL);
}

static u64 count_records(const struct strbuf *out)
{
	struct perf_event_header h;
	size_t at;
	u64 nr = 0;

	for (at = 0; at + sizeof(h) <= out->len; at += h.size, nr++) {
		memcpy(&h, out->buf + at, sizeof(h));
		if (h.size < sizeof(h))
			break;
	}
	return nr;
}

/* The times of several runs, and the records of each. */
struct made {
	struct spread us, records;
};

/* Make the records of this process, or with @workers of all processes. */
static int make(struct making *m, unsigned int workers, bool data, struct made *made,
		struct err *err)
{
	struct synth s = {
		.layout = &m->layout,
		.mmap_data = data,
		.workers = (int)workers,
		.maps = &m->maps,
		.out = &m->out,
	};
	int ret = 0;
	u64 ns;

	strbuf_reset(&m->out);
	ns = clock_ns(CLOCK_MONOTONIC);
	if (workers)
		ret = synth_all(&s);
	else
		synth_process(&s, getpid());
	ns = clock_ns(CLOCK_MONOTONIC) - ns;
	spread_add(&made->us, (double)ns / 1000);
	spread_add(&made->records, (double)count_records(&m->out));
	return ret ? err_set(err, ret, "could not read /proc: %s", err_str(ret)) : 0;
}

static void tell(struct bench *b, const struct made *m, const char *indent, const char *kind,
		 const char *figure)
{
	double each = m->us.mean / (m->records.mean > 0 ? m->records.mean : 1);

	bench_say(b, "%sAverage %ssynthesis took: %.3f usec (+- %.3f usec)\n", indent, kind,
		  m->us.mean, spread_error(&m->us));
	bench_say(b, "%sAverage num. events: %.3f (+- %.3f)\n", indent, m->records.mean,
		  spread_error(&m->records));
	bench_say(b, "%sAverage time per event %.3f usec\n", indent, each);
	bench_spread(b, figure, "usecs", false, &m->us);
}

static int run_single(struct bench *b, struct making *m, unsigned int times, struct err *err)
{
	struct made plain = { 0 }, data = { 0 };
	unsigned int i;
	int ret = 0;

	bench_say(b, "Computing performance of single threaded perf event synthesis by\n"
		     "synthesizing events on the perf process itself:\n");
	for (i = 0; i < times && !ret; i++)
		ret = make(m, 0, false, &plain, err);
	for (i = 0; i < times && !ret; i++)
		ret = make(m, 0, true, &data, err);
	if (ret)
		return ret;
	tell(b, &plain, "  ", "", "one process");
	tell(b, &data, "  ", "data ", "one process with data");
	return 0;
}

static int run_multi(struct bench *b, struct making *m, unsigned int times, unsigned int from,
		     unsigned int to, struct err *err)
{
	char figure[64];
	unsigned int n, i;
	int ret = 0;

	bench_say(b, "Computing performance of multi threaded perf event synthesis by\n"
		     "synthesizing events on CPU 0:\n");
	for (n = from; n <= to && !ret; n++) {
		struct made made = { 0 };

		for (i = 0; i < times && !ret; i++)
			ret = make(m, n, false, &made, err);
		if (ret)
			break;
		bench_say(b, "  Number of synthesis threads: %u\n", n);
		snprintf(figure, sizeof(figure), "all processes, %u threads", n);
		tell(b, &made, "    ", "", figure);
	}
	return ret;
}

int own_synthesize(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench internals synthesize <options>", NULL };
	unsigned int min = 1, max = 0, single = 10000, multi = 10;
	bool st = false, mt = false;
	const struct option options[] = {
		OPT_BOOLEAN('s', "st", &st, "Run single threaded benchmark"),
		OPT_BOOLEAN('t', "mt", &mt, "Run multi-threaded benchmark"),
		OPT_UINTEGER('m', "min-threads", &min,
			     "Minimum number of threads in multithreaded bench"),
		OPT_UINTEGER('M', "max-threads", &max,
			     "Maximum number of threads in multithreaded bench"),
		OPT_UINTEGER('i', "single-iterations", &single,
			     "Number of iterations used to compute single-threaded average"),
		OPT_UINTEGER('I', "multi-iterations", &multi,
			     "Number of iterations used to compute multi-threaded average"),
		OPT_END(),
	};
	struct making m;
	int ret = 0;

	b->parse(b, options, usage);
	max = max ? max : (unsigned int)pool_cpus();
	if (!min || min > max || max > 1024 || !single || !multi)
		return bench_invalid(
			err,
			"--min-threads %u, --max-threads %u: 1 is the least of them and "
			"of the iterations, and 1024 threads are the most",
			min, max);
	making_init(&m);
	if (st || !mt)
		ret = run_single(b, &m, single, err);
	if (mt && !ret)
		ret = run_multi(b, &m, multi, min, max, err);
	maps_reader_release(&m.maps);
	strbuf_release(&m.out);
	return ret;
}
