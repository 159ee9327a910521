// SPDX-License-Identifier: GPL-2.0-or-later
/* Test exports in Protocol Buffers: fields by their published numbers, totals, and names as
 * text. */
#include "base/compat.h"
#include "export/export.h"

#include "gunzip.h"
#include "hostile-stacks.h"

#include <setjmp.h>

#include <cmocka.h>

static struct strbuf written;

/* Read back: each field calls back, with its number or its bytes. */
struct field {
	u32 number;
	u64 value;   /* of a varint or eight bytes */
	const u8 *p; /* NULL: it is a number */
	size_t len;
};

static u64 varint(const u8 **p, const u8 *end)
{
	u64 v = 0;

	for (int shift = 0;; shift += 7) {
		assert_true(*p < end && shift < 70);
		v |= (u64)(**p & 0x7f) << shift;
		if (!(*(*p)++ & 0x80))
			return v;
	}
}

static bool next_field(const u8 **p, const u8 *end, struct field *f)
{
	u64 key;

	if (*p == end)
		return false;
	key = varint(p, end);
	*f = (struct field){ .number = (u32)(key >> 3) };
	switch (key & 7) {
	case 0:
		f->value = varint(p, end);
		break;
	case 1:
		assert_true(end - *p >= 8);
		*p += 8;
		break;
	case 2:
		f->len = varint(p, end);
		assert_true(f->len <= (size_t)(end - *p));
		f->p = *p;
		*p += f->len;
		break;
	default:
		fail_msg("wire type %d", (int)(key & 7));
	}
	return true;
}

/* The @nth field of that number inside @in. */
static bool find(const struct field *in, u32 number, u32 nth, struct field *f)
{
	const u8 *p = in->p;

	while (next_field(&p, in->p + in->len, f))
		if (f->number == number && !nth--)
			return true;
	return false;
}

static u32 count(const struct field *in, u32 number)
{
	struct field f;
	u32 n = 0;

	while (find(in, number, n, &f))
		n++;
	return n;
}

static struct field get(const struct field *in, u32 number, u32 nth)
{
	struct field f;

	if (!find(in, number, nth, &f))
		fail_msg("no field %u (%u)", number, nth);
	return f;
}

static u64 number(const struct field *in, u32 number)
{
	struct field f;

	return find(in, number, 0, &f) ? f.value : 0;
}

static u64 packed(const struct field *f, u32 nth)
{
	const u8 *p = f->p;
	u64 v;

	do
		v = varint(&p, f->p + f->len);
	while (nth--);
	return v;
}

static u32 packed_count(const struct field *f)
{
	u32 n = 0;

	for (const u8 *p = f->p; p < f->p + f->len; n++)
		varint(&p, f->p + f->len);
	return n;
}

static void expect_text(const struct field *f, const char *text)
{
	if (f->len != strlen(text) || memcmp(f->p, text, f->len))
		fail_msg("'%.*s' is not '%s'", (int)f->len, f->p, text);
}

static struct field write_as(const char *name, const struct export_opts *opts)
{
	assert_int_equal(hostile_write(name, opts, &written), 0);
	return (struct field){ .p = (u8 *)written.buf, .len = written.len };
}

/* Unpack with gzip what was written. */
static struct field unpacked(void)
{
	struct strbuf all = STRBUF_INIT;

	assert_true(gunzip(&written, &all));
	strbuf_release(&written);
	written = all;
	return (struct field){ .p = (u8 *)written.buf, .len = written.len };
}

/* ---- pprof ---- */

static void pprof_string(const struct field *all, u64 n, const char *text)
{
	struct field f = get(all, 6, (u32)n);

	expect_text(&f, text);
}

static void pprof_types(const struct field *all)
{
	static const char *const types[][2] = {
		{ "cpu-clock samples", "count" },          { "cpu-clock", "nanoseconds" },
		{ "sched:sched_switch samples", "count" }, { "sched:sched_switch", "count" },
		{ "probe:it's\"a<b samples", "count" },    { "probe:it's\"a<b", "count" },
	};

	assert_int_equal(count(all, 1), ARRAY_SIZE(types));
	for (u32 i = 0; i < ARRAY_SIZE(types); i++) {
		struct field type = get(all, 1, i);

		pprof_string(all, number(&type, 1), types[i][0]);
		pprof_string(all, number(&type, 2), types[i][1]);
	}
	pprof_string(all, number(all, 14), "cpu-clock");
}

/* The names of a place, the innermost function first, with ';' behind each. */
static void pprof_place(const struct field *all, u64 id, struct strbuf *out)
{
	struct field location = get(all, 4, (u32)id - 1), line, function, name;

	assert_int_equal(number(&location, 1), id);
	for (u32 i = 0; find(&location, 4, i, &line); i++) {
		function = get(all, 5, (u32)number(&line, 1) - 1);
		assert_int_equal(number(&function, 1), number(&line, 1));
		name = get(all, 6, (u32)number(&function, 2));
		strbuf_add(out, name.p, MIN(name.len, (size_t)20));
		strbuf_addch(out, ';');
	}
}

static void pprof_file(void **state)
{
	static const char *const stacks[] = {
		/* One place has the function that was inlined and the one it is in. */
		"in\"lined;</script><img onerro;|main;|",
		("(1) fn=(2) h;|</script><img onerro;|"
		 "bad \\xff\\xc3 utf8 \xe2\x82;|</script><img onerro;|main;|"),
		"do_syscall_64;|main;|",
	};
	struct export_opts opts = { .weight = WEIGHT_PERIOD };
	struct strbuf got = STRBUF_INIT;
	struct field all, sample, f;
	u64 samples = 0, period = 0;
	u32 found = 0;

	write_as("pprof", &opts);
	all = unpacked();
	pprof_types(&all);
	pprof_string(&all, 0, "");
	for (u32 i = 0; find(&all, 2, i, &sample); i++) {
		f = get(&sample, 2, 0);
		assert_int_equal(packed_count(&f), 6);
		samples += packed(&f, 0);
		period += packed(&f, 1);
		f = get(&sample, 1, 0);
		strbuf_reset(&got);
		for (u32 k = 0; k < packed_count(&f); k++) {
			pprof_place(&all, packed(&f, k), &got);
			strbuf_addch(&got, '|');
		}
		for (u32 k = 0; k < ARRAY_SIZE(stacks); k++)
			found |= (u32)!strcmp(strbuf_str(&got), stacks[k]) << k;
		assert_int_equal(count(&sample, 3), 4); /* comm, pid, tid, cpu */
	}
	assert_int_equal(samples, HOSTILE_SAMPLES);
	assert_int_equal(period, HOSTILE_PERIOD);
	assert_int_equal(found, 7);
	f = get(&all, 3, 0);
	assert_true(number(&f, 3));
	strbuf_release(&got);
}

static void pprof_of_one_event(void **state)
{
	struct export_opts opts = { .weight = WEIGHT_SAMPLES, .event = "cpu-clock" };
	struct field all, sample, f;
	u64 samples = 0;

	write_as("pprof", &opts);
	all = unpacked();
	assert_int_equal(count(&all, 1), 2);
	pprof_string(&all, number(&all, 14), "samples");
	for (u32 i = 0; find(&all, 2, i, &sample); i++) {
		f = get(&sample, 2, 0);
		assert_int_equal(packed_count(&f), 2);
		samples += packed(&f, 0);
	}
	assert_int_equal(samples, HOSTILE_SAMPLES);
}

/* ---- OpenTelemetry ---- */

static void otlp_text(const struct field *dictionary, u64 n, const char *text)
{
	struct field f = get(dictionary, 5, (u32)n);

	expect_text(&f, text);
}

static u64 otlp_sum(const struct field *profile, const struct field *dictionary)
{
	struct field sample, f;
	u64 sum = 0;

	for (u32 i = 0; find(profile, 2, i, &sample); i++) {
		f = get(&sample, 4, 0);
		assert_int_equal(packed_count(&f), 1);
		sum += packed(&f, 0);
		assert_in_range(number(&sample, 1), 1, count(dictionary, 7) - 1);
		f = get(&sample, 2, 0);
		assert_int_equal(packed_count(&f), 3);
		for (u32 k = 0; k < 3; k++)
			assert_in_range(packed(&f, k), 1, count(dictionary, 6) - 1);
	}
	return sum;
}

static void otlp_tables(const struct field *dictionary)
{
	struct field f, line;

	/* Entry 0 of each stands for nothing. */
	for (u32 table = 1; table <= 7; table++) {
		f = get(dictionary, table, 0);
		assert_int_equal(f.len, 0);
	}
	for (u32 i = 1; find(dictionary, 7, i, &f); i++) {
		f = get(&f, 1, 0);
		for (u32 k = 0; k < packed_count(&f); k++)
			assert_in_range(packed(&f, k), 1, count(dictionary, 2) - 1);
	}
	for (u32 i = 1; find(dictionary, 2, i, &f); i++) {
		assert_true(number(&f, 1) < count(dictionary, 1));
		line = get(&f, 3, 0);
		assert_in_range(number(&line, 1), 1, count(dictionary, 3) - 1);
	}
}

static void otlp(void **state)
{
	struct export_fact fact = { "hostname", "h\"<&" };
	struct export_opts opts = { .facts = &fact, .nr_facts = 1, .wall_offset = 1 };
	struct field all = write_as("otlp", &opts), dictionary, scope, profile, f;

	dictionary = get(&all, 2, 0);
	scope = get(&all, 1, 0);
	f = get(&scope, 1, 0);
	f = get(&f, 1, 0);
	f = get(&f, 1, 0);
	expect_text(&f, "host.name");
	scope = get(&scope, 2, 0);
	assert_int_equal(count(&scope, 2), 3);
	profile = get(&scope, 2, 0);
	f = get(&profile, 1, 0);
	otlp_text(&dictionary, number(&f, 1), "cpu-clock");
	otlp_text(&dictionary, number(&f, 2), "nanoseconds");
	assert_int_equal(otlp_sum(&profile, &dictionary), HOSTILE_PERIOD);
	f = get(&profile, 7, 0);
	assert_int_equal(f.len, 16);
	get(&profile, 3, 0);
	otlp_tables(&dictionary);
}

/* ---- Perfetto ---- */

struct perfetto_seen {
	u32 samples, instants, begins, ends, counters, tracks, strings, stacks;
	u64 counted;
};

static void perfetto_event(const struct field *event, struct perfetto_seen *seen)
{
	switch (number(event, 9)) {
	case 1:
		seen->begins++;
		break;
	case 2:
		seen->ends++;
		break;
	case 3:
		seen->instants++;
		break;
	case 4:
		seen->counters++;
		seen->counted += number(event, 30);
		break;
	default:
		fail_msg("type of an event");
	}
	assert_true(number(event, 11));
}

static void perfetto(void **state)
{
	struct export_opts opts = { .weight = WEIGHT_PERIOD };
	struct field all = write_as("perfetto", &opts), packet, f;
	struct perfetto_seen seen = { 0 };
	const u8 *p = all.p;

	while (next_field(&p, all.p + all.len, &packet)) {
		assert_int_equal(packet.number, 1);
		assert_true(number(&packet, 10));
		if (find(&packet, 66, 0, &f)) {
			seen.samples++;
			assert_int_equal(number(&packet, 13), 2);
			assert_true(number(&f, 4));
		} else if (find(&packet, 12, 0, &f)) {
			assert_int_equal(number(&packet, 13), 1);
			seen.strings += count(&f, 5);
			seen.stacks += count(&f, 7);
		} else if (find(&packet, 60, 0, &f)) {
			seen.tracks++;
		} else {
			f = get(&packet, 11, 0);
			perfetto_event(&f, &seen);
		}
	}
	assert_int_equal(seen.samples, HOSTILE_SAMPLES + 6 + 1);
	assert_int_equal(seen.instants, 1);
	/* CPU 0 was left by 100, 0, 100, 0, 100, 0. Idle time and what was before do not count. */
	assert_int_equal(seen.begins, 2);
	assert_int_equal(seen.ends, 2);
	assert_int_equal(seen.counted, HOSTILE_PERIOD + 6 + 1);
	assert_int_equal(seen.stacks, 4 + 1 + 1);
	/* Two processes, three threads, CPU 0 and what it is in, a counter of each event. */
	assert_int_equal(seen.tracks, 2 + 3 + 2 + 3);
}

static int done(void **state)
{
	strbuf_release(&written);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pprof_file),
		cmocka_unit_test(pprof_of_one_event),
		cmocka_unit_test(otlp),
		cmocka_unit_test(perfetto),
	};

	return cmocka_run_group_tests(tests, NULL, done);
}
