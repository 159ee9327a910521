// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the option parser: every way to write an option, and the wording of every refusal. */
#include "base/compat.h"

#include "base/alloc.h"
#include "cli/options.h"

#include <setjmp.h>
#include <cmocka.h>

struct opts {
	bool all, quiet, quiet_set, nobuildid;
	int verbose, num, pick;
	unsigned int freq, mode;
	long lnum;
	u64 count;
	bool count_set;
	const char *output, *switch_output, *nonempty;
	char cb[64];
	int cb_calls, cb_unset;
	bool excl_a;
	const char *excl_b;
};

static int record_arg(const struct option *opt, const char *arg, int unset)
{
	struct opts *o = opt->value;

	o->cb_calls++;
	o->cb_unset = unset;
	snprintf(o->cb, sizeof(o->cb), "%s", arg ? arg : "(null)");
	return arg && !strcmp(arg, "bad") ? -1 : 0;
}

static struct opts o;
static const struct option table[] = {
	OPT_BOOLEAN('a', "all-cpus", &o.all, "system-wide"),
	OPT_BOOLEAN_SET('q', "quiet", &o.quiet, &o.quiet_set, "say nothing"),
	OPT_BOOLEAN('B', "no-buildid", &o.nobuildid, "no build ids"),
	OPT_INCR('v', "verbose", &o.verbose, "be more verbose"),
	OPT_INTEGER('n', "num", &o.num, "a number"),
	OPT_UINTEGER('F', "freq", &o.freq, "frequency"),
	OPT_LONG(0, "long-number", &o.lnum, "a long"),
	OPT_U64_SET('c', "count", &o.count, &o.count_set, "n", "event period"),
	OPT_SET_UINT('m', "mode", &o.mode, "set a mode", 7),
	OPT_SET_INT(0, "pick", &o.pick, "set a pick", -3),
	OPT_STRING('o', "output", &o.output, "file", "output file"),
	OPT_STRING_OPTARG(0, "switch-output", &o.switch_output, "signal or size", "switch it",
			  "signal"),
	OPT_STRING_NOEMPTY(0, "nonempty", &o.nonempty, "x", "not empty"),
	OPT_CALLBACK(0, "call-graph", &o, "mode", "with a value", record_arg),
	OPT_CALLBACK_NOOPT('g', NULL, &o, NULL, "no value", record_arg),
	OPT_CALLBACK_OPTARG('z', "compression-level", &o, NULL, "n", "level", record_arg),
	OPT_CALLBACK_DEFAULT('G', "graph", &o, "how", "last arg default", record_arg, "dflt"),
	OPT_BOOLEAN_FLAG(0, "hide-me", &o.all, "hidden", PARSE_OPT_HIDDEN | PARSE_OPT_NONEG),
	OPT_BOOLEAN_FLAG('x', "excl-a", &o.excl_a, "first of two", PARSE_OPT_EXCLUSIVE),
	OPT_STRING_FLAG('y', "excl-b", &o.excl_b, "v", "second of two", PARSE_OPT_EXCLUSIVE),
	OPT_GONE('K', "keep", "-K is gone: write -k"),
	OPT_END(),
};
static const char *const usage[] = { "perf record [<options>] [<command>]",
				     "perf record [<options>] -- <command>", NULL };

static const char *args[32];
static struct options_out out;

/* Parse words separated by single blanks; an empty word is written as ''. */
static int parse(int flags, const char *line)
{
	static char *copy;
	char *w, *save;
	int n = 0;

	memset(&o, 0, sizeof(o));
	options_out_release(&out);
	memset(&out, 0, sizeof(out));
	free(copy);
	copy = xstrdup(line);
	args[n++] = "record";
	for (w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		args[n++] = strcmp(w, "''") ? w : "";
	args[n] = NULL;
	return options_parse(n, args, table, usage, flags, &out);
}

#define ok(line, nargs) assert_int_equal(parse(0, line), nargs)
#define refused(line, want)                                                                        \
	do {                                                                                       \
		assert_int_equal(parse(0, line), -1);                                              \
		assert_int_equal(out.status, 129);                                                 \
		assert_string_equal(strbuf_str(&out.text), want);                                  \
	} while (0)
#define begins(line, want)                                                                         \
	do {                                                                                       \
		assert_int_equal(parse(0, line), -1);                                              \
		assert_int_equal(strncmp(strbuf_str(&out.text), want, strlen(want)), 0);           \
	} while (0)
#define U                                                                                          \
	"\n Usage: perf record [<options>] [<command>]\n    or: perf record [<options>] -- <command>\n\n"

static void test_forms(void **state)
{
	ok("-a", 0);
	assert_true(o.all);
	ok("-avv -F99 -o x", 0);
	assert_true(o.all);
	assert_int_equal(o.verbose, 2);
	assert_int_equal(o.freq, 99);
	assert_string_equal(o.output, "x");
	ok("-aox", 0);
	assert_string_equal(o.output, "x");
	ok("--output=y --freq 7 --num=-4 --long-number=5", 0);
	assert_string_equal(o.output, "y");
	assert_int_equal(o.freq, 7);
	assert_int_equal(o.num, -4);
	assert_int_equal(o.lnum, 5);
	ok("--output= -F ''", 0);
	assert_string_equal(o.output, "");
	ok("-m --pick -c 18446744073709551615", 0);
	assert_int_equal(o.mode, 7);
	assert_int_equal(o.pick, -3);
	assert_true(o.count_set && o.count == UINT64_MAX);
	ok("-q", 0);
	assert_true(o.quiet && o.quiet_set);
}

static void test_negation(void **state)
{
	ok("-a --no-all-cpus", 0);
	assert_false(o.all);
	ok("--quiet --no-quiet", 0);
	assert_true(!o.quiet && o.quiet_set);
	ok("--no-buildid", 0);
	assert_true(o.nobuildid);
	ok("--no-buildid --buildid", 0);
	assert_false(o.nobuildid);
	ok("--no-buildid --no-no-buildid", 0);
	assert_false(o.nobuildid);
	ok("-vv --no-verbose", 0);
	assert_int_equal(o.verbose, 0);
	ok("-m --no-mode -o x --no-output -F 3 --no-freq", 0);
	assert_true(!o.mode && !o.output && !o.freq);
	ok("--no-call-graph", 0);
	assert_int_equal(o.cb_unset, 1);
	refused("--no-all-cpus=3", " Error: option `no-all-cpus' takes no value" U);
	begins("--no-hide-me", " Error: option `no-hide-me' isn't available" U);
}

static void test_abbreviation(void **state)
{
	ok("--all --verb --outp=z --no-quie", 0);
	assert_true(o.all && o.verbose == 1 && o.quiet_set);
	assert_string_equal(o.output, "z");
	begins("--no", " Error: Ambiguous option: no (could be --no-excl-a or --no-excl-b)\n" U);
}

static void test_optional_values(void **state)
{
	ok("-z", 0);
	assert_string_equal(o.cb, "(null)");
	ok("-z3", 0);
	assert_string_equal(o.cb, "3");
	ok("-z 3", 1);
	assert_string_equal(args[0], "3");
	ok("--compression-level=4", 0);
	assert_string_equal(o.cb, "4");
	ok("--switch-output 5", 1);
	assert_string_equal(o.switch_output, "signal");
	ok("--switch-output=1G", 0);
	assert_string_equal(o.switch_output, "1G");
	ok("-ag -o f", 0);
	assert_true(o.all && o.cb_calls == 1);
	ok("-G", 0);
	assert_string_equal(o.cb, "dflt");
	ok("-G -a", 0);
	assert_true(!strcmp(o.cb, "dflt") && o.all);
	ok("-G caller x", 1);
	assert_string_equal(o.cb, "caller");
}

static void test_arguments(void **state)
{
	ok("a -a b", 2);
	assert_true(o.all);
	assert_string_equal(args[0], "a");
	assert_string_equal(args[1], "b");
	assert_null(args[2]);
	assert_int_equal(parse(PARSE_OPT_STOP_AT_NON_OPTION, "-v ls -a -v"), 3);
	assert_true(!o.all && o.verbose == 1);
	assert_string_equal(args[1], "-a");
	ok("-v -- -a", 1);
	assert_string_equal(args[0], "-a");
	assert_int_equal(parse(PARSE_OPT_KEEP_DASHDASH, "-v -- -a"), 2);
	assert_string_equal(args[0], "--");
	assert_int_equal(parse(PARSE_OPT_KEEP_ARGV0, "-v x"), 2);
	assert_string_equal(args[0], "record");
	assert_string_equal(args[1], "x");
	ok("-", 1);
	assert_int_equal(parse(PARSE_OPT_KEEP_UNKNOWN, "--what -W -v x"), 3);
	assert_string_equal(args[0], "--what");
	assert_string_equal(args[1], "-W");
	assert_int_equal(o.verbose, 1);
}

static void test_refusals(void **state)
{
	begins("-Q", "  Error: unknown switch `Q'\n" U);
	begins("-K", "  Error: unknown switch `K'\n  -K is gone: write -k\n" U);
	begins("-aK", "  Error: unknown switch `K'\n  -K is gone: write -k\n" U);
	begins("--keep=3", "  Error: unknown option `keep=3'\n  -K is gone: write -k\n" U);
	begins("--xyz=3", "  Error: unknown option `xyz=3'\n" U);
	begins("--vrebose=3", "  Error: unknown option `vrebose=3'\n  Did you mean --verbose?\n" U);
	begins("--e\033[m", "  Error: unknown option `e\\x1b[m'\n" U);
	refused("-F",
		" Error: switch `F' requires a value" U "    -F, --freq <n>        frequency\n");
	refused("--freq",
		" Error: option `freq' requires a value" U "    -F, --freq <n>        frequency\n");
	refused("-n abc", " Error: switch `n' expects a numerical value" U
			  "    -n, --num <n>         a number\n");
	refused("--num abc", " Error: option `num' expects a numerical value" U
			     "    -n, --num <n>         a number\n");
	refused("-F -5", " Error: switch `F' expects an unsigned numerical value" U
			 "    -F, --freq <n>        frequency\n");
	refused("-F 4294967296", " Error: switch `F' expects a smaller number" U
				 "    -F, --freq <n>        frequency\n");
	refused("--freq=0x10", " Error: option `freq' expects a numerical value" U);
	refused("--all-cpus=3", " Error: option `all-cpus' takes no value" U);
	refused("--call-graph bad",
		U "        --call-graph <mode>\n                          with a value\n");
	refused("-all-cpus", " Error: did you mean `--all-cpus` (with two dashes ?)\n");
	refused("-x -y 1",
		" Error: switch `y' cannot be used with switch `x'" U
		"    -y, --excl-b <v>      second of two\n    -x, --excl-a          first of two\n");
	refused("--excl-a --excl-b=1",
		" Error: option `excl-b' cannot be used with excl-a" U
		"    -y, --excl-b <v>      second of two\n    -x, --excl-a          first of two\n");
	begins("--nonempty=", " Error: option `nonempty' requires a value" U);
}

static void test_help(void **state)
{
	refused("-h freq", U "    -F, --freq <n>        frequency\n\n");
	refused("-ah -a", U "    -a, --all-cpus        system-wide\n\n");
	refused("-h --freq", U "    -F, --freq <n>        frequency\n\n");
	refused("-h switch", U
		"        --switch-output[=<signal or size>]\n                          switch it\n\n");
	refused("-h nosuch", U "\n");
	assert_true(out.whole_usage && !out.to_stdout);
	refused("-h hide-me", U "\n");
	assert_int_equal(parse(0, "--help-all"), -1);
	assert_non_null(strstr(strbuf_str(&out.text), "--hide-me"));
	begins("-h", U "    -a, --all-cpus        system-wide\n"
		       "    -B, --no-buildid      no build ids\n"
		       "    -c, --count <n>       event period\n"
		       "    -F, --freq <n>        frequency\n"
		       "    -g                    no value\n"
		       "    -G, --graph <how>     last arg default\n"
		       "    -m, --mode            set a mode\n");
}

static void test_lists(void **state)
{
	static const char *const subs[] = { "record", "report", NULL };
	static const char *const none[] = { NULL };
	const char *argv[] = { "sched", "--list-cmds", NULL };

	assert_int_equal(parse(0, "--list-opts"), -1);
	assert_int_equal(out.status, 130);
	assert_true(out.to_stdout);
	assert_int_equal(strncmp(strbuf_str(&out.text), "--all-cpus --quiet --no-buildid ", 31), 0);
	strbuf_reset(&out.text);
	assert_int_equal(options_parse_subcommand(2, argv, table, subs, none, 0, &out), -1);
	assert_string_equal(strbuf_str(&out.text), "record report \n");
	strbuf_reset(&out.text);
	argv[1] = "-h";
	assert_int_equal(options_parse_subcommand(2, argv, table, subs, none, 0, &out), -1);
	assert_int_equal(strncmp(strbuf_str(&out.text),
				 "\n Usage: perf sched [<options>] {record|report}\n\n", 48),
			 0);
}

static void test_parent(void **state)
{
	bool sub = false;
	const struct option subtable[] = {
		OPT_BOOLEAN('s', "sub", &sub, "of the subcommand"),
		OPT_PARENT(table),
	};
	const char *argv[] = { "latency", "-s", "-a", "x", NULL };

	memset(&o, 0, sizeof(o));
	assert_int_equal(options_parse(4, argv, subtable, usage, 0, &out), 1);
	assert_true(sub && o.all);
	assert_int_equal(options_check(subtable, NULL), 0);
}

static void test_check(void **state)
{
	struct err e = { 0 };
	bool b;
	const struct option twice[] = {
		OPT_BOOLEAN('a', "one", &b, "h"),
		OPT_GROUP("more"),
		OPT_BOOLEAN('a', "two", &b, "h"),
		OPT_END(),
	};
	const struct option same[] = { OPT_BOOLEAN(0, "one", &b, "h"),
				       OPT_BOOLEAN('b', "one", &b, "h"), OPT_END() };
	const struct option nowhere[] = { OPT_STRING(0, "one", NULL, "x", "h"), OPT_END() };
	const struct option nohelp[] = { OPT_BOOLEAN(0, "one", &b, NULL), OPT_END() };

	assert_int_equal(options_check(table, &e), 0);
	assert_true(options_check(twice, &e) < 0);
	assert_string_equal(e.msg, "the letter `a' is used twice");
	assert_true(options_check(same, &e) < 0);
	assert_string_equal(e.msg, "the name `one' is used twice");
	assert_true(options_check(nowhere, &e) < 0);
	assert_true(options_check(nohelp, &e) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),        cmocka_unit_test(test_negation),
		cmocka_unit_test(test_abbreviation), cmocka_unit_test(test_optional_values),
		cmocka_unit_test(test_arguments),    cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_help),         cmocka_unit_test(test_lists),
		cmocka_unit_test(test_parent),       cmocka_unit_test(test_check),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
