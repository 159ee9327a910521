// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record: filters of samples, from the options to the counts of what they dropped. */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "events/filter.h"

/* The fields a filter looks at have to be in the sample: for that event, they are recorded. */
int record_filter_settle(struct record *r, bool named)
{
	int status = filters_settle(&r->filter, named);

	for (size_t i = 0; i < r->evlist.nr && !status; i++) {
		struct evsel *e = r->evlist.evsels[i];
		struct sieve f;
		struct filter_error fe;
		u64 types;

		if (!e->sample_filter || sieve_parse(&f, e->sample_filter, &fe))
			continue;
		types = sieve_types(&f);
		sieve_release(&f);
		/* where the id stands is the same for all events of a file */
		r->sample.identifier |= !!(types & PERF_SAMPLE_IDENTIFIER);
		e->attr.sample_type |= types & ~(u64)PERF_SAMPLE_IDENTIFIER;
	}
	return status;
}

int record_filter_attach(struct record *r, struct err *err)
{
	return bpf_filters_attach(&r->filters, &r->kevents, &r->evlist, &r->sysroot, err);
}

void record_filter_dropped(struct record *r, struct strbuf *out)
{
	for (size_t i = 0; i < r->filters.nr; i++) {
		const struct evsel *e = r->evlist.evsels[r->filters.v[i].evsel];
		struct rec_lost lost = { .lost = bpf_filters_dropped(&r->filters, e->idx) };
		struct sample_id id = { .pid = (u32)-1,
					.tid = (u32)-1,
					.id = e->ids[0],
					.stream_id = e->ids[0],
					.cpu = (u32)-1 };

		r->filtered += lost.lost;
		if (lost.lost)
			enc_record(out, PERF_RECORD_LOST_SAMPLES, RECORD_MISC_LOST_BPF, &lost,
				   &e->layout, &id);
	}
}

void record_filter_tell(const struct record *r)
{
	if (r->filters.nr && !r->quiet)
		fprintf(stderr, "[ perf record: The filter dropped %" PRIu64 " samples ]\n",
			r->filtered);
}

int record_opt_setup_filter(const struct option *opt, const char *arg, int unset)
{
	struct record *r = opt->value;

	if (unset || (strcmp(arg, "pin") && strcmp(arg, "unpin") && strcmp(arg, "list"))) {
		fprintf(stderr, "Unknown --setup-filter action: '%s': give pin, unpin or list\n",
			arg ? arg : "");
		return -1;
	}
	r->setup_filter = arg;
	return 0;
}

int record_setup_filter(struct record *r)
{
	struct err err = { 0 };
	size_t nr = 0;
	int rc;

	if (!strcmp(r->setup_filter, "pin"))
		rc = bpf_filter_pin(&r->sysroot, &err);
	else if (!strcmp(r->setup_filter, "unpin"))
		rc = bpf_filter_unpin(&r->sysroot, &err);
	else
		rc = bpf_filter_pinned(&r->sysroot, &nr, &err);
	if (rc)
		fprintf(stderr, "%s\n", err.msg);
	else if (!strcmp(r->setup_filter, "list"))
		printf("Filters of all users are possible; %zu in use.\n", nr);
	return rc ? 255 : 0;
}
