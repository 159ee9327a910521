// SPDX-License-Identifier: GPL-2.0-or-later
/* Check what this program makes of a recording whose contents are known: what it tells of it, how
 * it compares it with another one, how it writes it again, and which programs it is about. */
#include "base/compat.h"

#include "base/alloc.h"
#include "buildid/cache.h"
#include "codec/json-read.h"
#include "objects/objects.h"
#include "sample-file.h"
#include "stacktree/stacks.h"
#include "suites.h"
#include "symbol/symbol.h"
#include "wire/encode.h"

#include <elf.h>
#include <sys/mman.h>

/* Run perf; each of the @lines, up to NULL, has to be in its output behind the one before. */
static int says(const char *const *lines, const char *const *argv)
{
	struct test_run run;
	const char *at;

	if (test_perf(&run, NULL, 0, argv))
		return TEST_FAIL;
	TEST_EQ(run.status, 0);
	at = strbuf_str(&run.out);
	for (; *lines; lines++) {
		const char *next = strstr(at, *lines);

		TEST_CHECK(next, "'%s' is not at its place in:\n%.4000s", *lines,
			   strbuf_str(&run.out));
		at = next + strlen(*lines);
	}
	strbuf_release(&run.out);
	return TEST_OK;
}
#define ARGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Have @check look at the recording of sample-file.h. */
static int with_sample(int (*check)(const struct sample_file *f))
{
	struct sample_file f;
	int ret;

	if (sample_file_write(&f))
		return TEST_FAIL;
	ret = check(&f);
	sample_file_remove(&f);
	return ret;
}

/* --- dump ---------------------------------------------------------------------------------- */

static int check_dump(const struct sample_file *f)
{
	return says(ARGS("PERF_RECORD_COMM: worker:10/10", "PERF_RECORD_KSYMBOL", "name caller",
			 "PERF_RECORD_SAMPLE(IP, 0x1): 10/10: 0xffffffffc0001008 period: 100",
			 "FP chain: nr:3", "1: ffffffffc0001008", "2: ffffffffc0000008",
			 "SAMPLE events:", "4"),
		    ARGS("report", "-D", "-i", f->path));
}

static int test_dump(struct test_ctx *ctx __unused)
{
	return with_sample(check_dump);
}

static int check_stats(const struct sample_file *f)
{
	return says(ARGS("KSYMBOL events:", "3", "SAMPLE events:", "4"),
		    ARGS("report", "--stats", "-i", f->path));
}

static int test_stats(struct test_ctx *ctx __unused)
{
	return with_sample(check_stats);
}

/* --- doctor -------------------------------------------------------------------------------- */

static int check_doctor(const struct sample_file *f)
{
	return says(ARGS("limited  samples", "4 samples are few", "ok       lost",
			 "ok       call-chains", "limited  build-ids", "0 missing"),
		    ARGS("doctor", f->path));
}

static int test_doctor(struct test_ctx *ctx __unused)
{
	return with_sample(check_doctor);
}

static const struct test_case told[] = {
	{ "its records as they are", test_dump },
	{ "its records counted", test_stats },
	{ "what it has, and what it lacks", test_doctor },
};
TEST_SUITE(suite_told, "What a recording says of itself", told, "dump doctor");

/* --- diff, profilediff --------------------------------------------------------------------- */

/* In the second recording, hot has as many samples as cool. */
static int check_diff(const struct sample_file *f)
{
	struct sample_file other;
	int ret;

	if (sample_file_write_hot(&other, 1))
		return TEST_FAIL;
	ret = says(ARGS("75.00%", "-25.00%", "hot"), ARGS("diff", f->path, other.path));
	ret = ret ?: says(ARGS("25.00%", "+25.00%", "cool"), ARGS("diff", f->path, other.path));
	sample_file_remove(&other);
	return ret;
}

static int test_diff(struct test_ctx *ctx __unused)
{
	return with_sample(check_diff);
}

/* --- stacktree ----------------------------------------------------------------------------- */

/* One event, with the weights of two stacks: main;work (30) and main;wait (10). */
static struct stacks *make_tree(u64 work, u64 wait)
{
	const struct stacks_dims dims = { 0 };
	struct stacks_builder *b = stacks_builder_new(&dims);
	const char *const names[] = { "main", "work", "wait" };
	u32 frames[3], top;
	struct stacks_sum sum = { .event = stacks_builder_event(b, "cycles", 0) };

	sum.thread = stacks_builder_thread(b, 1, 1, "x");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		frames[i] = stacks_builder_frame(
			b, &(struct stacks_frame){ .name = stacks_builder_text(b, names[i]),
						   .kind = FRAME_USER,
						   .symbol = true });
	top = stacks_builder_node(b, 0, frames[0]);
	for (u32 i = 1; i <= 2; i++) {
		sum.node = stacks_builder_node(b, top, frames[i]);
		sum.samples = sum.period = i == 1 ? work : wait;
		stacks_builder_sum(b, &sum);
	}
	return stacks_builder_finish(b);
}

/* Return the sum of a function and all that it called, of one event; 0: it is not there. */
static u64 total_of(const struct stacks *s, u32 event, const char *name)
{
	u64 *total = xcalloc(s->nr_nodes, sizeof(u64)), sum = 0;

	stacks_node_sums(s, event, WEIGHT_PERIOD, NULL, total);
	for (u32 i = 1; i < s->nr_nodes; i++)
		if (!strcmp(stacks_frame_name(s, s->nodes[i].frame), name))
			sum += total[i];
	free(total);
	return sum;
}

static int test_tree(struct test_ctx *ctx __unused)
{
	struct stacks *then = make_tree(30, 10), *now = make_tree(5, 20), *both;
	const struct stacks_run runs[] = { { then, 0, STACKS_BEFORE }, { now, 0, STACKS_NOW } };

	TEST_EQ(then->nr_nodes, 4);
	TEST_EQ(stacks_depth(then), 2);
	TEST_EQ(total_of(then, 0, "main"), 40);
	TEST_EQ(total_of(then, 0, "work"), 30);
	both = stacks_join(runs, 2);
	TEST_EQ(both->nr_nodes, 4);
	TEST_EQ(both->nr_events, 2);
	for (u32 i = 0; i < 2; i++) {
		bool is_now = stacks_side(&both->events[i]) == STACKS_NOW;

		TEST_EQ(total_of(both, i, "main"), is_now ? 25 : 40);
		TEST_EQ(total_of(both, i, "wait"), is_now ? 20 : 10);
	}
	stacks_free(both);
	stacks_free(now);
	stacks_free(then);
	return TEST_OK;
}

static const struct test_case compared[] = {
	{ "shares of functions in two recordings", test_diff },
	{ "trees of stacks, and two of them as one", test_tree },
};
TEST_SUITE(suite_compared, "Profiles compared", compared, "diff profilediff stacktree");

/* --- convert ------------------------------------------------------------------------------- */

static int check_json(const char *path)
{
	struct strbuf text = STRBUF_INIT;
	static const struct sysroot here = { 0 };
	const struct json_value *samples, *first;
	struct arena a = { 0 };
	struct err err = { 0 };
	struct json_value *top;
	size_t nr = 0;

	TEST_EQ(sysroot_read(&here, &text, "%s", path), 0);
	top = json_parse(&a, text.buf, text.len, path, &err);
	TEST_CHECK(top, "%s", err.msg);
	samples = json_get(top, "samples");
	TEST_CHECK(samples && samples->first, "there are no samples:\n%.2000s", text.buf);
	for (const struct json_value *v = samples->first; v; v = v->next)
		nr++;
	TEST_EQ(nr, 4);
	first = samples->first;
	TEST_TEXT(json_get_str(first, "comm"), "worker");
	TEST_TEXT(json_get_str(first, "pid"), "10");
	first = json_get(first, "callchain");
	TEST_CHECK(first && first->first && first->first->next, "the first one has no chain");
	TEST_TEXT(json_get_str(first->first, "symbol"), "hot");
	TEST_TEXT(json_get_str(first->first->next, "symbol"), "caller");
	arena_release(&a);
	strbuf_release(&text);
	return TEST_OK;
}

static int check_convert(const struct sample_file *f)
{
	char *path = xasprintf("%s/x.json", f->dir);
	int ret = says(ARGS(""), ARGS("data", "convert", "-i", f->path, "--to-json", path));

	ret = ret ?: check_json(path);
	free(path);
	return ret;
}

static int test_convert(struct test_ctx *ctx __unused)
{
	return with_sample(check_convert);
}

/* --- inject -------------------------------------------------------------------------------- */

/* The addresses are gone, and the functions and their samples are as before. */
static int check_inject(const struct sample_file *f)
{
	static const u64 old = 0xffffffffc0001008;
	static const struct sysroot here = { 0 };
	char *path = xasprintf("%s/new.data", f->dir);
	struct strbuf bytes = STRBUF_INIT;
	int ret = says(ARGS(""), ARGS("inject", "--aslr", "-i", f->path, "-o", path));

	if (!ret && sysroot_read_max(&here, 1 << 20, &bytes, "%s", path))
		ret = TEST_FAIL;
	TEST_CHECK(ret || !memmem(bytes.buf, bytes.len, &old, sizeof(old)),
		   "an old address is still there");
	ret = ret
		      ?: says(ARGS("75.00%", "hot", "25.00%", "cool"),
			      ARGS("report", "--stdio", "--no-children", "-g", "none", "-i", path));
	strbuf_release(&bytes);
	free(path);
	return ret;
}

static int test_inject(struct test_ctx *ctx __unused)
{
	return with_sample(check_inject);
}

static const struct test_case written[] = {
	{ "as JSON", test_convert },
	{ "without the addresses of its machine", test_inject },
};
TEST_SUITE(suite_written, "A recording written again", written, "convert inject");

/* --- builds of programs ----------------------------------------------------------------------- */

#define HEX "0102030405060708090a0b0c0d0e0f1011121314"
static const u8 the_id[20] = {
	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
};

/* A program that consists of headers and a build-id, in the byte order of this machine. */
static int write_program(const char *path)
{
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr note;
		Elf64_Nhdr id;
		char name[4];
		u8 bytes[20];
	} file = {
		.head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
				       __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB
									      : ELFDATA2LSB,
				       EV_CURRENT },
			  .e_type = ET_DYN,
			  .e_machine = EM_X86_64,
			  .e_version = EV_CURRENT,
			  .e_phoff = sizeof(Elf64_Ehdr),
			  .e_ehsize = sizeof(Elf64_Ehdr),
			  .e_phentsize = sizeof(Elf64_Phdr),
			  .e_phnum = 1 },
		.note = { .p_type = PT_NOTE, .p_flags = PF_R, .p_align = 4 },
		.id = { .n_namesz = 4, .n_descsz = 20, .n_type = NT_GNU_BUILD_ID },
		.name = "GNU",
	};
	FILE *f = fopen(path, "we");
	bool fine = f;

	file.note.p_offset = file.note.p_vaddr = offsetof(typeof(file), id);
	file.note.p_filesz = file.note.p_memsz = sizeof(file) - file.note.p_offset;
	memcpy(file.bytes, the_id, sizeof(the_id));
	fine = fine && fwrite(&file, sizeof(file), 1, f) == 1;
	if (f && fclose(f))
		fine = false;
	TEST_CHECK(fine, "%s cannot be written", path);
	return TEST_OK;
}

/* --- buildid ------------------------------------------------------------------------------- */

static int use_cache(const char *cache, const char *program)
{
	struct cache_object o;
	struct cache_list l;
	struct err err = { 0 };

	TEST_CHECK(!cache_has(cache, HEX, NULL), "a new cache has something");
	TEST_CHECK(!cache_object_open(&o, program, 0, &err), "%s", err.msg);
	TEST_CHECK(!cache_add(cache, &o, CACHE_COPY, NULL, &err), "%s", err.msg);
	cache_object_release(&o);
	TEST_CHECK(cache_has(cache, HEX, "elf"), "the program is not found by its build-id");
	cache_list(cache, NULL, &l);
	TEST_EQ(l.nr, 1);
	TEST_TEXT(l.v[0].hex, HEX);
	TEST_TEXT(l.v[0].name, program);
	cache_list_release(&l);
	TEST_EQ(cache_remove(cache, HEX), 0);
	TEST_CHECK(!cache_has(cache, HEX, NULL), "what was removed is still there");
	return TEST_OK;
}

static int test_cache(struct test_ctx *ctx __unused)
{
	char *dir = test_tmpdir(), *cache, *program;
	int ret;

	TEST_CHECK(dir, "no temporary folder");
	cache = xasprintf("%s/cache", dir);
	program = xasprintf("%s/program", dir);
	ret = write_program(program) ?: use_cache(cache, program);
	free(cache);
	free(program);
	test_rmdir(dir);
	return ret;
}

/* --- objects ------------------------------------------------------------------------------- */

/* Two programs are mapped, and a sample is in the second one. */
static int write_recording(const char *path)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
	};
	const struct sample s = {
		.misc = PERF_RECORD_MISC_USER, .ip = 0x22010, .pid = 7, .tid = 7, .time = 20
	};
	struct sample_id id = { .pid = 7, .tid = 7, .time = 10 };
	struct rec_mmap map = { .pid = 7, .tid = 7, .len = 0x1000, .prot = PROT_READ | PROT_EXEC };
	struct strbuf records = STRBUF_INIT;
	struct wire_layout layout;
	int ret;

	layout_init(&layout, &attr);
	map.build_id_size = 20;
	for (u64 i = 1; i <= 2; i++) {
		map.start = i << 16 | 0x2000;
		map.filename = i == 1 ? "/no/such/first" : "/no/such/second";
		memcpy(map.build_id, the_id, 20);
		map.build_id[0] = (u8)i;
		enc_mmap2(&records, PERF_RECORD_MISC_USER, &map, &layout, &id);
	}
	enc_sample(&records, &layout, &s);
	ret = recording_put(path, &attr, "cpu-clock", &records);
	strbuf_release(&records);
	return ret;
}

static int collect(struct recording *r, struct recorded_objects *packed)
{
	struct recorded_objects listed = { 0 };
	struct strbuf line = STRBUF_INIT;
	struct err err = { 0 };

	TEST_CHECK(objects_to_list(r, true, &listed, &err) >= 0, "%s", err.msg);
	TEST_EQ(listed.nr, 1);
	TEST_TEXT(listed.v[0].name, "/no/such/second");
	object_line(listed.v[0].id, listed.v[0].id_size, listed.v[0].name, &line);
	TEST_TEXT(strbuf_str(&line), "0202030405060708090a0b0c0d0e0f1011121314 /no/such/second\n");
	TEST_CHECK(!objects_to_pack(r, true, packed, &err), "%s", err.msg);
	TEST_EQ(packed->nr, 2);
	recorded_objects_release(&listed);
	strbuf_release(&line);
	return TEST_OK;
}

static int read_objects(const char *path)
{
	const struct recording_options o = { .input = path, .buildid_dir = "" };
	struct recorded_objects packed = { 0 };
	struct recording r;
	struct err err = { 0 };
	int ret;

	TEST_CHECK(!recording_open(&r, &o, NULL, &err), "%s", err.msg);
	recording_symbols(&r);
	TEST_CHECK(!recording_prepare(&r, &err), "%s", err.msg);
	ret = collect(&r, &packed);
	recorded_objects_release(&packed);
	recording_close(&r);
	return ret;
}

static int test_objects(struct test_ctx *ctx __unused)
{
	char *dir = test_tmpdir(), *path;
	int ret;

	TEST_CHECK(dir, "no temporary folder");
	path = xasprintf("%s/perf.data", dir);
	ret = write_recording(path) ?: read_objects(path);
	free(path);
	test_rmdir(dir);
	return ret;
}

static const struct test_case builds[] = {
	{ "the cache keeps a program by its build-id", test_cache },
	{ "the programs of a recording", test_objects },
};
TEST_SUITE(suite_builds, "Builds of programs", builds, "buildid objects");
