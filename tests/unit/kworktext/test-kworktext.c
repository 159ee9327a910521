// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the tables of work as text: their order and names, sums, CPUs and tasks; and the words that
 * choose them. */
#include "base/compat.h"
#include "kworktext/kworktext-internal.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define ALL (KWORK_BIT(KWORK_CLASSES) - 1)

static const char *function_name(void *ctx, u64 address)
{
	return address == 0xf ? "a_function_with_a_name_that_is_long" : NULL;
}

static const struct kwork_item items[] = {
	{ KWORK_IRQ, 0, 36, 0, "disk", { 2, 3000000, 2000000, 1000000000, 1002000000 }, { 0 } },
	{ KWORK_SOFTIRQ,
	  1,
	  9,
	  0,
	  "RCU",
	  { 1, 5000000, 5000000, 3000000000, 3005000000 },
	  { 2, 8000, 6000, 2000000000, 2000006000 } },
	{ KWORK_WORKQUEUE, 0, 0x10, 0xf, "", { 9, 900, 100, 5, 105 }, { 1, 5000, 5000, 0, 5000 } },
	{ KWORK_WORKQUEUE, 0, 0x20, 0xe, "", { 1, 100, 100, 5, 105 }, { 0 } },
	{ KWORK_SOFTIRQ, 0, 11, 0, "", { 1, 100, 100, 5, 105 }, { 0 } },
};

#define RULE                                                                                       \
	" ----------------------------------------------------------------"                        \
	"----------------------------------------------------------------\n"
#define HEAD                                                                                       \
	"\n  Kwork Name                     | Cpu  | Total Runtime | Count     | Max runtime   | " \
	"Max runtime start   | Max runtime end     |\n" RULE
#define DELAYS                                                                                     \
	"\n  Kwork Name                     | Cpu  | Avg delay     | Count     | Max delay     | " \
	"Max delay start     | Max delay end       |\n" RULE
#define RCU                                                                                        \
	"  (s)RCU:9                       | 0001 |      5.000 ms |         1 |      5.000 ms |"    \
	"          3.000000 s |          3.005000 s |\n"
#define DISK                                                                                       \
	"  disk:36                        | 0000 |      3.000 ms |         2 |      2.000 ms |"    \
	"          1.000000 s |          1.002000 s |\n"
#define WORK(name)                                                                                 \
	"  " name " | 0000 |      0.001 ms |         9 |      0.000 ms |          0.000000 s |"    \
	"          0.000000 s |\n"
#define SHORT(name)                                                                                \
	"  " name " | 0000 |      0.000 ms |         1 |      0.000 ms |          0.000000 s |"    \
	"          0.000000 s |\n"
#define UNKNOWN SHORT("(w)0xe                        ")
#define NUMBER SHORT("(s):11                        ")

static const struct {
	const char *name;
	enum kwork_view view;
	const char *sort;
	struct kwork_show show;
	struct kwork_missing missing;
	const char *want;
} tables[] = {
	{ "runs",
	  KWORK_REPORT,
	  "runtime,max,count",
	  { 0 },
	  { .raises = 3 },
	  HEAD RCU DISK WORK("(w)a_function_with_a_name_tha ") UNKNOWN NUMBER RULE },
	{ "by number",
	  KWORK_REPORT,
	  "count",
	  { 0 },
	  { 0 },
	  HEAD WORK("(w)a_function_with_a_name_tha ") DISK RCU UNKNOWN NUMBER RULE },
	{ "whole names",
	  KWORK_REPORT,
	  "runtime",
	  { .whole = true, .name = "a_function_with_a_name_that_is_long" },
	  { 0 },
	  HEAD WORK("(w)a_function_with_a_name_that_is_long") RULE },
	{ "a name that nothing has", KWORK_REPORT, "max", { .name = "(s)RCU" }, { 0 }, HEAD RULE },
	{ "sums of what is shown",
	  KWORK_REPORT,
	  "max",
	  { .summary = true, .name = "RCU" },
	  { .unended = 1, .ends = 2 },
	  HEAD RCU RULE "  Total count            :         1\n"
			"  Total runtime   (msec) :     5.000 (50.000% load average)\n"
			"  Total time span (msec) :    10.000\n" RULE
			"  INFO: 3.000% skipped events (3 including 0 raise, 1 entry, 2 exit)\n" },
	{ "delays",
	  KWORK_LATENCY,
	  "avg,max,count",
	  { 0 },
	  { .raises = 1, .unraised = 2, .ends = 4 },
	  DELAYS
	  "  (w)a_function_with_a_name_tha  | 0000 |      0.005 ms |         1 |      0.005 ms |"
	  "          0.000000 s |          0.000005 s |\n"
	  "  (s)RCU:9                       | 0001 |      0.004 ms |         2 |      0.006 ms |"
	  "          2.000000 s |          2.000006 s |\n" RULE
	  "  INFO: 3.000% skipped events (3 including 1 raise, 2 entry, 0 exit)\n" },
};

static void check(const char *name, struct strbuf *got, const char *want)
{
	if (strcmp(strbuf_str(got), want))
		fail_msg("%s:\n%s", name, strbuf_str(got));
	strbuf_reset(got);
}

static void test_tables(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		struct kwork_show show = tables[i].show;
		const struct kwork_table t = {
			.view = tables[i].view,
			.show = &show,
			.symbols = { function_name },
			.items = items,
			.nr = ARRAY_SIZE(items),
			.missing = tables[i].missing,
			.events = 100,
			.time = 10000000,
		};

		assert_int_equal(
			kwork_order_parse(&show.order, tables[i].view, tables[i].sort, &err), 0);
		kwork_put_table(&t, &text);
		check(tables[i].name, &text, tables[i].want);
	}
	strbuf_release(&text);
}

static void test_cpus(void **state)
{
	static const struct kwork_cpu cpus[] = {
		{ .total = 10000000, .idle = 5000000, .irq = 100000, .softirq = 400000 },
		{ 0 },
		{ .total = 10000000 },
	};
	struct strbuf text = STRBUF_INIT;

	kwork_put_cpus(cpus, ARRAY_SIZE(cpus), &text);
	check("two of three", &text,
	      "\nTotal  :       20.000 ms, 2 cpus\n"
	      "%Cpu(s):  25.00% id,   0.50% hi,   2.00% si\n"
	      "%Cpu0   [|||||||||||||||                 50.00%]\n"
	      "%Cpu2   [|||||||||||||||||||||||||||||| 100.00%]\n");
	kwork_put_cpus(NULL, 0, &text);
	check("none", &text,
	      "\nTotal  :        0.000 ms, 0 cpus\n%Cpu(s):   0.00% id,   0.00% hi,   0.00% si\n");
	strbuf_release(&text);
}

#define TASKS                                                                                      \
	"\n       PID     %CPU           RUNTIME  COMMAND\n"                                       \
	"  ----------------------------------------------------\n"
#define TASK_A "         7   30.00%         3.000 ms  a\n"
#define TASK_B "         5   20.00%         2.000 ms  :5\n"
#define TASK_C "         6   30.00%         3.000 ms  c\\x1b\n"

static void test_tasks(void **state)
{
	struct kwork_task tasks[] = { { 5, 2000000, NULL },
				      { 7, 3000000, "a" },
				      { 6, 3000000, "c\x1b" } };
	struct strbuf text = STRBUF_INIT;
	struct kwork_order o;
	struct err err = { 0 };

	assert_int_equal(kwork_order_parse(&o, KWORK_TOP, "rate,runtime,tid", &err), 0);
	kwork_put_tasks(&o, tasks, ARRAY_SIZE(tasks), 10000000, &text);
	check("by rate", &text, TASKS TASK_C TASK_A TASK_B);
	assert_int_equal(kwork_order_parse(&o, KWORK_TOP, " tid, ", &err), 0);
	kwork_put_tasks(&o, tasks, ARRAY_SIZE(tasks), 10000000, &text);
	check("by tid", &text, TASKS TASK_B TASK_C TASK_A);
	strbuf_release(&text);
}

static void test_words(void **state)
{
	struct kwork_order o;
	struct strbuf words = STRBUF_INIT;
	struct err err = { 0 };
	u32 classes;

	assert_int_equal(kwork_classes_parse(&classes, "sched,irq, softirq workqueue", &err), 0);
	assert_int_equal(classes, ALL);
	assert_int_equal(kwork_classes_parse(&classes, "", &err), 0);
	assert_int_equal(classes, 0);
	assert_int_equal(kwork_classes_parse(&classes, "irq,soft", &err), -EINVAL);
	assert_string_equal(err.msg, "Unknown --kwork key: `soft'. There are irq, softirq, "
				     "workqueue, sched.");
	assert_int_equal(kwork_order_parse(&o, KWORK_REPORT, "avg", &err), -EINVAL);
	assert_string_equal(err.msg, "Unknown --sort key: `avg'. There are runtime, max, count.");
	assert_int_equal(kwork_order_parse(&o, KWORK_LATENCY, "max,max,max,max", &err), 0);
	assert_int_equal(o.nr, KWORK_KEYS);
	kwork_class_words(&words);
	check("classes", &words, "irq softirq workqueue sched");
	kwork_key_words(&words);
	check("keys", &words, "runtime max count avg rate tid");
	strbuf_release(&words);
}

/* ---- items that were counted elsewhere ---- */

static void test_counted(void **state)
{
	const struct kwork_show show = { .summary = false };
	struct kwork *k = kwork_new(&(struct kwork_conf){ 0 });
	struct kwork_counted counted = { k, 1000, function_name, NULL };
	struct strbuf out = STRBUF_INIT;

	kwork_add(k, &items[1]);
	kwork_add(k, &items[2]);
	kwork_table_put(&show, KWORK_REPORT, &counted, &out);
	assert_string_equal(strbuf_str(&out),
			    HEAD RCU WORK("(w)a_function_with_a_name_tha ") RULE "\n");
	strbuf_release(&out);
	kwork_free(k);
}

static void test_counted_shares(void **state)
{
	static const struct kwork_cpu cpus[] = { { 0 }, { 4000000, 1000000, 500000, 0 } };
	static const struct kwork_task tasks[] = { { 7, 2000000, "busy" }, { 8, 500000, NULL } };
	const struct kwork_shares shares = { cpus, 2, tasks, 2, 4000000 };
	struct kwork_show show = { .name = NULL };
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };

	assert_int_equal(kwork_order_parse(&show.order, KWORK_TOP, "rate", &err), 0);
	kwork_top_put(&show, &shares, &out);
	assert_non_null(strstr(strbuf_str(&out), "4.000 ms, 1 cpus\n"));
	assert_non_null(strstr(strbuf_str(&out), " 25.00% id,  12.50% hi,   0.00% si\n"));
	assert_non_null(strstr(strbuf_str(&out), "         7   50.00%         2.000 ms  busy\n"
						 "         0   25.00%         1.000 ms  swapper/1\n"
						 "         8   12.50%         0.500 ms  :8\n"));
	strbuf_reset(&out);
	show.name = "busy";
	kwork_top_put(&show, &shares, &out);
	assert_null(strstr(strbuf_str(&out), "swapper"));
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counted), cmocka_unit_test(test_counted_shares),
		cmocka_unit_test(test_tables),  cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_tasks),   cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
