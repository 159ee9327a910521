// SPDX-License-Identifier: GPL-2.0-or-later
/* Test mappings over time: overlaps, fork, exec, epochs, names of objects, the kernel's own. */
#include "base/compat.h"
#include "base/hash.h"
#include "machine/machine.h"
#include "state-build.h"

#include <sys/mman.h>
#include <time.h>

#include <setjmp.h>
#include <cmocka.h>

static int setup(void **state)
{
	*state = machine_new();
	return 0;
}

static int teardown(void **state)
{
	machine_free(*state);
	return 0;
}

#define DSO(time, pid, addr, path) assert_string_equal(st_dso_at(m, time, pid, pid, addr), path)

static u32 epoch_at(const struct machine *m, u32 pid, u64 time)
{
	struct thread_at t;

	machine_thread_at(m, pid, pid, time, &t);
	return t.epoch;
}

static void test_overlaps(void **state)
{
	struct machine *m = *state;
	const struct map *map;

	st_mmap(m, 10, 1, 1, 0x10000, 0x10000, 0x5000, "/a");
	st_mmap(m, 20, 1, 1, 0x14000, 0x4000, 0, "/b"); /* in the middle */
	st_mmap(m, 30, 1, 1, 0xf000, 0x2000, 0, "/c");  /* over the start */
	machine_seal(m);
	DSO(15, 1, 0x10000, "/a");
	DSO(15, 1, 0x1ffff, "/a");
	DSO(15, 1, 0x20000, "");
	DSO(15, 1, 0xffff, "");
	DSO(25, 1, 0x13fff, "/a");
	DSO(25, 1, 0x14000, "/b");
	DSO(25, 1, 0x17fff, "/b");
	DSO(25, 1, 0x18000, "/a");
	DSO(35, 1, 0x10fff, "/c");
	DSO(35, 1, 0x11000, "/a");
	map = machine_find_map(m, epoch_at(m, 1, 25), PERF_RECORD_MISC_USER, 0x18010);
	assert_int_equal(map_to_file(map, 0x18010), 0x5000 + 0x8010);
}

/* Adding in empty space, and saying the same again, keep the epoch; another meaning starts one. */
static void test_epochs(void **state)
{
	struct machine *m = *state;
	u32 first;

	st_mmap(m, 10, 1, 1, 0x10000, 0x4000, 0, "/a");
	st_mmap(m, 20, 1, 1, 0x20000, 0x4000, 0, "/b");
	st_mmap(m, 30, 1, 1, 0x10000, 0x4000, 0, "/a");
	st_mmap(m, 40, 1, 1, 0x12000, 0x4000, 0x2000, "/a"); /* the same file, further */
	st_mmap(m, 50, 1, 1, 0x12000, 0x1000, 0x9000, "/a"); /* the same file, elsewhere */
	machine_seal(m);
	first = epoch_at(m, 1, 5);
	assert_int_equal(epoch_at(m, 1, 20), first);
	assert_int_equal(epoch_at(m, 1, 45), first);
	assert_int_not_equal(epoch_at(m, 1, 50), first);
	DSO(45, 1, 0x15fff, "/a");
	DSO(55, 1, 0x12fff, "/a");
}

static void test_fork_and_exec(void **state)
{
	struct machine *m = *state;

	st_comm(m, 1, 1, 1, "sh", false);
	st_mmap(m, 10, 1, 1, 0x10000, 0x4000, 0, "/sh");
	st_fork(m, 20, 2, 2, 1, 1);
	st_mmap(m, 30, 1, 1, 0x20000, 0x4000, 0, "/parent");
	st_mmap(m, 30, 2, 2, 0x30000, 0x4000, 0, "/child");
	st_fork(m, 35, 1, 5, 1, 1); /* a thread */
	st_mmap(m, 36, 1, 5, 0x50000, 0x1000, 0, "/thread");
	st_comm(m, 40, 2, 2, "ls", true);
	st_mmap(m, 50, 2, 2, 0x10000, 0x1000, 0, "/ls");
	machine_seal(m);
	DSO(25, 2, 0x10000, "/sh");
	DSO(35, 2, 0x20000, "");
	DSO(35, 1, 0x30000, "");
	DSO(35, 2, 0x30000, "/child");
	DSO(37, 1, 0x50000, "/thread");
	assert_string_equal(st_dso_at(m, 37, 1, 5, 0x10000), "/sh");
	/* Inside exec the sampled user address is still one of the old image. */
	DSO(45, 2, 0x10000, "/sh");
	DSO(55, 2, 0x10000, "/ls");
	DSO(55, 2, 0x11000, "/sh");
	assert_int_not_equal(epoch_at(m, 2, 39), epoch_at(m, 2, 40));
}

/* Tasks found running have their own mappings only, whenever their parent's came. */
static void test_found(void **state)
{
	struct machine *m = *state;

	st_mmap(m, 0, 1, 1, 0x10000, 0x4000, 0, "/sh");
	st_found(m, 2, 2, 1, 1);
	st_mmap(m, 0, 2, 2, 0x20000, 0x4000, 0, "/ls");
	st_found(m, 2, 3, 2, 2); /* a thread */
	machine_seal(m);
	DSO(5, 1, 0x10000, "/sh");
	DSO(5, 2, 0x10000, "");
	DSO(5, 2, 0x20000, "/ls");
	assert_string_equal(st_dso_at(m, 5, 2, 3, 0x20000), "/ls");
}

struct named {
	const char *name;
	u32 prot;
	u8 kind;
	const char *path, *short_name;
};

static void test_names(void **state)
{
	static const struct named table[] = {
		{ "/usr/lib/libx.so.1", 5, DSO_USER, "/usr/lib/libx.so.1", "libx.so.1" },
		{ "/usr/bin/x (deleted)", 5, DSO_USER, "/usr/bin/x (deleted)", "x (deleted)" },
		{ "[vdso]", 5, DSO_VDSO, "[vdso]", "[vdso]" },
		{ "[vsyscall]", 5, DSO_USER, "[vsyscall]", "[vsyscall]" },
		{ "//anon", 7, DSO_PERF_MAP, "/tmp/perf-7.map", "[JIT] tid 7" },
		{ "[heap]", 7, DSO_PERF_MAP, "/tmp/perf-7.map", "[JIT] tid 7" },
		{ "/SYSV00000000 (deleted)", 7, DSO_PERF_MAP, "/tmp/perf-7.map", "[JIT] tid 7" },
		{ "//anon", 3, DSO_ANON, "//anon", "anon" },
		{ "[stack]", 3, DSO_ANON, "[stack]", "[stack]" },
		{ "/dev/zero", 3, DSO_ANON, "/dev/zero", "zero" },
		{ "/anon_hugepage (deleted)", 3, DSO_ANON, "/anon_hugepage (deleted)",
		  "anon_hugepage (deleted)" },
		{ "anon_inode:[perf_event]", 3, DSO_USER, "anon_inode:[perf_event]",
		  "anon_inode:[perf_event]" },
		{ "", 5, DSO_USER, "", "." },
	};
	struct machine *m = *state;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct rec_mmap r = { .pid = 7,
				      .tid = 7,
				      .start = (i + 1) << 20,
				      .len = 0x1000,
				      .prot = table[i].prot,
				      .filename = table[i].name };

		st_mmap2(m, 1, PERF_RECORD_MISC_USER, &r);
	}
	machine_seal(m);
	for (i = 0; i < ARRAY_SIZE(table); i++) {
		const struct map *map = machine_find_map(m, epoch_at(m, 7, 2),
							 PERF_RECORD_MISC_USER, (i + 1) << 20);

		assert_non_null(map);
		assert_int_equal(map->dso->kind, table[i].kind);
		assert_string_equal(map->dso->path, table[i].path);
		assert_string_equal(map->dso->short_name, table[i].short_name);
		if (map->dso->kind == DSO_PERF_MAP)
			assert_int_equal(map_to_file(map, 0x123456), 0x123456);
	}
}

static const struct dso *dso_at(struct machine *m, u32 pid, u64 time, u64 addr)
{
	const struct map *map =
		machine_find_map(m, epoch_at(m, pid, time), PERF_RECORD_MISC_USER, addr);

	assert_non_null(map);
	return map->dso;
}

/* Code without a file is in the memory of the child, which has a map of its own; exec() ends it. */
static void test_inherited_code(void **state)
{
	struct machine *m = *state;
	const struct dso *child;

	st_mmap(m, 1, 7, 7, 0x10000, 0x1000, 0, "//anon");
	st_fork(m, 10, 8, 8, 7, 7);
	st_fork(m, 12, 9, 9, 8, 8);
	st_mmap(m, 20, 8, 8, 0x20000, 0x1000, 0, "//anon");
	st_comm(m, 30, 9, 9, "other", true);
	st_mmap(m, 31, 9, 9, 0x30000, 0x1000, 0, "//anon");
	machine_seal(m);
	assert_int_equal(dso_at(m, 7, 5, 0x10000)->pid, 7);
	assert_null(dso_at(m, 7, 5, 0x10000)->inherits);
	child = dso_at(m, 8, 15, 0x10080);
	assert_int_equal(child->pid, 8);
	assert_ptr_equal(child->inherits, dso_at(m, 7, 5, 0x10000));
	assert_ptr_equal(dso_at(m, 8, 25, 0x20000), child);
	assert_string_equal(child->path, "/tmp/perf-8.map");
	assert_ptr_equal(dso_at(m, 9, 15, 0x10000)->inherits, child);
	assert_int_equal(dso_at(m, 9, 40, 0x30000)->pid, 9);
	assert_null(dso_at(m, 9, 40, 0x30000)->inherits);
	/* The mappings are the same ones each time. */
	assert_ptr_equal(machine_find_map(m, epoch_at(m, 8, 15), PERF_RECORD_MISC_USER, 0x10000),
			 machine_find_map(m, epoch_at(m, 8, 15), PERF_RECORD_MISC_USER, 0x10fff));
}

/* An object knows the first processes that map its code, and the last one. */
static void test_runs(void **state)
{
	struct machine *m = *state;
	const struct dso *d;
	u32 pid;

	for (pid = 1; pid < 100; pid++) {
		st_mmap(m, pid, pid, pid, pid << 16, 0x1000, 0x2000, "/memfd:jit (deleted)");
		st_mmap(m, pid, pid, pid, pid << 16, 0x1000, 0x2000, "/memfd:jit (deleted)");
	}
	machine_seal(m);
	d = dso_at(m, 3, 200, 3 << 16);
	assert_int_equal(d->nr_runs, DSO_RUNS);
	assert_int_equal(d->runs->pid, 99);
	assert_int_equal(d->runs->start, 99 << 16);
	assert_int_equal(d->runs->end, (99 << 16) + 0x1000);
	assert_int_equal(d->runs->pgoff, 0x2000);
	assert_int_equal(d->runs->older->pid, DSO_RUNS - 1);
}

/* Path and inode tell objects apart; build-ids come from the record or from the list in the header.
 */
static void test_identity(void **state)
{
	struct machine *m = *state;
	struct rec_mmap r = { .pid = 1,
			      .tid = 1,
			      .start = 0x10000,
			      .len = 0x1000,
			      .prot = 5,
			      .filename = "/x",
			      .maj = 8,
			      .min = 1,
			      .ino = 5 };
	u8 id[20] = { 1, 2, 3 }, other[20] = { 9 };
	struct dso *const *d;
	size_t nr;

	machine_set_build_id(m, "/early", PERF_RECORD_MISC_USER, id, 20);
	st_mmap2(m, 1, PERF_RECORD_MISC_USER, &r);
	st_mmap2(m, 1, PERF_RECORD_MISC_USER, &r);
	r.ino = 6;
	r.start = 0x20000;
	st_mmap2(m, 2, PERF_RECORD_MISC_USER, &r);
	st_mmap(m, 3, 1, 1, 0x30000, 0x1000, 0, "/early");
	r = (struct rec_mmap){ .pid = 1,
			       .tid = 1,
			       .start = 0x40000,
			       .len = 0x1000,
			       .prot = 5,
			       .filename = "/b",
			       .build_id = { 7, 7 },
			       .build_id_size = 20 };
	st_mmap2(m, 4, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID, &r);
	r.build_id[0] = 8;
	r.start = 0x50000;
	st_mmap2(m, 5, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID, &r);
	machine_set_build_id(m, "/x", PERF_RECORD_MISC_USER, other, 20);
	machine_set_build_id(m, "/b", PERF_RECORD_MISC_USER, other, 20);
	d = machine_dsos(m, &nr);
	assert_int_equal(nr, 5);
	assert_int_equal(d[0]->ino, 5);
	assert_int_equal(d[1]->ino, 6);
	assert_memory_equal(d[0]->build_id, other, 20);
	assert_memory_equal(d[1]->build_id, other, 20);
	assert_memory_equal(d[2]->build_id, id, 20);
	assert_int_equal(d[3]->build_id[0], 7);
	assert_int_equal(d[4]->build_id[0], 8);
	for (nr = 0; nr < 5; nr++)
		assert_int_equal(d[nr]->id, nr);
}

static void test_kernel(void **state)
{
	struct machine *m = *state;
	const struct map *map;
	struct thread_at a, b;

	st_kernel(m, 0xffffffff81000000, 0x1000000, 0xffffffff81000000, "[kernel.kallsyms]_text");
	st_kernel(m, 0xffffffffc0000000, 0x10000, 0, "/lib/modules/6.1.0/kernel/fs/foo-bar.ko.xz");
	st_kernel(m, 0xffffffffc0010000, 0x10000, 0, "[in_kernel]");
	st_ksymbol(m, 10, 0xffffffffc0100000, 0x100, "bpf_prog_1", false);
	st_ksymbol(m, 20, 0xffffffffc0100000, 0x100, "bpf_prog_1", true);
	st_ksymbol(m, 30, 0xffffffffc0100000, 0x80, "bpf_prog_2", false);
	st_ksymbol(m, 40, 0xffffffffc0100000, 0x80, "bpf_prog_3", false);
	st_comm(m, 1, 1, 1, "p", false);
	st_comm(m, 1, 2, 2, "q", false);
	machine_seal(m);
	map = machine_find_map(m, MACHINE_EPOCH_KERNEL, PERF_RECORD_MISC_KERNEL,
			       0xffffffff81000010);
	assert_ptr_equal(map, machine_kernel_map(m));
	assert_int_equal(map->dso->kind, DSO_KERNEL);
	assert_string_equal(map->dso->path, "[kernel.kallsyms]");
	assert_string_equal(map->dso->ref_sym, "_text");
	assert_true(map->dso->ref_addr == 0xffffffff81000000);
	assert_true(map_to_file(map, 0xffffffff81000010) == 0xffffffff81000010);
	map = machine_find_map(m, MACHINE_EPOCH_KERNEL, PERF_RECORD_MISC_KERNEL,
			       0xffffffffc0000010);
	assert_int_equal(map->dso->kind, DSO_MODULE);
	assert_string_equal(map->dso->short_name, "[foo_bar]");
	assert_int_equal(map_to_file(map, 0xffffffffc0000010), 0x10);
	assert_null(machine_find_map(m, MACHINE_EPOCH_KERNEL, PERF_RECORD_MISC_USER,
				     0xffffffff81000010));
	assert_string_equal(st_kernel_at(m, 15, 1, 1, 0xffffffffc0100010), "bpf_prog_1");
	assert_string_equal(st_kernel_at(m, 15, 9, 9, 0xffffffffc0100010), "bpf_prog_1");
	assert_string_equal(st_kernel_at(m, 35, 1, 1, 0xffffffffc0100010), "bpf_prog_2");
	assert_string_equal(st_kernel_at(m, 35, 1, 1, 0xffffffffc0100090), "");
	assert_string_equal(st_kernel_at(m, 45, 2, 2, 0xffffffffc0100010), "bpf_prog_3");
	/* Kernel addresses aggregate over processes: one epoch of the kernel for both. */
	machine_thread_at(m, 1, 1, 45, &a);
	machine_thread_at(m, 2, 2, 45, &b);
	assert_int_not_equal(a.epoch, b.epoch);
	assert_int_equal(a.kernel_epoch, b.kernel_epoch);
	assert_int_equal(machine_kernel_epoch(m, b.epoch), b.kernel_epoch);
	machine_thread_at(m, 1, 1, 15, &b);
	assert_int_not_equal(a.kernel_epoch, b.kernel_epoch);
	map = machine_find_map(m, a.kernel_epoch, PERF_RECORD_MISC_KERNEL, 0xffffffffc0100010);
	assert_string_equal(map->dso->path, "bpf_prog_3");
}

static const char *kernel_path(const struct machine *m, u32 epoch, u64 addr)
{
	return machine_find_map(m, epoch, PERF_RECORD_MISC_KERNEL, addr)->dso->path;
}

/* The kernel is also found while the model is being built, as happens with a pipe. */
static void test_kernel_unsealed(void **state)
{
	struct machine *m = *state;
	struct thread_at a, b;

	st_comm(m, 1, 1, 1, "p", false);
	st_ksymbol(m, 10, 0xffffffffc0100000, 0x100, "bpf_prog_1", false);
	machine_thread_at(m, 1, 1, 15, &a);
	st_ksymbol(m, 20, 0xffffffffc0100000, 0x100, "bpf_prog_2", false);
	machine_thread_at(m, 1, 1, 25, &b);
	machine_seal(m);
	assert_string_equal(kernel_path(m, a.epoch, 0xffffffffc0100000), "bpf_prog_1");
	assert_string_equal(kernel_path(m, b.epoch, 0xffffffffc0100000), "bpf_prog_2");
	assert_string_equal(machine_find_map(m, b.kernel_epoch, PERF_RECORD_MISC_KERNEL,
					     0xffffffffc0100000)
				    ->dso->path,
			    "bpf_prog_2");
}

static void test_guest(void **state)
{
	struct rec_mmap r = { .pid = 0,
			      .start = 0xffffffff81000000,
			      .len = 0x1000,
			      .pgoff = 0xffffffff81000000,
			      .filename = "[guest.kernel.kallsyms]_text" };
	struct machine *m = *state;
	u8 mode;

	st_mmap2(m, 0, PERF_RECORD_MISC_GUEST_KERNEL, &r);
	machine_seal(m);
	assert_null(machine_kernel_map(m));
	for (mode = 0; mode < 8; mode++) {
		const struct map *map =
			machine_find_map(m, MACHINE_EPOCH_NONE, mode, 0xffffffff81000010);

		assert_int_equal(map != NULL, mode == PERF_RECORD_MISC_GUEST_KERNEL);
	}
	assert_null(machine_find_map(m, UINT32_MAX, PERF_RECORD_MISC_USER, 0x1000));
	assert_null(machine_find_map(m, 123456, PERF_RECORD_MISC_KERNEL, 0x1000));
}

/* Each of many guests, none of whose processes was heard of before, has a kernel of its own. */
static void test_guests(void **state)
{
	struct rec_mmap r = { .len = 0x1000, .filename = "[guest.kernel.kallsyms]_text" };
	struct machine *m = *state;

	for (u32 pid = 1; pid <= 1000; pid++) {
		r.pid = r.tid = pid;
		r.start = r.pgoff = 0xffffffff80000000 + pid * 0x2000;
		st_mmap2(m, 0, PERF_RECORD_MISC_GUEST_KERNEL, &r);
	}
	machine_seal(m);
	for (u32 pid = 1; pid <= 1000; pid++) {
		u64 start = 0xffffffff80000000 + pid * 0x2000;
		struct thread_at at;

		machine_thread_at(m, pid, pid, 1, &at);
		assert_non_null(
			machine_find_map(m, at.epoch, PERF_RECORD_MISC_GUEST_KERNEL, start));
		assert_null(machine_find_map(m, at.epoch, PERF_RECORD_MISC_GUEST_KERNEL,
					     start + 0x2000));
	}
}

/* ---- against a list that is searched from its end ---- */

struct fact {
	u64 time;
	u32 pid, dso;
	u64 start, end;
};

static u32 random_u32(u64 *seed)
{
	*seed = hash_u64(*seed + 1);
	return (u32)(*seed >> 16);
}

static void test_random(void **state)
{
	struct machine *m = *state;
	struct fact facts[600];
	u64 seed = 42, time;
	u32 nr = 0, i, k;
	char name[16];

	for (i = 0; i < ARRAY_SIZE(facts); i++) {
		struct fact *f = &facts[nr++];

		f->time = 10 + i;
		f->pid = 1 + random_u32(&seed) % 3;
		f->dso = random_u32(&seed) % 4;
		f->start = random_u32(&seed) % 64 * 0x1000;
		f->end = f->start + (1 + random_u32(&seed) % 8) * 0x1000;
		snprintf(name, sizeof(name), "/d%u", f->dso);
		/* Offsets that make touching pieces of one object mean the same. */
		st_mmap(m, f->time, f->pid, f->pid, f->start, f->end - f->start, f->start, name);
	}
	machine_seal(m);
	for (i = 0; i < 20000; i++) {
		u32 pid = 1 + random_u32(&seed) % 3;
		u64 addr = random_u32(&seed) % (72 * 0x1000);
		const char *want = "";

		time = facts[nr - 1].time; /* all facts: an epoch also holds what it adds later in
					      empty space */
		for (k = nr; k-- > 0;) {
			if (facts[k].pid == pid && facts[k].time <= time &&
			    addr >= facts[k].start && addr < facts[k].end) {
				snprintf(name, sizeof(name), "/d%u", facts[k].dso);
				want = name;
				break;
			}
		}
		assert_string_equal(st_dso_at(m, time, pid, pid, addr), want);
	}
	/* At earlier times: what was mapped then is what is found then. */
	for (i = 0; i < 20000; i++) {
		u32 at = random_u32(&seed) % nr;
		u64 addr = random_u32(&seed) % (72 * 0x1000);

		for (k = at + 1; k-- > 0;) {
			if (facts[k].pid == facts[at].pid && addr >= facts[k].start &&
			    addr < facts[k].end) {
				snprintf(name, sizeof(name), "/d%u", facts[k].dso);
				assert_string_equal(st_dso_at(m, facts[at].time, facts[at].pid,
							      facts[at].pid, addr),
						    name);
				break;
			}
		}
	}
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Patterns that are quadratic in simpler designs: 100000 records each, a second for all under a
 * sanitizer. */
static void test_cheap(void **state)
{
	struct machine *m = *state;
	double start = seconds();
	u32 i;

	for (i = 0; i < 100000; i++) /* one page, two objects in turn */
		st_mmap(m, i + 1, 1, 1, 0x10000, 0x1000, 0, i & 1 ? "/a" : "/b");
	for (i = 0; i < 100000; i++) /* a region that grows downwards */
		st_mmap(m, i + 1, 2, 2, 0x7f0000000000 - i * 0x1000ULL, (i + 1) * 0x1000ULL,
			0x7f0000000000 - i * 0x1000ULL, "//anon");
	for (i = 0; i < 100000; i++) /* many regions, from the end */
		st_mmap(m, i + 1, 3, 3, 0x7f0000000000 - i * 0x2000ULL, 0x1000, 0, "/c");
	for (i = 0; i < 100000; i++) { /* a chain of forks, each with a mapping of its own */
		st_fork(m, i + 1, 10 + i, 10 + i, i ? 9 + i : 3, i ? 9 + i : 3);
		if (i % 100 == 0)
			st_mmap(m, i + 1, 10 + i, 10 + i, 0x1000ULL * i, 0x1000, 0, "/d");
	}
	machine_seal(m);
	assert_string_equal(st_dso_at(m, 50000, 1, 1, 0x10000), "/a");
	assert_string_equal(st_dso_at(m, 50001, 1, 1, 0x10000), "/b");
	assert_string_equal(
		st_dso_at(m, 200000, 100009, 100009, 0x7f0000000000 - 55555 * 0x2000ULL), "/c");
	assert_string_equal(st_dso_at(m, 200000, 100009, 100009, 0x1000ULL * 500), "/d");
	assert_true(seconds() - start < 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_overlaps, setup, teardown),
		cmocka_unit_test_setup_teardown(test_epochs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fork_and_exec, setup, teardown),
		cmocka_unit_test_setup_teardown(test_found, setup, teardown),
		cmocka_unit_test_setup_teardown(test_names, setup, teardown),
		cmocka_unit_test_setup_teardown(test_inherited_code, setup, teardown),
		cmocka_unit_test_setup_teardown(test_runs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_identity, setup, teardown),
		cmocka_unit_test_setup_teardown(test_kernel, setup, teardown),
		cmocka_unit_test_setup_teardown(test_kernel_unsealed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_guest, setup, teardown),
		cmocka_unit_test_setup_teardown(test_guests, setup, teardown),
		cmocka_unit_test_setup_teardown(test_random, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cheap, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
