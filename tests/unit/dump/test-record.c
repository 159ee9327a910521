// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the texts of records, which are built field by field in both byte orders and cut off at
 * every byte. */
#include "base/alloc.h"
#include "base/compat.h"
#include "events/evlist.h"
#include "dump/dump-text.h"
#include "pdata-build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define ST (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_ID)

static const struct pb_id the_id = { 5, 6, 7000, 11, 0, 1 };

typedef void (*body_fn)(struct pb *b);

static void mmap2(struct pb *b)
{
	pb_u32(b, 5);
	pb_u32(b, 6);
	pb_u64(b, 0x400000);
	pb_u64(b, 0x1000);
	pb_u64(b, 0x2000);
	pb_u32(b, 8);
	pb_u32(b, 1);
	pb_u64(b, 4711);
	pb_u64(b, 3);
	pb_u32(b, 5);
	pb_u32(b, 2);
	pb_str(b, "/bin/a\x1b");
}

static void mmap2_build_id(struct pb *b)
{
	pb_u32(b, 5);
	pb_u32(b, (u32)-1);
	pb_u64(b, 0);
	pb_u64(b, 0x1000);
	pb_u64(b, 0);
	pb_u8(b, 4);
	pb_bytes(b, "\0\0\0\xde\xad\xbe\xef\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 23);
	pb_u32(b, 3);
	pb_u32(b, 1);
	pb_str(b, "/lib");
}

static void comm(struct pb *b)
{
	pb_u32(b, 5);
	pb_u32(b, 6);
	pb_str(b, "name");
}

static void task(struct pb *b)
{
	pb_u32(b, 5);
	pb_u32(b, 4);
	pb_u32(b, 6);
	pb_u32(b, 3);
	pb_u64(b, 99);
}

static void namespaces(struct pb *b)
{
	pb_u32(b, 5);
	pb_u32(b, 6);
	pb_u64(b, 5);
	for (u64 i = 0; i < 5; i++) {
		pb_u64(b, 4);
		pb_u64(b, i * 16);
	}
}

static void cpu_wide(struct pb *b)
{
	pb_u32(b, 9);
	pb_u32(b, 10);
}

static void three_words(struct pb *b)
{
	pb_u64(b, 0x1000);
	pb_u64(b, 0x20);
	pb_u64(b, 5);
}

static void two_words(struct pb *b)
{
	pb_u64(b, 11);
	pb_u64(b, 3);
}

static void ksymbol(struct pb *b)
{
	pb_u64(b, 0xffffffffc0000000);
	pb_u32(b, 100);
	pb_u16(b, 1);
	pb_u16(b, 1);
	pb_str(b, "bpf_prog_x");
}

static void text_poke(struct pb *b)
{
	pb_u64(b, 0xffffffff81000010);
	pb_u16(b, 2);
	pb_u16(b, 17);
	for (u8 i = 0; i < 20; i++)
		pb_u8(b, i);
}

static void id_index(struct pb *b)
{
	static const u64 words[] = { 1, 11, 0, ~0ULL, 6, 3, 4 };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		pb_u64(b, words[i]);
}

static void mask64(struct pb *b)
{
	pb_u16(b, 1);
	pb_u16(b, 1);
	pb_u16(b, 8);
	pb_u32(b, 0);
	pb_u64(b, 0xf0b);
	pb_bytes(b, "\0\0\0\0\0\0", 6);
}

static void scale(struct pb *b)
{
	double v = 0.25;
	u64 bits;

	memcpy(&bits, &v, sizeof(bits));
	pb_u64(b, 1);
	pb_u64(b, 11);
	pb_u64(b, bits);
}

static void update_unknown(struct pb *b)
{
	pb_u64(b, 7);
	pb_u64(b, 11);
	pb_u64(b, 0);
}

static void time_conv(struct pb *b)
{
	for (u64 i = 1; i <= 5; i++)
		pb_u64(b, i);
	pb_bytes(b, "\1\0\0\0\0\0\0", 8);
}

static void trace_bts(struct pb *b)
{
	pb_u32(b, 2);
	pb_u32(b, 0);
	for (u64 i = 1; i <= 3; i++)
		pb_u64(b, i);
}

static void trace(struct pb *b)
{
	pb_u64(b, 0x10);
	pb_u64(b, 0);
	pb_u64(b, 0x77);
	pb_u32(b, 1);
	pb_u32(b, (u32)-1);
	pb_u32(b, 2);
	pb_u32(b, 0);
}

static void stat(struct pb *b)
{
	pb_u64(b, 11);
	pb_u32(b, 2);
	pb_u32(b, 0);
	for (u64 i = 1; i <= 3; i++)
		pb_u64(b, i * 100);
}

static void nothing(struct pb *b)
{
	(void)b;
}

static const struct record_case {
	u32 type;
	u16 misc;
	body_fn body;
	enum record_style style;
	const char *text; /* behind PERF_RECORD_ */
} cases[] = {
	{ PERF_RECORD_MMAP2, 2, mmap2, RECORD_LINE,
	  "MMAP2 5/6: [0x400000(0x1000) @ 0x2000 08:01 4711 3]: r-xp /bin/a\\x1b\n" },
	{ PERF_RECORD_MMAP2, 2 | 1 << 14, mmap2_build_id, RECORD_LINE,
	  "MMAP2 5/-1: [0(0x1000) @ 0 <deadbeef>]: rw-s /lib\n" },
	{ PERF_RECORD_COMM, 0, comm, RECORD_LINE, "COMM: name:5/6\n" },
	{ PERF_RECORD_COMM, 1 << 13, comm, RECORD_LINE, "COMM exec: name:5/6\n" },
	{ PERF_RECORD_FORK, 0, task, RECORD_LINE, "FORK(5:6):(4:3)\n" },
	{ PERF_RECORD_EXIT, 0, task, RECORD_SCRIPT, "EXIT(5:6):(4:3)\n" },
	{ PERF_RECORD_NAMESPACES, 0, namespaces, RECORD_LINE,
	  "NAMESPACES 5/6 - nr_namespaces: 5\n\t\t[0/net: 4/0, 1/uts: 4/0x10, 2/ipc: 4/0x20, "
	  "3/pid: 4/0x30, \n\t\t 4/user: 4/0x40]\n" },
	{ PERF_RECORD_SWITCH, 0, nothing, RECORD_LINE, "SWITCH IN         \n" },
	{ PERF_RECORD_SWITCH, 3 << 13, nothing, RECORD_LINE, "SWITCH OUT preempt\n" },
	{ PERF_RECORD_SWITCH_CPU_WIDE, 1 << 13, cpu_wide, RECORD_LINE,
	  "SWITCH_CPU_WIDE OUT          next pid/tid:     9/10   \n" },
	{ PERF_RECORD_AUX, 0, three_words, RECORD_LINE,
	  "AUX offset: 0x1000 size: 0x20 flags: 0x5 [TP]\n" },
	{ PERF_RECORD_LOST, 0, two_words, RECORD_LINE, "LOST lost 3\n" },
	{ PERF_RECORD_LOST, 0, two_words, RECORD_SCRIPT, "LOST: id:11: lost:3\n" },
	{ PERF_RECORD_THROTTLE, 0, three_words, RECORD_SCRIPT, "THROTTLE" },
	{ PERF_RECORD_THROTTLE, 0, three_words, RECORD_REPORT, "THROTTLE: unhandled!\n" },
	{ PERF_RECORD_KSYMBOL, 0, ksymbol, RECORD_LINE,
	  "KSYMBOL addr ffffffffc0000000 len 100 type 1 flags 0x1 name bpf_prog_x\n" },
	{ PERF_RECORD_TEXT_POKE, 0, text_poke, RECORD_LINE,
	  "TEXT_POKE ffffffff81000010  old len 2 new len 17\n            Old bytes: 00 01\n"
	  "            New bytes: 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11\n"
	  "            New bytes: 12\n" },
	{ PERF_RECORD_READ, 0, cpu_wide, RECORD_LINE, "READ: malformed\n" },
	{ PERF_RECORD_FINISHED_ROUND, 0, nothing, RECORD_LINE, "FINISHED_ROUND\n" },
	{ PERF_RECORD_FINISHED_INIT, 0, nothing, RECORD_SCRIPT, "FINISHED_INIT: unhandled!\n" },
	{ PERF_RECORD_ID_INDEX, 0, id_index, RECORD_SCRIPT,
	  "ID_INDEX nr: 1\n ... id: 11  idx: 0  cpu: -1  tid: 6  machine_pid: 3  vcpu: 4\n" },
	{ PERF_RECORD_CPU_MAP, 0, mask64, RECORD_SCRIPT, "CPU_MAP: 0-1,3,8-11\n" },
	{ PERF_RECORD_EVENT_UPDATE, 0, scale, RECORD_SCRIPT,
	  "EVENT_UPDATE\n... id:    11\n... scale: 0.250000\n" },
	{ PERF_RECORD_EVENT_UPDATE, 0, update_unknown, RECORD_SCRIPT,
	  "EVENT_UPDATE\n... id:    11\n... unknown type\n" },
	{ PERF_RECORD_TIME_CONV, 0, time_conv, RECORD_SCRIPT,
	  "TIME_CONV\n... Time Shift      1\n... Time Muliplier  2\n... Time Zero       3\n"
	  "... Time Cycles     4\n... Time Mask       0x5\n... Cap Time Zero   1\n"
	  "... Cap Time Short  0\n: unhandled!\n" },
	{ PERF_RECORD_AUXTRACE_INFO, 0, trace_bts, RECORD_SCRIPT,
	  "AUXTRACE_INFO type: 2\n  PMU Type           1\n  Time Shift         2\n"
	  "  Time Muliplier     3\n" },
	{ PERF_RECORD_AUXTRACE, 0, trace, RECORD_SCRIPT,
	  "AUXTRACE size: 0x10  offset: 0  ref: 0x77  idx: 1  tid: -1  cpu: 2\n"
	  ".\n. ... Intel BTS data: size 16 bytes\n" },
	{ PERF_RECORD_STAT, 0, stat, RECORD_SCRIPT, "STAT" },
	{ PERF_RECORD_STAT, 0, stat, RECORD_REPORT,
	  "STAT\n... id 11, cpu 2, thread 0\n... value 100, enabled 200, running 300\n"
	  ": unhandled!\n" },
	{ 33, 0, nothing, RECORD_SCRIPT, "UNKNOWN" },
};

struct bench {
	struct evlist l;
	struct evsel *e;
};

static void bench_init(struct bench *t, u64 sample_type)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					      .size = sizeof(attr),
					      .sample_type = sample_type,
					      .sample_id_all = 1 };

	memset(t, 0, sizeof(*t));
	t->e = evlist_add(&t->l, &attr, "ev");
}

/* The record of a case, in native order whatever order it was built in. */
static void build(const struct record_case *c, const struct bench *t, bool swap, struct pb *b)
{
	size_t at;

	pb_init(b, swap);
	at = pb_begin(b, c->type, c->misc);
	c->body(b);
	if (c->type < PERF_RECORD_USER_TYPE_START && c->type != 33)
		pb_trailer(b, ST, &the_id);
	pb_end(b, at);
	if (swap)
		(void)record_swap(&t->e->layout, b->out.buf, b->out.len);
}

static void texts(void **state)
{
	struct bench t;

	bench_init(&t, ST);
	for (size_t i = 0; i < 2 * ARRAY_SIZE(cases); i++) {
		const struct record_case *c = &cases[i / 2];
		const struct record_about about = { .evsel = t.e,
						    .style = c->style,
						    .aux_type = 2 };
		struct strbuf out = STRBUF_INIT;
		struct pb b;

		build(c, &t, i & 1, &b);
		record_text_put((wire_header *)b.out.buf, b.out.len, &about, &out);
		assert_memory_equal(strbuf_str(&out), "PERF_RECORD_", 12);
		assert_string_equal(strbuf_str(&out) + 12, c->text);
		strbuf_release(&out);
		pb_release(&b);
	}
	evlist_release(&t.l);
}

/* A text comes out whatever is missing, and nothing behind the record is read. */
static void cut_everywhere(void **state)
{
	struct bench t;

	bench_init(&t, ST);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct record_about about = { .evsel = t.e, .style = cases[i].style };
		struct pb b;

		build(&cases[i], &t, false, &b);
		for (size_t n = sizeof(struct perf_event_header); n < b.out.len; n++) {
			struct strbuf out = STRBUF_INIT;
			u8 *copy = xmalloc(n);

			memcpy(copy, b.out.buf, n);
			record_text_put((wire_header *)copy, n, &about, &out);
			assert_memory_equal(strbuf_str(&out), "PERF_RECORD_", 12);
			strbuf_release(&out);
			free(copy);
		}
		pb_release(&b);
	}
	evlist_release(&t.l);
}

static void hex(void **state)
{
	static const u8 bytes[] = { 0,   1,   2,    3,    4,    5,   6,    7,   8,
				    'A', '~', 0x7f, 0x80, 0xff, ' ', 0x1f, 0xab };
	struct strbuf out = STRBUF_INIT;

	dump_hex(&out, bytes, sizeof(bytes));
	assert_string_equal(
		strbuf_str(&out),
		".  0000:  00 01 02 03 04 05 06 07 08 41 7e 7f 80 ff 20 1f  .........A~... .\n"
		".  0010:  ab                                               .               \n");
	strbuf_reset(&out);
	dump_hex(&out, bytes, 0);
	assert_int_equal(out.len, 0);
	strbuf_release(&out);
}

#define CHAIN_ST (ST | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_DATA_PAGE_SIZE)

/* A sample of an event whose registers are those of another machine. */
static void sample(void **state)
{
	struct env env = { .arch = (char *)(uintptr_t) "aarch64" };
	struct machine *m = machine_new();
	struct dump_text d = { .machine = m, .env = &env, .style = RECORD_SCRIPT };
	struct strbuf out = STRBUF_INIT;
	struct dump_record r = { .offset = 0x100 };
	struct thread_at at;
	struct sample s;
	struct bench t;
	struct pb b;
	size_t from;

	bench_init(&t, CHAIN_ST);
	t.e->attr.sample_regs_intr = 1ULL << 32 | 1;
	layout_init(&t.e->layout, &t.e->attr);
	d.evlist = &t.l;
	dump_text_init(&d, "a\tb");
	pb_init(&b, false);
	from = pb_begin(&b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	pb_u64(&b, 0x400100);
	pb_trailer(&b, ST, &the_id);
	pb_u64(&b, 1); /* of the chain */
	pb_u64(&b, 0x400200);
	pb_u64(&b, 2); /* registers of 64 bits */
	pb_u64(&b, 0x11);
	pb_u64(&b, 0x22);
	pb_u64(&b, 2 << 20);
	pb_end(&b, from);
	assert_int_equal(sample_decode(&t.e->layout, b.out.buf, b.out.len, &s), 0);
	machine_seal(m);
	machine_thread_at(m, s.pid, s.tid, s.time, &at);
	r.hdr = (wire_header *)b.out.buf;
	r.evsel = t.e;
	r.sample = &s;
	r.at = &at;
	r.whole = true;
	dump_text_put(&d, &r, &out);
	assert_memory_equal(strbuf_str(&out), "\n0x100@a\\x09b [0x60]: event: 9\n.\n", 33);
	assert_string_equal(strstr(strbuf_str(&out), "\n\n") + 2,
			    "1 7000 0x100 [0x60]: PERF_RECORD_SAMPLE(IP, 0x2): 5/6: 0x400100 "
			    "period: 0 addr: 0\n"
			    "... FP chain: nr:1\n.....  0: 0000000000400200\n"
			    "... intr regs: mask 0x100000001 ABI 64-bit\n"
			    ".... x0    0x0000000000000011\n.... pc    0x0000000000000022\n"
			    " .. data page size: 2M\n"
			    " ... thread: :6:6\n ...... dso: <not found>\n");
	strbuf_release(&out);
	pb_release(&b);
	dump_text_release(&d);
	evlist_release(&t.l);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),
		cmocka_unit_test(cut_everywhere),
		cmocka_unit_test(hex),
		cmocka_unit_test(sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
