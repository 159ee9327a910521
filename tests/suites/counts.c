// SPDX-License-Identifier: GPL-2.0-or-later
/* Check how counts become numbers and text, and that perf stat counts a command. */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/sysroot.h"
#include "codec/json-read.h"
#include "events/parse.h"
#include "statserve/prometheus-page.h"
#include "stattext/prometheus.h"
#include "suites.h"

#include <math.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- known counts -------------------------------------------------------------------------- */

/* Two events on two CPUs of one socket: readings, their sums, and the text of these. */
struct known {
	struct evlist l;
	struct cpu_place places[2];
	struct aggr_map ids;
	struct counts counts;
	bool unsupported[2];
	struct stat_result result;
};

static void put_count(struct known *k, size_t evsel, size_t cpu, struct count c)
{
	k->counts.now[counts_index(&k->counts, evsel, cpu, 0)] = c;
	k->counts.there[counts_index(&k->counts, evsel, cpu, 0)] = true;
}

/* CPU 0 had the counter of page-faults for half of the time, so its 100 stand for 200. */
static int known_init(struct known *k, enum aggr_mode mode)
{
	static const struct parse_env env;
	struct parse_error pe;

	memset(k, 0, sizeof(*k));
	TEST_EQ(parse_events(&k->l, "page-faults,context-switches", &env, &pe), 0);
	for (int cpu = 0; cpu < 2; cpu++)
		k->places[cpu] = (struct cpu_place){ cpu, 0, 0, 0, -1, cpu, -1, -1 };
	aggr_map_init(&k->ids, mode, k->places, 2, 1);
	counts_init(&k->counts, 2, 2, 1);
	put_count(k, 0, 0, (struct count){ 100, 2000, 1000 });
	put_count(k, 0, 1, (struct count){ 1000, 2000, 2000 });
	put_count(k, 1, 0, (struct count){ 3, 2000, 2000 });
	put_count(k, 1, 1, (struct count){ 4, 2000, 2000 });
	stat_result_init(&k->result, &k->l, &k->ids, k->unsupported);
	k->result.duration = 2000;
	stat_sum(&k->result, &k->counts, k->places, true);
	return TEST_OK;
}

static void known_release(struct known *k)
{
	stat_result_release(&k->result);
	counts_release(&k->counts);
	aggr_map_release(&k->ids);
	evlist_release(&k->l);
}

static int check_sums(struct known *k)
{
	TEST_EQ(k->ids.nr, 1);
	TEST_EQ(stat_value_at(&k->result, 0, 0)->val, 1200);
	TEST_EQ(stat_value_at(&k->result, 1, 0)->val, 7);
	TEST_EQ(stat_value_at(&k->result, 0, 0)->running, 3000);
	TEST_CHECK(k->result.scaled, "nobody says that a value was scaled");
	counts_mark(&k->counts);
	put_count(k, 1, 1, (struct count){ 10, 3000, 3000 });
	stat_sum(&k->result, &k->counts, k->places, true);
	TEST_EQ(stat_value_at(&k->result, 1, 0)->val, 6);
	return TEST_OK;
}

static int test_sums(struct test_ctx *ctx __unused)
{
	struct known k;
	int ret = known_init(&k, AGGR_SOCKET) ?: check_sums(&k);

	known_release(&k);
	return ret;
}

/* Append the rows of the known counts by CPU. */
static int put_rows(const struct stat_ops *ops, struct strbuf *out)
{
	struct stat_view view = { .ops = ops, .unit_width = 4, .sep = "," };
	struct known k;
	int ret = known_init(&k, AGGR_NONE);

	if (!ret)
		stat_rows(&view, &k.result, 0, out);
	stat_view_release(&view);
	known_release(&k);
	return ret;
}

static int check_rows(const struct stat_ops *ops, const char *want)
{
	struct strbuf out = STRBUF_INIT;
	int ret = put_rows(ops, &out);

	if (!ret && strcmp(strbuf_str(&out), want)) {
		test_say("it should be:\n%sand it is:\n%s", want, strbuf_str(&out));
		ret = TEST_FAIL;
	}
	strbuf_release(&out);
	return ret;
}

#define BLANKS_46 "                                              "

static int test_text(struct test_ctx *ctx __unused)
{
	return check_rows(
		&stat_text_ops,
		"CPU0                      200      page-faults          " BLANKS_46 "  (50.00%)\n"
		"CPU1                     1000      page-faults          " BLANKS_46 "\n"
		"CPU0                        3      context-switches     " BLANKS_46 "\n"
		"CPU1                        4      context-switches     " BLANKS_46 "\n");
}

static int test_csv(struct test_ctx *ctx __unused)
{
	return check_rows(&stat_csv_ops, "CPU0,200,,page-faults,1000,50.00,,\n"
					 "CPU1,1000,,page-faults,2000,100.00,,\n"
					 "CPU0,3,,context-switches,2000,100.00,,\n"
					 "CPU1,4,,context-switches,2000,100.00,,\n");
}

/* Check the first line, which is an object. */
static int check_object(const char *text)
{
	static const char *const want[][2] = { { "cpu", "0" },
					       { "counter-value", "200.000000" },
					       { "event", "page-faults" },
					       { "event-runtime", "1000" },
					       { "pcnt-running", "50.00" } };
	struct arena arena = { 0 };
	struct err err = { 0 };
	const struct json_value *row =
		json_parse(&arena, text, strcspn(text, "\n"), "the row", &err);
	int ret = row ? TEST_OK : TEST_FAIL;

	if (ret)
		test_say("%s", err.msg);
	for (size_t i = 0; i < ARRAY_SIZE(want) && !ret; i++) {
		const char *got = json_get_str(row, want[i][0]);

		if (got && !strcmp(got, want[i][1]))
			continue;
		test_say("%s is %s, should be %s", want[i][0], got ?: "missing", want[i][1]);
		ret = TEST_FAIL;
	}
	arena_release(&arena);
	return ret;
}

static int test_json(struct test_ctx *ctx __unused)
{
	struct strbuf out = STRBUF_INIT;
	int ret = put_rows(&stat_json_ops, &out) ?: check_object(strbuf_str(&out));

	strbuf_release(&out);
	return ret;
}

static const struct test_case known[] = {
	{ "readings are scaled, and summed up by socket", test_sums },
	{ "rows of CPUs as text", test_text },
	{ "rows of CPUs as CSV", test_csv },
	{ "rows of CPUs as JSON", test_json },
};
TEST_SUITE(suite_counts, "Counts and their texts", known, "stat stattext");

/* --- counting a command -------------------------------------------------------------------- */

/* Read a line of CSV: the count, its unit, the event, which has a modifier where this user may not
 * look into the kernel. Return: the count, or -1 */
static double count_of(const char *line, const char *unit, const char *event)
{
	char *end, rest[64];
	double count = strtod(line, &end);
	size_t len = (size_t)snprintf(rest, sizeof(rest), ",%s,%s", unit, event);

	if (end == line || strncmp(end, rest, len))
		return -1;
	return end[len] == ',' || !strncmp(end + len, ":u,", 3) ? count : -1;
}

/* Count a command that ends with status 3: the count is that of its CPU time. */
static int test_command(struct test_ctx *ctx)
{
	struct test_run run;
	int ret = TEST_PERF(&run, "stat", "-x,", "--log-fd", "1", "-e", "task-clock", "--", "sh",
			    "-c", "exit 3");
	double ms;

	if (ret)
		return ret;
	ms = count_of(strbuf_str(&run.out), "msec", "task-clock");
	if (!strncmp(strbuf_str(&run.out), "<not", 4) || !run.out.len)
		ret = test_skip(ctx, "task-clock cannot be counted here");
	else if (run.status != 3 || ms <= 0 || ms > 10000)
		ret = TEST_FAIL;
	test_say("status %d, should be 3; it wrote: %s", run.status, strbuf_str(&run.out));
	strbuf_release(&run.out);
	return ret;
}

/* A run that counts how long a command takes, which needs no event of the kernel. */
struct timed {
	struct evlist l;
	struct stat_options o;
	struct stat_view view;
	struct stat_run *run;
	struct prometheus_page *page;
	struct err err;
};

static void drop_note(void *ctx __unused, const char *text)
{
	test_say("%s", text);
}
static const struct notices told = { drop_note, NULL };

static void on_run_end(void *ctx)
{
	struct timed *t = ctx;

	prometheus_page_run_end(t->page);
}

static int timed_init(struct timed *t, char *const *command, const char *where)
{
	static const struct parse_env env;
	static const struct sysroot here;
	const struct stat_listener to = {
		.ctx = t, .run_end = on_run_end, .notes = told, .counts = told
	};
	struct parse_error pe;

	memset(t, 0, sizeof(*t));
	t->o = (struct stat_options){ .sysroot = &here, .repeat = 1, .command = command };
	t->view.ops = &stat_text_ops;
	TEST_EQ(parse_events(&t->l, "duration_time", &env, &pe), 0);
	t->run = stat_run_new(&t->o, &t->l, &to, &t->err);
	TEST_CHECK(t->run, "%s", t->err.msg);
	TEST_CHECK(!prometheus_page_open(&t->page, where, &t->view, t->run, &told, &t->err), "%s",
		   t->err.msg);
	return TEST_OK;
}

static void timed_release(struct timed *t)
{
	prometheus_page_close(t->page);
	stat_run_free(t->run);
	stat_view_release(&t->view);
	evlist_release(&t->l);
}

/* Find a line of a page. @name: with its labels. Return: the value, or -1 */
static double value_in(const char *page, const char *name)
{
	const char *p = page;

	while ((p = strstr(p, name))) {
		p += strlen(name);
		if (*p == ' ')
			return strtod(p, NULL);
	}
	return -1;
}

/* --- the page of counts -------------------------------------------------------------------- */

/* Get what is at the port of a page, over HTTP. */
struct client {
	pthread_t thread;
	u16 port;
	struct strbuf got; /* head and body */
};

static void *get_page(void *ctx)
{
	static const char ask[] = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
				  "Connection: close\r\n\r\n";
	struct client *c = ctx;
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(c->port),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char buf[4096];
	ssize_t n;

	if (!connect(fd, (const struct sockaddr *)&to, sizeof(to)) &&
	    send(fd, ask, sizeof(ask) - 1, MSG_NOSIGNAL) == sizeof(ask) - 1)
		while ((n = read(fd, buf, sizeof(buf))) > 0)
			strbuf_add(&c->got, buf, (size_t)n);
	close(fd);
	return NULL;
}

static int serve(struct timed *t, struct client *c)
{
	double seconds;

	c->port = prometheus_page_port(t->page);
	TEST_CHECK(c->port, "the page has no port");
	TEST_EQ(pthread_create(&c->thread, NULL, get_page, c), 0);
	TEST_CHECK(!stat_run_all(t->run, &t->err), "%s", t->err.msg);
	prometheus_page_close(t->page);
	t->page = NULL;
	pthread_join(c->thread, NULL);
	seconds = value_in(strbuf_str(&c->got), "\nperf_elapsed_seconds");
	TEST_CHECK(!strncmp(strbuf_str(&c->got), "HTTP/1.1 200 ", 13), "it answers: %s",
		   strbuf_str(&c->got));
	TEST_CHECK(strstr(strbuf_str(&c->got), "Content-Type: " PROMETHEUS_TYPE),
		   "another type of content: %s", strbuf_str(&c->got));
	TEST_CHECK(seconds > 0 && seconds < 100, "%g seconds in: %s", seconds, strbuf_str(&c->got));
	return TEST_OK;
}

static int test_page(struct test_ctx *ctx __unused)
{
	static char *const command[] = { (char *)(uintptr_t) "sleep", (char *)(uintptr_t) "0.1",
					 NULL };
	struct client c = { 0 };
	struct timed t;
	int ret = timed_init(&t, command, ":0") ?: serve(&t, &c);

	timed_release(&t);
	strbuf_release(&c.got);
	return ret;
}

static int check_file(struct timed *t, const char *path)
{
	const struct stat_results *r = stat_run_results(t->run);
	struct strbuf page = STRBUF_INIT;
	double ns;

	TEST_CHECK(!stat_run_all(t->run, &t->err), "%s", t->err.msg);
	TEST_EQ(r->status, 7);
	TEST_EQ(sysroot_read(NULL, &page, "%s", path), 0);
	ns = value_in(strbuf_str(&page),
		      "\nperf_duration_time_total{event=\"duration_time\",unit=\"ns\"}");
	strbuf_release(&page);
	TEST_CHECK(ns > 0 && fabs(ns - (double)r->times.wall) < 1,
		   "the page says %.0f ns, and the run took %.0f", ns, (double)r->times.wall);
	return TEST_OK;
}

static int test_file(struct test_ctx *ctx __unused)
{
	static char *const command[] = { (char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c",
					 (char *)(uintptr_t) "exit 7", NULL };
	char *dir = test_tmpdir(), *path;
	struct timed t;
	int ret;

	TEST_CHECK(dir, "no temporary folder");
	path = xasprintf("%s/counts.prom", dir);
	ret = timed_init(&t, command, path) ?: check_file(&t, path);
	timed_release(&t);
	free(path);
	test_rmdir(dir);
	return ret;
}

static const struct test_case counting[] = {
	{ "stat prints the CPU time of a command, and has its status", test_command },
	{ "a file for Prometheus has the time that a command took", test_file },
	{ "a page for Prometheus is served while a command runs", test_page },
};
TEST_SUITE(suite_counting, "Counting a command", counting, "statrun statserve");
