// SPDX-License-Identifier: GPL-2.0-or-later
/* Test names of events, the lines that make them, and the lines that tell of them. */
#include "base/compat.h"
#include "probe/event-list.h"

#include <errno.h>
#include <stdlib.h>

#include <setjmp.h>
#include <cmocka.h>

static void name_is(const char *text, const char *function, const struct probe_names *taken,
		    bool more, const char *want)
{
	struct probe_point p = { .function = function };
	struct probe_definition d;
	struct err err = { 0 };
	char *name;

	assert_int_equal(probe_definition_parse(&d, text, &err), 0);
	name = probe_event_name(&d, &p, "g", taken, more, &err);
	if (want)
		assert_string_equal(name, want);
	else
		assert_null(name);
	free(name);
	probe_definition_release(&d);
}

static void test_names(void **state)
{
	struct probe_names none = { 0 }, taken = { 0 };

	(void)state;
	name_is("f", "f", &none, false, "f");
	name_is("f%return", "f", &none, false, "f__return");
	name_is("f:81", "f", &none, false, "f_L81");
	name_is("f", "f.isra.0", &none, false, "f");
	name_is("f", "get@GLIBC_2.2.5", &none, false, "get");
	name_is("f", "ns::f(int)", &none, false, "ns_f");
	name_is("f", "0odd", &none, false, "_0odd");
	name_is("0x1139", NULL, &none, false, "abs_1139");
	name_is("e=f%return", "f", &none, false, "e__return");
	name_is("f", "evil\np:x/y", &none, false, "evil_p_x_y");
	probe_names_add(&taken, "g", "f");
	probe_names_add(&taken, "g", "f_1");
	probe_names_add(&taken, "other", "f_2");
	name_is("f", "f", &taken, false, NULL);
	name_is("f", "f", &taken, true, "f_2");
	name_is("g2=f", "f", &taken, false, "g2");
	probe_names_release(&taken);
}

/* Groups: of the kernel, of programs, of markers, whose names come from the object. */
static void test_groups(void **state)
{
	struct probe_object user = { .user = true, .path = (char *)"/usr/lib/libc-2.31.so" };
	struct probe_object kernel = { 0 };
	struct probe_point plain = { 0 }, marker = { .provider = "my prov\n" };
	char *a = probe_group_name(&kernel, &plain), *b = probe_group_name(&user, &plain);
	char *c = probe_group_name(&user, &marker);

	(void)state;
	assert_string_equal(a, "probe");
	assert_string_equal(b, "probe_libc");
	assert_string_equal(c, "sdt_my_prov_");
	free(a);
	free(b);
	free(c);
}

static void test_bootconfig(void **state)
{
	struct probe_object kernel = { .functions = { .text_name = "_text", .text = 0x10 } };
	struct probe_object user = { .user = true, .path = (char *)"/bin/x" };
	struct probe_event e = { .group = (char *)"g", .event = (char *)"e", .returns = true };
	struct strbuf out = STRBUF_INIT;
	struct err err;

	(void)state;
	e.point = (struct probe_point){ .symbol = "f", .symbol_addr = 0x100, .addr = 0x100 };
	probe_fetch_add(&e.args, NULL, "$retval", "u32");
	assert_int_equal(probe_event_bootconfig(&kernel, &e, &out, &err), 0);
	assert_string_equal(strbuf_str(&out),
			    "ftrace.event.kprobes.e.probes += 'f+0%return $retval:u32'\n");
	assert_true(probe_event_bootconfig(&user, &e, &out, &err) < 0);
	strbuf_release(&out);
	probe_fetches_release(&e.args);
}

/* A long name ends before the kernel's limit, and what tells it apart stays. */
static void test_long_name(void **state)
{
	struct probe_names none = { 0 };
	char function[200], want[64];

	(void)state;
	memset(function, 'x', sizeof(function) - 1);
	function[sizeof(function) - 1] = 0;
	snprintf(want, sizeof(want), "%.*s__return", 63 - 5 - 8, function);
	name_is("f%return", function, &none, false, want);
}

static void line_is(struct probe_object *o, struct probe_event *e, const char *want)
{
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };
	int rc = probe_event_line(o, e, &out, &err);

	assert_int_equal(rc < 0, !want);
	if (want)
		assert_string_equal(strbuf_str(&out), want);
	strbuf_release(&out);
}

static void test_lines(void **state)
{
	struct probe_object user = { .user = true, .path = (char *)"/bin/x" }, kernel = { 0 };
	struct probe_event e = { .group = (char *)"g", .event = (char *)"e" };

	(void)state;
	e.point = (struct probe_point){
		.symbol = "f", .symbol_addr = 0x100, .addr = 0x104, .offset = 0x1104
	};
	probe_fetch_add(&e.args, "a", "%di", "u32");
	probe_fetch_add(&e.args, NULL, "+0(%si)", NULL);
	line_is(&user, &e, "p:g/e /bin/x:0x1104 a=%di:u32 +0(%si)");
	line_is(&kernel, &e, "p:g/e f+4 a=%di:u32 +0(%si)");
	e.point.semaphore = 0x3018;
	e.returns = true;
	line_is(&user, &e, "r:g/e /bin/x:0x1104(0x3018) a=%di:u32 +0(%si)");
	e.point.module = "ext4";
	line_is(&kernel, &e, "r:g/e ext4:f+4 a=%di:u32 +0(%si)");
	/* Another function has the name, too: only the distance from the kernel's start tells. */
	e.point.module = NULL;
	e.point.by_address = true;
	kernel.functions.text_name = "_text";
	kernel.functions.text = 0x10;
	line_is(&kernel, &e, "r:g/e _text+244 a=%di:u32 +0(%si)");
	e.point.by_address = false;
	line_is(&kernel, &e, "r:g/e f+4 a=%di:u32 +0(%si)");
	e.returns = false;
	line_is(&kernel, &e, "p:g/e _text+244 a=%di:u32 +0(%si)");
	e.returns = true;
	e.point.symbol = NULL;
	line_is(&kernel, &e, "r:g/e 0x104 a=%di:u32 +0(%si)");
	probe_fetches_release(&e.args);
}

/* Names come from files: none of them makes another line, or another argument. */
static void test_hostile(void **state)
{
	struct probe_object user = { .user = true, .path = (char *)"/bin/x y" }, kernel = { 0 };
	struct probe_event e = { .group = (char *)"g", .event = (char *)"e" };

	(void)state;
	line_is(&user, &e, NULL);
	user.path = (char *)"/bin/x\np:g/other /bin/y:0x0";
	line_is(&user, &e, NULL);
	e.point.symbol = "f\np:g/other f";
	line_is(&kernel, &e, NULL);
	e.point.symbol = "f";
	e.point.module = "m n";
	line_is(&kernel, &e, NULL);
}

static void read_back(const char *text, bool user, const char *want)
{
	struct probe_line l;
	char out[400];

	if (!probe_line_parse(&l, text, strlen(text), user)) {
		assert_null(want);
		probe_line_release(&l);
		return;
	}
	snprintf(out, sizeof(out), "%s:%s %s %s %" PRIx64 " %d %zu %s", l.group, l.event,
		 l.path ? l.path : "-", l.symbol ? l.symbol : "-", l.offset, l.returns, l.nr_args,
		 l.nr_args ? l.args[l.nr_args - 1] : "-");
	probe_line_release(&l);
	assert_non_null(want);
	assert_string_equal(out, want);
}

static void test_read(void **state)
{
	(void)state;
	read_back("p:g/e /bin/x:0x0000000000001139 a=%di:u32 arg2=%si:x64", true,
		  "g:e /bin/x - 1139 0 2 arg2=%si:x64");
	read_back("r:g/e /bin/x:0x10(0x3018)", true, "g:e /bin/x - 10 1 0 -");
	read_back("p:g/e /a:b/x:0x10", true, "g:e /a:b/x - 10 0 0 -");
	read_back("p:probe/f f+4 a=$arg1", false, "probe:f - f 4 0 1 a=$arg1");
	read_back("r16:probe/f__return ext4:f", false, "probe:f__return ext4 f 0 1 0 -");
	read_back("p:probe/f _text+1234", false, "probe:f - _text 4d2 0 0 -");
	read_back("p:probe/f 0xffffffff81000000", false, "probe:f - - ffffffff81000000 0 0 -");
	read_back("p:kprobes/f _stext+0x10", false, "kprobes:f - _stext 10 0 0 -");
	read_back("e:g/e x.y", false, NULL);
	read_back("p:g e", false, NULL);
	read_back("p:g/e", false, NULL);
	read_back("p:/e f", false, NULL);
	read_back("", false, NULL);
	read_back("p:g/e x", true, NULL);
}

/* The events are sorted, lines that are none are left out, and the place that an event has again is
 * known. */
static void test_list(void **state)
{
	static const char text[] = "p:g/z /bin/x:0x30\n# no event\np:g/a /bin/x:0x20\n"
				   "p:f/z /bin/x:0x10\np:g/a /bin/x:0x8";
	struct probe_lines l = { 0 };
	struct err err = { 0 };
	struct name_filter *whole = name_filter_parse("g:*", &err);
	struct name_filter *own = name_filter_parse("z", &err);

	(void)state;
	probe_lines_parse(&l, text, strlen(text), true);
	assert_int_equal(l.nr, 4);
	assert_string_equal(l.v[0].group, "f");
	assert_int_equal(l.v[1].offset, 8);
	assert_int_equal(l.v[2].offset, 0x20);
	assert_false(probe_lines_again(&l, 1));
	assert_true(probe_lines_again(&l, 2));
	assert_false(probe_lines_again(&l, 3));
	assert_false(probe_line_passes(&l.v[0], whole, true));
	assert_true(probe_line_passes(&l.v[1], whole, true));
	assert_true(probe_line_passes(&l.v[0], own, false));
	assert_false(probe_line_passes(&l.v[1], own, false));
	probe_lines_release(&l);
	name_filter_free(whole);
	name_filter_free(own);
}

/* Places of one function with arguments of the same types share a name; others get a number. */
static void test_shared_names(void **state)
{
	struct probe_fetch arg = { .name = (char *)"a", .type = (char *)"u8" };
	struct probe_event v[] = {
		{ .group = (char *)"g", .point.function = "f" },
		{ .group = (char *)"g", .point.function = "f", .args = { .v = &arg, .nr = 1 } },
		{ .group = (char *)"g", .point.function = "f" },
		{ .group = (char *)"g", .point.function = "h" },
	};
	static const char *const want[] = { "f", "f_1", "f", "h" };
	struct probe_events events = { .v = v, .nr = 4 };
	struct probe_names taken = { 0 };
	struct probe_definition d;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(probe_definition_parse(&d, "f", &err), 0);
	assert_int_equal(probe_events_name(&events, &d, &taken, false, &err), 0);
	for (size_t i = 0; i < events.nr; i++) {
		assert_string_equal(v[i].event, want[i]);
		free(v[i].event);
		v[i].event = NULL;
	}
	for (size_t i = 0; i < events.nr; i++)
		assert_true(probe_names_has(&taken, "g", want[i]));
	assert_false(probe_names_has(&taken, "g", "f_2"));
	assert_int_equal(probe_events_name(&events, &d, &taken, false, &err), -EEXIST);
	probe_names_release(&taken);
	probe_definition_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),        cmocka_unit_test(test_groups),
		cmocka_unit_test(test_bootconfig),   cmocka_unit_test(test_long_name),
		cmocka_unit_test(test_lines),        cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_read),         cmocka_unit_test(test_list),
		cmocka_unit_test(test_shared_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
