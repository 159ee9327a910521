// SPDX-License-Identifier: GPL-2.0-or-later
/* Test definitions that a build-id cache keeps: the text of the file, names and filters, and the
 * events of the lines. */
#include "base/compat.h"
#include "base/alloc.h"
#include "proberun/cached.h"

#include <errno.h>
#include <setjmp.h>

#include <cmocka.h>

/* This is a file that perf 6.1 has written. */
static const char text[] =
	"#work\n"
	"p:probe_p/work /tmp/p:0x1139\n"
	"#probe_p:twice=other%return $retval\n"
	"r:probe_p/twice__return /tmp/p:0x1164 $retval\n"
	"#work n a=p->a s=p->n:string\n"
	"p:probe_p/work /tmp/p:0x1139 n=%si:s32 a=+0(%di):s32 s=+0(+8(%di)):string\n"
	"#g:q=work:1 l\n"
	"p:g/q /tmp/p:0x1145 l=%bx:s32\n"
	"p:g/q /tmp/p:0x1158 l=%bx:s32\n"
	"%sdt_prov:mark=mark\n"
	"p:sdt_prov/mark /tmp/p:0x1129(0x4020) arg1=%di:u64\n";

static void read_text(struct probe_cached_list *l)
{
	*l = (struct probe_cached_list){ 0 };
	probe_cached_read(l, text, strlen(text));
	assert_int_equal(l->nr, 5);
}

static void test_text(void **state)
{
	static const char odd[] = "p:no/owner /x:0x1\n\n#\n#kept\nany\r\n%m\n";
	struct strbuf out = STRBUF_INIT;
	struct probe_cached_list l;

	(void)state;
	read_text(&l);
	assert_string_equal(l.v[1].text, "probe_p:twice=other%return $retval");
	assert_int_equal(l.v[3].nr, 2);
	assert_true(l.v[4].marker);
	probe_cached_write(&l, &out);
	assert_string_equal(strbuf_str(&out), text);
	probe_cached_drop(&l, 0);
	assert_string_equal(l.v[0].text, "probe_p:twice=other%return $retval");
	probe_cached_release(&l);
	strbuf_reset(&out);
	probe_cached_read(&l, odd, strlen(odd));
	probe_cached_write(&l, &out);
	assert_string_equal(strbuf_str(&out), "#kept\nany\n%m\n");
	probe_cached_release(&l);
	strbuf_release(&out);
}

/* Number @i is found by a definition; -1: none is. */
static void finds(const struct probe_cached_list *l, const char *definition, int i)
{
	struct probe_object o = { .user = true, .path = (char *)(uintptr_t) "/tmp/p" };
	const struct probe_cached *found;
	struct probe_definition d;
	struct err err;

	assert_int_equal(probe_definition_parse(&d, definition, &err), 0);
	found = probe_cached_find(l, &o, &d);
	assert_int_equal(found ? found - l->v : -1, i);
	probe_definition_release(&d);
}

static void passes(const struct probe_cached_list *l, const char *filter, const char *which)
{
	struct err err;
	struct name_filter *f = name_filter_parse(filter, &err);

	assert_non_null(f);
	for (size_t i = 0; i < l->nr; i++)
		assert_int_equal(probe_cached_passes(&l->v[i], f, strchr(filter, ':')),
				 which[i] == 'y');
	name_filter_free(f);
}

static void test_names(void **state)
{
	struct probe_cached_list l;

	(void)state;
	read_text(&l);
	finds(&l, "work", 0);
	finds(&l, "work n p->a s=p->n:string", 2);
	finds(&l, "work n", -1);
	finds(&l, "twice=other%return $retval", 1);
	finds(&l, "other%return $retval", -1);
	finds(&l, "g:q=work:1 l", 3);
	finds(&l, "%twice", 1);
	finds(&l, "%probe_p:twice", 1);
	finds(&l, "%probe_q:twice", -1);
	finds(&l, "%g:*", 3);
	finds(&l, "%work", 0);
	finds(&l, "%mark", -1); /* the object itself tells of its markers */
	passes(&l, "*", "yyyyy");
	passes(&l, "w*", "ynynn");
	passes(&l, "work", "ynnnn");
	passes(&l, "twice", "nynnn");
	passes(&l, "probe_p:*", "nynnn");
	passes(&l, "*:mark", "nnnny");
	probe_cached_release(&l);
}

/* Lines become events that are lines again, with the object's path of now, and names that are
 * free. */
static void test_events(void **state)
{
	struct probe_object o = { .user = true, .path = (char *)(uintptr_t) "/bin/now" };
	struct probe_object kernel = { .functions = { .text_name = "_text", .text = 0x100 } };
	static const char lines[] = "#many*\n"
				    "p:g/one _text+16 a=%di b=@jiffies:u64\n"
				    "r:g/two__return ext4:f+0 $retval:s32\n"
				    "p:g/two__return 0xffffffff81000000\n"
				    "p:g;/evil f+0\n";
	struct probe_names taken = { 0 };
	struct probe_cached_list l;
	struct probe_events events = { 0 };
	struct strbuf out = STRBUF_INIT;
	struct err err;

	(void)state;
	read_text(&l);
	probe_names_add(&taken, "g", "q");
	probe_cached_events(&o, &l.v[3], &events);
	assert_int_equal(probe_cached_name(&events, &taken, false, &err), -EEXIST);
	probe_events_release(&events);
	probe_cached_events(&o, &l.v[3], &events);
	assert_int_equal(probe_cached_name(&events, &taken, true, &err), 0);
	for (size_t i = 0; i < events.nr; i++)
		assert_int_equal(probe_event_line(&o, &events.v[i], &out, &err), 0);
	assert_string_equal(strbuf_str(&out),
			    "p:g/q_1 /bin/now:0x1145 l=%bx:s32p:g/q_1 /bin/now:0x1158 l=%bx:s32");
	probe_events_release(&events);
	probe_cached_release(&l);

	strbuf_reset(&out);
	probe_cached_read(&l, lines, strlen(lines));
	probe_cached_events(&kernel, &l.v[0], &events);
	assert_int_equal(events.nr, 3);
	assert_int_equal(probe_cached_name(&events, &taken, true, &err), 0);
	for (size_t i = 0; i < events.nr; i++) {
		assert_int_equal(probe_event_line(&kernel, &events.v[i], &out, &err), 0);
		strbuf_addch(&out, '\n');
	}
	assert_string_equal(strbuf_str(&out), "p:g/one _text+16 a=%di b=@jiffies:u64\n"
					      "r:g/two__return ext4:f+0 $retval:s32\n"
					      "p:g/two__return_1 0xffffffff81000000\n");
	probe_events_release(&events);
	probe_cached_release(&l);
	probe_names_release(&taken);
	strbuf_release(&out);
	arena_release(&o.texts);
	arena_release(&kernel.texts);
}

/* A definition that is kept again takes the place of the first; one with two lines is none. */
static void test_put(void **state)
{
	struct probe_object o = { .user = true, .path = (char *)(uintptr_t) "/tmp/p" };
	struct probe_events events = { 0 };
	struct probe_definition d;
	struct probe_cached_list l;
	struct strbuf out = STRBUF_INIT;
	struct err err;

	(void)state;
	read_text(&l);
	probe_cached_events(&o, &l.v[1], &events);
	events.v[0].event = xstrdup("again");
	assert_int_equal(probe_definition_parse(&d, "twice=other%return $retval", &err), 0);
	assert_int_equal(probe_cached_put(&l, &o, &d, &events, &err), 0);
	assert_int_equal(l.nr, 5);
	assert_string_equal(l.v[4].text, "probe_p:twice=other%return $retval");
	assert_string_equal(l.v[4].lines[0], "r:probe_p/again /tmp/p:0x1164 $retval");
	free(d.function);
	d.function = xstrdup("two\np:x/y /bin/sh:0");
	assert_int_equal(probe_cached_put(&l, &o, &d, &events, &err), -EINVAL);
	assert_int_equal(l.nr, 5);
	probe_definition_release(&d);
	probe_events_release(&events);
	probe_cached_release(&l);
	strbuf_release(&out);
	arena_release(&o.texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_put),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
