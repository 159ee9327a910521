// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How perf record keeps up: its options for that, the size of rings nobody has asked for, priority
 * and the CPU it runs on while it empties a ring.
 */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "base/alloc.h"
#include "cli/config.h"

#include <ctype.h>
#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#define AIO_MAX 4
#define SYNTH_THREADS_MAX 1024
/* What rings are to hold when nobody says: so much time at the expected rate, */
#define RING_MS 64
/* which is this where every occurrence is a sample, */
#define FLOOD_BYTES_PER_S ((u64)32 << 20)
/* in no more than this part of the memory altogether. */
#define RINGS_MEMORY_PART 128

/* --- options ---------------------------------------------------------------- */

int record_opt_pages(const struct option *opt, const char *arg, int unset)
{
	struct pump_opts *p = opt->value;
	const char *comma = unset ? NULL : strchr(arg, ',');
	char *data = unset ? NULL : xstrndup(arg, strcspn(arg, ","));
	bool aux_rounded, bad = comma && !ring_pages_parse(comma + 1, &aux_rounded);

	p->pages = 0;
	p->pages_rounded = false;
	p->aux_pages = comma;
	if (!unset && (*data || !comma)) {
		p->pages = ring_pages_parse(data, &p->pages_rounded);
		bad |= !p->pages;
	}
	free(data);
	if (bad)
		fprintf(stderr, "Invalid argument for --mmap_pages/-m: '%s'\n", arg);
	return bad ? -1 : 0;
}

int record_opt_mmap_flush(const struct option *opt, const char *arg, int unset)
{
	struct pump_opts *p = opt->value;

	p->flush = 0;
	if (unset || (record_parse_bytes(arg, &p->flush) && p->flush))
		return 0;
	fprintf(stderr,
		"invalid --mmap-flush '%s': give a number of bytes, or one with K, M or G\n", arg);
	return -1;
}

int record_opt_aio(const struct option *opt, const char *arg, int unset)
{
	struct pump_opts *p = opt->value;
	char *end = NULL;
	unsigned long n = arg ? strtoul(arg, &end, 10) : 1;

	p->aio = 0;
	if (unset)
		return 0;
	if (arg && (end == arg || *end)) {
		fprintf(stderr, "invalid --aio '%s': give a number from 1 to %d\n", arg, AIO_MAX);
		return -1;
	}
	p->aio = (unsigned int)MIN(MAX(n, 1UL), (unsigned long)AIO_MAX);
	return 0;
}

void record_default_aio(struct pump_opts *p, const char *value)
{
	p->aio = (unsigned int)MIN(MAX(strtoul(value, NULL, 10), 1UL), (unsigned long)AIO_MAX);
}

int record_opt_affinity(const struct option *opt, const char *arg, int unset)
{
	struct pump_opts *p = opt->value;

	p->affinity = AFFINITY_SYS;
	if (unset || !strcasecmp(arg, "sys"))
		return 0;
	if (!strcasecmp(arg, "node"))
		p->affinity = AFFINITY_NODE;
	else if (!strcasecmp(arg, "cpu"))
		p->affinity = AFFINITY_CPU;
	else
		fprintf(stderr, "unknown --affinity '%s': give node or cpu\n", arg);
	return p->affinity == AFFINITY_SYS ? -1 : 0;
}

/* Events that fill an AUX area need a processor that traces. */
static void tell_pages(const struct record *r)
{
	char unit = 'K';
	u64 kb;

	if (r->quiet)
		return;
	if (r->pump.aux_pages)
		fprintf(stderr, "-m: no event here has an AUX area, its size is not used\n");
	if (!r->pump.pages_rounded)
		return;
	kb = (u64)r->pump.pages * (u64)sysconf(_SC_PAGESIZE) / 1024;
	for (const char *u = "MG"; *u && kb % 1024 == 0; u++) {
		kb /= 1024;
		unit = *u;
	}
	fprintf(stderr, "rounding mmap pages size to %" PRIu64 "%c (%zu pages)\n", kb, unit,
		r->pump.pages);
}

/* What several threads cannot do. */
static int settle_threads(struct record *r)
{
	const char *with = NULL;

	if (!r->pump.threads)
		return 0;
	if (!strcmp(r->output, "-")) {
		fprintf(stderr, "Parallel trace streaming is not available in pipe mode.\n");
		return -1;
	}
	if (r->pump.aio)
		with = "Asynchronous streaming mode (--aio)";
	else if (r->sample.per_thread)
		with = "--per-thread option";
	else if (r->ro.overwrite)
		with = "--overwrite option";
	if (with) {
		fprintf(stderr, "%s is mutually exclusive to parallel streaming mode.\n", with);
		return -1;
	}
	if (r->ro.sw.arg || r->ro.sw.event_list.nr)
		fprintf(stderr,
			"WARNING: --switch-output option is not available in parallel streaming mode.\n");
	r->ro.sw.arg = NULL;
	evlist_release(&r->ro.sw.event_list);
	return 0;
}

int record_settle_pump(struct record *r)
{
	if (settle_threads(r))
		return -1;
	tell_pages(r);
	if (r->pump.budget > 100) {
		fprintf(stderr, "--sample-budget: at most 100 percent\n");
		return -1;
	}
	if (r->pump.synth_threads > SYNTH_THREADS_MAX) {
		fprintf(stderr, "--num-thread-synthesize: at most %d\n", SYNTH_THREADS_MAX);
		return -1;
	}
	return 0;
}

/* --- the size of the rings --------------------------------------------------- */

/* Bytes a second that one CPU may write, by what the events are. */
static u64 expected_rate(const struct record *r)
{
	const struct evlist *l = &r->evlist;
	u64 rate = 0;

	for (size_t i = 0; i < l->nr; i++) {
		const struct perf_event_attr *a = &l->evsels[i]->attr;
		u64 bytes = 128 + a->sample_stack_user;

		if (a->sample_type & PERF_SAMPLE_CALLCHAIN)
			bytes += 256;
		if (a->freq)
			rate += a->sample_freq * bytes;
		else if (a->type == PERF_TYPE_TRACEPOINT && a->sample_period == 1)
			rate = MAX(rate, FLOOD_BYTES_PER_S);
	}
	return rate;
}

size_t pump_ring_pages(const struct record *r, size_t nr_rings)
{
	const u64 page = (u64)sysconf(_SC_PAGESIZE), memory = (u64)sysconf(_SC_PHYS_PAGES);
	u64 want = expected_rate(r) * RING_MS / 1000 / page;
	u64 room = memory / RINGS_MEMORY_PART / MAX(nr_rings, (size_t)1);
	u64 pages = 1;

	/* what a ring holds is how much an output file may be too long */
	if (r->ro.sw.size)
		want = MIN(want, r->ro.sw.size / page);
	if (r->ro.max_size)
		want = MIN(want, r->ro.max_size / page);
	/* others may lock what kernel.perf_event_mlock_kb allows, which is the default size */
	if (geteuid())
		return 0;
	while (pages * 2 <= MIN(want, room))
		pages *= 2;
	return pages > ring_default_pages(&r->sysroot) ? (size_t)pages : 0;
}

/* --- priority ------------------------------------------------------------------ */

int pump_realtime(const struct record *r, struct err *err)
{
	struct sched_param p = { .sched_priority = r->pump.realtime };

	if (!r->pump.realtime || !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &p))
		return 0;
	return err_set(err, -errno, "Could not set realtime priority.");
}

void pump_raise(struct record *r)
{
	/* It runs for some milliseconds a second, and only where it is allowed to. */
	if (r->raised)
		return;
	errno = 0;
	r->nice = getpriority(PRIO_PROCESS, 0);
	r->raised = !errno && !setpriority(PRIO_PROCESS, 0, -20);
}

void pump_lower(struct record *r)
{
	if (r->raised)
		setpriority(PRIO_PROCESS, 0, r->nice);
	r->raised = false;
}

/* --- where it runs ----------------------------------------------------------- */

void pump_places(struct record *r)
{
	const char *near = r->pump.affinity == AFFINITY_CPU ? "cpu" : "numa";
	struct err err = { 0 };

	/* of CPUs whose node is not known the rings are emptied from where we are */
	if (r->pump.affinity != AFFINITY_SYS)
		thread_sets_parse(&r->near, &r->sysroot, near, &r->cpus, &err);
}

void pump_follow(struct record *r, int cpu)
{
	const struct thread_set *to = thread_set_of(&r->near, cpu);

	/* a CPU that we may not run on is emptied from where we are */
	if (to && to != r->nearest && !sched_setaffinity(0, sizeof(to->run), &to->run))
		r->nearest = to;
}
