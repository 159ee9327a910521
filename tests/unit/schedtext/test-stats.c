// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of the scheduler as tables and as JSON. */
#include "base/compat.h"
#include "schedtext/stats.h"

#include <setjmp.h>

#include <cmocka.h>

static const struct stats_look plain, legend = { .legend = true }, json = { .json = true };

/* The machine has one CPU in one domain. */
static void make(struct schedstat *s, u32 version, char *name)
{
	const struct env_domain is = { 3, 0, name, "8", "3" };
	struct schedstat_domain *d;
	struct schedstat_cpu *c;

	*s = (struct schedstat){ .version = version, .jiffies = 1000 };
	c = schedstat_add_cpu(s, 3);
	c->v[SCHEDSTAT_SCHEDULES] = 8;
	c->v[SCHEDSTAT_IDLES] = 2;
	d = schedstat_add_domain(s, &is);
	d->v[BALANCE_COUNT] = 10;
	d->v[BALANCE_BALANCED] = 5;
	d->v[BALANCE_FAILED] = 1;
	d->v[BALANCE_GAINED] = 6;
}

static void has(const struct strbuf *text, const char *part)
{
	if (!strstr(strbuf_str(text), part))
		fail_msg("no \"%s\" in:\n%s", part, strbuf_str(text));
}

static void test_report(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct schedstat s;

	make(&s, 17, "MC\033[2J");
	schedstat_text(&s, NULL, &plain, &text);
	has(&text,
	    "calls of schedule() that left the CPU idle            :            2  (    25.00% )\n");
	has(&text,
	    "balancing while the CPU was busy                      :           10  $      100.00 $\n");
	has(&text, "* balancings that moved tasks                         :            4\n");
	has(&text, "* tasks pulled by each of these                       :         1.50\n");
	has(&text, "imbalance of load ");
	assert_null(strstr(strbuf_str(&text), "sum of the imbalances"));
	has(&text, "CPU 3, DOMAIN MC");
	/* Names come from a file, and do not reach the terminal as they are. */
	assert_null(strchr(strbuf_str(&text), '\033'));
	assert_null(strstr(strbuf_str(&text), "sched_goidle"));
	strbuf_reset(&text);
	schedstat_text(&s, NULL, &legend, &text);
	has(&text, "sched_goidle           calls of schedule() that left the CPU idle\n");
	schedstat_release(&s);
	strbuf_release(&text);
}

/* Two kernels: a domain without a name is the same as one that has one. */
static void test_diff(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct schedstat a, b;

	make(&a, 15, NULL);
	make(&b, 17, "MC");
	b.cpus[0].v[SCHEDSTAT_SCHEDULES] = 6;
	b.cpus[0].v[SCHEDSTAT_WAKEUPS] = 1;
	b.jiffies = 500;
	schedstat_text(&a, &b, &plain, &text);
	has(&text, ":         1000,          500\n");
	has(&text, ":            8,            6 |    -25.00% |\n");
	has(&text, ":            2,            2 |     +0.00% |  (    25.00%,    33.33% )\n");
	has(&text, ":            0,            1 |        new |\n");
	has(&text, ":           10,           10 |     +0.00% |  $      100.00,       50.00 $\n");
	has(&text, "CPU 3, DOMAIN 0, CPUS 3\n");
	assert_null(strstr(strbuf_str(&text), "imbalance"));
	schedstat_release(&a);
	schedstat_release(&b);
	strbuf_release(&text);
}

static void test_other_cpus(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct schedstat a, b;

	make(&a, 17, "MC");
	make(&b, 17, "NUMA");
	b.cpus[0].cpu = 4;
	b.domains[0].is.cpu = 4;
	schedstat_text(&a, &b, &plain, &text);
	has(&text, "CPU <ALL CPUS SUMMARY>\n");
	assert_null(strstr(strbuf_str(&text), "CPU 3"));
	assert_null(strstr(strbuf_str(&text), "DOMAIN"));
	strbuf_reset(&text);
	schedstat_text(&a, &b, &json, &text);
	has(&text, "[{\"version\":17,");
	has(&text, "]},\n{\"version\":17,");
	has(&text, "]}]\n");
	strbuf_reset(&text);
	stats_left_out(&(struct schedstat_gone){ .cpus = 2 }, 1, &text);
	assert_string_equal(strbuf_str(&text),
			    "1 records of counters are damaged or out of order, and are left out.\n"
			    "2 CPUs went offline or came online meanwhile and are left out.\n");
	schedstat_release(&a);
	schedstat_release(&b);
	strbuf_release(&text);
}

static void test_json(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct schedstat s;

	make(&s, 15, NULL);
	schedstat_text(&s, NULL, &json, &text);
	has(&text, "{\"version\":15,\"jiffies\":1000,\"cpus\":[\n {\"cpu\":\"all\",\"counters\":"
		   "{\"yld_count\":0,");
	has(&text, "{\"cpu\":3,\"counters\":{\"yld_count\":0,\"array_exp\":0,\"sched_count\":8,");
	has(&text, "{\"level\":0,\"cpus\":\"3\",\"nr_cpus\":1,\"counters\":{\"busy_lb_count\":10,");
	assert_null(strstr(strbuf_str(&text), "lb_imbalance_load"));
	schedstat_release(&s);
	strbuf_reset(&text);
	make(&s, 17, "a\"b");
	schedstat_text(&s, NULL, &json, &text);
	has(&text, "\"name\":\"a\\\"b\"");
	schedstat_release(&s);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_diff),
		cmocka_unit_test(test_other_cpus),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
