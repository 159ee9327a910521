// SPDX-License-Identifier: GPL-2.0-or-later
/* Check that a profile reaches other programs whole: the stacks, names and counts of a recording
 * are found in the files that are written of it. */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/cur.h"
#include "base/sysroot.h"
#include "codec/json-read.h"
#include "codec/leb.h"
#include "codec/unpack.h"
#include "sample-file.h"
#include "suites.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* An export of the recording is checked by this. @path: the file */
typedef int check_fn(struct test_ctx *ctx, const char *path);

/* Have `perf report` write the recording in a format, "--NAME", and check the file. */
static int with_export(struct test_ctx *ctx, const char *format, check_fn *check)
{
	struct sample_file f;
	struct test_run run;
	int ret = sample_file_write(&f);
	char *path;

	if (ret)
		return ret;
	path = xasprintf("%s/export", f.dir);
	ret = TEST_PERF(&run, "report", "-i", f.path, format, path);
	if (!ret && run.status) {
		test_say("report %s ended with status %d", format, run.status);
		ret = TEST_FAIL;
	}
	strbuf_release(&run.out);
	ret = ret ?: check(ctx, path);
	free(path);
	sample_file_remove(&f);
	return ret;
}

/* Read the file as text. */
static int with_text(const char *path, int (*check)(const struct strbuf *text))
{
	struct strbuf text = STRBUF_INIT;
	int ret = sysroot_read(NULL, &text, "%s", path);

	if (ret)
		test_say("%s: %s", path, strerror(-ret));
	ret = ret ? TEST_FAIL : check(&text);
	strbuf_release(&text);
	return ret;
}

/* --- folded -------------------------------------------------------------------------------- */

static int check_folded_text(const struct strbuf *text)
{
	static const char want[] = "worker;caller;hot 300\nworker;cool 100\n";

	TEST_CHECK(!strcmp(strbuf_str(text), want), "it should be:\n%sand it is:\n%s", want,
		   strbuf_str(text));
	return TEST_OK;
}

static int check_folded(struct test_ctx *ctx __unused, const char *path)
{
	return with_text(path, check_folded_text);
}

static int test_folded(struct test_ctx *ctx)
{
	return with_export(ctx, "--folded", check_folded);
}

/* --- pprof --------------------------------------------------------------------------------- */

/* Numbers of fields in profile.proto of pprof. */
enum { PROFILE_SAMPLE = 2, PROFILE_STRING = 6, SAMPLE_VALUE = 2 };

/* The parts of a profile that are looked at. */
struct pprof {
	u64 samples, nanoseconds; /* the sums of both values of all entries */
	bool caller, hot, cool;   /* these names are there */
};

/* Take the next @len bytes as a message of their own. */
static struct cur inner_of(struct cur *c, u64 len)
{
	const void *p = cur_bytes(c, len);

	return cur_make(p, p ? len : 0, false);
}

/* The values of an entry are packed: samples, and nanoseconds. */
static void take_sample(struct pprof *p, struct cur c)
{
	while (cur_ok(&c) && cur_left(&c)) {
		u64 key = cur_uleb(&c), len = cur_uleb(&c);
		struct cur inner = inner_of(&c, len);

		if (key >> 3 != SAMPLE_VALUE)
			continue;
		p->samples += cur_uleb(&inner);
		p->nanoseconds += cur_uleb(&inner);
	}
}

static bool is_name(const struct cur *c, const char *name)
{
	return cur_left(c) == strlen(name) && !memcmp(c->p, name, cur_left(c));
}

static void take_string(struct pprof *p, const struct cur *c)
{
	p->caller |= is_name(c, "caller");
	p->hot |= is_name(c, "hot");
	p->cool |= is_name(c, "cool");
}

/* Walk over the fields of the profile. Return: whether they fill the file to the byte. */
static bool read_pprof(struct pprof *p, struct cur c)
{
	while (cur_ok(&c) && cur_left(&c)) {
		u64 key = cur_uleb(&c), value = cur_uleb(&c);
		struct cur inner;

		if ((key & 7) == 0)
			continue; /* a number */
		inner = inner_of(&c, value);
		if (key >> 3 == PROFILE_SAMPLE)
			take_sample(p, inner);
		else if (key >> 3 == PROFILE_STRING)
			take_string(p, &inner);
	}
	return cur_ok(&c);
}

static int check_profile(const void *data, size_t len)
{
	struct pprof p = { 0 };

	TEST_CHECK(read_pprof(&p, cur_make(data, len, false)),
		   "the %zu bytes are no message of Protocol Buffers", len);
	TEST_EQ(p.samples, 4);
	TEST_EQ(p.nanoseconds, 400);
	TEST_CHECK(p.caller && p.hot && p.cool, "names are missing: caller %d, hot %d, cool %d",
		   p.caller, p.hot, p.cool);
	return TEST_OK;
}

static int check_pprof(struct test_ctx *ctx, const char *path)
{
	int fd = unpacked_open(path, 1 << 20), ret;
	struct stat st;
	void *data;

	if (fd == -ENOTSUP)
		return test_skip(ctx, "this perf was built without zlib");
	TEST_CHECK(fd >= 0, "%s: %s", path, strerror(-fd));
	TEST_CHECK(!fstat(fd, &st) && st.st_size, "%s is empty", path);
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	TEST_CHECK(data != MAP_FAILED, "%s: %s", path, strerror(errno));
	ret = check_profile(data, (size_t)st.st_size);
	munmap(data, (size_t)st.st_size);
	return ret;
}

static int test_pprof(struct test_ctx *ctx)
{
	return with_export(ctx, "--pprof", check_pprof);
}

/* --- JSON ---------------------------------------------------------------------------------- */

static int check_profiles(const struct json_value *root)
{
	const struct json_value *shared = json_get(root, "shared"),
				*frames = shared ? json_get(shared, "frames") : NULL,
				*profiles = json_get(root, "profiles"),
				*frame = frames ? frames->first : NULL;

	TEST_CHECK(frame && profiles && profiles->first, "frames or profiles are missing");
	while (frame && strcmp(json_get_str(frame, "name") ?: "", "hot"))
		frame = frame->next;
	TEST_CHECK(frame, "no frame has the name hot");
	TEST_EQ(strtoull(json_get_str(profiles->first, "endValue") ?: "", NULL, 10), 400);
	return TEST_OK;
}

static int check_json(const struct strbuf *text)
{
	struct arena arena = { 0 };
	struct err err = { 0 };
	const struct json_value *root =
		json_parse(&arena, strbuf_str(text), text->len, "the profile", &err);
	int ret = root ? check_profiles(root) : TEST_FAIL;

	if (!root)
		test_say("%s", err.msg);
	arena_release(&arena);
	return ret;
}

static int check_speedscope(struct test_ctx *ctx __unused, const char *path)
{
	return with_text(path, check_json);
}

static int test_speedscope(struct test_ctx *ctx)
{
	return with_export(ctx, "--speedscope", check_speedscope);
}

/* --- pictures and pages -------------------------------------------------------------------- */

static int has(const struct strbuf *text, const char *part)
{
	TEST_CHECK(strstr(strbuf_str(text), part), "'%s' is not in the %zu bytes", part, text->len);
	return TEST_OK;
}

static int check_svg(const struct strbuf *text)
{
	return has(text, "<title>hot (300 cpu-clock") ?: has(text, "3 samples, 75.00%)</title>")
	       ?: has(text, "</svg>\n");
}

static int check_flamegraph(struct test_ctx *ctx __unused, const char *path)
{
	return with_text(path, check_svg);
}

static int test_flamegraph(struct test_ctx *ctx)
{
	return with_export(ctx, "--flamegraph", check_flamegraph);
}

static int check_html(const struct strbuf *text)
{
	static const char data[] = "<script type=\"application/octet-stream\" id=\"data\">";
	const char *p = strstr(strbuf_str(text), data);

	TEST_CHECK(p, "the page has no place for the profile");
	TEST_CHECK(strcspn(p + sizeof(data) - 1, "<") > 100, "the page has no profile in it");
	TEST_CHECK(!strstr(strbuf_str(text), "src=\"http"), "the page loads from elsewhere");
	return has(text, "</html>\n");
}

static int check_page(struct test_ctx *ctx __unused, const char *path)
{
	return with_text(path, check_html);
}

static int test_page(struct test_ctx *ctx)
{
	return with_export(ctx, "--html", check_page);
}

static const struct test_case cases[] = {
	{ "folded stacks have the known counts", test_folded },
	{ "pprof: values and names of the known stacks", test_pprof },
	{ "speedscope: JSON with the hot function and the sum", test_speedscope },
	{ "a flame graph names the hot function and its share", test_flamegraph },
	{ "a page has the profile inside, and loads nothing", test_page },
};
TEST_SUITE(suite_exports, "Profiles for other programs", cases, "export profileexport");
