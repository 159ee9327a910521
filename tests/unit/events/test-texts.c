// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event texts and the attrs they become, for a machine whose sysfs and tracefs are made up here.
 * tests/data/event-texts.txt has blocks of
 *
 *	> TEXT		or ">= TEXT" where perf 6.1 opens the same (t2064 asks it)
 *	NAME | LEADER+MEMBERS ... | value, ...	one line per event: what perf record opens for it
 *	! BYTE MESSAGE				or why it is none
 *
 * EVENT_TEXTS_OUT=FILE writes what is there now.
 */
#include "base/compat.h"
#include "events/config.h"
#include "events/parse.h"
#include "wire/attr-text.h"
#include "tmp-tree.h"

#include "base/alloc.h"

#include <setjmp.h>

#include <cmocka.h>

#define DEVICES "sys/bus/event_source/devices/"

static const struct {
	const char *path, *text;
} kernel[] = {
	{ "sched/sched_switch/id", "372" },
	{ "sched/sched_wakeup/id", "374" },
	{ "irq/irq_handler_entry/id", "80" },
	{ "sdt_prov/mark/id", "900" },
};

static char *root;
static struct sysroot sr;
static const struct parse_env env = { .sr = &sr };

/* Lines "PATH TEXT". */
static void put_machine(void)
{
	FILE *f = fopen("tests/data/event-machine.txt", "r");
	char line[256];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		char *text = strchr(line, ' '), *path;

		if (line[0] == '#' || !text)
			continue;
		*text = 0;
		path = xasprintf(DEVICES "%s", line);
		tree_put(root, path, text + 1);
		free(path);
	}
	fclose(f);
}

static int setup(void **state)
{
	sr.prefix = root = tmp_dir();
	put_machine();
	for (size_t i = 0; i < ARRAY_SIZE(kernel); i++) {
		char *path = xasprintf("sys/kernel/tracing/events/%s", kernel[i].path);

		tree_put(root, path, kernel[i].text);
		free(path);
	}
	tree_put(root, "proc/kallsyms",
		 "ffffffff81000000 T _text\nffffffff81000100 t do_it.isra.0\n"
		 "ffffffff82000000 D jiffies\n0000000000000000 A nothing\n");
	return 0;
}

static int teardown(void **state)
{
	tmp_remove(root);
	return 0;
}

/* Append the attr without what all of them have. "T" stands for the fields that make one carry the
 * side-band. */
static void add_attr(const struct evsel *e, struct strbuf *out)
{
	struct perf_event_attr a = e->attr;

	assert_true(a.size == (e->config3 ? 136 : 128) && a.sample_id_all);
	assert_true(a.mmap == a.comm && a.comm == a.task && a.mmap == a.mmap2 &&
		    a.mmap == a.comm_exec && a.mmap == a.ksymbol);
	strbuf_addstr(out, a.mmap ? " T " : " ");
	a.size = 0;
	a.sample_id_all = a.mmap = a.comm = a.task = a.mmap2 = a.comm_exec = a.ksymbol = 0;
	attr_text(&a, e->config3, "=", out);
}

static void describe(const char *text, struct strbuf *out)
{
	const struct sample_opts opts = {
		.freq = 4000, .enable_on_exec = true, .no_bpf = true, .dwarf_regs = 0xff0fff
	};
	struct evlist l = { 0 };
	struct parse_error pe;

	if (parse_events(&l, text, &env, &pe)) {
		assert_int_equal(l.nr, 0);
		strbuf_addf(out, "! %zu %s\n", pe.at, pe.text);
	} else {
		evlist_configure(&l, &opts);
	}
	for (size_t i = 0; i < l.nr; i++) {
		const struct evsel *e = l.evsels[i];

		strbuf_addf(out, "%s | %u+%u%s%s%s |", e->name, e->leader, e->nr_members,
			    e->group_name ? " " : "", e->group_name ? e->group_name : "",
			    e->terms.weak ? " weak" : "");
		if (e->unit)
			strbuf_addf(out, " (%s %g%s%s)", e->unit, e->scale,
				    e->per_pkg ? " per-pkg" : "", e->snapshot ? " snapshot" : "");
		add_attr(e, out);
		strbuf_addch(out, '\n');
	}
	evlist_release(&l);
}

struct block {
	struct strbuf head, want; /* "> TEXT", what is to come of it */
};

/* Return: whether it is as it should be; else both are shown. */
static bool check_block(struct block *b, FILE *out)
{
	const char *text = strchr(strbuf_str(&b->head), ' ');
	struct strbuf have = STRBUF_INIT;
	bool same;

	if (!text)
		return true;
	describe(text + 1, &have);
	same = !strcmp(strbuf_str(&have), strbuf_str(&b->want));
	if (out)
		fprintf(out, "%s\n%s", strbuf_str(&b->head), strbuf_str(&have));
	else if (!same)
		print_error("%s\nwant:\n%shave:\n%s", strbuf_str(&b->head), strbuf_str(&b->want),
			    strbuf_str(&have));
	strbuf_release(&have);
	strbuf_reset(&b->head);
	strbuf_reset(&b->want);
	return same;
}

static void test_texts(void **state)
{
	const char *out_path = getenv("EVENT_TEXTS_OUT");
	FILE *in = fopen("tests/data/event-texts.txt", "r");
	FILE *out = out_path ? fopen(out_path, "w") : NULL;
	struct block b = { STRBUF_INIT, STRBUF_INIT };
	size_t nr = 0, wrong = 0;
	char line[2048];

	assert_non_null(in);
	while (fgets(line, sizeof(line), in)) {
		if (line[0] == '#') {
			if (out)
				fputs(line, out);
		} else if (line[0] != '>') {
			strbuf_addstr(&b.want, line);
		} else {
			wrong += !check_block(&b, out);
			strbuf_add(&b.head, line, strcspn(line, "\n"));
			nr++;
		}
	}
	wrong += !check_block(&b, out);
	fclose(in);
	if (out)
		fclose(out);
	strbuf_release(&b.head);
	strbuf_release(&b.want);
	assert_true(nr > 300);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_texts) };

	return cmocka_run_group_tests(tests, setup, teardown);
}
