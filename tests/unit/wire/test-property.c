// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * For every kind of record and for samples of any layout: what is encoded decodes to the same, also
 * after a way through the other byte order; and of a record cut anywhere nothing behind the cut is
 * read (what a sanitizer build checks: each prefix stands in an allocation of its own size).
 *
 * Random, but the same each time; SEED=n in the environment makes other values.
 */
#include "base/compat.h"
#include "../suites/sample-fields.h"
#include "wire/encode.h"
#include "wire/fields.h"

#include <errno.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <cmocka.h>

enum { ROUNDS = 40, LAST_TYPE = PERF_RECORD_USER_MAX - 1 };

static u64 seed = 20240607, rng;
static unsigned int round_nr, what; /* of the case that runs, for messages */

static void check(bool ok, const char *cond, int line)
{
	if (!ok)
		fail_msg("%s:%d: %s: seed %llu, round %u, type %u", __FILE__, line, cond,
			 (unsigned long long)seed, round_nr, what);
}
#define CHECK(cond) check(cond, #cond, __LINE__)

static u64 any(void)
{
	rng += 0x9e3779b97f4a7c15ULL;
	return (rng ^ rng >> 31) * 0xbf58476d1ce4e5b9ULL ^ rng >> 17;
}

static u64 below(u64 n)
{
	return (any() >> 16) % n;
}

static void any_bytes(void *p, size_t n)
{
	u8 *b = p;

	while (n--)
		*b++ = (u8)(any() >> 24);
}

/* The memory that the pointers of one case point to. */
static u8 pool[1 << 16];
static size_t pool_used;

static void *from_pool(size_t n)
{
	void *p = pool + pool_used;

	pool_used += ALIGN_UP(n, (size_t)8);
	CHECK(pool_used <= sizeof(pool));
	any_bytes(p, n);
	return p;
}

/* Text of less than @max bytes with its zero. */
static char *any_text(size_t max)
{
	size_t len = below(max);
	char *s = from_pool(len + 1);

	for (size_t i = 0; i < len; i++)
		s[i] = s[i] ? s[i] : 'x';
	s[len] = 0;
	return s;
}

/* ---- records ---- */

/* Make what decides the shape of a record be something that exists. */
static void tame(u32 type, union rec_any *r)
{
	struct rec_cpu_map *m = type == PERF_RECORD_CPU_MAP ? &r->cpu_map : &r->event_update.cpus;

	switch (type) {
	case PERF_RECORD_MMAP2:
		r->mmap.build_id_size = below(2) ? (u8)below(21) : 0;
		memset(r->mmap.build_id + r->mmap.build_id_size, 0, 20 - r->mmap.build_id_size);
		break;
	case PERF_RECORD_COMM:
		r->comm.exec = below(2);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		r->sw.out = below(2);
		r->sw.preempt = r->sw.out && below(2);
		break;
	case PERF_RECORD_NAMESPACES:
		r->namespaces.nr = below(9);
		break;
	case PERF_RECORD_TEXT_POKE:
		r->text_poke.old_len = (u16)below(9);
		r->text_poke.new_len = (u16)below(20);
		break;
	case PERF_RECORD_CALLCHAIN_DEFERRED_:
		r->deferred.nr = below(100);
		break;
	case PERF_RECORD_HEADER_ATTR:
		r->attr.attr_size = PERF_ATTR_SIZE_VER0 + (u32)below(30) * 8;
		r->attr.nr_more =
			r->attr.attr_size > ATTR_SIZE ? (r->attr.attr_size - ATTR_SIZE) / 8 : 0;
		r->attr.more = from_pool(r->attr.nr_more * 8);
		break;
	case PERF_RECORD_HEADER_BUILD_ID:
		r->build_id.build_id_size = (u8)below(21);
		break;
	case PERF_RECORD_ID_INDEX:
		r->id_index.nr = 1 + below(20);
		r->id_index.guests = below(2) ? from_pool(r->id_index.nr * 16) : NULL;
		break;
	case PERF_RECORD_AUXTRACE_ERROR:
		r->auxtrace_error.fmt = (u32)below(3);
		break;
	case PERF_RECORD_THREAD_MAP:
		r->thread_map.nr = below(20);
		break;
	case PERF_RECORD_STAT_CONFIG:
		r->stat_config.nr = below(6);
		break;
	case PERF_RECORD_TIME_CONV:
		r->time_conv.has_cycles = below(2);
		break;
	case PERF_RECORD_COMPRESSED2:
		r->compressed.size = below(99);
		break;
	case PERF_RECORD_BPF_METADATA:
		r->bpf_metadata.name_size = 16U << below(6);
		r->bpf_metadata.nr = 1 + below(5);
		break;
	case PERF_RECORD_SCHEDSTAT_CPU:
		r->schedstat_cpu.version = (u16)(14 + below(5));
		break;
	case PERF_RECORD_EVENT_UPDATE:
		r->event_update.kind = below(4);
		r->event_update.scale = (double)below(1000) / 7;
		/* fallthrough */
	case PERF_RECORD_CPU_MAP:
		m->kind = (u16)below(3);
		m->nr = (u16)below(30);
		m->width = below(2) ? 4 : 8;
		break;
	default:
		break;
	}
}

static const struct wire_field *pick(const struct wire_field *f, u16 misc, const void *vals)
{
	struct wire_choice c = { misc, true, 0, vals, NULL };
	const struct wire_field *row = f->pick(&c);

	CHECK(row != NULL);
	return row;
}

/* Give every pointer of the struct something to point to. */
static void fill_pointers(const struct wire_field *f, u32 type, u16 misc, u8 *vals)
{
	for (; f->kind != W_END; f++) {
		void *p = NULL;
		u64 nr;

		if (f->kind == W_PICK) {
			fill_pointers(pick(f, misc, vals), type, misc, vals);
			return;
		}
		if (f->kind == W_SUB)
			fill_pointers(f->sub, type, misc, vals + f->at);
		if (f->kind == W_REST) {
			/* Records are padded to 8, and padding would be taken for content. */
			nr = type == PERF_RECORD_COMPRESSED ? below(50)
			     : *f->elem == '1'              ? 8 * below(20)
							    : 2 * below(25);
			memcpy(vals + f->count, &nr, sizeof(nr));
		}
		if (f->kind == W_STR)
			p = any_text(70);
		else if (f->kind == W_TEXT)
			p = any_text(f->width);
		else if (f->kind == W_NAME)
			p = any_text(wire_count(f, vals));
		else if (f->kind == W_ARRAY || f->kind == W_REST)
			p = from_pool(wire_count(f, vals) * wire_elem_size(f->elem));
		if (p)
			memcpy(vals + f->at, &p, sizeof(p));
	}
}

static void same_attr(const struct rec_attr *a, const struct rec_attr *b)
{
	size_t n = MIN(a->attr_size, sizeof(a->attr));
	struct perf_event_attr x = a->attr;

	x.size = a->attr_size;
	CHECK(a->attr_size == b->attr_size);
	CHECK(!memcmp(&x, &b->attr, n));
	for (; n < sizeof(b->attr); n++)
		CHECK(!((const u8 *)&b->attr)[n]);
	CHECK(a->nr_more == b->nr_more && !memcmp(a->more, b->more, a->nr_more * 8));
}

static void same(const struct wire_field *f, u16 misc, const u8 *a, const u8 *b)
{
	for (; f->kind != W_END; f++) {
		const u8 *x, *y;

		memcpy(&x, a + f->at, sizeof(x));
		memcpy(&y, b + f->at, sizeof(y));
		switch (f->kind) {
		case W_NUM:
		case W_BYTES:
			CHECK(!memcmp(a + f->at, b + f->at, f->width));
			break;
		case W_STR:
		case W_TEXT:
		case W_NAME:
			CHECK(!strcmp((const char *)x, (const char *)y));
			break;
		case W_ARRAY:
		case W_REST:
			CHECK(wire_count(f, a) == wire_count(f, b));
			CHECK(!memcmp(x, y, wire_count(f, a) * wire_elem_size(f->elem)));
			break;
		case W_ATTR:
			same_attr((const struct rec_attr *)a, (const struct rec_attr *)b);
			break;
		case W_SUB:
			same(f->sub, misc, a + f->at, b + f->at);
			break;
		case W_PICK:
			CHECK(pick(f, misc, a) == pick(f, misc, b));
			same(pick(f, misc, a), misc, a, b);
			return;
		default:
			break;
		}
	}
}

/* Compare what the header carries of a body. */
static void same_misc(u32 type, u16 misc, const union rec_any *a, const union rec_any *b)
{
	if (type == PERF_RECORD_COMM)
		CHECK(a->comm.exec == b->comm.exec);
	if (type == PERF_RECORD_SWITCH || type == PERF_RECORD_SWITCH_CPU_WIDE) {
		CHECK(a->sw.out == b->sw.out && a->sw.preempt == b->sw.preempt);
		CHECK(b->sw.cpu_wide == (type == PERF_RECORD_SWITCH_CPU_WIDE));
	}
	if (type == PERF_RECORD_MMAP)
		CHECK(b->mmap.prot == (misc & PERF_RECORD_MISC_MMAP_DATA ? 0 : PROT_EXEC));
}

/* Bits of sample_type that trailers have. */
#define TRAILER_BITS                                                                               \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |             \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

static struct wire_layout any_layout(void)
{
	struct perf_event_attr attr = {
		.sample_type = any() & ((1 << 25) - 1),
		.read_format = any() & 31,
		.branch_sample_type = any() &
				      (PERF_SAMPLE_BRANCH_HW_INDEX | PERF_SAMPLE_BRANCH_COUNTERS_ |
				       PERF_SAMPLE_BRANCH_ANY),
		.sample_regs_user = any(),
		.sample_regs_intr = any(),
		.sample_id_all = 1,
		.sample_period = any(),
	};
	struct wire_layout l;

	if (attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT)
		attr.sample_type &= ~(u64)PERF_SAMPLE_WEIGHT; /* never both */
	layout_init(&l, &attr);
	return l;
}

static void same_trailer(const struct wire_layout *l, const struct strbuf *rec,
			 const struct sample_id *id)
{
	u64 st = l->sample_type;
	struct sample_id out;

	CHECK(!sample_id_decode(l, rec->buf, rec->len, &out));
	if (st & PERF_SAMPLE_TID)
		CHECK(out.pid == id->pid && out.tid == id->tid);
	CHECK(out.time == (st & PERF_SAMPLE_TIME ? id->time : ~0ULL));
	CHECK(out.id == (st & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER) ? id->id : ~0ULL));
	CHECK(out.stream_id == (st & PERF_SAMPLE_STREAM_ID ? id->stream_id : ~0ULL));
	CHECK(out.cpu == (st & PERF_SAMPLE_CPU ? id->cpu : ~0U));
}

/* Decoders and both turns on every prefix; they may succeed, but not read on. */
static void cut_anywhere(const struct wire_layout *l, const struct strbuf *rec)
{
	for (size_t n = 0; n < rec->len; n++) {
		u8 *part = malloc(n ? n : 1);
		union rec_any out;
		struct sample s;

		assert_non_null(part);
		memcpy(part, rec->buf, n);
		CHECK(rec_decode(l, part, n, &out) <= 0);
		CHECK(sample_decode(l, part, n, &s) <= 0);
		if (n == sizeof(wire_header)) /* neither may invent a body */
			CHECK(record_swap(NULL, part, 4) == -EINVAL);
		(void)record_unswap(l, part, n);
		(void)record_swap(l, part, n);
		free(part);
	}
}

/* There and back: the same bytes. */
static void turn_twice(const struct wire_layout *l, struct strbuf *rec)
{
	struct strbuf was = STRBUF_INIT;

	strbuf_add(&was, rec->buf, rec->len);
	CHECK(!record_unswap(l, rec->buf, rec->len));
	CHECK(((wire_header *)rec->buf)->type == __builtin_bswap32(((wire_header *)was.buf)->type));
	CHECK(!record_swap(l, rec->buf, rec->len));
	CHECK(!memcmp(was.buf, rec->buf, was.len));
	strbuf_release(&was);
}

static void one_record(u32 type, const struct wire_body *body)
{
	struct wire_layout l = any_layout();
	struct strbuf rec = STRBUF_INIT;
	union rec_any in, out;
	struct sample_id id;
	u16 misc = below(2) ? PERF_RECORD_MISC_MMAP_DATA : 0;

	pool_used = 0;
	any_bytes(&in, sizeof(in));
	any_bytes(&id, sizeof(id));
	tame(type, &in);
	if (type == PERF_RECORD_MMAP2 && in.mmap.build_id_size)
		misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	if (type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2)
		misc = 0;
	fill_pointers(body->row, type, misc, (u8 *)&in);
	assert_int_equal(enc_record(&rec, type, misc, &in, &l, &id), 0);
	for (int turned = 0; turned < 2; turned++) {
		if (turned)
			turn_twice(&l, &rec);
		CHECK(!rec_decode(&l, rec.buf, rec.len, &out));
		same(body->row, misc, (const u8 *)&in, (const u8 *)&out);
		same_misc(type, misc, &in, &out);
		if (type < PERF_RECORD_USER_TYPE_START)
			same_trailer(&l, &rec, &id);
	}
	if (round_nr < 4)
		cut_anywhere(&l, &rec);
	strbuf_release(&rec);
}

static void test_records(void **state)
{
	unsigned int types = 0;

	for (what = 0; what <= LAST_TYPE; what++) {
		const struct wire_body *body = wire_body(what);

		/* The only types without a row are those without a body, and samples. */
		if (!body && record_name(what))
			assert_true(what == PERF_RECORD_SAMPLE ||
				    what == PERF_RECORD_FINISHED_ROUND ||
				    what == PERF_RECORD_FINISHED_INIT);
		if (!body)
			continue;
		types++;
		assert_non_null(record_name(what));
		for (round_nr = 0; round_nr < ROUNDS; round_nr++)
			one_record(what, body);
	}
	assert_int_equal(types, 21 + 21);
}

/* ---- samples ---- */

static void any_read(u64 format, struct sample *s)
{
	u64 times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	u64 per = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	bool group = format & PERF_FORMAT_GROUP;
	u64 nr = group ? below(6) : 1;
	u64_una *words;

	s->read_size = (u32)(8 * (group + times + nr * per));
	words = from_pool(s->read_size);
	if (group)
		*words = nr;
	s->read = words;
}

static void any_regs(struct wire_regs *r, u64 mask)
{
	r->abi = below(3); /* none, 32 or 64 bits */
	r->mask = mask;
	r->regs = r->abi ? from_pool(8 * (size_t)__builtin_popcountll(mask)) : NULL;
}

static void any_sample(const struct wire_layout *l, struct sample *s)
{
	any_bytes(s, sizeof(*s));
	any_read(l->read_format, s);
	s->nr_callchain = below(130);
	s->callchain = from_pool(s->nr_callchain * 8);
	s->raw_size = (u32)(4 + 8 * below(10)); /* as the kernel pads it */
	s->raw = from_pool(s->raw_size);
	s->nr_branches = below(33);
	s->branches = from_pool(s->nr_branches * 24);
	s->branch_counters = from_pool(s->nr_branches * 8);
	any_regs(&s->user_regs, l->regs_user);
	any_regs(&s->intr_regs, l->regs_intr);
	s->user_stack_size = 8 * below(60);
	s->user_stack = from_pool(s->user_stack_size);
	s->user_stack_dyn = below(s->user_stack_size + 1);
	s->aux_size = 8 * below(40);
	s->aux = from_pool(s->aux_size);
	if (l->sample_type & PERF_SAMPLE_WEIGHT_STRUCT)
		s->weight = (u32)s->weight;
}

static void same_bytes(u64 nr_in, u64 nr_out, size_t width, const void *in, const void *out)
{
	CHECK(nr_in == nr_out);
	CHECK(!memcmp(in, out, nr_in * width));
}

static void same_regs(const struct wire_regs *in, const struct wire_regs *out)
{
	CHECK(in->abi == out->abi && in->mask == out->mask);
	CHECK(!in->regs == !out->regs);
	if (in->regs)
		same_bytes(1, 1, 8 * (size_t)__builtin_popcountll(in->mask), in->regs, out->regs);
}

static void same_fixed(u64 st, const struct sample *a, const struct sample *b)
{
#define CHECK_FIELD(bits, m)                                                                       \
	if (st & (bits))                                                                           \
		CHECK(a->m == b->m);
	SAMPLE_FIXED_FIELDS(CHECK_FIELD)
#undef CHECK_FIELD
}

static void same_branches(const struct wire_layout *l, const struct sample *a,
			  const struct sample *b)
{
	same_bytes(a->nr_branches, b->nr_branches, 24, a->branches, b->branches);
	CHECK(b->has_hw_idx == !!(l->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX));
	if (b->has_hw_idx)
		CHECK(a->branch_hw_idx == b->branch_hw_idx);
	CHECK(!b->branch_counters == !(l->branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS_));
	if (b->branch_counters)
		same_bytes(1, 1, a->nr_branches * 8, a->branch_counters, b->branch_counters);
}

static void same_sample(const struct wire_layout *l, const struct sample *a, const struct sample *b)
{
	u64 st = l->sample_type;

	CHECK(a->misc == b->misc);
	same_fixed(st, a, b);
	if (st & PERF_SAMPLE_READ)
		same_bytes(a->read_size, b->read_size, 1, a->read, b->read);
	if (st & PERF_SAMPLE_CALLCHAIN)
		same_bytes(a->nr_callchain, b->nr_callchain, 8, a->callchain, b->callchain);
	if (st & PERF_SAMPLE_RAW)
		same_bytes(a->raw_size, b->raw_size, 1, a->raw, b->raw);
	if (st & PERF_SAMPLE_BRANCH_STACK)
		same_branches(l, a, b);
	if (st & PERF_SAMPLE_REGS_USER)
		same_regs(&a->user_regs, &b->user_regs);
	if (st & PERF_SAMPLE_REGS_INTR)
		same_regs(&a->intr_regs, &b->intr_regs);
	if (st & PERF_SAMPLE_STACK_USER) {
		CHECK(a->user_stack_size == b->user_stack_size);
		if (a->user_stack_size)
			same_bytes(a->user_stack_dyn, b->user_stack_dyn, 1, a->user_stack,
				   b->user_stack);
	}
	if (st & PERF_SAMPLE_AUX)
		same_bytes(a->aux_size, b->aux_size, 1, a->aux, b->aux);
}

static void test_samples(void **state)
{
	what = PERF_RECORD_SAMPLE;
	for (round_nr = 0; round_nr < 10 * ROUNDS; round_nr++) {
		struct wire_layout l = any_layout();
		struct strbuf rec = STRBUF_INIT;
		struct sample in, out;

		pool_used = 0;
		any_sample(&l, &in);
		assert_int_equal(enc_sample(&rec, &l, &in), 0);
		CHECK(rec.len % 8 == 0 && ((wire_header *)rec.buf)->size == rec.len);
		for (int turned = 0; turned < 2; turned++) {
			if (turned)
				turn_twice(&l, &rec);
			CHECK(!sample_decode(&l, rec.buf, rec.len, &out));
			same_sample(&l, &in, &out);
		}
		if (round_nr % 20 == 0)
			cut_anywhere(&l, &rec);
		strbuf_release(&rec);
	}
}

/* Compare what wire_read_init() says of the words of a read with words made by hand. */
static void test_reads(void **state)
{
	for (what = 0; what < 32; what++) {
		u64 words[64], n = 0, id, lost;
		bool group = what & PERF_FORMAT_GROUP;
		struct wire_read r;

		words[n++] = group ? 3 : 1000;
		if (what & PERF_FORMAT_TOTAL_TIME_ENABLED)
			words[n++] = 71;
		if (what & PERF_FORMAT_TOTAL_TIME_RUNNING)
			words[n++] = 72;
		for (u64 i = 0; i < (group ? 3 : 1); i++) {
			if (group)
				words[n++] = 1000 + i;
			if (what & PERF_FORMAT_ID)
				words[n++] = 2000 + i;
			if (what & PERF_FORMAT_LOST)
				words[n++] = 3000 + i;
		}
		for (u64 size = 0; size < n * 8; size++)
			CHECK(wire_read_init(&r, what, words, size) == -EINVAL);
		CHECK(!wire_read_init(&r, what, words, n * 8));
		CHECK(r.nr == (group ? 3 : 1));
		CHECK(r.enabled == (what & PERF_FORMAT_TOTAL_TIME_ENABLED ? 71 : 0));
		CHECK(r.running == (what & PERF_FORMAT_TOTAL_TIME_RUNNING ? 72 : 0));
		for (u64 i = 0; i < r.nr; i++) {
			CHECK(wire_read_value(&r, i, &id, &lost) == 1000 + i);
			CHECK(id == (what & PERF_FORMAT_ID ? 2000 + i : 0));
			CHECK(lost == (what & PERF_FORMAT_LOST ? 3000 + i : 0));
		}
	}
}

/* ---- attrs ---- */

static void test_attrs(void **state)
{
	static const u32 sizes[] = {
		0,  1,  7,   8,   39,  40,  47,  48,  63,  64,  65,  71,  72,
		80, 96, 100, 104, 112, 116, 119, 120, 127, 128, 136, 144, 200,
	};

	for (round_nr = 0; round_nr < ROUNDS; round_nr++) {
		for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
			size_t whole = MIN(sizes[i] & ~7U, sizeof(struct perf_event_attr));
			struct perf_event_attr want, got;
			u8 *p = malloc(sizes[i] + !sizes[i]);

			what = sizes[i];
			assert_non_null(p);
			any_bytes(p, sizes[i]);
			memset(&want, 0, sizeof(want));
			memcpy(&want, p, whole);
			attr_decode(&got, p, sizes[i], false);
			CHECK(!memcmp(&want, &got, sizeof(want)));
			attr_unswap(p, sizes[i]);
			if (sizes[i] >= 8)
				CHECK(*(u32_una *)p == __builtin_bswap32(want.type));
			attr_decode(&got, p, sizes[i], true);
			CHECK(!memcmp(&want, &got, sizeof(want)));
			free(p);
		}
	}
}

/* Records that would be longer than possible are not written, not even in part. */
static void test_too_long(void **state)
{
	static char name[70000];
	struct strbuf rec = STRBUF_INIT;
	struct rec_comm c = { .comm = name };

	memset(name, 'x', sizeof(name) - 1);
	strbuf_addstr(&rec, "before");
	assert_int_equal(enc_comm(&rec, 0, &c, NULL, NULL), -E2BIG);
	assert_string_equal(rec.buf, "before");
	assert_int_equal(rec.len, 6);
	strbuf_release(&rec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records),  cmocka_unit_test(test_samples),
		cmocka_unit_test(test_reads),    cmocka_unit_test(test_attrs),
		cmocka_unit_test(test_too_long),
	};

	if (getenv("SEED"))
		seed = strtoull(getenv("SEED"), NULL, 0);
	rng = seed;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
