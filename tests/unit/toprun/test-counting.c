// SPDX-License-Identifier: GPL-2.0-or-later
/* Test that a live profile of processes that come and go stays as large as it is, without a kernel
 * and without rings: records are handed to the functions that count. */
#include "base/compat.h"
#include "toprun/toprun-internal.h"

#include "wire/encode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define ST (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN)
#define PROCESSES 10 /* of a generation, each with a name and a file of its own */
#define DEPTH 6

struct bed {
	struct toprun t;
	struct record_opts opts;
	struct recording_options source;
	struct profile_options asked;
	struct evlist l;
	u64 time, random;
	u32 pid;
};

static int no_record(struct source *src __unused, struct pipe_record *out __unused,
		     struct diag *diag __unused, struct err *err __unused)
{
	return 0;
}

static u64 no_bytes(const struct source *src __unused)
{
	return 0;
}

static void nothing(struct source *src __unused)
{
}

static void begin_profile(struct bed *b)
{
	struct err err;

	b->t.profile = profile_new(&b->asked, &b->t.rec);
	assert_int_equal(profile_start(b->t.profile, &err), 0);
}

static void bed_init(struct bed *b, const char *sort)
{
	static const struct source_ops ops = { .next = no_record,
					       .tell = no_bytes,
					       .close = nothing };
	static struct source none = { &ops };
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_type = ST };

	*b = (struct bed){ .asked = { .sort = sort,
				      .children = true,
				      .socket = -1,
				      .workers = 1,
				      .chain = { .mode = CHAIN_GRAPH, .min_percent = 0.5 } },
			   .source = { .buildid_dir = "" },
			   .pid = 1000 };
	evlist_add(&b->l, &attr, "one");
	b->t.conf = (struct toprun_conf){
		.opts = &b->opts, .events = &b->l, .source = &b->source, .asked = &b->asked
	};
	recording_open_source(&b->t.rec, &b->source, NULL, &none, "none", &b->l);
	begin_profile(b);
	counting_start(&b->t, 1 << 24);
}

static void bed_release(struct bed *b)
{
	profile_drop(b->t.profile);
	counting_release(&b->t);
	recording_close(&b->t.rec);
	evlist_release(&b->l);
}

/* ---- records ---- */

static void put_state(struct bed *b, struct strbuf *rec)
{
	struct session_event ev = { .hdr = (const wire_header *)rec->buf, .time = ++b->time };

	assert_int_equal(machine_apply(b->t.rec.machine, ev.hdr, ev.hdr->size, ev.time, NULL), 0);
	counting_ops.state(&b->t, &ev, true, NULL);
	strbuf_release(rec);
}

static void put_task(struct bed *b, u32 type, u32 pid, u32 tid, u32 ppid)
{
	struct rec_task t = { .pid = pid, .tid = tid, .ppid = ppid, .ptid = ppid };
	struct strbuf rec = STRBUF_INIT;

	enc_task(&rec, type, 0, &t, NULL, NULL);
	put_state(b, &rec);
}

/* A process runs another program. */
static void put_exec(struct bed *b, u32 pid, const char *name)
{
	struct rec_comm c = { .pid = pid, .tid = pid, .comm = name, .exec = true };
	struct rec_mmap m = { .pid = pid, .tid = pid, .start = 0x400000, .len = 0x1000, .prot = 5 };
	struct strbuf rec = STRBUF_INIT, path = STRBUF_INIT;

	enc_comm(&rec, PERF_RECORD_MISC_COMM_EXEC, &c, NULL, NULL);
	put_state(b, &rec);
	strbuf_addf(&path, "/nowhere/%s", name);
	m.filename = path.buf;
	enc_mmap2(&rec, PERF_RECORD_MISC_USER, &m, NULL, NULL);
	put_state(b, &rec);
	strbuf_release(&path);
}

static u64 random_address(struct bed *b)
{
	b->random = b->random * 6364136223846793005ULL + 1442695040888963407ULL;
	return 0x400000 + (b->random >> 44);
}

static void put_sample(struct bed *b, u32 pid, u32 tid)
{
	u64_una chain[DEPTH + 1] = { PERF_CONTEXT_USER };
	struct sample s = { .cpumode = PERF_RECORD_MISC_USER,
			    .misc = PERF_RECORD_MISC_USER,
			    .pid = pid,
			    .tid = tid,
			    .period = 1,
			    .time = ++b->time,
			    .callchain = chain,
			    .nr_callchain = DEPTH + 1 };
	struct session_event ev = { .evsel = b->t.rec.session.evlist.evsels[0],
				    .time = s.time,
				    .sample = &s };

	for (u32 i = 1; i <= DEPTH; i++)
		chain[i] = random_address(b);
	s.ip = chain[1];
	counting_ops.sample(&b->t, &ev, NULL);
}

/* ---- generations ---- */

static void put_process(struct bed *b)
{
	u32 pid = b->pid++;
	char name[16];

	snprintf(name, sizeof(name), "once.%u", pid);
	put_task(b, PERF_RECORD_FORK, pid, pid, 1);
	put_exec(b, pid, name);
	put_sample(b, pid, pid);
	put_task(b, PERF_RECORD_EXIT, pid, pid, 1);
}

/* Threads come and go in a process that lives on, and that has samples all the time. */
static void put_thread(struct bed *b)
{
	u32 tid = b->pid++;

	put_task(b, PERF_RECORD_FORK, 1, tid, 1);
	put_sample(b, 1, 1);
	put_task(b, PERF_RECORD_EXIT, 1, tid, 1);
}

/* Make the rows, as a refresh does. */
static void refresh(struct bed *b)
{
	const struct toprun_look look = { .again = true };
	struct toprun_view view;
	struct err err;

	machine_seal(b->t.rec.machine);
	assert_int_equal(toprun_refresh(&b->t, &look, &view, &err), 0);
	assert_true(hist_event(profile_hist(view.profile), 0)->nr_rows > 0);
	toprun_age(&b->t, false);
	machine_unseal(b->t.rec.machine);
}

static void put_generation(struct bed *b)
{
	for (u32 i = 0; i < PROCESSES; i++) {
		put_process(b);
		put_thread(b);
	}
}

static void generation(struct bed *b)
{
	put_generation(b);
	profile_drop(b->t.profile);
	b->t.profile = NULL;
	counting_renew(&b->t);
	refresh(b);
}

/* After so many generations as many samples are forgotten as come. */
#define SETTLED 24

static void test_stays_as_it_is(void **state)
{
	size_t log, kept, nr_objects, nr_then;
	struct bed b;

	(void)state;
	bed_init(&b, "comm,dso,sym");
	put_exec(&b, 1, "lives");
	for (u32 i = 0; i < SETTLED; i++)
		generation(&b);
	log = b.t.log.bytes.len;
	kept = b.t.kept.bytes.len;
	machine_dsos(b.t.rec.machine, &nr_objects);
	for (u32 i = 0; i < SETTLED; i++)
		generation(&b);
	machine_dsos(b.t.rec.machine, &nr_then);
	assert_true(nr_then < nr_objects + nr_objects / 4);
	assert_true(b.t.log.bytes.len < log + log / 4);
	assert_true(b.t.kept.bytes.len < kept + kept / 4);
	bed_release(&b);
}

/* Tell whether a thread of that name has a row. All rows are read for it. */
static bool has_row(const struct hist *h, const char *comm)
{
	const struct hist_event *ev = hist_event(h, 0);
	bool has = false;

	for (size_t i = 0; i < ev->nr_rows; i++) {
		const struct hist_place *at = hist_place(h, ev->rows[i]->place);

		assert_true(*hist_dso_name(h, at->dso));
		has |= !strcmp(hist_comm_name(h, hist_base(h, ev->rows[i]->base)->comm), comm);
	}
	return has;
}

/* Nobody asks for new rows, so that the old ones are still read. */
static void test_unseen(void **state)
{
	struct dso *const *objects, *first;
	const struct hist *h;
	size_t log, nr;
	struct bed b;

	(void)state;
	bed_init(&b, "comm,dso,sym");
	put_exec(&b, 1, "lives");
	generation(&b);
	h = profile_hist(b.t.profile);
	objects = machine_dsos(b.t.rec.machine, &nr);
	first = objects[0];
	for (u32 i = 0; i < 2 * SETTLED; i++) {
		put_generation(&b);
		counting_renew_tasks(&b.t);
		toprun_age(&b.t, false);
		if (i == SETTLED)
			log = b.t.log.bytes.len;
	}
	assert_true(b.t.log.bytes.len < log + log / 4);
	assert_ptr_equal(machine_dsos(b.t.rec.machine, &nr)[0], first);
	assert_non_null(b.t.past);
	assert_true(has_row(h, "lives"));
	refresh(&b);
	assert_null(b.t.past);
	bed_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stays_as_it_is),
		cmocka_unit_test(test_unseen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
