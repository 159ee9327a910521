// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * MMAP, MMAP2 and KSYMBOL records: the objects they refer to, and where these are mapped.
 *
 * Names: "[kernel.kallsyms]_text" is the kernel, with the symbol whose run-time address is the
 * record's pgoff. Other names in kernel mode are modules. In processes, "//anon" and similar names
 * are memory without a file; if it is executable, it contains code generated at run time, which
 * /tmp/perf-PID.map describes.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "machine/machine-internal.h"

#include <sys/mman.h>

static bool starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

bool is_anon_path(const char *name)
{
	/* For nearly all names this test is sufficient. */
	if (name[0] == '/' && name[1] != '/' && name[1] != 'd' && name[1] != 'a' && name[1] != 'S')
		return false;
	return !strcmp(name, "//anon") || starts(name, "/dev/zero") ||
	       starts(name, "/anon_hugepage") || starts(name, "[stack") || starts(name, "/SYSV") ||
	       !strcmp(name, "[heap]");
}

/*
 * Return the length of the object's name if @name is a kernel image ("[kernel.kallsyms]_text"),
 * otherwise 0.
 */
static size_t kernel_name_len(const char *name)
{
	const char *close;

	if (!starts(name, "[kernel.") && !starts(name, "[guest.kernel."))
		return 0;
	close = strchr(name, ']');
	return close ? (size_t)(close + 1 - name) : 0;
}

static struct map *map_new(struct machine *m, u64 start, u64 len, u64 pgoff, struct dso *dso)
{
	struct map *map = arena_alloc(&m->arena, sizeof(*map));

	*map = (struct map){ .start = start, .pgoff = pgoff, .dso = dso };
	map->end = start + len < start || !len ? UINT64_MAX : start + len;
	return map;
}

/*
 * Return the version of the kernel's mappings that changes apply to; with @fresh, a new one from
 * @time on.
 */
static struct kernel_version *kernel_version(struct machine *m, u64 time, bool fresh)
{
	struct kernel_version *k = &m->kernels[m->nr_kernels - 1];
	u32 root = k->root;

	if (!fresh || time <= k->from)
		return k;
	VEC_GROW(m->kernels, m->nr_kernels + 1, m->cap_kernels);
	m->nr_kernels++;
	k = &m->kernels[m->nr_kernels - 1];
	*k = (struct kernel_version){ .from = time,
				      .root = root,
				      .epoch = epoch_new(m, time, NIL) };
	m->kernel_tag = map_tree_tag(&m->tree);
	return k;
}

/* Add a kernel map. It makes a new version only if it replaces a map with another meaning. */
static void put_kernel(struct machine *m, struct map *map, u64 time)
{
	struct kernel_version *k = kernel_version(m, time, false);

	if (map_tree_covered(&m->tree, k->root, map->start, map->end, map))
		return;
	k = kernel_version(m, time,
			   map_tree_conflict(&m->tree, k->root, map->start, map->end, map));
	k->root = map_tree_put(&m->tree, k->root, m->kernel_tag, map);
}

void machine_add_kernel_place(struct machine *m, u64 time, u64 addr, u64 size, const char *object,
			      const char *name)
{
	struct dso_ident id = {
		.ino = addr,
		.cpumode = PERF_RECORD_MISC_KERNEL,
		.kind = DSO_JIT,
		.pid = -1,
	};
	struct dso *dso = dso_get_or_add(&m->dsos, object, &id);

	dso->ref_sym = name;
	dso->base = addr; /* objects of one name are told apart by where their functions are */
	dso->size = size;
	put_kernel(m, map_new(m, addr, size, JIT_CODE_OFFSET + addr, dso), time);
}

/*
 * Add a map of a guest. A guest is identified by the process that runs it; recorders use pid 0, or
 * none, for the only guest.
 */
static void put_guest(struct machine *m, u32 pid, struct map *map)
{
	u32 *root = &m->guest_root;

	if (pid && pid != UINT32_MAX) {
		u32 process = thread_process(m, pid, pid); /* may move m->processes */

		root = &m->processes[process].guest_root;
	}
	*root = map_tree_put(&m->tree, *root, m->guest_tag, map);
}

static void map_kernel(struct machine *m, const struct rec_mmap *rec, u8 cpumode, u64 time)
{
	bool guest = cpumode == PERF_RECORD_MISC_GUEST_KERNEL;
	struct dso_ident id = { .cpumode = cpumode, .kind = DSO_MODULE, .pid = -1 };
	size_t len = kernel_name_len(rec->filename);
	struct dso *dso;
	struct map *map;

	id.build_id = rec->build_id;
	id.build_id_size = rec->build_id_size;
	if (len) {
		char *name = xstrndup(rec->filename, len);

		id.kind = DSO_KERNEL;
		dso = dso_get_or_add(&m->dsos, name, &id);
		free(name);
		if (rec->filename[len] && rec->pgoff && !dso->ref_sym) {
			dso->ref_sym = arena_strdup(&m->arena, rec->filename + len);
			dso->ref_addr = rec->pgoff;
		}
	} else {
		dso = dso_get_or_add(&m->dsos, rec->filename, &id);
	}
	dso->base = rec->start;
	dso->size = rec->len;
	map = map_new(m, rec->start, rec->len, len ? 0 : rec->pgoff, dso);
	if (map->end <= map->start)
		return;
	if (len && !guest)
		m->kernel_map = map;
	if (guest)
		put_guest(m, rec->pid, map);
	else
		put_kernel(m, map, time);
}

struct dso *perf_map_dso(struct machine *m, u32 pid, u8 cpumode, const struct dso *inherits)
{
	struct dso_ident id = {
		.cpumode = cpumode, .kind = DSO_PERF_MAP, .pid = (s32)pid, .inherits = inherits
	};
	char *name = xasprintf("/tmp/perf-%d.map", (s32)pid);
	struct dso *dso = dso_get_or_add(&m->dsos, name, &id);

	free(name);
	return dso;
}

static struct dso *user_dso(struct machine *m, struct process *p, const struct rec_mmap *rec,
			    u8 cpumode)
{
	struct dso_ident id = {
		.maj = rec->maj,
		.min = rec->min,
		.ino = rec->ino,
		.gen = rec->ino_generation,
		.build_id = rec->build_id,
		.build_id_size = rec->build_id_size,
		.cpumode = cpumode,
		.kind = DSO_USER,
		.pid = -1,
	};
	bool anon = is_anon_path(rec->filename);

	if (rec->filename[0] == '[' && starts(rec->filename, "[vdso"))
		id.kind = DSO_VDSO;
	if (id.kind == DSO_VDSO || anon) {
		id.maj = id.min = 0;
		id.ino = id.gen = 0;
	}
	if (!anon)
		return dso_get_or_add(&m->dsos, rec->filename, &id);
	if (!(rec->prot & PROT_EXEC)) {
		id.kind = DSO_ANON;
		return dso_get_or_add(&m->dsos, rec->filename, &id);
	}
	if (!p->jit)
		p->jit = perf_map_dso(m, rec->pid, cpumode, NULL);
	return p->jit;
}

/* Add memory without a file; it does not hide functions that jitdumps describe. */
static void put_around_code(struct machine *m, struct epoch *e, u32 tag, const struct map *map)
{
	u64 at = map->start, stop, next;
	struct map *piece;
	u32 n;

	while (at < map->end) {
		n = map_tree_first_code(&m->tree, e->root, at, map->end);
		stop = n == NIL ? map->end : MAX(m->tree.nodes[n].start, at);
		next = n == NIL ? map->end : m->tree.nodes[n].end;
		if (stop > at) {
			piece = arena_alloc(&m->arena, sizeof(*piece));
			*piece = *map;
			piece->start = at;
			piece->end = stop;
			e->root = map_tree_put(&m->tree, e->root, tag, piece);
		}
		at = next;
	}
}

static void put_user(struct machine *m, u32 process, const struct map *map, u64 time)
{
	struct process *p = &m->processes[process];
	struct epoch *e = process_epoch(m, process, time, false);
	struct map *kept;

	if (map_tree_covered(&m->tree, e->root, map->start, map->end, map))
		return;
	if (map_tree_conflict(&m->tree, e->root, map->start, map->end, map))
		e = process_epoch(m, process, time, true);
	if (is_anon(map->dso)) {
		put_around_code(m, e, p->tag, map);
		return;
	}
	kept = arena_alloc(&m->arena, sizeof(*kept));
	*kept = *map;
	e->root = map_tree_put(&m->tree, e->root, p->tag, kept);
}

void machine_map(struct machine *m, const struct rec_mmap *rec, u16 misc, u64 time)
{
	u8 cpumode = misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct map map;
	u32 process;

	if (cpumode == PERF_RECORD_MISC_KERNEL || cpumode == PERF_RECORD_MISC_GUEST_KERNEL) {
		map_kernel(m, rec, cpumode, time);
		return;
	}
	if (!rec->len)
		return;
	process = thread_process(m, rec->pid, rec->tid);
	code_settle(m, process, time);
	if (cpumode != PERF_RECORD_MISC_GUEST_USER)
		cpumode = PERF_RECORD_MISC_USER;
	map = (struct map){ .start = rec->start,
			    .end = rec->start + rec->len,
			    .pgoff = rec->pgoff,
			    .prot = rec->prot,
			    .flags = rec->flags };
	if (map.end < map.start)
		map.end = UINT64_MAX;
	if (map.end == map.start)
		return;
	map.dso = user_dso(m, &m->processes[process], rec, cpumode);
	if (map.dso->kind == DSO_VDSO) /* kernels before 3.16 report the address once more */
		map.pgoff = 0;
	put_user(m, process, &map, time);
	if (map.dso->kind == DSO_USER && rec->prot & PROT_EXEC)
		dso_add_run(&m->dsos, map.dso,
			    &(struct dso_run){ .pid = rec->pid,
					       .start = map.start,
					       .end = map.end,
					       .pgoff = map.pgoff });
	if (m->on_jitdump && rec->prot & PROT_EXEC && map.dso->jitdump)
		m->on_jitdump(m->jitdump_ctx, m, process, rec, time);
}

void machine_ksymbol(struct machine *m, const struct rec_ksymbol *rec, u64 time)
{
	struct dso_ident id = { .cpumode = PERF_RECORD_MISC_KERNEL, .kind = DSO_BPF, .pid = -1 };
	struct map *map;

	struct kernel_version *k;
	u64 end = rec->addr + rec->len;
	u32 n;

	if (end <= rec->addr)
		return;
	if (rec->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER) {
		k = kernel_version(m, time, false);
		n = map_tree_find(&m->tree, k->root, rec->addr);
		if (n == NIL || m->tree.nodes[n].map->dso->kind != DSO_BPF)
			return;
		k = kernel_version(m, time, true);
		k->root = map_tree_cut(&m->tree, k->root, m->kernel_tag, rec->addr, end);
		return;
	}
	/*
	 * The same program loaded elsewhere is another object, which is distinguished by its
	 * address.
	 */
	id.ino = rec->addr;
	map = map_new(m, rec->addr, rec->len, 0, dso_get_or_add(&m->dsos, rec->name, &id));
	map->dso->base = rec->addr;
	map->dso->size = rec->len;
	put_kernel(m, map, time);
}
