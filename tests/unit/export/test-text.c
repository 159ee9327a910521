// SPDX-License-Identifier: GPL-2.0-or-later
/* Test exports that are text: JSON of several kinds, graphviz, callgrind. Totals, shapes, and
 * names. */
#include "base/compat.h"
#include "export/export.h"

#include "base/escape.h"
#include "codec/json-read.h"
#include "export/timeline.h"
#include "hostile-stacks.h"
#include "json-check.h"

#include <setjmp.h>

#include <cmocka.h>

static struct strbuf written;
static struct arena arena;

static const char *write_as(const char *name, const struct export_opts *opts)
{
	assert_int_equal(hostile_write(name, opts, &written), 0);
	return strbuf_str(&written);
}

static const struct json_value *parse(const char *text, size_t len)
{
	struct err err = { 0 };
	const struct json_value *v = json_parse(&arena, text, len, "it", &err);

	if (!v)
		fail_msg("%s", err.msg);
	assert_int_equal(json_check(text, len), -1);
	return v;
}

static const struct json_value *get(const struct json_value *in, const char *key)
{
	const struct json_value *v = json_get(in, key);

	if (!v)
		fail_msg("no member %s", key);
	return v;
}

static const struct json_value *parse_as(const char *name, const struct export_opts *opts)
{
	const char *text = write_as(name, opts);

	return parse(text, written.len);
}

static u32 count(const struct json_value *list)
{
	u32 n = 0;

	for (const struct json_value *v = list->first; v; v = v->next)
		n++;
	return n;
}

static const struct json_value *at(const struct json_value *list, u32 n)
{
	const struct json_value *v = list->first;

	for (; v && n; n--)
		v = v->next;
	assert_non_null(v);
	return v;
}

static u64 number(const struct json_value *v)
{
	assert_int_equal(v->type, JSON_NUMBER);
	return strtoull(v->str, NULL, 10);
}

static u64 sum(const struct json_value *list)
{
	u64 all = 0;

	for (const struct json_value *v = list->first; v; v = v->next)
		all += number(v);
	return all;
}

static void speedscope(void **state)
{
	struct export_opts opts = { .weight = WEIGHT_PERIOD };
	const struct json_value *all = parse_as("speedscope", &opts), *profile;
	u32 nr_frames = count(get(get(all, "shared"), "frames")), nr = 0;
	u64 whole = 0;
	bool named = false;

	for (profile = get(all, "profiles")->first; profile; profile = profile->next) {
		const struct json_value *stacks = get(profile, "samples");
		const char *name = get(profile, "name")->str;
		u64 weight = sum(get(profile, "weights"));

		nr++;
		assert_string_equal(get(profile, "type")->str, "sampled");
		assert_int_equal(count(stacks), count(get(profile, "weights")));
		assert_int_equal(number(get(profile, "endValue")), weight);
		for (const struct json_value *s = stacks->first; s; s = s->next)
			for (const struct json_value *f = s->first; f; f = f->next)
				assert_true(number(f) < nr_frames);
		named |= !!strstr(name, HOSTILE_NAME);
		if (strncmp(name, "cpu-clock, ", 11))
			continue;
		assert_string_equal(get(profile, "unit")->str, "nanoseconds");
		whole += strstr(name, "all threads") ? 0 : weight;
		if (strstr(name, "all threads"))
			assert_int_equal(weight, HOSTILE_PERIOD);
	}
	assert_int_equal(whole, HOSTILE_PERIOD);
	/* Three threads and all of them, two and all of them, one alone. */
	assert_int_equal(nr, 4 + 3 + 1);
	assert_true(named);
}

/* Each table of a thread is as long as it says, and what it refers to is there. */
static void gecko_tables(const struct json_value *thread)
{
	static const char *const tables[] = { "samples",      "markers",   "stackTable",
					      "frameTable",   "funcTable", "resourceTable",
					      "nativeSymbols" };
	static const char *const refers[][3] = {
		{ "samples", "stack", "stackTable" },
		{ "stackTable", "prefix", "stackTable" },
		{ "stackTable", "frame", "frameTable" },
		{ "frameTable", "func", "funcTable" },
	};
	u32 nr_texts = count(get(thread, "stringArray"));

	for (u32 i = 0; i < ARRAY_SIZE(tables); i++) {
		const struct json_value *table = get(thread, tables[i]);

		for (const struct json_value *c = table->first; c; c = c->next)
			if (c->type == JSON_ARRAY)
				assert_int_equal(count(c), number(get(table, "length")));
	}
	for (u32 i = 0; i < ARRAY_SIZE(refers); i++) {
		const struct json_value *v = get(get(thread, refers[i][0]), refers[i][1]);

		for (v = v->first; v; v = v->next)
			if (v->type != JSON_NULL)
				assert_true(number(v) <
					    number(get(get(thread, refers[i][2]), "length")));
	}
	for (const struct json_value *v = get(get(thread, "funcTable"), "name")->first; v;
	     v = v->next)
		assert_true(number(v) < nr_texts);
}

static void gecko(void **state)
{
	struct export_opts opts = { .weight = WEIGHT_SAMPLES };
	const struct json_value *all = parse_as("gecko", &opts), *thread, *m;
	u64 samples = 0, markers = 0;
	bool named = false, stack = false;

	assert_int_equal(number(get(get(all, "meta"), "preprocessedProfileVersion")), 48);
	for (thread = get(all, "threads")->first; thread; thread = thread->next) {
		gecko_tables(thread);
		samples += sum(get(get(thread, "samples"), "weight"));
		get(get(thread, "samples"), "threadCPUDelta");
		named |= !strcmp(get(thread, "name")->str, HOSTILE_NAME);
		m = get(thread, "markers");
		markers += number(get(m, "length"));
		if (number(get(thread, "tid")) != 101)
			continue;
		assert_string_equal(
			at(get(thread, "stringArray"), (u32)number(get(m, "name")->first))->str,
			"probe:it's\"a<b");
		get(get(m, "data")->first, "cause");
		stack = true;
	}
	assert_int_equal(samples, HOSTILE_SAMPLES);
	assert_int_equal(markers, 6 + 1);
	assert_true(named && stack);
}

static void chrome_trace(void **state)
{
	struct export_opts opts = { .weight = WEIGHT_PERIOD };
	const struct json_value *all = parse_as("chrome-trace", &opts), *v, *f;
	u32 slices = 0, instants = 0;
	u64 period = 0, counted = 0;

	for (v = get(all, "samples")->first; v; v = v->next) {
		if (!strcmp(get(v, "name")->str, "cpu-clock"))
			period += number(get(v, "weight"));
		/* Its stack ends. */
		for (f = get(v, "sf"); f; f = json_get(f, "parent"))
			f = get(get(all, "stackFrames"), f->str);
	}
	for (v = get(all, "traceEvents")->first; v; v = v->next) {
		switch (*get(v, "ph")->str) {
		case 'X':
			slices++;
			assert_true(!strcmp(get(v, "name")->str, HOSTILE_NAME));
			break;
		case 'i':
			instants++;
			break;
		case 'C':
			if (!strcmp(get(v, "name")->str, "cpu-clock"))
				counted += number(get(get(v, "args"), "period"));
			break;
		default:
			assert_string_equal(get(v, "ph")->str, "M");
		}
	}
	assert_int_equal(period, HOSTILE_PERIOD);
	assert_int_equal(counted, HOSTILE_PERIOD);
	assert_int_equal(slices, 2);
	assert_int_equal(instants, 1);
}

/* Where the timeline of the recording is known, slices are its runs within the time of the samples.
 * Tasks without samples have none. */
static void chrome_trace_of_timeline(void **state)
{
	struct timeline_runner tasks[] = { { 9, 9, (char *)"other" },
					   { 100, 100, (char *)HOSTILE_NAME } };
	struct timeline_slice v[] = { { 0, UINT64_MAX, 3, 1 }, { 0, UINT64_MAX, 2, 0 } };
	const struct timeline_runs runs = { .v = v, .nr = 2, .tasks = tasks, .nr_tasks = 2 };
	struct export_opts opts = { .weight = WEIGHT_PERIOD, .timeline = &runs };
	const struct json_value *all = parse_as("chrome-trace", &opts), *e;
	u32 slices = 0;

	for (e = get(all, "traceEvents")->first; e; e = e->next) {
		if (*get(e, "ph")->str != 'X')
			continue;
		slices++;
		assert_int_equal(number(get(e, "tid")), 3);
		assert_string_equal(get(e, "name")->str, HOSTILE_NAME);
	}
	assert_int_equal(slices, 1);
}

static void ndjson(void **state)
{
	struct export_opts opts = { .weight = WEIGHT_PERIOD };
	const char *p = write_as("ndjson", &opts), *end;
	u64 period = 0;
	u32 stacks = 0, frames = 0;

	for (; *p; p = end + 1) {
		const struct json_value *line;

		end = strchr(p, '\n');
		assert_non_null(end);
		line = parse(p, (size_t)(end - p));
		if (!strcmp(get(line, "type")->str, "frame"))
			assert_int_equal(number(get(line, "id")), frames++);
		if (strcmp(get(line, "type")->str, "stack"))
			continue;
		stacks++;
		assert_int_equal(count(get(line, "stack")), count(get(line, "frames")));
		if (!strcmp(get(line, "event")->str, "cpu-clock"))
			period += number(get(line, "period"));
	}
	assert_int_equal(period, HOSTILE_PERIOD);
	assert_int_equal(stacks, 4 + 2 + 1);
	assert_int_equal(frames, 7);
}

static void dot(void **state)
{
	struct export_opts opts = { .weight = WEIGHT_PERIOD };
	const char *text = write_as("dot", &opts);

	/* main -> f -> g -> f -> h: f is in it once, and so are all calls. */
	assert_non_null(strstr(text, "cpu-clock: 10500 in all"));
	assert_non_null(
		strstr(text, "label=\"</script><img onerror=alert(1) src=x>\\n0.00% of 47.62%\""));
	assert_non_null(strstr(text, "self=0, total=5000]"));
	assert_non_null(strstr(text, "label=\"(1) fn=(2) h\\n28.57%\""));
	assert_non_null(strstr(text, "\\n42.86%\""));
	opts.min_percent = 40;
	text = write_as("dot", &opts);
	assert_null(strstr(text, "(1) fn"));
	assert_non_null(strstr(text, "3 functions, 4 of less than 40.00% left out"));
	assert_non_null(strstr(text, "do_syscall_64"));
}

/* Costs of the lines behind @head, whose own line is not one of them. */
static void expect_block(const char *text, const char *head, const char *block)
{
	const char *p = strstr(text, head);

	assert_non_null(p);
	p += strlen(head);
	if (strncmp(p, block, strlen(block)))
		fail_msg("behind '%s': '%.200s'", head, p);
}

static void callgrind(void **state)
{
	struct export_opts opts = { .weight = WEIGHT_PERIOD, .event = "cpu-clock" };
	const char *text = write_as("callgrind", &opts), *p;
	u64 self = 0, period;
	bool call = false;

	assert_non_null(strstr(text, "events: cpu-clock cpu-clock_samples\nsummary: 10500 10\n"));
	/* The recursive f calls g and h, and g calls nothing; nobody calls f twice. */
	for (p = text; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
		if (*p >= '0' && *p <= '9') {
			assert_int_equal(sscanf(p, "%*u %" SCNu64, &period), 1);
			self += call ? 0 : period;
		}
		call = !strncmp(p, "calls=", 6);
	}
	assert_int_equal(self, HOSTILE_PERIOD);
	expect_block(text, "(1) fn=(2) h\n", "30 3000 3\n");
	expect_block(text, "cfn=(2)\n", "calls=3 30\n10 3000 3\n");
	expect_block(text, " in\"lined\n", "calls=2 40\n10 2000 2\n");
	assert_null(strstr(text, "\xff"));
	opts = (struct export_opts){ .weight = WEIGHT_SAMPLES };
	text = write_as("callgrind", &opts);
	assert_non_null(strstr(text,
			       "events: cpu-clock_samples cpu-clock sched:sched_switch_samples "
			       "sched:sched_switch probe:it_s_a_b_samples probe:it_s_a_b\n"
			       "summary: 10 10500 6 6 1 1\n"));
}

/* Bytes that are no UTF-8, or that drive a terminal. */
static size_t odd_bytes(const char *p, size_t len)
{
	size_t odd = 0;

	for (size_t at = 0; at < len;) {
		size_t n = utf8_length(p + at, len - at);
		u8 c = (u8)p[at];

		odd += !n || (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
		at += n ? n : 1;
	}
	return odd;
}

/* In all formats text stays text, and markup has none of the names in it. */
static void all_of_the_table(void **state)
{
	static const char *const binary[] = { "pprof", "perfetto", "otlp" };

	(void)state;
	for (const struct export_ops *const *e = export_table; *e; e++) {
		struct export_opts opts = { .width = 1200, .title = HOSTILE_NAME };
		const char *name = (*e)->name;
		bool text = true;

		for (size_t i = 0; i < ARRAY_SIZE(binary); i++)
			text &= strcmp(name, binary[i]) != 0;
		if ((*e)->compares)
			opts.other = hostile_stacks(&(*e)->dims);
		assert_int_equal(hostile_write(name, &opts, &written), 0);
		assert_true(written.len > 100);
		if (text)
			assert_int_equal(odd_bytes(written.buf, written.len), 0);
		if (!strcmp(name, "flamegraph") || !strcmp(name, "html") || !strcmp(name, "gecko"))
			assert_null(strstr(written.buf, "<img"));
		stacks_free((struct stacks *)opts.other);
	}
}

static void no_such_event(void **state)
{
	static const char *const names[] = { "pprof",        "speedscope", "gecko",
					     "chrome-trace", "perfetto",   "dot",
					     "callgrind",    "otlp",       "ndjson" };

	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		const struct export_ops *ops = export_find(names[i]);
		struct export_opts opts = { .event = "nothing" };
		struct stacks *s = hostile_stacks(&ops->dims);
		struct strbuf out = STRBUF_INIT;
		struct export_out *o = export_memory(&out);
		struct err err = { 0 };

		assert_true(ops->write(s, &opts, o, &err) < 0);
		assert_non_null(strstr(err.msg, "nothing"));
		export_cancel(o);
		strbuf_release(&out);
		stacks_free(s);
	}
}

static int done(void **state)
{
	strbuf_release(&written);
	arena_release(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(speedscope),       cmocka_unit_test(gecko),
		cmocka_unit_test(chrome_trace),     cmocka_unit_test(chrome_trace_of_timeline),
		cmocka_unit_test(ndjson),           cmocka_unit_test(dot),
		cmocka_unit_test(callgrind),        cmocka_unit_test(no_such_event),
		cmocka_unit_test(all_of_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, done);
}
