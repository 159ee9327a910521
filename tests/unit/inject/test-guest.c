// SPDX-License-Identifier: GPL-2.0-or-later
/* Test recordings of guests put into that of their host: which records, whose, when, and what is
 * refused. */
#include "base/compat.h"
#include "base/alloc.h"
#include "inject/guest-feed.h"
#include "inject/guest-survey.h"
#include "inject/guest-time.h"
#include "inject/run.h"
#include "pdata-build.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <unistd.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |                   \
	 PERF_SAMPLE_IDENTIFIER)
#define ST_ID (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID)
#define VM 100 /* the process that runs the guest; its threads are 101 and 102 */

/* ---- recordings ---- */

static struct pb_event event(u64 sample_type, const char *name, u64 first_id, u32 nr_ids)
{
	return (struct pb_event){
		.attr = { .type = PERF_TYPE_SOFTWARE,
			  .config = PERF_COUNT_SW_DUMMY,
			  .sample_type = sample_type,
			  .sample_id_all = 1,
			  .exclude_guest = 1 },
		.attr_size = 96,
		.ids = { first_id, first_id + 1 },
		.nr_ids = nr_ids,
		.name = name,
	};
}

/* An ID_INDEX record of ids from @first on, each of which counts on its own CPU, or on none. */
static void put_index(struct pb *b, u64 first, u32 nr, bool no_cpu)
{
	size_t at = pb_begin(b, PERF_RECORD_ID_INDEX, 0);

	pb_u64(b, nr);
	for (u32 i = 0; i < nr; i++) {
		pb_u64(b, first + i);
		pb_u64(b, i);
		pb_u64(b, no_cpu ? UINT64_MAX : i);
		pb_u64(b, 0);
	}
	pb_end(b, at);
}

static void put_conv(struct pb *b, u64 shift, u64 mult, u64 zero)
{
	size_t at = pb_begin(b, PERF_RECORD_TIME_CONV, 0);

	pb_u64(b, shift);
	pb_u64(b, mult);
	pb_u64(b, zero);
	pb_end(b, at);
}

static void put_switch(struct pb *b, u32 tid, u64 time, u64 id, u32 cpu)
{
	struct pb_id t = { tid, tid, time, id, 0, cpu };
	size_t at = pb_begin(b, PERF_RECORD_SWITCH, 0);

	pb_trailer(b, ST, &t);
	pb_end(b, at);
}

/* A record that only the guest itself needs. */
static void put_lost(struct pb *b, u64 sample_type, const struct pb_id *id)
{
	size_t at = pb_begin(b, PERF_RECORD_LOST, 0);

	pb_u64(b, 21);
	pb_u64(b, 3);
	pb_trailer(b, sample_type, id);
	pb_end(b, at);
}

struct host_form {
	bool swap, pipe;
	u64 sample_type;          /* 0: ST */
	const char *name, *other; /* of the threads; NULL: CPU 0/KVM and CPU 1/KVM */
	bool conv;
};

/* Ids 11 and 12. Thread 101 runs on CPU 3 from 2000 on, 102 on CPU 2. */
static void build_host(struct pb *b, const struct host_form *f)
{
	u64 st = f->sample_type ? f->sample_type : ST;
	const struct pb_event ev = event(st, "clock", 11, 2);
	struct pb_id id = { 0 };

	pb_start(b, f->swap, f->pipe, &ev, 1);
	if (!f->pipe)
		pb_event_desc(b, &ev, 1);
	put_index(b, 11, 2, false);
	if (f->conv)
		put_conv(b, 1, 4, 1000);
	pb_comm(b, VM, VM, "qemu", st, &id);
	pb_comm(b, VM, 101, f->name ? f->name : "CPU 0/KVM", st, &id);
	pb_comm(b, 7, 7, "CPU 0/KVM", st, &id); /* of another process */
	id = (struct pb_id){ VM, 102, 1000, 12, 0, 1 };
	pb_comm(b, VM, 102, f->other ? f->other : "CPU 1/KVM", st, &id);
	id = (struct pb_id){ VM, 101, 2000, 11, 0, 3 };
	pb_sample(b, st, 0x400000, &id, 1);
	id = (struct pb_id){ VM, 102, 3000, 12, 0, 2 };
	pb_sample(b, st, 0x400000, &id, 1);
	pb_round(b);
	pb_finish(b);
}

struct guest_form {
	bool swap, pipe, no_ids, no_cpu, conv, unknown_id;
	u64 sample_type; /* 0: ST */
};

/* Ids 21 and 22, of CPUs 0 and 1. Process 5 maps an object and is switched to. */
static void build_guest(struct pb *b, const struct guest_form *f)
{
	u64 st = f->sample_type ? f->sample_type : ST;
	const struct pb_event ev = event(st, "dummy", 21, f->no_ids ? 0 : 2);
	struct pb_id id = { 0 };

	pb_start(b, f->swap, f->pipe, &ev, 1);
	if (!f->pipe)
		pb_event_desc(b, &ev, 1);
	put_index(b, 21, 2, f->no_cpu);
	if (f->conv)
		put_conv(b, 1, 2, 500);
	pb_comm(b, 5, 5, "init", st, &id);
	id = (struct pb_id){ 5, 6, 2500, 22, 0, 1 };
	pb_mmap2(b, 5, 0x700000, 0x1000, "/bin/in-guest", st, &id);
	put_lost(b, st, &id);
	pb_sample(b, st, 0x700000, &id, 1);
	if (!(st & PERF_SAMPLE_ID))
		put_switch(b, 5, 2600, f->unknown_id ? 99 : 21, 0);
	id.time = 4000;
	pb_task(b, PERF_RECORD_EXIT, 5, 1, 4000, st, &id);
	pb_round(b);
	pb_finish(b);
}

/* ---- what the output has ---- */

static int see(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
	       struct err *err)
{
	static const char *const modes[8] = { "-", "k", "u", "h", "gk", "gu", "?", "?" };
	const wire_header *h = ev->hdr;
	struct strbuf *text = ctx;
	struct rec_id_index x;

	if (h->type == PERF_RECORD_ID_INDEX && !rec_id_index_decode(h, h->size, &x) && x.guests)
		for (u64 i = 0; i < x.nr; i++)
			strbuf_addf(text,
				    "id %" PRIu64 " cpu %d tid %" PRIu64 " vm %" PRIu64
				    " vcpu %" PRIu64 "\n",
				    x.entries[4 * i], (int)x.entries[4 * i + 2],
				    x.entries[4 * i + 3], x.guests[2 * i], x.guests[2 * i + 1]);
	if (h->type >= PERF_RECORD_USER_TYPE_START)
		return 0;
	strbuf_addf(text, "%s %s %" PRIu64, record_name(h->type), modes[h->misc & 7], ev->time);
	if (ev->guest)
		strbuf_addf(text, " vm %u vcpu %d id %" PRIu64 " cpu %u tid %u", ev->guest->pid,
			    ev->guest->vcpu, ev->id.id, ev->id.cpu, ev->id.tid);
	strbuf_addch(text, '\n');
	return 0;
}

static int no_state(void *ctx, const struct session_event *ev, struct err *err)
{
	return 0;
}

/* Append the records of a recording, in order, and the names and ids of its events. */
static void read_back(const char *path, struct strbuf *text)
{
	static const struct session_ordered_ops ops = {
		.state = { .state = no_state },
		.format = see,
		.all = true,
	};
	struct err err = { 0 };
	struct session s;

	assert_int_equal(session_open(&s, path, true, &err), 0);
	assert_int_equal(session_ordered(&s, &ops, text, 1, &err), 0);
	for (size_t i = 0; i < s.evlist.nr; i++) {
		const struct evsel *e = s.evlist.evsels[i];

		strbuf_addf(text, "%s %" PRIu64 "-%" PRIu64 "%s%s\n", e->name, e->ids[0],
			    e->ids[e->nr_ids - 1], e->attr.exclude_host ? " guest" : "",
			    e->attr.sample_type & PERF_SAMPLE_IDENTIFIER ? " identified" : "");
	}
	session_close(&s);
}

/* ---- running it ---- */

struct run {
	char *dir, *out;
	struct strbuf text; /* what the output has, or why there is none */
	struct strbuf damage;
	int ret;
};

static void take_notice(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

static void run_files(struct run *r, const char *host, const char *const specs[])
{
	const struct notices notices = { take_notice, &r->damage };
	struct inject_options o = { .rec = { .buildid_dir = "", .input = host }, .verbose = true };
	struct err err = { 0 };
	struct inject in;

	*r = (struct run){ .dir = tmp_dir() };
	r->out = xasprintf("%s/out", r->dir);
	o.output = r->out;
	for (size_t i = 0; specs[i]; i++)
		assert_int_equal(guest_specs_add(&o.guests, specs[i], &err), 0);
	assert_int_equal(inject_open(&in, &o, &notices, &err), 0);
	r->ret = inject_run(&in, &err);
	for (size_t i = 0; !r->ret && inject_guests_session(in.guests, i); i++)
		strbuf_addf(&r->damage, "%" PRIu64 " bad\n",
			    inject_guests_session(in.guests, i)->diag.count[DIAG_BAD_RECORD]);
	inject_close(&in);
	if (r->ret)
		strbuf_addstr(&r->text, err.msg);
	else
		read_back(r->out, &r->text);
	guest_specs_release(&o.guests);
}

static void run_end(struct run *r)
{
	unlink(r->out);
	rmdir(r->dir);
	strbuf_release(&r->text);
	strbuf_release(&r->damage);
	free(r->out);
	free(r->dir);
}

/* Put one guest into one host. @more: what follows the file in the option. */
static void run_one(struct run *r, const struct host_form *hf, const struct guest_form *gf,
		    const char *more)
{
	char host_path[64], guest_path[64], *spec;
	int host_fd, guest_fd;
	struct pb host, guest;

	build_host(&host, hf);
	build_guest(&guest, gf);
	pb_save(host.out.buf, host.out.len, &host_fd, host_path);
	spec = xasprintf("%s,%s", pb_save(guest.out.buf, guest.out.len, &guest_fd, guest_path),
			 more);
	run_files(r, host_path, (const char *[]){ spec, NULL });
	pb_unsave(host_fd);
	pb_unsave(guest_fd);
	pb_release(&host);
	pb_release(&guest);
	free(spec);
}

/* ---- tests ---- */

#define HOST_START                                                                                 \
	"COMM - 0\nCOMM - 0\nCOMM - 0\n"                                                           \
	"id 13 cpu -1 tid 101 vm 100 vcpu 0\nid 14 cpu -1 tid 102 vm 100 vcpu 1\n"
#define EVENTS "clock 11-12 identified\ndummy:G 13-14 guest identified\n"

/* Records come where their time is, with the id of their processor and the CPU that it runs on. */
static void test_order(void **state)
{
	for (int swap = 0; swap < 4; swap++) {
		const struct host_form host = { .swap = swap & 1 };
		const struct guest_form guest = { .swap = swap & 2 };
		struct run r;

		run_one(&r, &host, &guest, "100");
		assert_string_equal(strbuf_str(&r.text), HOST_START
				    "COMM gk 0 vm 100 vcpu 0 id 13 cpu 0 tid 0\n"
				    "COMM - 1000\nSAMPLE u 2000\n"
				    "MMAP2 gu 2500 vm 100 vcpu 1 id 14 cpu 1 tid 6\n"
				    "SWITCH gk 2600 vm 100 vcpu 0 id 13 cpu 3 tid 5\n"
				    "SAMPLE u 3000\n"
				    "EXIT gk 4000 vm 100 vcpu 1 id 14 cpu 2 tid 6\n" EVENTS);
		assert_non_null(strstr(strbuf_str(&r.damage), "virtual processor 1 in thread 102"));
		assert_non_null(strstr(strbuf_str(&r.damage), "\n0 bad\n"));
		run_end(&r);
	}
}

/* Times are counts of the guest's counter, which is that of the host with an offset and a scale. */
static void test_times(void **state)
{
	struct run r;

	run_one(&r, &(struct host_form){ 0 }, &(struct guest_form){ 0 }, "100,0x64,2");
	/* (2500 - 100) / 2, (2600 - 100) / 2, (4000 - 100) / 2 */
	assert_non_null(strstr(strbuf_str(&r.text), "COMM - 1000\nMMAP2 gu 1200 "));
	assert_non_null(strstr(strbuf_str(&r.text), "SWITCH gk 1250 "));
	assert_non_null(strstr(strbuf_str(&r.text),
			       "EXIT gk 1950 vm 100 vcpu 1 id 14 cpu 1 tid 6\nSAMPLE"));
	run_end(&r);
	run_one(&r, &(struct host_form){ .conv = true }, &(struct guest_form){ .conv = true },
		"100,-100");
	/* (2500 - 500) * 2 / 2 + 100 = 2100 counts; 1000 + 2100 * 4 / 2 */
	assert_non_null(strstr(strbuf_str(&r.text), "SAMPLE u 3000\nMMAP2 gu 5200 "));
	run_end(&r);
}

/* Events of which records end in another way get the form that readers of all events need. */
static void test_identifier_is_added(void **state)
{
	struct run r;

	run_one(&r, &(struct host_form){ 0 }, &(struct guest_form){ .sample_type = ST_ID }, "100");
	assert_non_null(strstr(strbuf_str(&r.text), "MMAP2 gu 2500 vm 100 vcpu 1 id 14 "));
	assert_non_null(strstr(strbuf_str(&r.text), EVENTS));
	run_end(&r);
}

/* A processor without a thread has no CPU of the host. */
static void test_one_thread(void **state)
{
	struct run r;

	run_one(&r, &(struct host_form){ .name = "CPU 1/TCG", .other = "other" },
		&(struct guest_form){ 0 }, "100");
	assert_non_null(strstr(strbuf_str(&r.text), "id 13 cpu -1 tid 0 vm 100 vcpu 0\n"
						    "id 14 cpu -1 tid 101 vm 100 vcpu 1\n"));
	assert_non_null(strstr(strbuf_str(&r.text), "SWITCH gk 2600 vm 100 vcpu 0 id 13 cpu 0 "));
	run_end(&r);
}

/* Damaged records are left out and counted. */
static void test_damaged(void **state)
{
	struct run r;

	run_one(&r, &(struct host_form){ 0 }, &(struct guest_form){ .unknown_id = true }, "100");
	assert_int_equal(r.ret, 0);
	assert_null(strstr(strbuf_str(&r.text), "SWITCH"));
	assert_non_null(strstr(strbuf_str(&r.text), "MMAP2 gu 2500"));
	assert_non_null(strstr(strbuf_str(&r.damage), "\n1 bad\n"));
	run_end(&r);
}

/* Two guests at once, or one after the other, do not meet. */
static void test_two_guests(void **state)
{
	char host_path[64], one_path[64], *one, *two;
	int host_fd, one_fd;
	struct run r, again;
	struct pb host, guest;

	build_host(&host, &(struct host_form){ 0 });
	build_guest(&guest, &(struct guest_form){ 0 });
	pb_save(host.out.buf, host.out.len, &host_fd, host_path);
	pb_save(guest.out.buf, guest.out.len, &one_fd, one_path);
	one = xasprintf("%s,100", one_path);
	two = xasprintf("%s,7,50", one_path); /* its first processor is thread 7 */
	run_files(&r, host_path, (const char *[]){ one, two, NULL });
	assert_non_null(strstr(strbuf_str(&r.text), "id 15 cpu -1 tid 7 vm 7 vcpu 0\n"));
	assert_non_null(strstr(strbuf_str(&r.text),
			       "SAMPLE u 2000\nMMAP2 gu 2450 vm 7 vcpu 1 id 16 cpu 0 tid 6\n"
			       "MMAP2 gu 2500 vm 100 vcpu 1 id 14 cpu 1 tid 6\n"));
	assert_non_null(strstr(strbuf_str(&r.text), EVENTS "dummy:G 15-16 guest identified\n"));
	run_end(&r);

	run_files(&r, host_path, (const char *[]){ one, NULL });
	run_files(&again, r.out, (const char *[]){ two, NULL });
	assert_non_null(strstr(strbuf_str(&again.text),
			       "MMAP2 gu 2450 vm 7 vcpu 1 id 16 cpu 0 tid 6\n"
			       "MMAP2 gu 2500 vm 100 vcpu 1 id 14 cpu 1 tid 6\n"));
	assert_non_null(strstr(strbuf_str(&again.text), EVENTS "dummy:G 15-16 guest identified\n"));
	run_end(&again);
	run_end(&r);
	pb_unsave(host_fd);
	pb_unsave(one_fd);
	pb_release(&host);
	pb_release(&guest);
	free(one);
	free(two);
}

static void refused(const struct host_form *host, const struct guest_form *guest, const char *more,
		    int code, const char *why)
{
	struct run r;

	run_one(&r, host, guest, more);
	assert_int_equal(r.ret, code);
	assert_non_null(strstr(strbuf_str(&r.text), why));
	assert_int_equal(access(r.out, F_OK), -1);
	run_end(&r);
}

static void test_refused(void **state)
{
	const struct host_form host = { 0 };
	const struct guest_form guest = { 0 };

	refused(&host, &(struct guest_form){ .pipe = true }, "100", -EINVAL, "a stream");
	refused(&host, &(struct guest_form){ .no_ids = true }, "100", -EINVAL, "no ids");
	refused(&host, &(struct guest_form){ .no_cpu = true }, "100", -EINVAL, "no CPU");
	refused(&host, &(struct guest_form){ .sample_type = PERF_SAMPLE_ID }, "100", -EINVAL,
		"no times");
	refused(&host, &(struct guest_form){ .sample_type = PERF_SAMPLE_TIME }, "100", -EINVAL,
		"do not tell their events");
	refused(&host, &guest, "99", -EINVAL, "no thread of process 99");
	refused(&(struct host_form){ .sample_type = ST_ID }, &guest, "100", -EFAULT,
		"--sample-identifier");
	refused(&(struct host_form){ .pipe = true }, &guest, "100", -EINVAL, "a stream");
	refused(&(struct host_form){ .name = "CPU 1/KVM" }, &guest, "100", -EINVAL,
		"two threads of process 100 are named after the virtual processor 1");
}

static void test_names(void **state)
{
	assert_int_equal(vcpu_of_name("CPU 0/KVM"), 0);
	assert_int_equal(vcpu_of_name("CPU 17/TCG"), 17);
	assert_int_equal(vcpu_of_name("CPU3"), 3);
	assert_int_equal(vcpu_of_name("CPU 999999999999"), 999999999999);
	assert_int_equal(vcpu_of_name("CPU -1/KVM"), -1);
	assert_int_equal(vcpu_of_name("CPU x"), -1);
	assert_int_equal(vcpu_of_name("CPU"), -1);
	assert_int_equal(vcpu_of_name("vCPU 1"), -1);
	assert_int_equal(vcpu_of_name(""), -1);
}

static void test_specs(void **state)
{
	static const char *const bad[] = {
		"",          "f",         "f,",        ",1",           "f,0",
		"f,-1",      "f,1x",      "f,x",       "f, 1",         "f,1,x",
		"f,1,0x",    "f,1,1.5",   "f,1,1,0",   "f,1,1,-1",     "f,1,1,x",
		"f,1,1,nan", "f,1,1,inf", "f,1,1,1,1", "f,4294967297", "f,1,99999999999999999999",
	};
	struct guest_specs g = { 0 };
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (guest_specs_add(&g, bad[i], &err) != -EINVAL)
			fail_msg("accepted: %s", bad[i]);
	assert_int_equal(g.nr, 0);
	assert_int_equal(guest_specs_add(&g, "a b,12", &err), 0);
	assert_int_equal(guest_specs_add(&g, "f,1,0xfffffa6ae070cb20,1.5", &err), 0);
	assert_int_equal(guest_specs_add(&g, "f,1,-2,", &err), 0);
	assert_int_equal(guest_specs_add(&g, "f,1,,2e0", &err), 0);
	assert_string_equal(g.v[0].path, "a b");
	assert_int_equal(g.v[0].pid, 12);
	assert_true(!g.v[0].offset && g.v[0].scale == 1);
	assert_true(g.v[1].offset == 0xfffffa6ae070cb20 && g.v[1].scale == 1.5);
	assert_true(g.v[2].offset == (u64)-2 && g.v[2].scale == 1);
	assert_true(!g.v[3].offset && g.v[3].scale == 2);
	guest_specs_release(&g);
}

static void test_clock(void **state)
{
	struct guest_clock c = { 0 };

	assert_true(guest_clock_time(&c, 5) == 5);
	assert_true(guest_clock_time(&c, 0) == 0);
	assert_true(guest_clock_time(&c, UINT64_MAX) == 0);
	c.offset = 5; /* 0 is no time */
	assert_true(guest_clock_time(&c, 5) == 1);
	c.offset = (u64)-1000;
	c.scale = 1;
	assert_true(guest_clock_time(&c, 1ULL << 62) == (1ULL << 62) + 1000);
	/* The kernel writes such multipliers for 2.4 GHz and so on; large ones lose nothing. */
	c = (struct guest_clock){ .guest = { .shift = 31, .mult = 894784853, .zero = 77 } };
	assert_true(guest_clock_time(&c, 1000077) == 2400000);
	c = (struct guest_clock){ .host = { .shift = 31, .mult = 894784853, .zero = 77 } };
	assert_true(guest_clock_time(&c, 2400000) == 1000076);
	/* A short counter is completed. */
	c.host = (struct rec_time_conv){ .shift = 0,
					 .mult = 1,
					 .has_cycles = true,
					 .cap_zero = 1,
					 .cap_short = 1,
					 .cycles = 0x1ff0,
					 .mask = 0xfff };
	assert_true(guest_clock_time(&c, 0x10) == 0x2010);
}

/* ---- the feed ---- */

struct maker {
	u64 nr, made;
	int end; /* what it returns */
};

static int make(void *ctx, struct guest_feed *f, struct err *err)
{
	struct maker *m = ctx;
	struct {
		struct perf_event_header h;
		u64 n;
	} rec = { .h = { .size = sizeof(rec) } };

	for (; m->made < m->nr; m->made++) {
		rec.n = m->made;
		if (feed_put(f, &(struct feed_entry){ m->made, 1, 2, &rec }))
			return 1;
	}
	return m->end ? err_set(err, m->end, "made no more") : 0;
}

/* Many records arrive in order; a maker that is stopped has not run ahead of all bounds. */
static void test_feed(void **state)
{
	struct maker m = { .nr = 200000, .end = -EIO };
	struct guest_feed f;
	struct feed_entry e;
	struct err err = { 0 };

	assert_int_equal(feed_start(&f, make, &m, &err), 0);
	for (u64 i = 0; i < m.nr; i++) {
		assert_int_equal(feed_first(&f, &e, &err), 1);
		assert_int_equal(feed_first(&f, &e, &err), 1);
		assert_true(e.time == i && ((const u64_una *)e.rec)[1] == i);
		feed_drop(&f);
	}
	assert_int_equal(feed_first(&f, &e, &err), -EIO);
	assert_string_equal(err.msg, "made no more");
	feed_stop(&f);
	feed_stop(&f);
	m = (struct maker){ .nr = UINT64_MAX };
	assert_int_equal(feed_start(&f, make, &m, &err), 0);
	assert_int_equal(feed_first(&f, &e, &err), 1);
	feed_stop(&f);
	assert_true(m.made < 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_identifier_is_added),
		cmocka_unit_test(test_one_thread),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_two_guests),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_specs),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_feed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
