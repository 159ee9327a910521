// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts for a monitoring system: what `where` may be, and the file after each interval and run. */
#include "base/compat.h"
#include "base/alloc.h"
#include "events/parse.h"
#include "statserve/prometheus-page.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>

#include <cmocka.h>

struct bench {
	char *dir;
	struct sysroot sr;
	struct evlist l;
	struct stat_options o;
	struct stat_listener to;
	struct stat_view view;
	struct stat_run *run;
	struct prometheus_page *page;
	struct notices notices;
	struct strbuf told;
	struct err err;
};

static void take_note(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

static void on_run_end(void *ctx)
{
	struct bench *b = ctx;

	prometheus_page_run_end(b->page);
}

static int setup(void **state)
{
	static char *const words[] = { (char *)(uintptr_t) "/bin/true", NULL };
	struct bench *b = xzalloc(sizeof(*b));
	const struct parse_env env = { .sr = &b->sr };
	struct parse_error pe;

	b->dir = tmp_dir();
	b->sr.prefix = b->dir;
	tree_put(b->dir, "sys/devices/system/cpu/online", "0\n");
	b->notices = (struct notices){ take_note, &b->told };
	b->o = (struct stat_options){
		.sysroot = &b->sr, .scale = true, .repeat = 2, .command = words
	};
	b->to = (struct stat_listener){ .ctx = b, .run_end = on_run_end };
	b->view.ops = &stat_text_ops;
	assert_int_equal(parse_events(&b->l, "duration_time", &env, &pe), 0);
	b->run = stat_run_new(&b->o, &b->l, &b->to, &b->err);
	assert_non_null(b->run);
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct bench *b = *state;

	prometheus_page_close(b->page);
	stat_run_free(b->run);
	stat_view_release(&b->view);
	evlist_release(&b->l);
	strbuf_release(&b->told);
	tmp_remove(b->dir);
	free(b);
	return 0;
}

static int open_page(struct bench *b, const char *where)
{
	return prometheus_page_open(&b->page, where, &b->view, b->run, &b->notices, &b->err);
}

static void test_refused(void **state)
{
	static const char *const wrong[] = { ":", ":x", ":-1", ":80 ", ":65536", ":0x10" };
	struct bench *b = *state;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		assert_int_equal(open_page(b, wrong[i]), -EINVAL);
		assert_non_null(strstr(b->err.msg, "0 to 65535, or a file"));
		assert_null(b->page);
	}
}

static void test_port(void **state)
{
	struct bench *b = *state;

	assert_int_equal(open_page(b, ":0"), 0);
	assert_true(prometheus_page_port(b->page));
	assert_int_equal(prometheus_page_close(b->page), 0);
	b->page = NULL;
	assert_int_equal(prometheus_page_port(NULL), 0);
}

/* The times of both runs stand in the file as one total. */
static void test_file(void **state)
{
	struct bench *b = *state;
	char *path = xasprintf("%s/counts.prom", b->dir), text[4096] = "";
	FILE *f;

	assert_int_equal(open_page(b, path), 0);
	assert_int_equal(prometheus_page_port(b->page), 0);
	assert_int_equal(stat_run_all(b->run, &b->err), 0);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_true(fread(text, 1, sizeof(text) - 1, f) > 0);
	fclose(f);
	assert_non_null(strstr(text, "# TYPE perf_"));
	assert_non_null(strstr(text, "duration_time"));
	assert_string_equal(strbuf_str(&b->told), "");
	free(path);
}

/* The first failure is told, once, and is the result. */
static void test_failure(void **state)
{
	struct bench *b = *state;
	char *path = xasprintf("%s/none/counts.prom", b->dir),
	     *want = xasprintf("failed to write %s: %s\n", path, err_str(-ENOENT));

	assert_int_equal(open_page(b, path), 0);
	prometheus_page_interval(b->page);
	prometheus_page_interval(b->page);
	assert_string_equal(strbuf_str(&b->told), want);
	assert_int_equal(prometheus_page_close(b->page), -ENOENT);
	b->page = NULL;
	free(want);
	free(path);
}

/* All functions do nothing when nobody has asked for a page. */
static void test_none(void **state)
{
	prometheus_page_interval(NULL);
	prometheus_page_run_end(NULL);
	assert_int_equal(prometheus_page_close(NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_port, setup, teardown),
		cmocka_unit_test_setup_teardown(test_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_failure, setup, teardown),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
