// SPDX-License-Identifier: GPL-2.0-or-later
/* Write what a recording says about itself and its machine: the header features, in bit order. */
#include "base/compat.h"
#include "recorder/features.h"

#include "base/clock.h"
#include "perf-version.h"

void facts_clock(const struct sample_opts *s, struct clock_pair *out)
{
	struct timespec wall, t;

	if (!s->clockid_set)
		return;
	if (clock_gettime(CLOCK_REALTIME, &wall) || clock_gettime(s->clockid, &t))
		return;
	*out = (struct clock_pair){ s->clockid, timespec_ns(&wall), timespec_ns(&t) };
}

/* Add the features that describe the data itself. */
static void add_data_facts(const struct recording_facts *r, const struct record_scan *scan,
			   struct features *f, u32 bit)
{
	const struct record_opts *o = r->opts;
	const u64 dir_version = 1;
	struct timespec res;

	if (bit == HEADER_BUILD_ID && scan && scan->build_ids.len)
		strbuf_add(features_add(f, bit), scan->build_ids.buf, scan->build_ids.len);
	else if (bit == HEADER_SAMPLE_TIME)
		feature_sample_time(features_add(f, bit), scan ? scan->first_time : 0,
				    scan ? scan->last_time : 0);
	else if (bit == HEADER_CLOCKID && o->sample.clockid_set &&
		 !clock_getres(o->sample.clockid, &res))
		feature_clockid(features_add(f, bit), timespec_ns(&res));
	else if (bit == HEADER_COMPRESSED && o->comp_level)
		feature_compressed(features_add(f, bit), (u32)o->comp_level,
				   (u32)(output_ratio(r->out) + 0.5), (u32)r->ev->rings.v[0].size);
	else if (bit == HEADER_DIR_FORMAT && r->folder)
		strbuf_add(features_add(f, bit), &dir_version, sizeof(dir_version));
	else if (bit == HEADER_CLOCK_DATA && r->clock->wall)
		feature_clock_data(features_add(f, bit), r->clock);
}

static void add_feature(const struct recording_facts *r, const struct record_scan *scan,
			struct features *f, u32 bit)
{
	switch (bit) {
	case HEADER_TRACING_DATA:
		if (r->tracing->len)
			strbuf_add(features_add(f, bit), r->tracing->buf, r->tracing->len);
		break;
	case HEADER_VERSION:
		feature_string(features_add(f, bit), PERF_VERSION);
		break;
	case HEADER_CMDLINE:
		features_cmdline(f, r->opts->argc, r->opts->argv);
		break;
	case HEADER_EVENT_DESC:
		features_events(f, r->ev->list);
		break;
	case HEADER_BRANCH_STACK:
		/* says by being there that samples have them */
		if (r->opts->sample.branches)
			features_add(f, bit);
		break;
	case HEADER_GROUP_DESC:
		features_groups(f, r->ev->list);
		break;
	case HEADER_BPF_PROG_INFO:
		bpf_progs_info(r->progs, features_add(f, bit));
		break;
	case HEADER_BPF_BTF:
		bpf_progs_btf(r->progs, features_add(f, bit));
		break;
	case HEADER_BUILD_ID:
	case HEADER_SAMPLE_TIME:
	case HEADER_CLOCKID:
	case HEADER_COMPRESSED:
	case HEADER_CLOCK_DATA:
	case HEADER_DIR_FORMAT:
		add_data_facts(r, scan, f, bit);
		break;
	default:
		features_host(f, r->ev->sysroot, bit);
	}
}

void facts_early(const struct recording_facts *r, struct features *f)
{
	/* what is needed to make sense of the data, and costs next to nothing */
	static const u32 bits[] = { HEADER_TRACING_DATA, HEADER_HOSTNAME,   HEADER_OSRELEASE,
				    HEADER_VERSION,      HEADER_ARCH,       HEADER_NRCPUS,
				    HEADER_CMDLINE,      HEADER_EVENT_DESC, HEADER_GROUP_DESC,
				    HEADER_CLOCKID,      HEADER_DIR_FORMAT, HEADER_COMPRESSED,
				    HEADER_CLOCK_DATA };

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		add_feature(r, NULL, f, bits[i]);
}

void facts_all(const struct recording_facts *r, const struct record_scan *seen, struct features *f)
{
	for (u32 bit = HEADER_TRACING_DATA; bit <= HEADER_PMU_CAPS; bit++)
		add_feature(r, seen, f, bit);
}
