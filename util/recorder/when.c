// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record: limits and delays. Sizes and times of options, -D, --max-size. */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <ctype.h>
#include <errno.h>

struct unit {
	char letter;
	u64 factor;
};

static const struct unit size_units[] = {
	{ 'B', 1 }, { 'K', 1 << 10 }, { 'M', 1 << 20 }, { 'G', 1 << 30 }, { 0, 0 }
};
static const struct unit time_units[] = {
	{ 's', 1000 }, { 'm', 60 * 1000 }, { 'h', 3600 * 1000 }, { 'd', 86400 * 1000 }, { 0, 0 }
};

/* "NUMBER UNIT", nothing else. Return: it is one. */
static bool parse_amount(const char *text, const struct unit *units, u64 *out)
{
	unsigned long long v;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	v = strtoull(text, &end, 10);
	for (; units->factor; units++) {
		if (*end != units->letter || (*end && end[1]))
			continue;
		if (errno || v > UINT64_MAX / 2 / units->factor)
			return false;
		*out = v * units->factor;
		return true;
	}
	return false;
}

bool record_parse_bytes(const char *text, u64 *out)
{
	static const struct unit bytes[] = { { 0, 1 }, { 0, 0 } };

	return parse_amount(text, size_units, out) || parse_amount(text, bytes, out);
}

int record_opt_max_size(const struct option *opt, const char *arg, int unset)
{
	struct record *r = opt->value;

	r->ro.max_size = 0;
	if (unset || parse_amount(arg, size_units, &r->ro.max_size))
		return 0;
	fprintf(stderr, "invalid size '%s': give a number and B, K, M or G\n", arg);
	return -1;
}

static int parse_threshold(struct record_switch *sw)
{
	if (!sw->arg || !strcmp(sw->arg, "signal") ||
	    parse_amount(sw->arg, size_units, &sw->size) ||
	    parse_amount(sw->arg, time_units, &sw->ms))
		return 0;
	fprintf(stderr,
		"invalid threshold '%s': give signal, a size (B, K, M, G) or a time (s, m, h, d)\n",
		sw->arg);
	return -EINVAL;
}

int record_output_settle(struct record *r)
{
	struct record_output *ro = &r->ro;
	struct record_switch *sw = &ro->sw;
	bool pipe = !strcmp(r->output, "-");

	if (ro->snapshot_set) {
		fprintf(stderr, "No AUX area tracing to snapshot\n");
		return -ENODEV;
	}
	if (ro->aux_sample_set) {
		fprintf(stderr, "No AUX area event to sample\n");
		return -ENODEV;
	}
	if (ro->kcore && pipe) {
		fprintf(stderr, "--kcore needs a file: a pipe has no room for it\n");
		return -ENODEV;
	}
	sw->enabled = sw->arg || sw->event_list.nr;
	if (sw->enabled && pipe) {
		fprintf(stderr, "--switch-output needs a file: a pipe cannot be switched\n");
		return -EINVAL;
	}
	if (parse_threshold(sw))
		return -EINVAL;
	if (ro->timestamp_filename && pipe)
		fprintf(stderr, "Warning:\n--timestamp-filename needs a file: ignored\n");
	ro->timestamp_filename = (ro->timestamp_filename || sw->enabled) && !pipe;
	/* looking for build-ids would take time at each switch: only when asked for */
	if (sw->enabled && !(ro->no_buildid_set && !r->no_buildid) &&
	    !(ro->no_cache_set && !r->no_buildid_cache))
		r->no_buildid = r->no_buildid_cache = true;
	r->sample.own_side_band = ro->control.given;
	r->sample.overwrite = ro->overwrite;
	return 0;
}

/* --- -D ----------------------------------------------------------------------- */

/* "FROM-TO,FROM-TO,...": each behind the one before. */
static int parse_spans(struct record_output *ro, const char *text)
{
	u64 last = 0;

	for (const char *p = text;; p++) {
		struct time_span s;
		char *end;

		if (!isdigit((unsigned char)*p))
			return -EINVAL;
		s.from = strtoul(p, &end, 10);
		if (*end != '-' || !isdigit((unsigned char)end[1]))
			return -EINVAL;
		s.to = strtoul(end + 1, &end, 10);
		if (s.to <= s.from || s.to > INT32_MAX || (p > text && s.from <= last))
			return -EINVAL;
		VEC_GROW(ro->spans, ro->nr_spans + 1, ro->cap_spans);
		ro->spans[ro->nr_spans++] = s;
		last = s.to;
		p = end;
		if (!*p)
			return 0;
		if (*p != ',')
			return -EINVAL;
	}
}

int record_opt_delay(const struct option *opt, const char *arg, int unset)
{
	struct record *r = opt->value;
	char *end;
	long ms;

	r->delay_ms = 0;
	r->ro.nr_spans = 0;
	if (unset)
		return 0;
	errno = 0;
	ms = strtol(arg, &end, 10);
	if (!errno && end != arg && !*end && ms >= -1 && ms <= INT32_MAX) {
		r->delay_ms = (int)ms;
		return 0;
	}
	if (!parse_spans(&r->ro, arg)) {
		/* nothing counts before the first one */
		r->delay_ms = -1;
		return 0;
	}
	fprintf(stderr,
		"invalid delay '%s': give milliseconds, -1, or ranges such as 10-20,30-40\n", arg);
	return -1;
}

void record_measure(struct record *r, bool on)
{
	for (size_t i = 0; i < r->kevents.nr; i++) {
		const struct evsel *e = r->evlist.evsels[r->kevents.fds[i].evsel];

		/* Maps and names of what runs while nothing is sampled are needed afterwards. */
		if (on || !e->terms.carries)
			kfd_enable(&r->kevents.fds[i], on);
	}
	record_offcpu_enable(r, on);
	fprintf(stderr, "Events %s\n", on ? "enabled" : "disabled");
}

static u64 now_ms(void)
{
	return clock_ns(CLOCK_MONOTONIC) / 1000000;
}

static int on_delay_over(struct record *r, void *ctx, u32 revents, struct err *err)
{
	(void)ctx;
	(void)revents;
	(void)err;
	loop_timer_stop(r, r->ro.delay_timer);
	record_measure(r, true);
	return LOOP_GO_ON;
}

static int on_span(struct record *r, void *ctx, u32 revents, struct err *err);

/* @at: milliseconds from the start */
static int span_timer(struct record *r, u64 at, struct err *err)
{
	u64 gone = now_ms() - r->ro.start_ms;

	r->ro.delay_timer = loop_timer(r, at > gone ? at - gone : 0, 0, on_span, NULL, err);
	return MIN(r->ro.delay_timer, 0);
}

/* A span begins, or the one we are in ends. */
static int on_span(struct record *r, void *ctx, u32 revents, struct err *err)
{
	struct record_output *ro = &r->ro;
	const struct time_span *s = &ro->spans[ro->span];

	(void)ctx;
	(void)revents;
	loop_timer_stop(r, ro->delay_timer);
	ro->in_span = !ro->in_span;
	record_measure(r, ro->in_span);
	if (ro->in_span)
		return span_timer(r, s->to, err);
	if (++ro->span == ro->nr_spans)
		return LOOP_END;
	return span_timer(r, s[1].from, err);
}

int record_delay_start(struct record *r, struct err *err)
{
	r->ro.start_ms = now_ms();
	if (r->ro.nr_spans)
		return span_timer(r, r->ro.spans[0].from, err);
	if (r->delay_ms <= 0)
		return 0;
	r->ro.delay_timer = loop_timer(r, (u64)r->delay_ms, 0, on_delay_over, NULL, err);
	return MIN(r->ro.delay_timer, 0);
}

/* --- --max-size --------------------------------------------------------------- */

static int check_size(struct record *r, void *ctx, bool any, struct err *err)
{
	u64 size = record_written(r);

	(void)ctx;
	(void)err;
	if (!any || size < r->ro.max_size)
		return LOOP_GO_ON;
	fprintf(stderr,
		"[ perf record: perf size limit reached (%" PRIu64 " KB), stopping session ]\n",
		size >> 10);
	/* said once */
	r->ro.max_size = UINT64_MAX;
	return LOOP_END;
}

static int on_duration(struct record *r, void *ctx, u32 revents, struct err *err)
{
	(void)ctx;
	(void)revents;
	(void)err;
	r->stopped = true;
	return LOOP_END;
}

int record_limit_start(struct record *r, struct err *err)
{
	int timer = 0;

	if (r->ro.max_size)
		loop_check(r, check_size, NULL);
	if (r->duration_ms)
		timer = loop_timer(r, r->duration_ms, 0, on_duration, NULL, err);
	return MIN(timer, 0);
}
