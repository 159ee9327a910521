// SPDX-License-Identifier: GPL-2.0-or-later
/* Test recordings written again: as they are, in time order, changed; all forms and byte orders. */
#include "base/compat.h"
#include "drive.h"
#include "pdata-build.h"
#include "session/rewrite.h"
#include "wire/encode.h"

#include <fcntl.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |                \
	 PERF_SAMPLE_IDENTIFIER)
#define ROUNDS 3
#define PER_ROUND 50

static struct pb_event event(u64 id, const char *name)
{
	return (struct pb_event){
		.attr = { .type = PERF_TYPE_SOFTWARE, .sample_type = ST, .sample_id_all = 1 },
		.attr_size = 96,
		.ids = { id },
		.nr_ids = 1,
		.name = name,
	};
}

/* Two rings, read one after the other: the second of each round begins before the first ends. */
static void put_records(struct pb *b)
{
	struct pb_id id = { 10, 11, 1, 7, 0, 0 };

	pb_comm(b, 10, 11, "comm", ST, &id);
	for (u64 r = 0; r < ROUNDS; r++) {
		for (u64 i = 0; i < PER_ROUND; i++) {
			id.time = 1000 * (r + 1) + 10 * (i % (PER_ROUND / 2)) + i / (PER_ROUND / 2);
			id.id = 7 + (i & 1);
			pb_sample(b, ST, 0x400000 + i, &id, 1 + i);
		}
		pb_round(b);
	}
}

/* AUXTRACE, 24 bytes that follow it, and a sample behind. */
static void put_aux(struct pb *b)
{
	struct pb_id id = { 10, 11, 9000, 7, 0, 0 };
	size_t at = pb_begin(b, PERF_RECORD_AUXTRACE, 0);

	pb_u64(b, 24);
	pb_u64(b, 0);
	pb_u64(b, 0);
	for (int i = 0; i < 4; i++)
		pb_u32(b, 1);
	pb_end(b, at);
	for (int i = 0; i < 3; i++)
		pb_bytes(b, "auxaux!!", 8);
	pb_sample(b, ST, 0x500000, &id, 1);
}

enum form { SWAP = 1, PIPE = 2 };

static void build(struct pb *b, int form, void (*more)(struct pb *))
{
	struct pb_event ev[] = { event(7, "one"), event(8, "two") };

	pb_start(b, form & SWAP, form & PIPE, ev, 2);
	if (!(form & PIPE))
		pb_event_desc(b, ev, 2);
	pb_feature_str(b, HEADER_HOSTNAME, "a-host");
	put_records(b);
	if (more)
		more(b);
	pb_finish(b);
}

struct run {
	struct session in;
	char out[64];
	struct rewrite rw;
	u64 last, seen, limit;
};

static void run_open(struct run *r, const struct pb *b)
{
	struct err err = { 0 };

	*r = (struct run){ 0 };
	snprintf(r->out, sizeof(r->out), "/tmp/test-rewrite.%d", getpid());
	session_open_built(&r->in, b);
	if (rewrite_open(&r->rw, &r->in, r->out, NULL, &err))
		fail_msg("%s", err.msg);
}

static void run_close(struct run *r)
{
	rewrite_close(&r->rw);
	session_close(&r->in);
	unlink(r->out);
}

/* Read what the output holds. */
static void read_back(struct run *r, struct session *s, struct drive *d)
{
	struct err err = { 0 };

	*d = (struct drive){ 0 };
	if (session_open(s, r->out, true, &err) || drive_samples(s, d, 1, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(s->file->swap, r->in.file->swap);
	assert_int_equal(s->file->pipe, r->in.file->pipe);
	assert_int_equal(s->evlist.nr, 2);
	assert_int_equal(s->evlist.evsels[0]->attr.sample_type, ST);
	assert_int_equal(s->evlist.evsels[1]->ids[0], 8);
	assert_string_equal(s->evlist.evsels[1]->name, "two");
	assert_string_equal(s->file->env.hostname, "a-host");
	session_is_clean(s);
}

/* Everything of a run that was read back. */
static void run_end(struct run *r, struct pb *b, struct session *out, struct drive *d)
{
	drive_release(d);
	session_close(out);
	run_close(r);
	pb_release(b);
}

static u64 digest_of(const struct pb *b)
{
	struct err err = { 0 };
	struct drive d = { 0 };
	struct session s;
	u64 digest;

	session_open_built(&s, b);
	assert_int_equal(drive_samples(&s, &d, 1, &err), 0);
	digest = d.digest;
	drive_release(&d);
	session_close(&s);
	return digest;
}

static const struct env_build_id some_id = {
	.id = { 1, 2, 3 },
	.size = 20,
	.misc = PERF_RECORD_MISC_USER,
	.pid = -1,
	.filename = (char *)"/bin/object",
};

static void check_id(const struct session *s)
{
	assert_int_equal(s->counts[PERF_RECORD_HEADER_BUILD_ID], 1);
	assert_int_equal(s->file->env.nr_build_ids, 1);
	assert_string_equal(s->file->env.build_ids[0].filename, "/bin/object");
	assert_int_equal(s->file->env.build_ids[0].size, 20);
	assert_memory_equal(s->file->env.build_ids[0].id, some_id.id, 20);
	assert_int_equal(s->file->env.build_ids[0].pid, -1);
}

enum way { COPIED, COPIED_AHEAD, ORDERED, WAYS };

/* All of the input, and a build-id that becomes known on the way. */
static void write_out(struct run *r, enum way way)
{
	struct err err = { 0 };
	int ret = 0;

	if (way == COPIED_AHEAD)
		ret = session_scan(&r->in, &err) ?: rewrite_copy_ahead(&r->rw, &err);
	assert_int_equal(ret, 0);
	rewrite_build_id(&r->rw, &some_id);
	ret = way == ORDERED ? rewrite_ordered(&r->rw, NULL, NULL, &err)
			     : rewrite_copy(&r->rw, NULL, NULL, &err);
	assert_int_equal(ret, 0);
	assert_int_equal(rewrite_finish(&r->rw, &err), 0);
}

/* ---- as it is ---- */

static void test_copy(void **state)
{
	for (int form = 0; form < 8; form++) {
		struct session out;
		struct drive d;
		struct run r;
		struct pb b;

		build(&b, form & 3, NULL);
		run_open(&r, &b);
		write_out(&r, form & 4 ? COPIED_AHEAD : COPIED);
		read_back(&r, &out, &d);
		assert_int_equal(d.samples, ROUNDS * PER_ROUND);
		assert_true(d.digest == digest_of(&b));
		assert_int_equal(out.counts[PERF_RECORD_FINISHED_ROUND], ROUNDS);
		assert_int_equal(out.counts[PERF_RECORD_COMM], 1);
		check_id(&out);
		run_end(&r, &b, &out, &d);
	}
}

static void put_garbage(struct pb *b)
{
	for (int i = 0; i < 5; i++)
		pb_u64(b, ~0ULL);
	put_records(b);
}

/* A damaged record stays behind; what follows it is there. */
static void test_damaged(void **state)
{
	for (int swap = 0; swap < 2; swap++) {
		struct err err = { 0 };
		struct session out;
		struct drive d;
		struct run r;
		struct pb b;

		build(&b, swap ? SWAP : 0, put_garbage);
		run_open(&r, &b);
		assert_int_equal(rewrite_copy(&r.rw, NULL, NULL, &err), 0);
		assert_int_equal(rewrite_finish(&r.rw, &err), 0);
		assert_int_equal(r.in.diag.count[DIAG_BAD_SIZE], 1);
		read_back(&r, &out, &d);
		assert_int_equal(d.samples, 2 * ROUNDS * PER_ROUND);
		run_end(&r, &b, &out, &d);
	}
}

/* The bytes that follow AUXTRACE go where it goes. */
static void test_aux(void **state)
{
	for (int form = 0; form < 4 * WAYS; form++) {
		struct session out;
		struct drive d;
		struct run r;
		struct pb b;

		build(&b, form & 3, put_aux);
		run_open(&r, &b);
		write_out(&r, (enum way)(form / 4));
		read_back(&r, &out, &d);
		assert_int_equal(d.samples, ROUNDS * PER_ROUND + 1);
		assert_int_equal(out.counts[PERF_RECORD_AUXTRACE], 1);
		assert_true(d.digest == digest_of(&b));
		run_end(&r, &b, &out, &d);
	}
}

/* The index of AUXTRACE records says where they are now. */
static void test_aux_index(void **state)
{
	for (int form = 0; form < 2 * WAYS; form++) {
		bool swap = form & 1;
		struct pb_event ev[] = { event(7, "one"), event(8, "two") };
		struct session out;
		const u8 *body;
		size_t size;
		struct drive d;
		struct run r;
		struct pb b, index;
		u32 type;
		u64 at;

		pb_init(&b, swap);
		pb_file(&b, 2, ev, 2);
		pb_event_desc(&b, ev, 2);
		pb_feature_str(&b, HEADER_HOSTNAME, "a-host");
		put_records(&b);
		pb_init(&index, swap);
		pb_u64(&index, 2);
		pb_u64(&index, b.out.len);
		pb_u64(&index, 48 + 24);
		pb_u64(&index, 1); /* of a record that is not there */
		pb_u64(&index, 16);
		put_aux(&b);
		pb_feature(&b, HEADER_AUXTRACE, &index);
		pb_release(&index);
		pb_finish(&b);
		run_open(&r, &b);
		write_out(&r, (enum way)(form / 2));
		read_back(&r, &out, &d);
		body = perf_file_feature(out.file, HEADER_AUXTRACE, &size);
		assert_int_equal(size, 8 + 16);
		at = *(const u64_una *)(body + 8);
		at = swap ? __builtin_bswap64(at) : at;
		assert_true(at < out.file->size);
		type = *(const u32_una *)(out.file->map + at);
		assert_true(type == PERF_RECORD_AUXTRACE ||
			    (swap && __builtin_bswap32(type) == PERF_RECORD_AUXTRACE));
		drive_release(&d);
		session_close(&out);
		run_close(&r);
		pb_release(&index);
		pb_release(&b);
	}
}

/* ---- in time order ---- */

static int in_order(void *ctx, struct rewrite *rw, const struct session_event *ev, struct err *err)
{
	struct run *r = ctx;

	assert_true(ev->time >= r->last);
	r->last = ev->time;
	r->seen++;
	/* every second sample goes; COMM is changed */
	if (ev->hdr->type == PERF_RECORD_COMM) {
		struct rec_comm comm;
		struct strbuf sb = STRBUF_INIT;

		assert_int_equal(rec_comm_decode(ev->hdr, ev->hdr->size, &comm), 0);
		comm.comm = "another";
		enc_comm(&sb, ev->hdr->misc, &comm, &ev->evsel->layout, &ev->id);
		rewrite_insert(rw, sb.buf, ev->evsel);
		strbuf_release(&sb);
		return REWRITE_DROP;
	}
	return ev->sample && ev->sample->period % 2 ? REWRITE_DROP : REWRITE_KEEP;
}

static void hold_comm(struct run *r, u64 time)
{
	struct rec_comm comm = { .pid = 10, .tid = 11, .comm = "later" };
	struct sample_id id = { .pid = 10, .tid = 11, .time = time, .id = 7 };
	struct perf_event_attr attr = { .sample_type = ST, .sample_id_all = 1 };
	struct strbuf sb = STRBUF_INIT;
	struct wire_layout l;

	layout_init(&l, &attr);
	enc_comm(&sb, 0, &comm, &l, &id);
	rewrite_insert_at(&r->rw, time, sb.buf);
	strbuf_release(&sb);
}

struct order_check {
	u64 last;
	int comms;
};

static int check_order(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		       struct err *err)
{
	static const char *const names[] = { "another", "later", "later", "later" };
	struct order_check *c = ctx;
	struct rec_comm comm;

	if (ev->hdr->type != PERF_RECORD_COMM)
		return 0;
	assert_int_equal(rec_comm_decode(ev->hdr, ev->hdr->size, &comm), 0);
	assert_string_equal(comm.comm, names[c->comms++]);
	return 0;
}

static int no_state(void *ctx, const struct session_event *ev, struct err *err)
{
	return 0;
}

/* The records of the output stand in time order. */
static void check_sorted(struct run *r)
{
	static const struct session_ordered_ops ops = {
		.state = { .state = no_state },
		.format = check_order,
		.all = true,
	};
	struct order_check c = { 0 };
	struct err err = { 0 };
	struct session s;

	assert_int_equal(session_open(&s, r->out, true, &err), 0);
	assert_int_equal(session_ordered(&s, &ops, &c, 1, &err), 0);
	assert_int_equal(c.comms, 4);
	assert_int_equal(s.diag.count[DIAG_OUT_OF_ORDER], 0);
	if (!s.file->pipe)
		assert_true(s.in_order);
	session_close(&s);
}

static void test_ordered(void **state)
{
	static const struct rewrite_ops ops = { .record = in_order };

	for (int form = 0; form < 4; form++) {
		struct err err = { 0 };
		struct session out;
		struct drive d;
		struct run r;
		struct pb b;

		build(&b, form, NULL);
		run_open(&r, &b);
		rewrite_build_id(&r.rw, &some_id);
		hold_comm(&r, 2005);
		hold_comm(&r, 999999); /* behind all others */
		hold_comm(&r, 1003);
		assert_int_equal(rewrite_ordered(&r.rw, &ops, &r, &err), 0);
		assert_int_equal(rewrite_finish(&r.rw, &err), 0);
		assert_int_equal(r.seen, ROUNDS * PER_ROUND + 1);
		read_back(&r, &out, &d);
		assert_int_equal(d.samples, ROUNDS * PER_ROUND / 2);
		assert_int_equal(out.counts[PERF_RECORD_COMM], 4);
		check_id(&out);
		drive_release(&d);
		session_close(&out);
		check_sorted(&r);
		run_close(&r);
		pb_release(&b);
	}
}

/* ---- the output ---- */

static int stop(void *ctx, struct rewrite *rw, const struct session_event *ev, struct err *err)
{
	return err_set(err, -EIO, "enough");
}

/* Samples that began ahead end with the rest, whether they are asked for again or not. */
static void test_ahead_given_up(void **state)
{
	struct err err = { 0 };
	struct run r;
	struct pb b;

	build(&b, 0, NULL);
	run_open(&r, &b);
	assert_int_equal(session_scan(&r.in, &err), 0);
	assert_int_equal(rewrite_copy_ahead(&r.rw, &err), 0);
	assert_true(rewrite_close(&r.rw));
	assert_int_equal(access(r.out, F_OK), -1);
	run_close(&r);
	pb_release(&b);
}

/* The input is not overwritten, and an unfinished output does not stay. */
static void test_refused(void **state)
{
	static const struct rewrite_ops ops = { .record = stop };
	char dir[] = "/tmp/test-rewrite.XXXXXX", *path;
	struct err err = { 0 };
	struct session in;
	struct rewrite rw;
	struct stat st;
	struct pb b;
	int fd;

	build(&b, 0, NULL);
	assert_non_null(mkdtemp(dir));
	assert_true(asprintf(&path, "%s/in", dir) > 0);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_int_equal(write(fd, b.out.buf, b.out.len), b.out.len);
	close(fd);
	assert_int_equal(session_open(&in, path, true, &err), 0);
	assert_int_equal(rewrite_open(&rw, &in, path, NULL, &err), -EINVAL);
	assert_false(rewrite_close(&rw));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, b.out.len);
	unlink(path);
	path[strlen(path) - 2] = 'x';
	assert_int_equal(rewrite_open(&rw, &in, path, NULL, &err), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(rewrite_ordered(&rw, &ops, NULL, &err), -EIO);
	assert_true(rewrite_close(&rw));
	assert_int_equal(stat(path, &st), -1);
	session_close(&in);
	rmdir(dir);
	free(path);
	pb_release(&b);
}

/* Only attrs with both lose them, and then call chains reach into user space. */
static void test_drop_copies(void **state)
{
	struct perf_event_attr a = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_REGS_USER,
				     .sample_regs_user = 3 };

	assert_false(attr_drop_copies(&a));
	assert_int_equal(a.sample_regs_user, 3);
	a.sample_type |= PERF_SAMPLE_STACK_USER;
	a.sample_stack_user = 8192;
	a.exclude_callchain_user = 1;
	assert_true(attr_drop_copies(&a));
	assert_true(a.sample_type == PERF_SAMPLE_IP);
	assert_int_equal(a.sample_regs_user, 0);
	assert_int_equal(a.sample_stack_user, 0);
	assert_int_equal(a.exclude_callchain_user, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drop_copies),    cmocka_unit_test(test_copy),
		cmocka_unit_test(test_damaged),        cmocka_unit_test(test_aux),
		cmocka_unit_test(test_aux_index),      cmocka_unit_test(test_ordered),
		cmocka_unit_test(test_ahead_given_up), cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
