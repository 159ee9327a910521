// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "sample-file.h"

#include "base/alloc.h"
#include "file/feature.h"
#include "file/writer.h"
#include "suites.h"
#include "wire/encode.h"

#include <unistd.h>

#define PID 10
#define PERIOD 100

/* Addresses of the functions, high enough for the kernel of any machine. */
enum function { CALLER, HOT, COOL, NR_FUNCTIONS };
static const char *const names[NR_FUNCTIONS] = { "caller", "hot", "cool" };
#define ADDRESS(f) (0xffffffffc0000000ULL + (u64)(f)*0x1000)
#define SIZE 0x100

static const struct perf_event_attr the_attr = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(struct perf_event_attr),
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_period = PERIOD,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
		       PERF_SAMPLE_CALLCHAIN,
	.sample_id_all = 1,
};

struct maker {
	struct wire_layout layout;
	struct sample_id id; /* of the next record; its time goes on */
	struct strbuf out;
};

static void put_state(struct maker *m)
{
	const struct rec_comm comm = { .pid = PID, .tid = PID, .comm = "worker" };

	enc_comm(&m->out, 0, &comm, &m->layout, &m->id);
	for (int f = 0; f < NR_FUNCTIONS; f++) {
		const struct rec_ksymbol k = { .addr = ADDRESS(f),
					       .len = SIZE,
					       .type = PERF_RECORD_KSYMBOL_TYPE_BPF,
					       .name = names[f] };

		m->id.time++;
		enc_ksymbol(&m->out, &k, &m->layout, &m->id);
	}
}

/* Put a sample in a function. @caller: that called it; NR_FUNCTIONS: nobody did */
static void put_sample(struct maker *m, enum function in, enum function caller)
{
	const u64 chain[] = { PERF_CONTEXT_KERNEL, ADDRESS(in) + 8, ADDRESS(caller) + 8 };
	const struct sample s = { .misc = PERF_RECORD_MISC_KERNEL,
				  .ip = chain[1],
				  .pid = PID,
				  .tid = PID,
				  .time = ++m->id.time,
				  .period = PERIOD,
				  .callchain = (const u64_una *)chain,
				  .nr_callchain = caller == NR_FUNCTIONS ? 2 : 3 };

	enc_sample(&m->out, &m->layout, &s);
}

static void put_records(struct strbuf *out, u32 hot)
{
	struct maker m = { .id = { .pid = PID, .tid = PID, .time = 1000 } };

	layout_init(&m.layout, &the_attr);
	put_state(&m);
	for (u32 i = 1; i < hot; i++)
		put_sample(&m, HOT, CALLER);
	put_sample(&m, COOL, NR_FUNCTIONS);
	put_sample(&m, HOT, CALLER);
	*out = m.out;
}

int recording_put(const char *path, const struct perf_event_attr *attr, const char *event,
		  const struct strbuf *records)
{
	static const u64 ids[] = { RECORDING_ID };
	const struct writer_attr one = { .attr = attr, .name = event, .ids = ids, .nr_ids = 1 };
	struct writer_feature desc = { .bit = HEADER_EVENT_DESC };
	struct file_writer w = { 0 };
	struct err err = { 0 };
	int ret = file_writer_open(&w, path, &err);

	feature_event_desc(&desc.body, &one, 1);
	if (!ret) {
		ret = file_writer_start(&w, &one, 1, &err)
			      ?: file_writer_write(&w, records->buf, records->len, &err);
		ret = ret ?: file_writer_finish(&w, &desc, 1, &err);
		ret = file_writer_close(&w, ret ? NULL : &err) ?: ret;
	}
	strbuf_release(&desc.body);
	TEST_CHECK(!ret, "%s", err.msg);
	return TEST_OK;
}

int sample_file_write_hot(struct sample_file *f, u32 hot)
{
	struct strbuf records;
	int ret;

	f->dir = test_tmpdir();
	TEST_CHECK(f->dir, "no temporary folder");
	f->path = xasprintf("%s/perf.data", f->dir);
	put_records(&records, hot);
	ret = recording_put(f->path, &the_attr, "cpu-clock", &records);
	strbuf_release(&records);
	if (ret)
		sample_file_remove(f);
	return ret;
}

int sample_file_write(struct sample_file *f)
{
	return sample_file_write_hot(f, 3);
}

void sample_file_remove(struct sample_file *f)
{
	free(f->path);
	test_rmdir(f->dir);
}
