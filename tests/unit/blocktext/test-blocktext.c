// SPDX-License-Identifier: GPL-2.0-or-later
/* Test words of options, names of devices, lines and counts of blkparse, and formats. */
#include "base/compat.h"
#include "blocktext/parse-internal.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

static void test_words(void **state)
{
	enum block_span span = BLOCK_Q2G;
	struct err err = { 0 };
	u32 by = 0;

	assert_int_equal(block_by_parse(&by, "task,dev", &err), 0);
	assert_int_equal(by, BLOCK_BY_TASK | BLOCK_BY_DEV);
	assert_int_equal(block_by_parse(&by, " stack, op cgroup", &err), 0);
	assert_int_equal(by, BLOCK_BY_STACK | BLOCK_BY_OP | BLOCK_BY_CGROUP);
	assert_int_equal(block_by_parse(&by, "task,de", &err), -EINVAL);
	assert_string_equal(err.msg, "Unknown --by key: `de'. There are: dev task op cgroup stack");
	assert_int_equal(block_by_parse(&by, "", &err), -EINVAL);
	assert_int_equal(block_span_parse(&span, "d2c", &err), 0);
	assert_int_equal(span, BLOCK_D2C);
	assert_int_equal(block_span_parse(&span, "Q2C", &err), 0);
	assert_int_equal(span, BLOCK_Q2C);
	assert_int_equal(block_span_parse(&span, "q2", &err), -EINVAL);
}

/* ---- devices ---- */

static void test_devices(void **state)
{
	char *root = tmp_dir();
	struct block_devices d = { 0 };
	struct block_names names = { 0 };
	struct sysroot sr = { root };
	struct err err = { 0 };

	tree_put(root, "/sys/class/block/sda/dev", "8:0\n");
	tree_put(root, "/sys/class/block/sda/sda1/dev", "8:1\n");
	tree_put(root, "/sys/class/block/sda/sda2/dev", "259:3\n");
	tree_put(root, "/sys/class/block/sda/queue/dev", "9:9\n");
	tree_put(root, "/sys/dev/block/8:0/uevent",
		 "MAJOR=8\nMINOR=0\nDEVNAME=sda\nDEVTYPE=disk\n");
	assert_true(block_devices_has(&d, 4711));
	assert_int_equal(block_devices_add(&d, &sr, "/dev/sda", &err), 0);
	assert_int_equal(d.nr, 3);
	assert_true(block_devices_has(&d, block_dev(8, 0)));
	assert_true(block_devices_has(&d, block_dev(8, 1)));
	assert_true(block_devices_has(&d, block_dev(259, 3)));
	assert_false(block_devices_has(&d, block_dev(9, 9)));
	assert_int_equal(d.nr_disks, 0);
	block_devices_release(&d);
	tree_put(root, "/sys/dev/block/259:3/partition", "2\n");
	tree_put(root, "/sys/dev/block/dev", "8:0\n"); /* of the folder above it */
	assert_int_equal(block_devices_add(&d, &sr, "259:3", &err), 0);
	assert_false(block_devices_has(&d, block_dev(8, 0)));
	assert_int_equal(d.nr_disks, 1);
	assert_int_equal(d.disks[0], block_dev(8, 0));
	assert_int_equal(block_devices_add(&d, &sr, "7:1", &err), 0);
	assert_int_equal(block_devices_add(&d, &sr, "253,1048575", &err), 0);
	assert_true(block_devices_has(&d, block_dev(253, 1048575)));
	assert_int_equal(block_devices_add(&d, &sr, "7:", &err), -ENODEV);
	assert_int_equal(block_devices_add(&d, &sr, "4096:0", &err), -ENODEV);
	assert_int_equal(block_devices_add(&d, &sr, "7:0x", &err), -ENODEV);
	assert_int_equal(block_devices_add(&d, &sr, "sdb", &err), -ENODEV);
	assert_non_null(strstr(err.msg, "'sdb'"));
	names.sysroot = &sr;
	assert_string_equal(block_name(&names, block_dev(8, 0)), "sda");
	assert_string_equal(block_name(&names, block_dev(8, 1)), "8,1");
	block_names_set(&names, block_dev(8, 1), "part");
	assert_string_equal(block_name(&names, block_dev(8, 1)), "part");
	block_names_release(&names);
	block_devices_release(&d);
	tmp_remove(root);
}

/* ---- lines ---- */

#define EVENT(what, ...)                                                                           \
	{                                                                                          \
		.action = what, .dev = 0x800000, .cpu = 3, .tid = 697, .comm = "jbd2",             \
		.comm_len = 4, __VA_ARGS__                                                         \
	}

static const struct {
	struct block_event ev;
	bool has_elapsed;
	const char *want; /* behind the head */
} lines[] = {
	{ EVENT(BLOCK_QUEUE, .sector = 9, .sectors = 8, .rwbs = "WS"), false,
	  " Q  WS 9 + 8 [jbd2]\n" },
	{ EVENT(BLOCK_QUEUE, .rwbs = "FWS"), false, " Q FWS [jbd2]\n" },
	{ EVENT(BLOCK_ISSUE, .sector = 9, .sectors = 8, .rwbs = "WFSM"), true,
	  " D WFSM 9 + 8 (   70000) [jbd2]\n" },
	{ EVENT(BLOCK_COMPLETE, .sector = 9, .sectors = 8, .rwbs = "R", .error = -5), true,
	  " C   R 9 + 8 (   70000) [-5]\n" },
	{ EVENT(BLOCK_COMPLETE, .sector = UINT64_MAX, .rwbs = "FF"), false,
	  " C  FF 18446744073709551615 [0]\n" },
	{ EVENT(BLOCK_BACK_MERGE, .sector = 9, .sectors = 8, .rwbs = "RA"), false,
	  " M  RA 9 + 8 [jbd2]\n" },
	{ EVENT(BLOCK_PLUG), false, " P   N [jbd2]\n" },
	{ EVENT(BLOCK_UNPLUG, .requests = 3), false, " U   N [jbd2] 3\n" },
	{ EVENT(BLOCK_UNPLUG_TIMER, .requests = 3), false, "UT   N [jbd2] 3\n" },
	{ EVENT(BLOCK_SPLIT, .sector = 9, .rwbs = "R", .other = 16), false,
	  " X   R 9 / 16 [jbd2]\n" },
	{ EVENT(BLOCK_REMAP, .sector = 9, .sectors = 8, .rwbs = "R", .old_dev = 0x800001,
		.other = 1),
	  false, " A   R 9 + 8 <- (8,1) 1\n" },
	{ { .action = BLOCK_QUEUE,
	    .dev = 0x800000,
	    .cpu = 3,
	    .tid = 697,
	    .sector = 9,
	    .sectors = 8,
	    .rwbs = "R" },
	  false,
	  " Q   R 9 + 8 [unknown]\n" },
};

static void test_lines(void **state)
{
	static const char head[] = "  8,0    3       17     1.000000042   697 ";
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		const struct block_line line = { &lines[i].ev, 17, 1000000042, lines[i].has_elapsed,
						 70000 };

		strbuf_reset(&out);
		block_line_put(&line, &out);
		assert_memory_equal(strbuf_str(&out), head, strlen(head));
		assert_string_equal(strbuf_str(&out) + strlen(head), lines[i].want);
	}
	strbuf_reset(&out);
	block_message_put(&lines[0].ev, 5, "cfq idle\nleft out", 8, &out);
	assert_string_equal(strbuf_str(&out),
			    "  8,0    3        0     0.000000005     0  m   N cfq idle\n");
	strbuf_release(&out);
}

static void test_formats(void **state)
{
	const struct block_line line = { &lines[3].ev, 17, 1000000042, true, 70000 };
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };

	assert_int_equal(block_format_check("%D %2c %-12C|%e%%\\n", &err), 0);
	block_line_format(&line, "%D %2c %-12C|%e %5a %u %T.%t%%\\n\\q\\", &out);
	assert_string_equal(strbuf_str(&out),
			    "  8,0    3 jbd2        |-5     C 70 1.000000042%\nq\\");
	assert_int_equal(block_format_check("%z", &err), -EINVAL);
	assert_int_equal(block_format_check("%", &err), -EINVAL);
	assert_int_equal(block_format_check("%12", &err), -EINVAL);
	assert_int_equal(block_format_check("%99999999999a", &err), -EINVAL);
	strbuf_release(&out);
}

/* ---- counts ---- */

static void test_counts(void **state)
{
	static const struct block_event events[] = {
		EVENT(BLOCK_QUEUE, .sectors = 8, .rw = { BLOCK_WRITE, 0 }),
		EVENT(BLOCK_ISSUE, .sectors = 8, .rw = { BLOCK_WRITE, 0 }),
		EVENT(BLOCK_REQUEUE, .sectors = 8, .rw = { BLOCK_WRITE, 0 }),
		EVENT(BLOCK_ISSUE, .sectors = 8, .rw = { BLOCK_WRITE, 0 }),
		EVENT(BLOCK_COMPLETE, .time = 2000000, .sectors = 8, .rw = { BLOCK_WRITE, 0 }),
		EVENT(BLOCK_UNPLUG, .requests = 1),
	};
	static const char want[] =
		"CPU3 (8,0):\n"
		" Reads Queued:           0,        0KiB\t Writes Queued:           1,        4KiB\n"
		" Read Dispatches:        0,        0KiB\t Write Dispatches:        2,        4KiB\n"
		" Reads Requeued:         0\t\t Writes Requeued:         1\n"
		" Reads Completed:        0,        0KiB\t Writes Completed:        1,        4KiB\n"
		" Read Merges:            0,        0KiB\t Write Merges:            0,        0KiB\n"
		" Read depth:             0        \t Write depth:             1\n"
		" IO unplugs:             1        \t Timer unplugs:           0\n"
		"\nThroughput (R/W): 0KiB/s / 2000KiB/s\n"
		"Events (8,0): 6 entries\n"
		"Skips: 1 forward (4 -  40.0%)\n";
	struct block_tallies t = { 0 };
	struct block_names names = { 0 };
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		struct block_tally *of = block_tally_of(&t, events[i].dev);

		block_tally_add(of, &events[i], block_tally_next(of, 3) + (i == 2 ? 4 : 0));
	}
	block_tallies_put(&t, &names, 0, &out);
	assert_string_equal(strbuf_str(&out), want);
	block_tallies_release(&t);
	block_names_release(&names);
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),  cmocka_unit_test(test_devices),
		cmocka_unit_test(test_lines),  cmocka_unit_test(test_formats),
		cmocka_unit_test(test_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
