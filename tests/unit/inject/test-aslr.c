// SPDX-License-Identifier: GPL-2.0-or-later
/* Test recordings without the addresses of their machine: no byte of any is left. */
#include "base/compat.h"
#include "base/alloc.h"
#include "base/sysroot.h"
#include "inject/aslr-internal.h"
#include "inject/run.h"
#include "wire/encode.h"
#include "drive.h"
#include "pdata-build.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |                  \
	 PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK |               \
	 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_INTR |                  \
	 PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_RAW)

/* No new address begins as one of these. */
#define USER 0x00007fda12340000ULL
#define EXE 0x00005596abcd0000ULL
#define HEAP 0x000055dcba980000ULL
#define KERNEL 0xffffffff9abc0000ULL
#define BPF 0xffffffffc0de0000ULL
#define PHYS 0x0000001234560000ULL
static const u64 originals[] = { USER, EXE, HEAP, KERNEL, BPF, PHYS };

static const struct perf_event_attr attr = {
	.type = PERF_TYPE_BREAKPOINT,
	.sample_type = ST,
	.sample_id_all = true,
	.size = sizeof(attr),
	.sample_regs_user = 3,
	.sample_regs_intr = 1,
	.sample_stack_user = 16,
	.bp_addr = HEAP,
};

/* A record of the builder, from the encoder of perf. */
static void add(struct pb *b, u32 type, u16 misc, const void *vals, const struct wire_layout *l)
{
	const struct sample_id id = { .pid = 10, .tid = 10, .time = 900, .id = 7 };
	size_t at = b->out.len;

	assert_int_equal(enc_record(&b->out, type, misc, vals, l, &id), 0);
	if (b->swap)
		record_unswap(l, b->out.buf + at, b->out.len - at);
}

static void add_map(struct pb *b, u32 pid, u16 misc, u64 start, u64 pgoff, const char *name,
		    const struct wire_layout *l)
{
	const struct rec_mmap m = { .pid = pid,
				    .tid = pid,
				    .start = start,
				    .len = 0x10000,
				    .pgoff = pgoff,
				    .prot = 4,
				    .filename = name };

	add(b, PERF_RECORD_MMAP2, misc, &m, l);
}

static void add_sample(struct pb *b, u32 pid, const struct wire_layout *l)
{
	const u64 chain[] = { (u64)PERF_CONTEXT_KERNEL, KERNEL + 0x1234, BPF + 0x99,
			      (u64)PERF_CONTEXT_USER,   EXE + 0x4567,    USER + 0x890 };
	const u64 branches[] = { EXE + 0x10, KERNEL + 0x20, 1, USER + 5, HEAP + 6, 2 };
	const u64 words[] = { USER + 0x30, HEAP };
	const u64 raw[] = { KERNEL + 0x77, HEAP + 0x3000 };
	const struct sample s = { .misc = PERF_RECORD_MISC_KERNEL,
				  .cpumode = PERF_RECORD_MISC_KERNEL,
				  .pid = pid,
				  .tid = pid,
				  .time = 1000,
				  .id = 7,
				  .ip = KERNEL + 0x1234,
				  .addr = HEAP + 0x1008,
				  .callchain = (const u64_una *)chain,
				  .nr_callchain = ARRAY_SIZE(chain),
				  .branches = (const u64_una *)branches,
				  .nr_branches = 2,
				  .raw = raw,
				  .raw_size = sizeof(raw),
				  .user_regs = { 2, 3, (const u64_una *)words },
				  .intr_regs = { 2, 1, (const u64_una *)words },
				  .user_stack = words,
				  .user_stack_size = sizeof(words),
				  .user_stack_dyn = sizeof(words),
				  .phys_addr = PHYS + 0x123 };
	size_t at = b->out.len;

	assert_int_equal(enc_sample(&b->out, l, &s), 0);
	if (b->swap)
		record_unswap(l, b->out.buf + at, b->out.len - at);
}

static void build(struct pb *b, bool swap, bool pipe)
{
	const struct pb_event ev = {
		.attr = attr, .ids = { 7 }, .nr_ids = 1, .name = "mem:0x55dcba980000:rw"
	};
	const struct rec_ksymbol k = { .addr = BPF, .len = 0x200, .type = 1, .name = "bpf_prog_x" };
	const struct rec_ksymbol gone = {
		.addr = BPF, .len = 0x200, .type = 1, .flags = 1, .name = "bpf_prog_x"
	};
	const struct rec_task fork = { .pid = 11, .ppid = 10, .tid = 11, .ptid = 10, .time = 950 };
	const struct rec_deferred later = { .cookie = 5,
					    .nr = 2,
					    .ips = (const u64_una *)(const u64[]){
						    (u64)PERF_CONTEXT_USER, USER + 0x100 } };
	const struct rec_text_poke poke = { .addr = KERNEL + 0x50 };
	struct wire_layout l;

	layout_init(&l, &attr);
	pb_start(b, swap, pipe, &ev, 1);
	add_map(b, -1U, PERF_RECORD_MISC_KERNEL, KERNEL, KERNEL, "[kernel.kallsyms]_text", &l);
	add_map(b, 10, PERF_RECORD_MISC_USER, EXE, 0x4000, "/no/exe", &l);
	add_map(b, 10, PERF_RECORD_MISC_USER, USER, 0, "/no/lib", &l);
	add_map(b, 10, PERF_RECORD_MISC_USER, HEAP + 0x80000, HEAP + 0x80000, "//anon", &l);
	add_map(b, 10, PERF_RECORD_MISC_USER, HEAP + 0x90000, HEAP, "[stack]", &l);
	add(b, PERF_RECORD_KSYMBOL, PERF_RECORD_MISC_KERNEL, &k, &l);
	add(b, PERF_RECORD_FORK, 0, &fork, &l);
	add_sample(b, 10, &l);
	add_sample(b, 11, &l);
	add_sample(b, 12, &l); /* no mapping of it is known */
	add(b, PERF_RECORD_CALLCHAIN_DEFERRED_, PERF_RECORD_MISC_USER, &later, &l);
	add(b, PERF_RECORD_TEXT_POKE, PERF_RECORD_MISC_KERNEL, &poke, &l);
	add(b, PERF_RECORD_KSYMBOL, PERF_RECORD_MISC_KERNEL, &gone, &l);
	pb_round(b);
	pb_event_desc(b, &ev, 1);
	pb_feature_str(b, HEADER_BPF_PROG_INFO, "\xde\xc0\xff\xff\xff\xff addresses");
	pb_finish(b);
}

/* Count the words of 64 bits, at any byte and of both byte orders, that are originals but for the
 * low 16 bits. */
static size_t found(const struct strbuf *bytes)
{
	size_t nr = 0;

	for (size_t at = 0; at + sizeof(u64) <= bytes->len; at++) {
		u64 v = *(const u64_una *)(bytes->buf + at), other = __builtin_bswap64(v);

		for (size_t i = 0; i < ARRAY_SIZE(originals); i++)
			nr += v >> 16 == originals[i] >> 16 || other >> 16 == originals[i] >> 16;
	}
	return nr;
}

struct seen {
	u64 starts[8], symbol;
	size_t nr_maps, nr_ips;
	bool plain;
};

static int on_event(void *ctx, const struct session_event *ev, struct err *err)
{
	struct seen *seen = ctx;
	struct rec_ksymbol k;
	struct rec_mmap m;

	if (!ev->sample && ev->hdr->type == PERF_RECORD_MMAP2) {
		assert_int_equal(rec_mmap_decode(ev->hdr, ev->hdr->size, &m), 0);
		assert_in_range(seen->nr_maps, 0, 7);
		seen->starts[seen->nr_maps++] = m.start;
		if (m.pid == -1U)
			assert_int_equal(m.pgoff, m.start);
	} else if (!ev->sample && ev->hdr->type == PERF_RECORD_KSYMBOL) {
		assert_int_equal(rec_ksymbol_decode(ev->hdr, ev->hdr->size, &k), 0);
		assert_true(!seen->symbol || seen->symbol == k.addr);
		seen->symbol = k.addr;
	}
	return 0;
}

static int on_format(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct seen *seen = ctx;
	const struct sample *s = ev->sample;

	if (!s)
		return on_event(ctx, ev, err);
	seen->plain = !s->user_regs.mask && !s->intr_regs.mask && !s->user_stack && !s->phys_addr &&
		      s->raw_size >= 16 && !*(const u64_una *)s->raw;
	assert_int_equal(s->nr_callchain, 6);
	assert_true(s->callchain[0] == (u64)PERF_CONTEXT_KERNEL);
	assert_true(s->ip == seen->starts[0] + 0x1234 && s->callchain[1] == s->ip);
	assert_true(s->callchain[2] == seen->symbol + 0x99);
	assert_true(s->branches[2] == 1 && s->branches[1] == seen->starts[0] + 0x20);
	assert_int_equal(s->addr & 0xfff, 8);
	assert_true(s->branches[4] >> 12 != s->addr >> 12);
	if (s->pid == 12)
		return 0;
	assert_true(s->callchain[4] == seen->starts[1] + 0x4567);
	assert_true(s->callchain[5] == seen->starts[2] + 0x890);
	assert_true(s->branches[0] == seen->starts[1] + 0x10);
	seen->nr_ips++;
	return 0;
}

static int no_state(void *ctx, const struct session_event *ev, struct err *err)
{
	return 0;
}

static void check(bool swap, bool pipe)
{
	static const struct session_ordered_ops ops = { .state = { .state = no_state },
							.format = on_format,
							.all = true };
	char *dir = tmp_dir(), *out = xasprintf("%s/out", dir), path[64];
	const struct sysroot real = { "" };
	struct inject_options o = { .rec.buildid_dir = "", .output = out, .aslr = true };
	struct strbuf bytes = STRBUF_INIT;
	struct seen seen = { 0 };
	struct err err = { 0 };
	struct inject in;
	struct session s;
	struct pb b;
	int fd;

	build(&b, swap, pipe);
	assert_in_range(found(&b.out), 50, 200);
	o.rec.input = pb_save(b.out.buf, b.out.len, &fd, path);
	assert_int_equal(inject_open(&in, &o, NULL, &err), 0);
	assert_int_equal(inject_run(&in, &err), 0);
	inject_close(&in);
	pb_unsave(fd);
	pb_release(&b);

	assert_true(!sysroot_read_max(&real, 1 << 20, &bytes, "%s", out));
	assert_int_equal(found(&bytes), 0);
	assert_null(memmem(bytes.buf, bytes.len, "55dcba98", 8));
	assert_int_equal(session_open(&s, out, true, &err), 0);
	assert_int_equal(session_ordered(&s, &ops, &seen, 1, &err), 0);
	assert_int_equal(seen.nr_maps, 5);
	assert_int_equal(seen.nr_ips, 2);
	assert_true(seen.plain);
	session_close(&s);
	strbuf_release(&bytes);
	free(out);
	tmp_remove(dir);
}

static void test_bytes(void **state)
{
	check(false, false);
	check(false, true);
	check(true, false);
	check(true, true);
}

/* Mappings over others, and what is left of those. */
static void test_space(void **state)
{
	struct shifted_space s, child = { 0 };
	u64 first, second, heap;

	shifted_init(&s, false);
	heap = shifted_addr(&s, 0x5000123);
	assert_int_equal(heap & 0xfff, 0x123);
	assert_int_equal(shifted_addr(&s, 0x5000fff), (heap & ~0xfffULL) + 0xfff);
	first = shifted_map(&s, 0x10000, 0x9000, false);
	second = shifted_map(&s, 0x12000, 0x3000, false);
	assert_true(second >= first + 0x9000);
	assert_true(shifted_addr(&s, 0x11fff) == first + 0x1fff);
	assert_true(shifted_addr(&s, 0x12000) == second);
	assert_true(shifted_addr(&s, 0x14fff) == second + 0x2fff);
	assert_true(shifted_addr(&s, 0x15000) == first + 0x5000);
	assert_null(shifted_find(&s, 0x19000));
	shifted_copy(&child, &s);
	shifted_map(&s, 0x8000, 0x20000, false);
	assert_int_equal(s.nr, 1);
	assert_true(shifted_addr(&child, 0x15000) == first + 0x5000);
	shifted_map(&s, 0x9000, 0, false); /* up to the end of all addresses */
	assert_non_null(shifted_find(&s, UINT64_MAX - 1));
	assert_int_equal(s.nr, 2);
	shifted_release(&s);
	shifted_release(&child);
}

static const char format[] =
	"name: one\nID: 9\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:void * p;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 count;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:long ret;\toffset:24;\tsize:8;\tsigned:1;\n"
	"\tfield:unsigned long pfn;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long args[2];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\nprint fmt: \"%d\", 1\n";

/* A field of a tracepoint has an address or another number. */
static void test_payload(void **state)
{
	struct shifted_space user, kernel;
	const struct aslr_payload pl = { .p = { &user, &kernel } };
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct err err = { 0 };
	const struct tf_event *ev =
		tracefmt_add(tf, "raw_syscalls", format, sizeof(format) - 1, &err);
	u64 raw[] = { 9, HEAP + 1, 4711, (u64)-38, 0x12345, 3, USER + 2 }, was[ARRAY_SIZE(raw)];

	assert_non_null(ev);
	memcpy(was, raw, sizeof(raw));
	shifted_init(&user, false);
	shifted_init(&kernel, true);
	aslr_raw(&pl, ev, (u8 *)raw, sizeof(raw));
	assert_true(raw[1] >> 12 != was[1] >> 12 && (raw[1] & 0xfff) == 1);
	assert_true(raw[6] >> 12 != was[6] >> 12 && (raw[6] & 0xfff) == 2);
	assert_int_equal(raw[2], 4711);
	assert_true(raw[3] == (u64)-38);
	assert_true(raw[4] != was[4] && raw[4] < 100);
	assert_int_equal(raw[5], 3);
	aslr_raw(&pl, ev, (u8 *)raw, 20); /* cut off */
	aslr_raw(&pl, NULL, (u8 *)raw, sizeof(raw));
	for (size_t i = 0; i < ARRAY_SIZE(raw); i++)
		assert_int_equal(raw[i], 0);
	shifted_release(&user);
	shifted_release(&kernel);
	tracefmt_free(tf);
}

/* Additions that have addresses come before. */
static void test_refused(void **state)
{
	struct inject_options o = { .output = "/dev/null", .aslr = true, .merge_jit = true };
	struct err err = { 0 };
	struct inject in;
	char path[64];
	struct pb b;
	int fd;

	build(&b, false, false);
	o.rec.input = pb_save(b.out.buf, b.out.len, &fd, path);
	assert_int_equal(inject_open(&in, &o, NULL, &err), 0);
	assert_true(inject_run(&in, &err) < 0);
	assert_non_null(strstr(err.msg, "--aslr goes with"));
	inject_close(&in);
	pb_unsave(fd);
	pb_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_space),
		cmocka_unit_test(test_payload),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
