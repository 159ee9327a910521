// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of any record: an attr, a byte that chooses how, one record. A dump of it comes out,
 * whatever it holds, and its lines in all styles.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "dump/dump-text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void lines(const struct evsel *e, const wire_header *rec, size_t size,
		  const struct sample_id *id, u8 how)
{
	struct record_about about = { .evsel = how & 1 ? e : NULL, .id = id, .aux_type = how >> 4 };
	struct strbuf out = STRBUF_INIT;

	for (about.style = RECORD_LINE; about.style <= RECORD_REPORT; about.style++)
		record_text_put(rec, size, &about, &out);
	if (out.len < 3 * strlen("PERF_RECORD_"))
		abort();
	strbuf_release(&out);
}

static void dump(struct evlist *l, const wire_header *rec, const struct sample_id *id, u8 how)
{
	static const char *const arch[] = { "x86_64", "s390x", NULL, "riscv64" };
	struct env env = { .arch = (char *)(uintptr_t)arch[how >> 1 & 3] };
	struct machine *m = machine_new();
	struct dump_text d = { .evlist = l,
			       .machine = m,
			       .env = &env,
			       .style = RECORD_SCRIPT,
			       .swapped = how & 8,
			       .aux_type = how >> 4 };
	struct dump_record r = { .hdr = rec, .evsel = l->evsels[0], .id = id };
	struct strbuf out = STRBUF_INIT;
	struct thread_at at;
	struct sample s;

	dump_text_init(&d, "file");
	machine_seal(m);
	if (rec->type == PERF_RECORD_SAMPLE &&
	    !sample_decode(&r.evsel->layout, rec, rec->size, &s)) {
		machine_thread_at(m, s.pid, s.tid, s.time, &at);
		r.sample = &s;
		r.at = &at;
		r.whole = true;
	}
	dump_text_put(&d, &r, &out);
	if (strlen(strbuf_str(&out)) != out.len)
		abort();
	strbuf_release(&out);
	dump_text_release(&d);
	machine_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_event_attr attr;
	struct evlist l = { 0 };
	struct sample_id id;
	size_t n;
	u8 *rec;

	if (size < sizeof(attr) + 1 + sizeof(struct perf_event_header))
		return 0;
	attr_decode(&attr, data, sizeof(attr), false);
	evlist_add(&l, &attr, "event");
	data += sizeof(attr);
	n = MIN(size - sizeof(attr) - 1, (size_t)65528);
	rec = xmalloc(n); /* of its own, so that reading on is seen */
	memcpy(rec, data + 1, n);
	*(u16_una *)(rec + 6) = (u16)n;
	if (sample_id_decode(&l.evsels[0]->layout, rec, n, &id))
		id = (struct sample_id){ 0 };
	lines(l.evsels[0], (wire_header *)rec, n, &id, data[0]);
	dump(&l, (wire_header *)rec, &id, data[0]);
	free(rec);
	evlist_release(&l);
	return 0;
}
