// SPDX-License-Identifier: GPL-2.0-or-later
/* Test perf stat --iostat: root ports of a machine with two sockets, their events and the table. */
#include "base/compat.h"
#include "base/alloc.h"
#include "events/parse.h"
#include "stattext/iostat.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <cmocka.h>

#define PMU "sys/bus/event_source/devices/uncore_iio_"

/* Make a machine of two sockets with two PMUs each. */
static char *machine(void)
{
	static const char *const files[][2] = {
		{ PMU "0/die0", "0000:00\n" },
		{ PMU "0/die1", "0000:80\n" },
		{ PMU "1/die0", "0000:17\n" },
		{ PMU "1/die1", "0001:85\n" },
		{ PMU "0/type", "12\n" },
		{ PMU "1/type", "13\n" },
		{ PMU "0/cpumask", "0,1\n" },
		{ PMU "1/cpumask", "0,1\n" },
		{ PMU "0/format/event", "config:0-7\n" },
		{ PMU "0/format/umask", "config:8-15\n" },
		{ PMU "0/format/ch_mask", "config:36-43\n" },
		{ PMU "0/format/fc_mask", "config:44-46\n" },
		{ PMU "1/format/event", "config:0-7\n" },
		{ PMU "1/format/umask", "config:8-15\n" },
		{ PMU "1/format/ch_mask", "config:36-43\n" },
		{ PMU "1/format/fc_mask", "config:44-46\n" },
	};
	char *dir = tmp_dir();

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		tree_put(dir, files[i][0], files[i][1]);
	return dir;
}

static void test_ports(void **state)
{
	char *dir = machine();
	const struct sysroot sr = { dir }, none = { "/nonexistent" };
	struct strbuf text = STRBUF_INIT;
	struct iostat_ports p;
	struct err err = { 0 };

	assert_int_equal(iostat_scan(&p, &sr, NULL, &err), 0);
	iostat_list(&p, &text);
	assert_string_equal(strbuf_str(&text), "S0-uncore_iio_0<0000:00>\n"
					       "S1-uncore_iio_0<0000:80>\n"
					       "S0-uncore_iio_1<0000:17>\n"
					       "S1-uncore_iio_1<0001:85>\n");
	assert_int_equal(iostat_event(&p, &p.v[1]), 0);
	assert_int_equal(iostat_event(&p, &p.v[3]), 4);
	iostat_release(&p);

	assert_int_equal(iostat_scan(&p, &sr, "1:85,0:80", &err), 0);
	assert_int_equal(p.nr, 2);
	strbuf_reset(&text);
	iostat_list(&p, &text);
	assert_string_equal(strbuf_str(&text),
			    "S1-uncore_iio_0<0000:80>\nS1-uncore_iio_1<0001:85>\n");
	iostat_release(&p);

	assert_int_equal(iostat_scan(&p, &sr, "0000:17,0000:99", &err), -ENOENT);
	assert_non_null(strstr(err.msg, "no root port 0000:99"));
	iostat_release(&p);
	assert_int_equal(iostat_scan(&p, &sr, "17", &err), -EINVAL);
	assert_int_equal(iostat_scan(&p, &sr, "0000:100", &err), -EINVAL);
	assert_int_equal(iostat_scan(&p, &none, NULL, &err), -EOPNOTSUPP);
	assert_string_equal(err.msg, "Unsupported uncore pmu configuration");
	strbuf_release(&text);
	tmp_remove(dir);
}

/* The table has the columns of the manual page of 6.1. */
static void test_table(void **state)
{
	static const struct iostat_style columns = { 0 }, fields = { ",", true };
	static const struct cpu_place places[] = { { .cpu = 0, .socket = 0 },
						   { .cpu = 1, .socket = 1 } };
	char *dir = machine();
	const struct sysroot sr = { dir };
	const struct parse_env env = { .sr = &sr };
	struct strbuf text = STRBUF_INIT;
	bool unsupported[8] = { false };
	struct evlist l = { 0 };
	struct parse_error pe;
	struct iostat_ports p;
	struct stat_result r;
	struct aggr_map ids;
	struct err err = { 0 };

	assert_int_equal(iostat_scan(&p, &sr, "0:17,0:0,1:85", &err), 0);
	iostat_events(&p, &text);
	assert_int_equal(parse_events(&l, strbuf_str(&text), &env, &pe), 0);
	assert_int_equal(l.nr, 8);
	assert_int_equal(l.evsels[0]->attr.type, 12);
	assert_true(l.evsels[0]->attr.config == (0x83 | 4 << 8 | 0xfULL << 36 | 7ULL << 44));
	assert_true(l.evsels[7]->attr.config == (0xc0 | 1 << 8 | 0xfULL << 36 | 7ULL << 44));
	assert_int_equal(l.evsels[7]->attr.type, 13);

	aggr_map_init(&ids, AGGR_DIE, places, 2, 0);
	assert_int_equal(ids.nr, 2);
	stat_result_init(&r, &l, &ids, unsupported);
	for (size_t e = 0; e < 8; e++)
		for (size_t id = 0; id < 2; id++)
			*stat_value_at(&r, e, id) =
				(struct stat_value){ .val = (double)(e * 10 + id) * IOSTAT_PER_MB,
						     .enabled = 1,
						     .running = 1 };
	stat_value_at(&r, 4, 0)->val = 352552 * IOSTAT_PER_MB;
	stat_value_at(&r, 7, 1)->running = 0;
	strbuf_reset(&text);
	iostat_heading(&columns, &text);
	iostat_rows(&columns, &p, &r, 0, &text);
	assert_string_equal(
		strbuf_str(&text),
		"   port             Inbound Read(MB)    Inbound Write(MB)    Outbound Read(MB)   Outbound Write(MB) \n"
		"0000:00                    0                   10                   20                   30 \n"
		"0000:17               352552                   50                   60                   70 \n"
		"0001:85                   41                   51                   61        <not counted> \n");
	strbuf_reset(&text);
	iostat_heading(&fields, &text);
	iostat_rows(&fields, &p, &r, 1500000000, &text);
	assert_non_null(strstr(strbuf_str(&text), "time,port,Inbound Read(MB),Inbound Write(MB),"));
	assert_non_null(
		strstr(strbuf_str(&text), "     1.500000000,0001:85,41,51,61,<not counted>\n"));
	stat_result_release(&r);
	aggr_map_release(&ids);
	evlist_release(&l);
	iostat_release(&p);
	strbuf_release(&text);
	tmp_remove(dir);
}

static void test_choice(void **state)
{
	assert_true(iostat_is_choice("list"));
	assert_true(iostat_is_choice("0000:17,0:3a"));
	assert_false(iostat_is_choice("-a"));
	assert_false(iostat_is_choice("17"));
	assert_false(iostat_is_choice("sched:sched_switch"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ports),
		cmocka_unit_test(test_choice),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
