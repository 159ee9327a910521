// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What Documentation/format/perf.data.md says of the file header, attrs, samples, trailers and read
 * blocks, against the readers, in both byte orders. Records and features have tests of their own.
 */
#include "base/compat.h"
#include "doc-table.h"
#include "file/reader.h"

#include <setjmp.h>
#include <cmocka.h>

static struct doc doc;

static const struct doc_table *table(const char *title)
{
	const struct doc_table *t = doc_find(&doc, title);

	if (!t || !t->nr)
		fail_msg("the page has no table %s", title);
	return t;
}

/* Build what table @title says, alone or as a record of @type. */
static void build(struct pb *b, bool swap, const char *title, u32 type, struct doc_values *values)
{
	size_t at = 0;

	pb_init(b, swap);
	if (type)
		at = pb_begin(b, type, 0);
	doc_emit(b, table(title), values);
	if (type)
		pb_end(b, at);
	if (*values->problem)
		fail_msg("%s", values->problem);
}

static u64 number(const struct doc_values *v, const char *name, int index)
{
	const struct doc_value *found = doc_get(v, name, index);

	if (!found)
		fail_msg("the page has no %s (%d.)", name, index);
	return found ? found->number : 0;
}

/* A field that was read, by the page's name of it. */
struct seen {
	const char *name;
	u64 value;
};

/* Each row of the page, but padding, is one of @seen and the other way round. */
static void compare(const struct doc_values *values, const struct seen *seen, size_t nr)
{
	size_t rows = 0;

	for (size_t i = 0; i < values->nr; i++) {
		const struct doc_value *v = &values->v[i];
		size_t k = 0;

		if (!strcmp(v->name, "0") || v->index)
			continue;
		while (k < nr && strcmp(seen[k].name, v->name) != 0)
			k++;
		if (k == nr)
			fail_msg("the row %s has no test", v->name);
		if (!v->len && seen[k].value != v->number)
			fail_msg("%s: %#" PRIx64 " instead of %#" PRIx64, v->name, seen[k].value,
				 v->number);
		rows++;
	}
	assert_int_equal(rows, nr);
}

/* ---- attr ---- */

static void test_attr(void **state)
{
	for (int swap = 0; swap < 2; swap++) {
		struct doc_values values = { 0 };
		struct perf_event_attr a;
		u64 flags;
		struct pb b;
		u64_una *word;

		build(&b, swap, "perf_event_attr", 0, &values);
		assert_int_equal(b.out.len, 144);
		/* Flags have a table of their own; the words of bit fields are not only turned. */
		word = (u64_una *)(b.out.buf + 40);
		*word = 0;
		*(u32_una *)(b.out.buf + 116) = 0;
		attr_decode(&a, b.out.buf, b.out.len, swap);
		memcpy(&flags, (u8 *)&a + 40, 8);
		assert_int_equal(flags, 0);
		{
#define A(m)                                                                                       \
	{                                                                                          \
#m, a.m                                                                            \
	}
			const struct seen seen[] = {
				A(type),
				A(size),
				A(config),
				A(sample_period),
				A(sample_type),
				A(read_format),
				{ "flags", number(&values, "flags", 0) },
				A(wakeup_events),
				A(bp_type),
				A(config1),
				A(config2),
				A(branch_sample_type),
				A(sample_regs_user),
				A(sample_stack_user),
				{ "clockid", (u32)a.clockid },
				A(sample_regs_intr),
				A(aux_watermark),
				A(sample_max_stack),
				A(aux_sample_size),
				{ "aux_action", number(&values, "aux_action", 0) },
				A(sig_data),
				/* Newer than this machine's struct may be: dropped. */
				{ "config3", number(&values, "config3", 0) },
				{ "config4", number(&values, "config4", 0) },
			};
#undef A
			compare(&values, seen, ARRAY_SIZE(seen));
		}
		pb_release(&b);
		doc_values_release(&values);
	}
}

/* The place of a flag in this machine's struct. */
static int place_of(const char *name)
{
	struct perf_event_attr a;
	u64 word;

#define FLAG(f)                                                                                    \
	if (!strcmp(name, #f)) {                                                                   \
		memset(&a, 0, sizeof(a));                                                          \
		a.f = 1;                                                                           \
		memcpy(&word, (u8 *)&a + 40, 8);                                                   \
		return __builtin_ctzll(word);                                                      \
	}
	FLAG(disabled)
	FLAG(inherit)
	FLAG(pinned)
	FLAG(exclusive)
	FLAG(exclude_user)
	FLAG(exclude_kernel)
	FLAG(exclude_hv)
	FLAG(exclude_idle)
	FLAG(mmap)
	FLAG(comm)
	FLAG(freq)
	FLAG(inherit_stat)
	FLAG(enable_on_exec)
	FLAG(task)
	FLAG(watermark)
	FLAG(precise_ip)
	FLAG(mmap_data)
	FLAG(sample_id_all)
	FLAG(exclude_host)
	FLAG(exclude_guest)
	FLAG(exclude_callchain_kernel)
	FLAG(exclude_callchain_user)
	FLAG(mmap2)
	FLAG(comm_exec)
	FLAG(use_clockid)
	FLAG(context_switch)
	FLAG(write_backward)
	FLAG(namespaces)
	FLAG(ksymbol)
	FLAG(bpf_event)
	FLAG(aux_output)
	FLAG(cgroup)
	FLAG(text_poke)
	FLAG(build_id)
	FLAG(inherit_thread)
	FLAG(remove_on_exec)
	FLAG(sigtrap)
#undef FLAG
	return -1;
}

static int atoi_of(const char *s)
{
	return (int)strtol(s, NULL, 10);
}

static void test_flags(void **state)
{
	const struct doc_table *t = table("Flags of an attr");
	int next = 0;

	for (size_t i = 0; i < t->nr; i++) {
		int bits = !strncmp(t->rows[i].type, "bits ", 5) ? atoi_of(t->rows[i].type + 5) : 1;
		int at = atoi_of(t->rows[i].at), here = place_of(t->rows[i].name);

		assert_int_equal(at, next);
		next += bits;
		if (here >= 0 && here != at)
			fail_msg("%s is bit %d", t->rows[i].name, here);
		if (here < 0) /* newer than this machine's header */
			assert_true(!strncmp(t->rows[i].name, "defer_", 6));
	}
	assert_int_equal(next, 39 + 1);
}

/* ---- samples, trailers, reads ---- */

static void check_bytes(const struct doc_values *v, const char *name, const void *p)
{
	const struct doc_value *found = doc_get(v, name, 0);

	if (!found || !found->len || !p || memcmp(p, found->bytes, found->len) != 0)
		fail_msg("%s is not what the page makes of it", name);
}

static void check_words(const struct doc_values *v, const char *name, const u64_una *p, int stride)
{
	for (int i = 0; i < DOC_REPEAT; i++)
		if (p[i * stride] != number(v, name, i))
			fail_msg("%s (%d.) is not what the page makes of it", name, i);
}

static void check_sample(const struct doc_values *v, const struct sample *s)
{
#define S(m)                                                                                       \
	{                                                                                          \
#m, s->m                                                                           \
	}
	const struct seen seen[] = {
		S(id),
		S(ip),
		S(pid),
		S(tid),
		S(time),
		S(addr),
		S(stream_id),
		S(cpu),
		S(period),
		{ "read", *(const u64_una *)s->read },
		S(nr_callchain),
		{ "callchain", s->callchain[0] },
		S(raw_size),
		{ "raw", 0 },
		S(nr_branches),
		S(branch_hw_idx),
		{ "from", s->branches[0] },
		{ "to", s->branches[1] },
		{ "branch_flags", s->branches[2] },
		{ "branch_counters", s->branch_counters[0] },
		{ "user_abi", s->user_regs.abi },
		{ "user_reg", s->user_regs.regs[0] },
		S(user_stack_size),
		{ "user_stack", 0 },
		S(user_stack_dyn),
		S(weight),
		S(ins_lat),
		S(p_stage_cyc),
		S(data_src),
		S(transaction),
		{ "intr_abi", s->intr_regs.abi },
		{ "intr_reg", s->intr_regs.regs[0] },
		S(phys_addr),
		S(cgroup),
		S(data_page_size),
		S(code_page_size),
		S(aux_size),
		{ "aux", 0 },
	};
#undef S

	compare(v, seen, ARRAY_SIZE(seen));
	check_bytes(v, "raw", s->raw);
	check_bytes(v, "user_stack", s->user_stack);
	check_bytes(v, "aux", s->aux);
	check_words(v, "callchain", s->callchain, 1);
	check_words(v, "from", s->branches, 3);
	check_words(v, "to", s->branches + 1, 3);
	check_words(v, "branch_counters", s->branch_counters, 1);
}

/* The bits of sample_type that a table's first column begins with. */
static u64 bits_of(const struct doc_table *t)
{
	u64 bits = 0;

	for (size_t i = 0; i < t->nr; i++)
		if (*t->rows[i].at)
			bits |= 1ULL << strtoul(t->rows[i].at, NULL, 10);
	return bits;
}

/* Return where the sample's weight begins, behind all that comes before it. */
static size_t weight_at(const struct pb *b, const struct doc_values *values)
{
	u32 weight = __builtin_bswap32((u32)number(values, "weight", 0));
	const char *p = memmem(b->out.buf, b->out.len, &weight, sizeof(weight));

	assert_non_null(p);
	return (size_t)(p - b->out.buf);
}

static void test_sample(void **state)
{
	struct perf_event_attr attr = {
		.sample_type = bits_of(table("Sample")),
		.branch_sample_type = 1 << 17 | 1 << 19,
		.sample_regs_user = 1 << 5,
		.sample_regs_intr = 1ULL << 40,
		.sample_id_all = 1,
	};
	struct wire_layout l;

	/* All but WEIGHT, in whose place WEIGHT_STRUCT is. */
	assert_int_equal(attr.sample_type, ((1 << 25) - 1) & ~PERF_SAMPLE_WEIGHT);
	layout_init(&l, &attr);
	for (int swap = 0; swap < 2; swap++) {
		struct doc_values values = { 0 };
		struct sample s;
		struct pb b;

		build(&b, swap, "Sample", PERF_RECORD_SAMPLE, &values);
		if (swap) { /* the parts of WEIGHT_STRUCT change places, as the page says */
			u64 w = number(&values, "weight", 0) | number(&values, "ins_lat", 0) << 32 |
				number(&values, "p_stage_cyc", 0) << 48;
			size_t at = weight_at(&b, &values);

			w = __builtin_bswap64(w);
			memcpy(b.out.buf + at, &w, 8);
			assert_int_equal(record_swap(&l, b.out.buf, b.out.len), 0);
		}
		assert_int_equal(sample_decode(&l, b.out.buf, b.out.len, &s), 0);
		/* Both places of the id are read; the first one counts. */
		assert_true(number(&values, "id", 0) != number(&values, "id", 1));
		check_sample(&values, &s);
		assert_int_equal(sample_decode(&l, b.out.buf, b.out.len - 1, &s), -EINVAL);
		pb_release(&b);
		doc_values_release(&values);
	}
}

static void test_trailer(void **state)
{
	struct perf_event_attr attr = {
		.sample_type = bits_of(table("Trailer")),
		.sample_id_all = 1,
	};
	struct wire_layout l;

	layout_init(&l, &attr);
	for (int swap = 0; swap < 2; swap++) {
		struct doc_values values = { 0 };
		struct sample_id id;
		struct pb b;

		build(&b, swap, "Trailer", PERF_RECORD_SWITCH, &values);
		assert_int_equal(b.out.len, 8 + l.id_size);
		if (swap)
			assert_int_equal(record_swap(&l, b.out.buf, b.out.len), 0);
		assert_int_equal(sample_id_decode(&l, b.out.buf, b.out.len, &id), 0);
		/* The last one of the two ids counts. */
		assert_int_equal(id.id, number(&values, "id", 1));
		{
			const struct seen seen[] = {
				{ "pid", id.pid },
				{ "tid", id.tid },
				{ "time", id.time },
				{ "id", number(&values, "id", 0) },
				{ "stream_id", id.stream_id },
				{ "cpu", id.cpu },
			};

			compare(&values, seen, ARRAY_SIZE(seen));
		}
		pb_release(&b);
		doc_values_release(&values);
	}
}

static void one_read(const char *title, u64 format)
{
	struct doc_values values = { 0 };
	struct wire_read r;
	struct pb b;
	u64 id = 0, lost = 0;

	build(&b, false, title, 0, &values);
	assert_int_equal(wire_read_init(&r, format, b.out.buf, b.out.len), 0);
	assert_int_equal(r.enabled, number(&values, "enabled", 0));
	assert_int_equal(r.running, number(&values, "running", 0));
	assert_int_equal(r.nr, format & PERF_FORMAT_GROUP ? number(&values, "nr", 0) : 1);
	for (u64 i = 0; i < r.nr; i++) {
		assert_int_equal(wire_read_value(&r, i, &id, &lost),
				 number(&values, "value", (int)i));
		assert_int_equal(id, number(&values, "id", (int)i));
		assert_int_equal(lost, number(&values, "lost", (int)i));
	}
	assert_int_equal(wire_read_init(&r, format, b.out.buf, b.out.len - 1), -EINVAL);
	pb_release(&b);
	doc_values_release(&values);
}

static void test_reads(void **state)
{
	one_read("Read block", 1 | 2 | 4 | 16);
	one_read("Read block of a group", 1 | 2 | 4 | 8 | 16);
	assert_int_equal(table("Read block")->nr + 1, table("Read block of a group")->nr);
}

/* ---- the file header ---- */

static u64 at_page(const struct pb *b, const struct doc_table *t, const char *name)
{
	for (size_t i = 0; i < t->nr; i++) {
		u64 v;

		if (strcmp(t->rows[i].name, name) != 0)
			continue;
		memcpy(&v, b->out.buf + strtoul(t->rows[i].at, NULL, 10), 8);
		return b->swap ? __builtin_bswap64(v) : v;
	}
	fail_msg("the page has no %s", name);
	return 0;
}

/* The independent builder wrote a file: what stands where the page says, the reader has. */
static void test_header(void **state)
{
	const struct doc_table *t = table("File header");
	const struct pb_event ev[] = { { .ids = { 5 }, .nr_ids = 1 },
				       { .ids = { 6 }, .nr_ids = 1 } };

	assert_int_equal(t->nr, 10);
	for (int swap = 0; swap < 2; swap++) {
		struct diag diag = { 0 };
		struct err err = { 0 };
		struct perf_file *f;
		char path[64];
		struct pb b;
		int fd;

		pb_init(&b, swap);
		pb_file(&b, 2, ev, 2);
		pb_round(&b);
		pb_feature_str(&b, 3, "host");
		pb_finish(&b);
		assert_int_equal(perf_file_open(pb_save(b.out.buf, b.out.len, &fd, path), true, &f,
						&diag, &err),
				 0);
		assert_memory_equal(b.out.buf, swap ? "2ELIFREP" : "PERFILE2", 8);
		assert_int_equal(at_page(&b, t, "header_size"), 104);
		assert_int_equal(at_page(&b, t, "attr_entry_size"), sizeof(ev->attr) + 16);
		assert_int_equal(at_page(&b, t, "attrs_offset"), 104);
		assert_int_equal(at_page(&b, t, "attrs_size"),
				 f->nr_attrs * at_page(&b, t, "attr_entry_size"));
		assert_int_equal(f->nr_attrs, 2);
		assert_int_equal(f->attrs[1].ids[0], 6);
		assert_int_equal(at_page(&b, t, "data_offset"), f->data.offset);
		assert_int_equal(at_page(&b, t, "data_size"), f->data.size);
		assert_int_equal(at_page(&b, t, "event_types_offset"), 0);
		assert_int_equal(at_page(&b, t, "event_types_size"), 0);
		assert_int_equal(at_page(&b, t, "features"), f->features[0]);
		assert_int_equal(f->features[0], 8);
		assert_int_equal(f->swap, swap);
		perf_file_close(f);
		pb_unsave(fd);
		pb_release(&b);
	}
}

static int load(void **state)
{
	doc_load(&doc);
	return 0;
}

static int unload(void **state)
{
	doc_release(&doc);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_attr),   cmocka_unit_test(test_flags),
		cmocka_unit_test(test_sample), cmocka_unit_test(test_trailer),
		cmocka_unit_test(test_reads),  cmocka_unit_test(test_header),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
