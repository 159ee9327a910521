// SPDX-License-Identifier: GPL-2.0-or-later
/* Check that scripts of users in other languages get the samples of a recording, and that perf
 * writes the beginning of such a script. */
#include "base/compat.h"

#include "base/alloc.h"
#include "cmd/common/settings.h"
#include "sample-file.h"
#include "script/engine.h"
#include "script/generate.h"
#include "suites.h"

/* --- engines ------------------------------------------------------------------------------- */

/* Load the engine from where `perf script` looks for it. Return: TEST_OK, or TEST_SKIP */
static int has_engine(struct test_ctx *ctx, const struct script_language *language)
{
	char *here = program_folder(), *installed = xasprintf("%s/../lib/perf", here);
	const char *folders[] = { here, installed, lib_path(), NULL };
	struct err err = { 0 };
	struct script_engine *e = script_engine_load(language, folders, &err);

	script_engine_free(e);
	free(installed);
	free(here);
	return e ? TEST_OK : test_skip(ctx, "%.*s", (int)strcspn(err.msg, "\n"), err.msg);
}

/* Run the script on the recording, and compare what it prints. */
static int run_script(const struct sample_file *f, const char *script, const char *want)
{
	struct test_run run;
	int ret = TEST_PERF(&run, "script", "-i", f->path, "-s", script);

	if (!ret && (run.status || strcmp(strbuf_str(&run.out), want))) {
		test_say("status %d; it should print:\n%sand it prints:\n%s", run.status, want,
			 strbuf_str(&run.out));
		ret = TEST_FAIL;
	}
	strbuf_release(&run.out);
	return ret;
}

/* Check what a script prints of the samples of the recording. @spec: the language */
static int with_script(struct test_ctx *ctx, const char *spec, const char *text)
{
	static const char want[] = "begin\nhot 100\nhot 100\ncool 100\nhot 100\nend 4\n";
	const char *path;
	char *file = xasprintf("%s:", spec);
	struct err err = { 0 };
	const struct script_language *language = script_language_of(file, &path, &err);
	struct sample_file f;
	int ret;

	free(file);
	TEST_CHECK(language, "%s", err.msg);
	ret = has_engine(ctx, language);
	ret = ret ?: sample_file_write(&f);
	if (ret)
		return ret;
	file = xasprintf("%s/test.%s", f.dir, spec);
	ret = test_put_file(file, text) ?: run_script(&f, file, want);
	free(file);
	sample_file_remove(&f);
	return ret;
}

static int test_python(struct test_ctx *ctx)
{
	return with_script(ctx, "py",
			   "seen = []\n"
			   "def trace_begin():\n"
			   "\tprint('begin')\n"
			   "def process_event(e):\n"
			   "\tseen.append(e)\n"
			   "\tprint(e['symbol'], e['sample']['period'])\n"
			   "def trace_end():\n"
			   "\tprint('end', len(seen))\n");
}

/* The script gets samples as bytes; the address tells the function. */
static int test_perl(struct test_ctx *ctx)
{
	return with_script(ctx, "pl",
			   "my $nr = 0;\n"
			   "sub trace_begin { print \"begin\\n\"; }\n"
			   "sub process_event {\n"
			   "\tmy @s = unpack('QLLQQQQQ', $_[2]);\n"
			   "\tmy $name = ('caller', 'hot', 'cool')[($s[0] >> 12) & 3];\n"
			   "\tprint \"$name $s[7]\\n\";\n"
			   "\t$nr++;\n"
			   "}\n"
			   "sub trace_end { print \"end $nr\\n\"; }\n");
}

/* --- generated scripts --------------------------------------------------------------------- */

static int has_handlers(const struct tracefmt *tf)
{
	static const char python[] = "\ndef test__wake(event_name, context, common_cpu,",
			  perl[] = "\nsub test::wake\n{\n";
	struct strbuf out = STRBUF_INIT;
	bool both;

	generate_python(tf, &out);
	both = strstr(strbuf_str(&out), python);
	generate_perl(tf, &out);
	both = both && strstr(strbuf_str(&out), perl);
	if (!both)
		test_say("a handler is missing in:\n%s", strbuf_str(&out));
	strbuf_release(&out);
	return both ? TEST_OK : TEST_FAIL;
}

static int test_generated(struct test_ctx *ctx __unused)
{
	static const char format[] =
		"name: wake\nID: 7\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:int target;\toffset:8;\tsize:4;\tsigned:1;\n\n"
		"print fmt: \"to %d\", REC->target\n";
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct err err = { 0 };
	int ret = TEST_FAIL;

	if (tracefmt_add(tf, "test", format, sizeof(format) - 1, &err))
		ret = has_handlers(tf);
	else
		test_say("%s", err.msg);
	tracefmt_free(tf);
	return ret;
}

static const struct test_case cases[] = {
	{ "a script in Python sees each sample", test_python },
	{ "a script in Perl sees each sample", test_perl },
	{ "generated scripts have a handler for each event", test_generated },
};
TEST_SUITE(suite_scripts, "Scripts in other languages", cases, "script");
