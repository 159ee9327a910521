// SPDX-License-Identifier: GPL-2.0-or-later
/* Test a file of rows: it appears when it is whole, and has one head. */
#include "base/compat.h"
#include "base/alloc.h"
#include "convert/rows-file.h"
#include "reading.h"
#include "tmp-tree.h"

#include <errno.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

struct world {
	char *dir, *path;
	struct evlist l;
	struct machine *m;
	struct symbols *symbols;
	struct sample_fields fields;
	struct sample_text_conf conf;
};

static void start(struct world *w)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					      .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME };

	*w = (struct world){ .dir = tmp_dir() };
	w->path = xasprintf("%s/rows.csv", w->dir);
	evlist_add(&w->l, &attr, "one");
	w->m = machine_new();
	w->symbols = no_symbols();
	sample_fields_init(&w->fields);
	rows_file_default(&w->fields);
	w->conf = (struct sample_text_conf){
		.evlist = &w->l, .fields = &w->fields, .machine = w->m, .symbols = w->symbols
	};
}

static void stop(struct world *w)
{
	symbols_free(w->symbols);
	machine_free(w->m);
	evlist_release(&w->l);
	free(w->path);
	tmp_remove(w->dir);
}

static char *contents(const struct world *w)
{
	char text[4096] = "";
	FILE *f = fopen(w->path, "r");

	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return xstrdup(text);
}

static void test_head(void **state)
{
	struct world w;
	struct rows_file rf = { 0 };
	struct err err = { 0 };
	char *text;

	start(&w);
	rf.csv = w.path;
	assert_int_equal(rows_file_open(&rf, &w.fields, &err), 0);
	assert_int_equal(rows_file_make(&rf, &w.conf, 2, &err), 0);
	assert_int_equal(rows_file_make(&rf, &w.conf, 1, &err), 0); /* again: no second head */
	assert_int_equal(rows_file_write(&rf, "row\n", 4), 0);
	assert_int_equal(rows_file_close(&rf, 0, &err), 0);
	text = contents(&w);
	assert_string_equal(text, "time,event,comm,pid,tid,period\r\nrow\n");
	free(text);
	stop(&w);
}

/* After a failure no file is left, and ending does not hide the reason. */
static void test_failed(void **state)
{
	struct world w;
	struct rows_file rf = { 0 };
	struct err err = { 0 };

	start(&w);
	rf.csv = w.path;
	assert_int_equal(rows_file_open(&rf, &w.fields, &err), 0);
	assert_int_equal(rows_file_make(&rf, &w.conf, 1, &err), 0);
	assert_int_equal(rows_file_close(&rf, -EINVAL, &err), -EINVAL);
	assert_int_equal(access(w.path, F_OK), -1);
	stop(&w);
}

static void test_refused(void **state)
{
	struct world w;
	struct rows_file rf = { 0 };
	struct err err = { 0 };

	start(&w);
	w.fields.kind[0].fields |= SF_SRCCODE;
	rf.ndjson = w.path;
	assert_int_equal(rows_file_open(&rf, &w.fields, &err), -EINVAL);
	assert_string_equal(err.msg, "'srccode' is no column of --ndjson.");
	assert_int_equal(access(w.path, F_OK), -1);
	stop(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_failed),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
