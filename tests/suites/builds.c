// SPDX-License-Identifier: GPL-2.0-or-later
/* Check how programs are told apart by their build-ids: in the cache, and in a recording. */
#include "base/compat.h"

#include "base/alloc.h"
#include "buildid/cache.h"
#include "objects/objects.h"
#include "sample-file.h"
#include "suites.h"
#include "symbol/symbol.h"
#include "wire/encode.h"

#include <elf.h>
#include <sys/mman.h>

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

static const struct test_case cases[] = {
	{ "the cache keeps a program by its build-id", test_cache },
	{ "the programs of a recording", test_objects },
};
TEST_SUITE(suite_builds, "Builds of programs", cases, "buildid objects");
