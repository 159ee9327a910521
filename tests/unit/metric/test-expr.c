// SPDX-License-Identifier: GPL-2.0-or-later
/* Test metric expressions: values, precedence, ids and their escapes, errors with their place. */
#include "base/compat.h"
#include "metric/expr.h"

#include "base/strbuf.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>

#include <cmocka.h>

/* The values of ids in these tests. */
static const struct {
	const char *id;
	double value;
	u32 sources;
} counts[] = {
	{ "a", 7, 1 },
	{ "b", 3, 2 },
	{ "c", 2, 1 },
	{ "zero", 0, 1 },
	{ "unknown", NAN, 0 },
	{ "BR_MISP.ALL", 40, 1 },
	{ "branch-misses", 20, 1 },
	{ "cpu/event=0x3c,umask=1/k", 1000, 1 },
	{ "imc/cas_count_read/", 64, 6 },
	{ "5x", 55, 1 },
	{ "1e", 11, 1 },
	{ "cycles:u", 12, 1 },
	{ "minimum", 1, 1 },
	{ "if_", 4, 1 },
	{ "x.y:z_9?", 9, 1 },
	{ "huge", 1e30, 1 },
	{ "neg", -7, 1 },
	{ "half", 0.5, 1 },
};

static int literal(void *ctx, const char *name, double *v)
{
	if (!strcasecmp(name, "smt_on"))
		*v = *(int *)ctx;
	else if (!strcmp(name, "num_cpus"))
		*v = 16;
	else if (!strcmp(name, "slots"))
		*v = NAN;
	else
		return -ENOENT;
	return 0;
}

static bool has_event(void *ctx, const char *event)
{
	return !strcmp(event, "a") || !strcmp(event, "cpu/event=0x3c,umask=1/k");
}

static bool cpuid_matches(void *ctx, const char *pattern)
{
	return !strcmp(pattern, "0x410fd490") || !strcmp(pattern, "GenuineIntel-6-55");
}

static double value_of(const char *text, int smt)
{
	struct expr_env env = { literal, has_event, cpuid_matches, &smt };
	struct arena arena = { 0 };
	struct expr_error e;
	struct expr x;
	double v, values[64];
	u32 sources[64];
	const struct expr_input in = { values, sources };

	if (expr_parse(&arena, text, &x, &e) || expr_bind(&arena, &x, &env, &e))
		fail_msg("%s: at %zu: %s", text, e.at, e.text);
	assert_true(x.nr_ids <= ARRAY_SIZE(values));
	for (u32 i = 0; i < x.nr_ids; i++) {
		size_t j = 0;

		while (j < ARRAY_SIZE(counts) && strcmp(counts[j].id, x.ids[i]))
			j++;
		if (j == ARRAY_SIZE(counts))
			fail_msg("%s: id '%s'", text, x.ids[i]);
		values[i] = counts[j].value;
		sources[i] = counts[j].sources;
	}
	v = expr_eval(&x, &in);
	arena_release(&arena);
	return v;
}

static void check(const char *text, double want)
{
	double v = value_of(text, 1);

	if (isnan(want) ? !isnan(v) : !(fabs(v - want) <= fabs(want) * 1e-12))
		fail_msg("%s is %g, not %g", text, v, want);
}

static const struct {
	const char *text;
	double value;
} good[] = {
	/* numbers */
	{ "1", 1 },
	{ "0", 0 },
	{ "1.5", 1.5 },
	{ ".5", 0.5 },
	{ "5.", 5 },
	{ "1e3", 1000 },
	{ "1e-3", 0.001 },
	{ "1E+3", 1000 },
	{ "2.5e-1", 0.25 },
	{ "1e-9*1e9", 1 },
	{ "0x1f", 31 },
	{ "0xFf", 255 },
	{ "1000000000", 1e9 },
	{ "007", 7 },
	{ " 1 ", 1 },
	{ "\t1\n", 1 },
	{ "1 - 1e0", 0 },
	{ "123456789012345678901234567890", 1.2345678901234568e29 },
	/* ids */
	{ "a", 7 },
	{ "BR_MISP.ALL", 40 },
	{ "branch\\-misses", 20 },
	{ "5x", 55 },
	{ "1e", 11 },
	{ "cpu@event\\=0x3c\\,umask\\=1@k", 1000 },
	{ "cpu@event=0x3c\\,umask=1@k", 1000 },
	{ "imc@cas_count_read@", 64 },
	{ "cycles:u", 12 },
	{ "minimum", 1 },
	{ "if_", 4 },
	{ "x.y:z_9?", 9 },
	{ "\\a", 7 },
	/* operators */
	{ "a+b", 10 },
	{ "a-b", 4 },
	{ "a*b", 21 },
	{ "a/c", 3.5 },
	{ "a%b", 1 },
	{ "a<b", 0 },
	{ "a>b", 1 },
	{ "a<a", 0 },
	{ "a>a", 0 },
	{ "b<a", 1 },
	{ "a&b", 3 },
	{ "a|b", 7 },
	{ "a^b", 4 },
	{ "a^a", 0 },
	{ "-a", -7 },
	{ "--a", 7 },
	{ "- - -a", -7 },
	{ "a--b", 10 },
	{ "a*-b", -21 },
	{ "-a*-b", 21 },
	{ "-a+b", -4 },
	{ "a+-b", 4 },
	{ "(a)", 7 },
	{ "((((a))))", 7 },
	{ "(a+b)*c", 20 },
	{ "a+b*c", 13 },
	{ "a-b-c", 2 },
	{ "a-(b-c)", 6 },
	{ "a/b/c", 7.0 / 6 },
	{ "a/(b/c)", 14.0 / 3 },
	{ "a*b%c", 1 },
	{ "a%b*c", 2 },
	{ "2*3+4*5", 26 },
	{ "2+3<4+5", 1 },
	{ "1<2&3<4", 1 },
	{ "1|2^3&4", 3 },
	{ "1|2&4", 1 },
	{ "4^4|1", 1 },
	{ "6&3^1", 3 },
	{ "1<2<3", 1 },
	{ "3>2>1", 0 },
	{ "1 > 0 | 0", 1 },
	{ "100 * a / b", 700.0 / 3 },
	{ "1 - a / b", 1 - 7.0 / 3 },
	/* integers under | & ^ % */
	{ "7.9 & 3.9", 3 },
	{ "5.5 % 2.5", 1 },
	{ "neg % 3", -1 },
	{ "7 % -3", 1 },
	{ "7 % -1", 0 },
	{ "neg & 15", 9 },
	{ "huge & 1", 1 },
	{ "huge % 1000", 807 },
	{ "-huge % -1", 0 },
	{ "half | 0", 0 },
	/* what is not known */
	{ "unknown", NAN },
	{ "unknown + 1", NAN },
	{ "0 * unknown", NAN },
	{ "unknown < 1", NAN },
	{ "unknown > 1", NAN },
	{ "-unknown", NAN },
	{ "unknown & 0", 0 },
	{ "unknown & zero", NAN },
	{ "unknown | 1", NAN },
	{ "unknown ^ 1", NAN },
	{ "unknown % 1", NAN },
	{ "min(unknown, 1)", NAN },
	{ "max(1, unknown)", NAN },
	{ "d_ratio(unknown, 1)", NAN },
	{ "d_ratio(unknown, 0)", NAN },
	{ "d_ratio(1, unknown)", NAN },
	{ "1 if unknown else 2", NAN },
	{ "unknown if 0 else 2", 2 },
	{ "unknown if zero else 2", 2 },
	{ "a if a else unknown", 7 },
	{ "#slots", NAN },
	{ "1 if #slots else 2", NAN },
	/* dividing by zero */
	{ "a / zero", NAN },
	{ "a / 0", NAN },
	{ "0 / 0", NAN },
	{ "a % zero", NAN },
	{ "a % 0", NAN },
	{ "a % half", NAN },
	{ "d_ratio(a, zero)", 0 },
	{ "d_ratio(a, 0)", 0 },
	{ "d_ratio(0, 0)", 0 },
	{ "1 + a / zero", NAN },
	{ "5 if 1 > a / zero else 6", NAN },
	{ "zero / a", 0 },
	{ "max(d_ratio(a, 0), 3)", 3 },
	{ "a / (b - 3)", NAN },
	{ "1 if zero else a / zero", NAN },
	{ "1 if a else a / zero", 1 },
	/* functions */
	{ "min(a, b)", 3 },
	{ "max(a, b)", 7 },
	{ "min(a,min(b,c))", 2 },
	{ "max(-a, -b)", -3 },
	{ "min (a , b)", 3 },
	{ "d_ratio(a, b)", 7.0 / 3 },
	{ "d_ratio(a - 1, b)", 2 },
	{ "min(1 if a else 2, 3)", 1 },
	{ "1 + min(a, b) * 2", 7 },
	{ "max(a > b, c)", 2 },
	{ "source_count(a)", 1 },
	{ "source_count(b)", 2 },
	{ "b / source_count(b)", 1.5 },
	{ "source_count(imc@cas_count_read@)", 6 },
	{ "source_count(unknown)", 0 },
	{ "has_event(a)", 1 },
	{ "has_event(b)", 0 },
	{ "has_event(cpu@event\\=0x3c\\,umask\\=1@k)", 1 },
	{ "unknown if has_event(b) else c", 2 },
	{ "a if has_event(a) else unknown", 7 },
	{ "strcmp_cpuid_str(0x410fd490)", 1 },
	{ "strcmp_cpuid_str(0x410fd491)", 0 },
	{ "strcmp_cpuid_str(GenuineIntel\\-6\\-55)", 1 },
	{ "1 - strcmp_cpuid_str(x)", 1 },
	/* literals */
	{ "#smt_on", 1 },
	{ "#SMT_on", 1 },
	{ "#num_cpus / 4", 4 },
	{ "#num_cpus-1", 15 },
	{ "a if #smt_on else b", 7 },
	{ "a if #SMT_ON else unknown", 7 },
	{ "b*#num_cpus", 48 },
	/* conditions */
	{ "a if b else c", 7 },
	{ "a if zero else c", 2 },
	{ "a if 0 else c", 2 },
	{ "a if b > c else c", 7 },
	{ "a if b < c else c", 2 },
	{ "a if half else c", 7 },
	{ "a if neg else c", 7 },
	{ "1 if 0 else 2 if 0 else 3", 3 },
	{ "1 if 0 else 2 if 1 else 3", 2 },
	{ "(1 if 1 else 2) if 0 else 3", 3 },
	{ "1 + 1 if 0 else 5", 5 },
	{ "1 + (1 if 0 else 5)", 6 },
	{ "a | b if 1 else 0", 7 },
	{ "1 if 1 else 2 + 3", 1 },
	{ "1 if 0 else 2 + 3", 5 },
	{ "2 * (a if zero|1 else b)", 14 },
	{ "a if(b)else c", 7 },
	{ "(a)if 1 else(b)", 7 },
	{ "100 * (1 - a / (4 * (b / 2 if #smt_on else b)))", 100 * (1 - 7.0 / 6) },
};

static void test_values(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		check(good[i].text, good[i].value);
}

/* Each two operators side by side, with the brackets that their ranks say. */
static void test_precedence(void **state)
{
	static const struct {
		const char *op;
		int rank;
	} ops[] = {
		{ "|", 0 }, { "^", 1 }, { "&", 2 }, { "<", 3 }, { ">", 3 },
		{ "+", 4 }, { "-", 4 }, { "*", 5 }, { "/", 5 }, { "%", 5 },
	};
	static const char *const operands[][3] = { { "13", "6", "3" }, { "2", "5", "9" } };

	for (size_t i = 0; i < ARRAY_SIZE(ops) * ARRAY_SIZE(ops) * 2; i++) {
		size_t x = i / 2 / ARRAY_SIZE(ops), y = i / 2 % ARRAY_SIZE(ops);
		const char *const *v = operands[i % 2];
		struct strbuf plain = STRBUF_INIT, explicit = STRBUF_INIT;

		strbuf_addf(&plain, "%s%s%s%s%s", v[0], ops[x].op, v[1], ops[y].op, v[2]);
		strbuf_addf(&explicit, ops[y].rank > ops[x].rank ? "%s%s(%s%s%s)" : "(%s%s%s)%s%s",
			    v[0], ops[x].op, v[1], ops[y].op, v[2]);
		check(strbuf_str(&plain), value_of(strbuf_str(&explicit), 1));
		strbuf_release(&plain);
		strbuf_release(&explicit);
	}
}

/* --- ids ---------------------------------------------------------------------- */

static const struct {
	const char *text;
	int smt;
	const char *ids; /* each once, separated by blanks */
} needed[] = {
	{ "a + b / a", 1, "a b" },
	{ "a if #smt_on else b", 1, "a" },
	{ "a if #smt_on else b", 0, "b" },
	{ "a if c else b", 1, "c a b" },
	{ "a if #smt_on > 0 & 1 else b", 0, "b" },
	{ "a if has_event(b) else c", 1, "c" },
	{ "a if has_event(a) else c", 1, "a" },
	{ "source_count(b) * b", 1, "b" },
	{ "1 + 2", 1, "" },
	{ "a & #smt_on", 0, "" },
	{ "a & #smt_on", 1, "a" },
	{ "cpu@event\\=0x3c\\,umask\\=1@k + a", 1, "cpu/event=0x3c,umask=1/k a" },
	{ "(b if 1 - #smt_on else a / c) * 2", 1, "a c" },
	{ "a if strcmp_cpuid_str(0x410fd490) else b", 1, "a" },
};

static void test_needed(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		int smt = needed[i].smt;
		struct expr_env env = { literal, has_event, cpuid_matches, &smt };
		struct strbuf ids = STRBUF_INIT;
		struct arena arena = { 0 };
		struct expr_error e;
		struct expr x;

		assert_int_equal(expr_parse(&arena, needed[i].text, &x, &e), 0);
		assert_int_equal(expr_bind(&arena, &x, &env, &e), 0);
		for (u32 j = 0; j < x.nr_ids; j++)
			strbuf_addf(&ids, "%s%s", j ? " " : "", x.ids[j]);
		if (strcmp(strbuf_str(&ids), needed[i].ids))
			fail_msg("%s needs '%s', not '%s'", needed[i].text, strbuf_str(&ids),
				 needed[i].ids);
		strbuf_release(&ids);
		arena_release(&arena);
	}
}

static void test_constant(void **state)
{
	int smt = 1;
	struct expr_env env = { literal, has_event, cpuid_matches, &smt };
	struct arena arena = { 0 };
	struct expr_error e;
	struct expr x;
	double v;

	assert_int_equal(expr_parse(&arena, "2 * #num_cpus if #smt_on else a", &x, &e), 0);
	assert_int_equal(x.nr_ids, 1);
	assert_int_equal(expr_bind(&arena, &x, &env, &e), 0);
	assert_true(expr_constant(&x, &v));
	assert_true(v == 32);
	assert_int_equal(expr_parse(&arena, "a * 2", &x, &e), 0);
	assert_int_equal(expr_bind(&arena, &x, &env, &e), 0);
	assert_false(expr_constant(&x, &v));
	arena_release(&arena);
}

/* --- errors ------------------------------------------------------------------- */

static const struct {
	const char *text;
	size_t at;
	const char *say;
} bad[] = {
	{ "", 0, "a value is expected, the expression ends" },
	{ "  ", 2, "a value is expected, the expression ends" },
	{ "a +", 3, "a value is expected, the expression ends" },
	{ "a + * b", 4, "a value is expected, not '*'" },
	{ "a b", 2, "an operator is expected, not 'b'" },
	{ "1 2", 2, "an operator is expected, not '2'" },
	{ "(a", 2, "')' is expected, the expression ends" },
	{ "a)", 1, "an operator is expected, not ')'" },
	{ "()", 1, "a value is expected, not ')'" },
	{ "min(a)", 5, "',' is expected, not ')'" },
	{ "min(a, b, c)", 8, "')' is expected, not ','" },
	{ "min a", 4, "'(' is expected, not 'a'" },
	{ "max(", 4, "a value is expected, the expression ends" },
	{ "min(a b)", 6, "',' is expected, not 'b'" },
	{ "min(1 if 2, 3)", 10, "'else' is expected, not ','" },
	{ "d_ratio(a, b", 12, "')' is expected, the expression ends" },
	{ "a if b", 6, "'else' is expected, the expression ends" },
	{ "a if else b", 5, "a value is expected, not 'else'" },
	{ "if a else b", 0, "a value is expected, not 'if'" },
	{ "a if b else", 11, "a value is expected, the expression ends" },
	{ "a else b", 2, "an operator is expected, not 'else'" },
	{ "source_count(1)", 13, "an event is expected, not '1'" },
	{ "source_count(a + b)", 15, "')' is expected, not '+'" },
	{ "has_event()", 10, "an event is expected, not ')'" },
	{ "strcmp_cpuid_str(+)", 17, "a CPU id is expected, not '+'" },
	{ "a $ b", 2, "an operator is expected, not '$'" },
	{ "a ! b", 2, "an operator is expected, not '!'" },
	{ "a, b", 1, "an operator is expected, not ','" },
	{ "a >= b", 3, "a value is expected, not '='" },
	{ "+a", 0, "a value is expected, not '+'" },
	{ "a\\", 1, "an operator is expected, not '\\'" },
	{ "{a}", 0, "a value is expected, not '{'" },
	{ "#", 0, "unknown literal '#'" },
	{ "1 + #nonsense", 4, "unknown literal '#nonsense'" },
	{ "a if 1 else #smt_off", 0, NULL },
	{ "a if b else #smt_off", 12, "unknown literal '#smt_off'" },
};

static void test_errors(void **state)
{
	int smt = 1;
	struct expr_env env = { literal, has_event, cpuid_matches, &smt };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct arena arena = { 0 };
		struct expr_error e;
		struct expr x;
		int rc = expr_parse(&arena, bad[i].text, &x, &e);

		if (!rc)
			rc = expr_bind(&arena, &x, &env, &e);
		if (rc != (bad[i].say ? -EINVAL : 0))
			fail_msg("'%s' gives %d", bad[i].text, rc);
		if (bad[i].say && (e.at != bad[i].at || strcmp(e.text, bad[i].say)))
			fail_msg("'%s': at %zu: %s", bad[i].text, e.at, e.text);
		arena_release(&arena);
	}
}

static char *repeat(const char *before, const char *text, const char *after, size_t nr)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < nr; i++)
		strbuf_addstr(&sb, before);
	strbuf_addstr(&sb, text);
	for (size_t i = 0; i < nr; i++)
		strbuf_addstr(&sb, after);
	return strbuf_detach(&sb);
}

/* Deep nesting and long expressions are refused or work; they do not exhaust the stack. */
static void test_limits(void **state)
{
	static const struct {
		const char *before, *text, *after;
		size_t nr;
		bool good;
	} cases[] = {
		{ "(", "a", ")", 200, true },
		{ "(", "a", ")", 30000, false },
		{ "-", "a", "", 200, true },
		{ "-", "a", "", 60000, false },
		{ "", "a", "+a", 1000, true },
		{ "", "a", "+a", 30000, false },
		{ "a+", "a", "", 1000, true },
		{ "min(a,", "a", ")", 200, true },
		{ "min(a,", "a", ")", 9000, false },
		{ "a if a else ", "a", "", 200, true },
		{ "a if a else ", "a", "", 5000, false },
		{ " ", "a", " ", 32000, true },
		{ "", "a", "              ", 5000, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *text = repeat(cases[i].before, cases[i].text, cases[i].after, cases[i].nr);
		struct arena arena = { 0 };
		struct expr_error e;
		struct expr x;
		int rc = expr_parse(&arena, text, &x, &e);

		if (rc != (cases[i].good ? 0 : -EINVAL))
			fail_msg("case %zu gives %d: %s", i, rc, e.text);
		arena_release(&arena);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values), cmocka_unit_test(test_precedence),
		cmocka_unit_test(test_needed), cmocka_unit_test(test_constant),
		cmocka_unit_test(test_errors), cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
