// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The same records from a file (walked in blocks on several threads), a pipe (through a buffer) and
 * compressed (in windows), whole and damaged, in both byte orders: records of up to 64 KB lie
 * across all edges of those, and some hold bytes that look like records.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "drive.h"
#include "file/compress.h"
#include "pdata-build.h"

#include <setjmp.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |                \
	 PERF_SAMPLE_IDENTIFIER)
#define DATA_SIZE (5 << 20) /* enough for threads to be worth it */

static u64 seed;
static bool large; /* most samples are larger than a page, as those with copies of stacks are */

static u32 any(u32 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 33) % below;
}

static const struct pb_event events[] = {
	{ .attr = { .type = 1, .sample_type = ST | PERF_SAMPLE_RAW, .sample_id_all = 1 },
	  .ids = { 7, 107 },
	  .nr_ids = 2 },
	{ .attr = { .type = 1,
		    .config = 1,
		    .sample_type = ST | PERF_SAMPLE_RAW,
		    .sample_id_all = 1 },
	  .ids = { 8, 108 },
	  .nr_ids = 2 },
};

/* A raw payload of @size bytes, some of which could be records of their own. */
static void put_raw(struct pb *b, u32 size)
{
	u32 kind = any(4);

	pb_u32(b, size);
	for (u32 i = 0; i + 4 <= size; i += 4)
		pb_u32(b, kind ? any(1 << 30) : i & 4 ? 9 : 16 << 16);
}

static void put_sample(struct pb *b, const struct pb_id *id)
{
	size_t at = pb_begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	u32 words = !any(500) ? any(8180) : large ? 900 + any(400) : any(20);

	pb_u64(b, id->id);
	pb_u64(b, 0x400000 + any(1 << 16));
	pb_trailer(b, PERF_SAMPLE_TID | PERF_SAMPLE_TIME, id);
	pb_u64(b, 1 + any(9));
	put_raw(b, words * 8 + 4);
	pb_end(b, at);
}

/* Records; where each begins goes to @at (NULL: nowhere). Return: how many. */
static size_t put_data(struct pb *b, size_t *at, size_t max)
{
	struct pb_id id = { 10, 11, 1000, 7, 0, 0 };
	size_t start = b->out.len, nr = 0;

	seed = 42;
	while (b->out.len - start < DATA_SIZE) {
		id.time += any(20);
		id.id = 7 + any(2) + 100 * any(2);
		id.tid = 11 + any(3);
		if (at && nr < max)
			at[nr] = b->out.len - start;
		nr++;
		if (!any(300))
			pb_comm(b, 10, id.tid, any(2) ? "one" : "another", ST, &id);
		else if (!any(100))
			pb_round(b);
		else
			put_sample(b, &id);
	}
	return MIN(nr, max);
}

/* The records that a run saw. */
struct seen {
	struct drive d;
	u64 counts[64]; /* of the kernel's types */
	u64 diag[DIAG_MAX];
	struct event_counts of_event[2];
};

enum how { SAMPLES, ORDERED, COUNTS };

static void look(const struct pb *b, enum how how, int workers, struct seen *seen)
{
	struct err err = { 0 };
	struct session s;
	int ret;

	*seen = (struct seen){ 0 };
	session_open_built(&s, b);
	if (how == COUNTS)
		s.by_event = s.counts_only = true;
	ret = how == ORDERED ? drive_ordered(&s, &seen->d, workers, true, &err)
			     : drive_samples(&s, &seen->d, workers, &err);
	assert_int_equal(ret, 0);
	memcpy(seen->counts, s.counts, sizeof(seen->counts));
	seen->counts[0] = 0;
	memcpy(seen->diag, s.diag.count, sizeof(seen->diag));
	if (how == COUNTS)
		memcpy(seen->of_event, s.of_event, sizeof(seen->of_event));
	else
		assert_int_equal(s.nr_samples, s.counts[PERF_RECORD_SAMPLE]);
	session_close(&s);
}

static void same(const struct seen *a, const struct seen *b, const char *what)
{
	for (int i = 0; i < 64; i++)
		if (a->counts[i] != b->counts[i])
			fail_msg("%s: %" PRIu64 " and %" PRIu64 " records of type %d", what,
				 a->counts[i], b->counts[i], i);
	if (a->d.samples != b->d.samples || a->d.digest != b->d.digest)
		fail_msg("%s: %" PRIu64 " and %" PRIu64 " samples", what, a->d.samples,
			 b->d.samples);
}

static void same_diag(const struct seen *a, const struct seen *b, const char *what)
{
	for (int i = 0; i < DIAG_MAX; i++)
		if (a->diag[i] != b->diag[i])
			fail_msg("%s: %" PRIu64 " and %" PRIu64 " %s", what, a->diag[i], b->diag[i],
				 diag_text((enum diag_kind)i));
}

static size_t build(struct pb *b, bool swap, bool pipe)
{
	size_t start;

	pb_start(b, swap, pipe, events, 2);
	start = b->out.len;
	put_data(b, NULL, 0);
	pb_finish(b);
	return start;
}

/* All that a file and a pipe with the same data have to agree on. Return: impossible sizes. */
static u64 compare(const struct pb *file, const struct pb *pipe, const char *what)
{
	struct seen want, got;
	u64 bad;

	look(pipe, SAMPLES, 1, &want);
	for (int workers = 1; workers <= 3; workers += 2) {
		look(file, SAMPLES, workers, &got);
		same(&want, &got, what);
		same_diag(&want, &got, what);
	}
	bad = got.diag[DIAG_BAD_SIZE];
	look(pipe, COUNTS, 1, &want);
	look(file, COUNTS, 2, &got);
	same(&want, &got, what);
	assert_memory_equal(want.of_event, got.of_event, sizeof(want.of_event));
	assert_true(want.of_event[0].samples && want.of_event[1].samples);
	return bad;
}

static void test_whole(void **state)
{
	for (int swap = 0; swap < 2; swap++) {
		struct pb file, pipe;
		struct seen seen;

		build(&file, swap, false);
		build(&pipe, swap, true);
		compare(&file, &pipe, swap ? "foreign" : "native");
		look(&file, SAMPLES, 2, &seen);
		for (int i = 0; i < DIAG_MAX; i++)
			assert_int_equal(seen.diag[i], 0);
		pb_release(&file);
		pb_release(&pipe);
	}
}

/* The reader looks at few bytes of large samples, in pages that are released again. */
static void test_large(void **state)
{
	struct pb file, pipe;

	large = true;
	build(&file, false, false);
	build(&pipe, false, true);
	compare(&file, &pipe, "large");
	pb_release(&file);
	pb_release(&pipe);
	large = false;
}

/* The record that lies across the @n-th edge of windows of 1 << @bits bytes, or close to it. */
static size_t at_edge(const size_t *at, size_t nr, int bits)
{
	size_t edge = (size_t)(1 + any((DATA_SIZE >> bits) - 1)) << bits, i = 0;

	while (i + 1 < nr && at[i + 1] <= edge)
		i++;
	return at[i];
}

static void damage(struct pb *b, size_t at, u32 kind)
{
	char *p = b->out.buf + at;

	switch (kind) {
	case 0: /* a size below the header's */
		p[b->swap ? 6 : 7] = 0;
		p[b->swap ? 7 : 6] = 4;
		break;
	case 1: /* one that is far too large */
		p[b->swap ? 6 : 7] = (char)0xff;
		p[b->swap ? 7 : 6] = (char)0xf8;
		break;
	case 2: /* a type that nobody knows */
		memset(p, 0x7f, 4);
		break;
	case 3: /* one a little longer */
		p[b->swap ? 7 : 6] += 8;
		break;
	default:
		memset(p, 0, MIN((size_t)5000, b->out.len - at));
	}
}

/* Damaged in several places, a file and a pipe go on at the same records, and say the same. */
static void test_damaged(void **state)
{
	size_t *at = test_calloc(100000, sizeof(*at)), nr;
	struct pb file, pipe, probe;
	u64 bad = 0;

	pb_init(&probe, false);
	nr = put_data(&probe, at, 100000);
	for (u64 round = 0; round < 12; round++) {
		size_t starts[2] = { build(&file, round & 1, false),
				     build(&pipe, round & 1, true) };
		char what[32];

		seed = round + 1;
		for (u32 i = 0; i < 6; i++) {
			size_t place = any(2) ? at_edge(at, nr, 19 + (int)any(2))
					      : at[any((u32)nr)];
			u32 kind = any(5);

			damage(&file, starts[0] + place, kind);
			damage(&pipe, starts[1] + place, kind);
		}
		snprintf(what, sizeof(what), "round %d", (int)round);
		bad += compare(&file, &pipe, what);
		pb_release(&file);
		pb_release(&pipe);
	}
	assert_true(bad > 12 * 3);
	pb_release(&probe);
	test_free(at);
}

/* ---- compressed ---- */

/* Outer headers in the byte order of the file, as all others. */
static void turn_headers(struct pb *b, size_t from)
{
	for (size_t at = from; b->swap && at < b->out.len;) {
		u8 *p = (u8 *)b->out.buf + at;
		u16 size = *(u16_una *)(p + 6);

		*(u32_una *)p = __builtin_bswap32(*(u32_una *)p);
		*(u16_una *)(p + 6) = __builtin_bswap16(size);
		at += size;
	}
}

static bool build_compressed(struct pb *b, bool swap, bool pipe)
{
	struct pb data;
	struct compressor *c;
	struct err err;
	size_t from;

	if (compressor_new(&c, 1, &err))
		return false;
	pb_init(&data, swap);
	put_data(&data, NULL, 0);
	pb_start(b, swap, pipe, events, 2);
	from = b->out.len;
	assert_int_equal(compressor_add(c, data.out.buf, data.out.len, &b->out, &err), 0);
	turn_headers(b, from);
	pb_finish(b);
	compressor_free(c);
	pb_release(&data);
	return true;
}

/* No record gets lost by compression, and the order is the same. */
static void test_compressed(void **state)
{
	for (int form = 0; form < 4; form++) {
		struct seen want, got;
		struct pb plain, packed;

		if (!build_compressed(&packed, form & 1, form & 2))
			skip(); /* without libzstd */
		build(&plain, form & 1, form & 2);
		look(&plain, SAMPLES, 1, &want);
		for (int workers = 1; workers <= 3; workers++) {
			look(&packed, SAMPLES, workers, &got);
			same(&want, &got, "samples");
			same_diag(&want, &got, "samples");
		}
		look(&plain, COUNTS, 1, &want);
		look(&packed, COUNTS, 1, &got);
		same(&want, &got, "counts");
		assert_memory_equal(want.of_event, got.of_event, sizeof(want.of_event));
		look(&plain, ORDERED, 2, &want);
		look(&packed, ORDERED, 2, &got);
		same(&want, &got, "in order");
		/* A pipe tells of its events by records of their own. */
		if (form < 2)
			assert_string_equal(strbuf_str(&want.d.text), strbuf_str(&got.d.text));
		drive_release(&want.d);
		drive_release(&got.d);
		pb_release(&plain);
		pb_release(&packed);
	}
}

/* A record that cannot be expanded: it is told, and neither form goes astray. */
static void test_compressed_damage(void **state)
{
	struct pb file, pipe;
	struct seen want, got, whole;

	if (!build_compressed(&file, false, false) || !build_compressed(&pipe, false, true))
		skip();
	look(&file, SAMPLES, 1, &whole);
	for (size_t back = 200000; back < 1000000; back += 300007) {
		file.out.buf[file.out.len - back] ^= 0x55;
		pipe.out.buf[pipe.out.len - back] ^= 0x55;
		look(&pipe, SAMPLES, 1, &want);
		for (int workers = 1; workers <= 2; workers++) {
			look(&file, SAMPLES, workers, &got);
			same(&want, &got, "damaged");
			same_diag(&want, &got, "damaged");
		}
		assert_true(got.d.digest != whole.d.digest);
	}
	pb_release(&file);
	pb_release(&pipe);
}

/* The places of records, as a run in the order of the file meets them. */
struct places {
	u64 *of_state; /* owned; as they come, before all else */
	size_t nr_state, cap_state;
	size_t met; /* of those, on the way */
	u64 last;
};

static int note_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct places *p = ctx;

	(void)err;
	VEC_GROW(p->of_state, p->nr_state + 1, p->cap_state);
	p->of_state[p->nr_state++] = ev->time;
	return 0;
}

static int note_place(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		      struct err *err)
{
	struct places *p = ctx;

	(void)worker;
	(void)out;
	(void)err;
	assert_true(ev->time > p->last);
	p->last = ev->time;
	if (ev->hdr->type == PERF_RECORD_COMM)
		assert_int_equal(ev->time, p->of_state[p->met++]);
	return 0;
}

/* Every record has a place of its own, whatever it came in: state is that of before, not of after.
 */
static void test_file_order(void **state)
{
	static const struct session_ordered_ops ops = { .state.state = note_state,
							.all = true,
							.format = note_place };

	for (int form = 0; form < 4; form++) {
		struct places p = { .last = 0 };
		struct err err = { 0 };
		struct session s;
		struct pb b;

		if (form < 2)
			build(&b, form & 1, false);
		else if (!build_compressed(&b, form & 1, false))
			break; /* without libzstd */
		session_open_built(&s, &b);
		s.file_order = true;
		assert_int_equal(session_ordered(&s, &ops, &p, 1, &err), 0);
		assert_int_equal(p.met, s.counts[PERF_RECORD_COMM]);
		session_close(&s);
		free(p.of_state);
		pb_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_compressed_damage),
		cmocka_unit_test(test_file_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
