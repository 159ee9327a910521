// SPDX-License-Identifier: GPL-2.0-or-later
/* Every metric that the installed reference lists, for processors of several vendors, is read: its
 * expression, what it refers to, and the literals in it. */
#include "base/compat.h"
#include "metric/metric.h"

#include "codec/json.h"
#include "base/strbuf.h"

#include <fcntl.h>
#include <setjmp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define REFERENCE "/usr/bin/perf"

static const char *const processors[] = {
	"GenuineIntel-6-55-7",  "GenuineIntel-6-8F-8", "GenuineIntel-6-97-2",
	"GenuineIntel-6-6A-6",  "GenuineIntel-6-3D-4", "AuthenticAMD-25-11-1",
	"AuthenticAMD-23-31-0",
};

static void add_metric(struct strbuf *json, const char *name, const char *expr)
{
	if (!*name || !*expr)
		return;
	strbuf_addstr(json, json->len > 1 ? ",{\"MetricName\":" : "{\"MetricName\":");
	json_string(json, name);
	strbuf_addstr(json, ",\"MetricExpr\":");
	json_string(json, expr);
	strbuf_addstr(json, "}");
}

/* The list of the reference, for reading; its process in @pid. */
static FILE *start_list(const char *processor, pid_t *pid)
{
	int fds[2], nothing;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	*pid = fork();
	if (!*pid) {
		nothing = open("/dev/null", O_WRONLY);
		setenv("PERF_CPUID", processor, 1);
		dup2(fds[1], STDOUT_FILENO);
		dup2(nothing, STDERR_FILENO);
		execl(REFERENCE, "perf", "list", "--details", "metric", NULL);
		_exit(127);
	}
	close(fds[1]);
	return fdopen(fds[0], "r");
}

/* "  NAME", then lines in brackets, of which the expression is the last one. */
static bool read_list(const char *processor, struct strbuf *json)
{
	pid_t pid;
	FILE *f = start_list(processor, &pid);
	char line[65536], name[256] = "", expr[65536] = "";

	strbuf_addstr(json, "[");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		if (!strncmp(line, "  ", 2) && line[2] != ' ') {
			add_metric(json, name, expr);
			snprintf(name, sizeof(name), "%s", line + 2);
			expr[0] = 0;
		} else if (!strncmp(line, "       [", 8) && line[strlen(line) - 1] == ']') {
			line[strlen(line) - 1] = 0;
			snprintf(expr, sizeof(expr), "%s", line + 8);
		}
	}
	add_metric(json, name, expr);
	strbuf_addstr(json, "]");
	if (f)
		fclose(f);
	waitpid(pid, NULL, 0);
	return json->len > 2;
}

static void test_all(void **state)
{
	static const struct sysroot sr = { "" };
	const struct parse_env parse = { .sr = &sr };
	const struct metric_options o = { 0 };
	size_t seen = 0;

	if (access(REFERENCE, X_OK))
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(processors); i++) {
		struct vendor_table t = { 0 };
		struct metric_env env = { .parse = &parse, .table = &t, .cpuid = processors[i] };
		struct strbuf json = STRBUF_INIT;
		struct err err = { 0 };

		if (read_list(processors[i], &json) &&
		    vendor_load_text(&t, strbuf_str(&json), json.len, processors[i], &err))
			fail_msg("%s", err.msg);
		for (size_t j = 0; j < t.nr_metrics; j++) {
			struct metric_set set = { 0 };

			if (metric_set_add(&set, t.metrics[j].name, &env, &o, &err))
				fail_msg("%s: %s", processors[i], err.msg);
			seen += set.nr;
			metric_set_release(&set);
		}
		vendor_release(&t);
		strbuf_release(&json);
	}
	printf("# %zu metrics\n", seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
