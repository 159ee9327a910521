// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the records of memory of calls, and the programs that make them, where these can be
 * loaded. */
#include "base/compat.h"
#include "bpf/call-memory-internal.h"
#include "kernel/ring.h"
#include "events/config.h"
#include "events/parse.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#define PATH "/no/such/file"

/* ---- records ---- */

struct made {
	struct call_head head;
	struct call_piece_head first;
	u8 text[16];
	struct call_piece_head second;
	u8 word[8];
};

static struct made make(bool swap)
{
	struct made m = {
		.head = { sizeof(m), 2, 257, { 1, 0x1000, 3, 4, 5, 6 } },
		.first = { 0x1000, 14, 0 },
		.text = PATH,
		.second = { 0x2000, 8, 1 },
		.word = { 1, 2, 3, 4, 5, 6, 7, 8 },
	};

	if (!swap)
		return m;
	m.head.bytes = __builtin_bswap32(m.head.bytes);
	m.head.flags = __builtin_bswap32(m.head.flags);
	m.head.nr = (s64)__builtin_bswap64((u64)m.head.nr);
	for (int i = 0; i < CALL_ARGS; i++)
		m.head.args[i] = __builtin_bswap64(m.head.args[i]);
	m.first.addr = __builtin_bswap64(m.first.addr);
	m.first.size = __builtin_bswap32(m.first.size);
	m.second.addr = __builtin_bswap64(m.second.addr);
	m.second.size = __builtin_bswap32(m.second.size);
	m.second.out = __builtin_bswap32(m.second.out);
	return m;
}

static void test_record(void **state)
{
	for (int swap = 0; swap < 2; swap++) {
		struct made m = make(swap);
		struct call_record r;

		assert_true(call_record_read(&m, sizeof(m), swap, &r));
		assert_int_equal(r.head.nr, 257);
		assert_int_equal(r.head.args[1], 0x1000);
		assert_int_equal(r.head.flags, 2);
		assert_int_equal(r.nr, 2);
		assert_int_equal(r.v[0].addr, 0x1000);
		assert_int_equal(r.v[0].size, 14);
		assert_false(r.v[0].out);
		assert_string_equal((const char *)r.v[0].bytes, PATH);
		assert_int_equal(r.v[1].addr, 0x2000);
		assert_true(r.v[1].out);
		assert_int_equal(r.v[1].bytes[7], 8);
	}
}

/* Each cut, each damaged byte: what is read stays inside. */
static void test_damaged(void **state)
{
	const struct made m = make(false);
	struct call_record r;

	for (size_t size = 0; size < sizeof(m); size++) {
		u8 *copy = malloc(size + 1);

		memcpy(copy, &m, size);
		assert_false(call_record_read(copy, size, false, &r));
		free(copy);
	}
	for (size_t at = 0; at < sizeof(m); at++) {
		u8 *copy = malloc(sizeof(m));
		u32 sum = 0;

		memcpy(copy, &m, sizeof(m));
		copy[at] ^= 0xff;
		if (call_record_read(copy, sizeof(m), false, &r))
			for (u32 i = 0; i < r.nr; i++)
				for (u32 k = 0; k < r.v[i].size; k++)
					sum += r.v[i].bytes[k];
		assert_true(sum <= CALL_COPIES * CALL_COPY_MAX * 255);
		free(copy);
	}
}

/* ---- programs ---- */

struct run {
	struct sysroot sysroot;
	struct evlist list;
	struct kevents kevents;
	struct rings rings;
	struct int_list cpus, tids;
	struct call_memory memory;
	u32 begin, end; /* records */
	bool path, written;
};

static bool is_of(const struct evsel *e, u64 id)
{
	for (size_t i = 0; i < e->nr_ids; i++)
		if (e->ids[i] == id)
			return true;
	return false;
}

static void see(struct run *r, const void *rec, size_t size)
{
	const struct evsel *e = call_memory_event(&r->list);
	struct call_record record;
	struct sample s;

	if (((const wire_header *)rec)->type != PERF_RECORD_SAMPLE ||
	    sample_decode(&e->layout, rec, size, &s) || !is_of(e, s.id) || s.tid != (u32)gettid() ||
	    !call_record_read(s.raw, s.raw_size, false, &record))
		return;
	if (record.head.flags & CALL_AT_RETURN)
		r->end++;
	else
		r->begin++;
	for (u32 i = 0; i < record.nr; i++) {
		const struct call_piece *p = &record.v[i];

		r->path |= p->size == sizeof(PATH) && !memcmp(p->bytes, PATH, sizeof(PATH));
		r->written |= p->out && p->size == 8;
	}
}

static void read_rings(struct run *r)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < r->rings.nr; i++) {
		struct iovec iov[2];
		u64 head;
		int nr = ring_spans(&r->rings.v[i], iov, &head);
		size_t at = 0;

		strbuf_reset(&sb);
		for (int k = 0; k < nr; k++)
			strbuf_add(&sb, iov[k].iov_base, iov[k].iov_len);
		ring_consume(&r->rings.v[i], head);
		while (sb.len - at >= sizeof(wire_header)) {
			const wire_header *h = (const void *)(sb.buf + at);

			see(r, h, h->size);
			at += h->size;
		}
	}
	strbuf_release(&sb);
}

static void open_events(struct run *r, struct err *err)
{
	const struct open_opts o = { .sysroot = &r->sysroot, .cpus = &r->cpus, .tids = &r->tids };
	const struct sample_opts so = { .raw = true, .time = true, .count = 1, .identifier = true };
	const struct parse_env env = { .sr = NULL };
	struct parse_error pe;

	if (parse_events(&r->list, "raw_syscalls:sys_enter,raw_syscalls:sys_exit", &env, &pe))
		skip();
	call_memory_event_add(&r->list, false);
	evlist_configure(&r->list, &so);
	if (kevents_open(&r->kevents, &r->list, &o, err) ||
	    rings_map(&r->rings, &r->sysroot, &r->kevents, 16, true, err))
		skip();
}

/* Look at calls of this thread, or of no one. */
static void test_programs(void **state)
{
	static struct call_copies copies[512];
	struct run r = { .list = { 0 } };
	struct call_memory_opts o = { .sysroot = &r.sysroot,
				      .copies = copies,
				      .nr_calls = ARRAY_SIZE(copies),
				      .tids = &r.tids,
				      .inherit = true };
	struct err err = { 0 };
	int p[2], rc;

	copies[SYS_openat].v[0] = (struct call_copy){ CALL_COPY_STRING, 1, 0, false, 0, 100 };
	copies[SYS_pipe2].v[0] = (struct call_copy){ CALL_COPY_BYTES, 0, 0, true, 0, 8 };
	int_list_add(&r.tids, gettid());
	assert_int_equal(cpu_list_online(&r.sysroot, &r.cpus, &err), 0);
	for (size_t i = 0; i < r.cpus.nr; i++)
		o.cpus = MAX(o.cpus, (u32)r.cpus.v[i] + 1);
	rc = call_memory_open(&r.memory, &o, &err);
	if (rc == -EPERM || rc == -EACCES || rc == -EOPNOTSUPP)
		skip();
	if (rc)
		fail_msg("%s", err.msg);
	open_events(&r, &err);
	if (call_memory_start(&r.memory, &r.kevents, &r.list, &err))
		fail_msg("%s", err.msg);
	assert_true(openat(AT_FDCWD, PATH, O_RDONLY) < 0);
	assert_int_equal(pipe2(p, O_CLOEXEC), 0);
	read_rings(&r);
	assert_int_equal(r.begin, 1);
	assert_int_equal(r.end, 1);
	assert_true(r.path);
	assert_true(r.written);
	close(p[0]);
	close(p[1]);
	rings_release(&r.rings);
	kevents_release(&r.kevents);
	call_memory_close(&r.memory);
	evlist_release(&r.list);
	int_list_release(&r.cpus);
	int_list_release(&r.tids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
