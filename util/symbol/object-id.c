// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "symbol/object-id.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "symbol/symbol.h"

#include <link.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/stat.h>

bool build_id_same(const u8 *recorded, u8 recorded_size, const u8 *found, int found_size)
{
	static const u8 zeros[3];
	int padding = recorded_size - found_size;

	if (found_size <= 0 || padding < 0 || padding > 3 || (padding && recorded_size % 4))
		return false;
	return !memcmp(recorded, found, (size_t)found_size) &&
	       !memcmp(recorded + found_size, zeros, (size_t)padding);
}

void build_id_hex(const u8 *id, u8 size, char out[41])
{
	static const char digits[] = "0123456789abcdef";
	u8 i;

	for (i = 0; i < MIN(size, 20); i++) {
		out[i * 2] = digits[id[i] >> 4];
		out[i * 2 + 1] = digits[id[i] & 15];
	}
	out[i * 2] = '\0';
}

const u8 *vdso_image(size_t *size)
{
	const ElfW(Ehdr) *h = (const void *)getauxval(AT_SYSINFO_EHDR);

	*size = h ? (size_t)h->e_shoff + (size_t)h->e_shentsize * h->e_shnum : 0;
	return (const u8 *)h;
}

static int notes_id(const struct sysroot *sr, const char *path, u8 id[20])
{
	struct strbuf sb = STRBUF_INIT;
	int n = sysroot_read(sr, &sb, "%s", path);

	if (!n)
		n = note_build_id(sb.buf, sb.len, id);
	strbuf_release(&sb);
	return n;
}

/* Get the build-id of a module. @name: "[x_y]", or the file of a module, .../x-y.ko.xz */
static int module_id(const struct sysroot *sr, const char *name, u8 id[20])
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash : name;
	char *module = xstrndup(base + 1, strcspn(base + 1, slash ? "." : "]")), *path;
	int n;

	for (char *p = module; (p = strchr(p, '-'));)
		*p = '_';
	path = xasprintf("/sys/module/%s/notes/.note.gnu.build-id", module);
	n = notes_id(sr, path, id);
	free(module);
	free(path);
	return n;
}

/* Every process has the same vdso: ours will do. */
static int vdso_id(u8 id[20])
{
	size_t size;
	const u8 *base = vdso_image(&size);
	const ElfW(Ehdr) *eh = (const void *)base;

	for (u16 i = 0; base && i < eh->e_phnum; i++) {
		const ElfW(Phdr) *ph =
			(const void *)(base + eh->e_phoff + (size_t)i * eh->e_phentsize);

		if (ph->p_type == PT_NOTE)
			return note_build_id(base + ph->p_offset, ph->p_filesz, id);
	}
	return -1;
}

bool root_view_read(const struct sysroot *sr, u32 pid, struct root_view *v)
{
	char who[16] = "self", *ns, *root;
	struct stat a, b;
	bool ok;

	if (pid)
		snprintf(who, sizeof(who), "%u", pid);
	ns = sysroot_path(sr, "/proc/%s/ns/mnt", who);
	root = sysroot_path(sr, "/proc/%s/root", who);
	ok = !stat(ns, &a) && !stat(root, &b);
	if (ok)
		*v = (struct root_view){ a.st_ino, b.st_ino, b.st_dev };
	free(ns);
	free(root);
	return ok;
}

bool in_other_root(const struct sysroot *sr, const struct root_view *own, u32 pid, u64 *space)
{
	struct root_view v;

	*space = 0;
	if (root_view_read(sr, pid, &v) && memcmp(&v, own, sizeof(v)))
		*space = v.ns ^ v.ino << 32 ^ v.dev << 52;
	return *space != 0;
}

/* Read the build-id of a file. The right file is the one that the process sees; when it has ended,
 * only the name is left. */
static int file_id(const struct sysroot *sr, const char *name, u32 pid, u8 id[20])
{
	struct root_view own;
	u64 space;
	int n = -1;

	if (pid && pid != (u32)-1 && root_view_read(sr, 0, &own) &&
	    in_other_root(sr, &own, pid, &space)) {
		char *path = sysroot_path(sr, "/proc/%u/root%s", pid, name);

		n = elf_build_id(path, id);
		free(path);
	}
	return n > 0 ? n : elf_build_id(name, id);
}

int object_id(const struct sysroot *sr, const char *name, bool kernel, u32 pid, u8 id[20])
{
	if (kernel && !strncmp(name, "[kernel.", 8))
		return notes_id(sr, "/sys/kernel/notes", id);
	if (kernel)
		return *name ? module_id(sr, name, id) : 0;
	if (!strcmp(name, "[vdso]"))
		return vdso_id(id);
	if (name[0] == '/' && strncmp(name, "//", 2) && strncmp(name, "/memfd:", 7) &&
	    strncmp(name, "/dev/zero", 9))
		return file_id(sr, name, pid, id);
	return 0;
}

/* --- for many maps ---------------------------------------------------------- */

#define PIDS 64 /* how many processes are known at a time: maps of one come one after the other */

struct known_id {
	s8 size; /* 0 or negative: none */
	u8 id[20];
};

struct object_ids {
	const struct sysroot *sr;
	bool others_only;
	struct root_view own;
	pthread_mutex_t lock;
	u32 ours[PIDS];      /* processes known to have our root; read and written by all threads */
	struct intern names; /* "space:name" -> index of ids, plus 1 */
	struct known_id *ids; /* owned */
	size_t nr, cap;
};

struct object_ids *object_ids_new(const struct sysroot *sr, bool others_only)
{
	struct object_ids *o = xzalloc(sizeof(*o));

	o->sr = sr;
	o->others_only = others_only;
	root_view_read(sr, 0, &o->own);
	pthread_mutex_init(&o->lock, NULL);
	return o;
}

void object_ids_free(struct object_ids *o)
{
	if (!o)
		return;
	pthread_mutex_destroy(&o->lock);
	intern_release(&o->names);
	free(o->ids);
	free(o);
}

/* Return what in_other_root() says of @pid, without asking again while it is known to be in
 * ours. */
static u64 space_of(struct object_ids *o, u32 pid)
{
	u32 *known = &o->ours[pid % PIDS];
	u64 space;

	if (__atomic_load_n(known, __ATOMIC_RELAXED) == pid)
		return 0;
	if (!in_other_root(o->sr, &o->own, pid, &space))
		__atomic_store_n(known, pid, __ATOMIC_RELAXED);
	return space;
}

int object_ids_find(void *ctx, u32 pid, const char *name, u8 id[20])
{
	struct object_ids *o = ctx;
	const bool kernel = pid == (u32)-1;
	u64 space;
	char *key;
	u32 at;
	int n;

	if ((!kernel && name[0] != '/') || (kernel && o->others_only))
		return 0;
	space = kernel ? 0 : space_of(o, pid);
	if (!space && o->others_only)
		return 0;
	key = xasprintf("%" PRIx64 ":%s", space, name);
	pthread_mutex_lock(&o->lock);
	at = intern_str_id(&o->names, key);
	if (at > o->nr) {
		VEC_GROW(o->ids, at, o->cap);
		o->ids[o->nr].size = (s8)object_id(o->sr, name, kernel, pid, o->ids[o->nr].id);
		o->nr = at;
	}
	n = o->ids[at - 1].size;
	if (n > 0)
		memcpy(id, o->ids[at - 1].id, sizeof(o->ids->id));
	pthread_mutex_unlock(&o->lock);
	free(key);
	return n;
}
