// SPDX-License-Identifier: GPL-2.0-or-later
/* Test events of the tracer blk, whose format the kernel does not tell: as text and as JSON, whole
 * and cut off. */
#include "base/compat.h"
#include "ftracerun/run-internal.h"

#include <linux/blktrace_api.h>
#include <setjmp.h>

#include <cmocka.h>

#define TYPE 14
#define FLAG(name) BLK_TC_ACT((u32)BLK_TC_##name)

/* An event of the ring: what all begin with, then a record of blktrace from its time on. */
struct raw {
	u16 type;
	u8 flags, preempt;
	s32 pid;
	u64 time, sector;
	u32 bytes, action, task, device, cpu;
	u16 error, payload_len;
	char payload[16];
} __attribute__((packed));

static struct run make_run(void)
{
	static const char next[] = "name: bputs\nID: 15\nformat:\n"
				   "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
				   "\nprint fmt: \"%ps\", (void *)REC->ip\n";
	struct run r = { .text.formats = tracefmt_new(false, 8) };

	tracefmt_add(r.text.formats, "ftrace", next, strlen(next), NULL);
	task_names_read(&r.text.names, "7 dd\n");
	frun_expect_blocks(&r);
	return r;
}

static void check(struct run *r, const struct raw *raw, bool json, const char *want)
{
	const size_t size = offsetof(struct raw, payload) + raw->payload_len;
	struct fmerge_event ev = { { 5, (const u8 *)raw, (u32)size }, 1, false, 0 };
	struct strbuf out = STRBUF_INIT;

	/* The run was returned by value. */
	r->text.ctx = r;
	(json ? ftext_json : ftext_event)(&r->text, &ev, &out);
	assert_string_equal(strbuf_str(&out), want);
	strbuf_release(&out);
}

static void test_events(void **state)
{
	struct run r = make_run();
	struct raw w = { .type = TYPE,
			 .pid = 7,
			 .sector = 100,
			 .bytes = 4096,
			 .action = BLK_TA_QUEUE | FLAG(WRITE) | FLAG(SYNC),
			 .task = 7,
			 .device = 8 << 20 | 1 };

	check(&r, &w, false, "  8,1    Q  WS 100 + 8 [dd]");
	w.action = BLK_TA_COMPLETE | FLAG(READ);
	w.error = (u16)-5;
	check(&r, &w, false, "  8,1    C   R 100 + 8 [-5]");
	check(&r, &w, true,
	      "{\"time\":5,\"cpu\":1,\"pid\":7,\"comm\":\"dd\",\"event\":\"ftrace:blk\",\"fields\":"
	      "{\"device\":\"8,1\",\"action\":\"C\",\"rwbs\":\"R\",\"sector\":100,\"sectors\":8,"
	      "\"error\":-5}}\n");
	w.action = BLK_TN_MESSAGE;
	w.payload_len = 9;
	memcpy(w.payload, "hello \"\n!", 9);
	check(&r, &w, false, "  8,1    m   N hello \"?!");
	check(&r, &w, true,
	      "{\"time\":5,\"cpu\":1,\"pid\":7,\"comm\":\"dd\",\"event\":\"ftrace:blk\",\"fields\":"
	      "{\"device\":\"8,1\",\"action\":\"m\",\"message\":\"hello \\\"\\n!\"}}\n");
	assert_int_equal(r.text.unknown, 0);
	/* It is an event of somebody else, or a kind of record that is not known. */
	w.type = TYPE + 5;
	check(&r, &w, false, "Unknown type 19");
	w.type = TYPE;
	w.action = 200;
	check(&r, &w, false, "Unknown type 14");
	check(&r, &w, true, "");
	assert_int_equal(r.text.unknown, 3);
	tracefmt_free(r.text.formats);
	ftext_release(&r.text);
}

static void test_cut(void **state)
{
	struct run r = make_run();
	struct raw w = { .type = TYPE, .action = BLK_TN_MESSAGE, .payload_len = 16 };

	r.text.ctx = &r;
	for (u32 size = 0; size < sizeof(w); size++) {
		const struct fmerge_event ev = { { 5, (const u8 *)&w, size }, 1, false, 0 };
		struct strbuf out = STRBUF_INIT;

		ftext_json(&r.text, &ev, &out);
		assert_int_equal(out.len, 0);
		strbuf_release(&out);
	}
	tracefmt_free(r.text.formats);
	ftext_release(&r.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
