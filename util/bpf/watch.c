// SPDX-License-Identifier: GPL-2.0-or-later
/* Open a dummy event on each CPU that carries BPF_EVENT records and wakes us for each one. */
#include "base/compat.h"
#include "bpf/watch.h"

#include <errno.h>

#define PAGES 4

int bpf_watch_open(struct bpf_watch *w, const struct sysroot *sr, const struct int_list *cpus)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_DUMMY,
				     .size = sizeof(a),
				     .bpf_event = 1,
				     .watermark = 1,
				     .wakeup_watermark = 1 };
	struct int_list all = { 0 };
	struct open_opts o = { .sysroot = sr, .cpus = cpus, .tids = &all };
	struct evsel *e = evlist_add(&w->evlist, &a, "bpf");
	int rc = kevents_open(&w->kevents, &w->evlist, &o, NULL);

	/* an older kernel accepts the event but drops the flag */
	if (!rc && !e->attr.bpf_event)
		rc = -EOPNOTSUPP;
	if (!rc)
		rc = rings_map(&w->rings, sr, &w->kevents, PAGES, false, NULL);
	if (rc)
		bpf_watch_close(w);
	return rc;
}

void bpf_watch_read(struct bpf_watch *w, struct bpf_progs *l)
{
	for (size_t i = 0; i < w->rings.nr; i++) {
		struct strbuf sb = STRBUF_INIT;
		struct iovec iov[2];
		struct rec_bpf ev;
		size_t at = 0;
		u64 head;
		int nr = ring_spans(&w->rings.v[i], iov, &head);

		for (int k = 0; k < nr; k++)
			strbuf_add(&sb, iov[k].iov_base, iov[k].iov_len);
		ring_consume(&w->rings.v[i], head);
		while (sb.len - at >= sizeof(struct perf_event_header)) {
			const wire_header *h = (const void *)(sb.buf + at);

			if (h->size < sizeof(*h) || h->size > sb.len - at)
				break;
			if (h->type == PERF_RECORD_BPF_EVENT && !rec_bpf_decode(h, h->size, &ev) &&
			    ev.type == PERF_BPF_EVENT_PROG_LOAD)
				bpf_progs_add(l, ev.id);
			at += h->size;
		}
		strbuf_release(&sb);
	}
}

void bpf_watch_close(struct bpf_watch *w)
{
	rings_release(&w->rings);
	kevents_release(&w->kevents);
	evlist_release(&w->evlist);
}
