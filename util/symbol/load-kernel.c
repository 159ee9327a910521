// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbols of the kernel: a vmlinux of the recorded build, or the kallsyms of the
 * running kernel when that is the one that was recorded, or a copy in the build-id cache.
 * Nothing is read before a kernel address has to be named.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/index-internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Get the build-id of the running kernel. Return: bytes, or a negative errno. */
static int running_id(struct symbols *s)
{
	struct strbuf notes = STRBUF_INIT;
	int ret;

	pthread_mutex_lock(&s->kernel_lock);
	if (!s->notes_read) {
		s->notes_read = true;
		ret = sysroot_read(s->conf.sysroot, &notes, "/sys/kernel/notes");
		s->running_id_size =
			ret ? ret : note_build_id(strbuf_str(&notes), notes.len, s->running_id);
		strbuf_release(&notes);
	}
	ret = s->running_id_size;
	pthread_mutex_unlock(&s->kernel_lock);
	return ret;
}

const struct kallsyms *proc_kallsyms(struct symbols *s)
{
	pthread_mutex_lock(&s->kernel_lock);
	if (!s->kallsyms_read) {
		struct strbuf text = STRBUF_INIT;

		s->kallsyms_read = true;
		strbuf_grow(&text, 8 << 20); /* what a usual kernel has, so that it need not be
						moved while read */
		if (!sysroot_read(s->conf.sysroot, &text, "/proc/kallsyms")) {
			s->proc.len = text.len;
			s->proc.text = strbuf_detach(&text);
		}
		strbuf_release(&text);
	}
	pthread_mutex_unlock(&s->kernel_lock);
	return &s->proc;
}

/* Return how far the recorded kernel lies from where this table says it does. */
static u64 relocation(const struct dso *dso, bool found, u64 addr)
{
	return dso->ref_sym && found ? dso->ref_addr - addr : 0;
}

static u64 kallsyms_relocation(const struct dso *dso, const char *text, size_t len)
{
	u64 addr = 0;
	bool found = dso->ref_sym && kallsyms_find(text, len, dso->ref_sym, &addr);

	return relocation(dso, found, addr);
}

/* Note which kallsyms was used, or why not. @ret: of kallsyms_symbols() or ksyms_table() */
static bool kallsyms_used(struct symtab *t, int ret, const char *path)
{
	if (ret == -EPERM)
		symtab_why_set(
			t,
			"'%s' shows no addresses: /proc/sys/kernel/kptr_restrict hides them (as root: sysctl -w kernel.kptr_restrict=0)",
			path);
	else if (ret <= 0)
		symtab_why_set(t, "'%s' has no symbols", path);
	if (ret <= 0)
		return false;
	free(t->why);
	t->why = NULL;
	t->file = xstrdup(path);
	t->origin = 'k';
	return true;
}

/* Make the table by way of a list, which can be sorted. */
static int list_kallsyms(struct symbols *s, struct symtab *t, const char *text, size_t len,
			 u64 delta)
{
	struct sym_list list = { 0 };
	int ret = kallsyms_symbols(text, len, NULL, delta, &list);

	if (ret > 0)
		symtab_finish(t, &list, SYMS_KALLSYMS, s->conf.demangle_kernel);
	else
		free(list.v);
	return ret;
}

/* @text has to outlive the table. @keep: the table is kept there; NULL: it is not */
static bool use_kallsyms(struct symbols *s, const struct dso *dso, struct symtab *t,
			 const char *text, size_t len, const char *path,
			 const struct ksyms_keep *keep)
{
	u64 delta = kallsyms_relocation(dso, text, len);
	int ret = ksyms_table(t, text, len, delta, s->conf.demangle_kernel);

	if (ret == -EAGAIN)
		ret = list_kallsyms(s, t, text, len, delta);
	else if (ret > 0 && keep)
		ksyms_put(t, keep);
	return kallsyms_used(t, ret, path);
}

/* @path is consumed. @check: it must be of the recorded (or running) build. */
static bool use_vmlinux(struct symbols *s, const struct dso *dso, struct symtab *t, char *path,
			bool check)
{
	const u8 *want = dso->build_id_size ? dso->build_id : s->running_id;
	int want_size = dso->build_id_size ? dso->build_id_size : check ? running_id(s) : 0;
	struct sym_list list = { 0 };
	struct elf_image e;
	u64 addr = 0;
	u8 id[20];
	int ret;
	bool found;

	if (!path)
		return false;
	ret = elf_image_open(&e, path);
	if (ret) {
		symtab_why_set(t, "cannot read '%s': %s", path, err_str(ret));
		free(path);
		return false;
	}
	ret = elf_image_build_id(&e, id);
	if (want_size > 0 && (ret != want_size || memcmp(id, want, (size_t)want_size))) {
		symtab_why_set(t, "'%s' is of another build than the recorded kernel", path);
		goto out;
	}
	found = dso->ref_sym && elf_image_find(&e, dso->ref_sym, &addr);
	if (elf_image_symbols(&e, &e, true, relocation(dso, found, addr), &list)) {
		symtab_finish(t, &list, SYMS_ELF, s->conf.demangle_kernel);
		free(t->why);
		t->why = NULL;
		t->file = xstrdup(path);
		t->has_lines = elf_image_has_debug_info(&e);
		t->object = path;
		path = NULL;
		t->origin = 'v';
		t->moved = relocation(dso, found, addr);
	} else {
		symtab_why_set(t, "'%s' has no symbols", path);
	}
out:
	elf_image_release(&e);
	free(path);
	return t->nr > 0;
}

static __attribute__((format(printf, 3, 4))) char *
path_below(const struct symbols *s, const struct symfs *root, const char *fmt, ...)
{
	struct strbuf path = STRBUF_INIT;
	char *below, *full;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&path, fmt, ap);
	va_end(ap);
	below = symfs_path(root, strbuf_str(&path));
	full = sysroot_path(s->conf.sysroot, "%s", below);
	free(below);
	strbuf_release(&path);
	return full;
}

/* Look for the vmlinux below a root folder: under the names that distributions give it, and by
 * build-id. */
static bool vmlinux_below(struct symbols *s, const struct dso *dso, struct symtab *t,
			  const struct symfs *root, const char *release)
{
	static const char *const with_release[] = {
		"/boot/vmlinux-%s",
		"/usr/lib/debug/boot/vmlinux-%s",
		"/lib/modules/%s/build/vmlinux",
		"/usr/lib/debug/lib/modules/%s/vmlinux",
		"/usr/lib/debug/boot/vmlinux-%s.debug",
	};
	char hex[41];

	if (use_vmlinux(s, dso, t, path_below(s, root, "/boot/vmlinux"), true))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(with_release); i++) {
		const char *gap = strstr(with_release[i], "%s");
		char *path = path_below(s, root, "%.*s%s%s", (int)(gap - with_release[i]),
					with_release[i], release, gap + 2);

		if (use_vmlinux(s, dso, t, path, true))
			return true;
	}
	if (dso->build_id_size < 2)
		return false;
	build_id_hex(dso->build_id, dso->build_id_size, hex);
	return use_vmlinux(
		s, dso, t,
		path_below(s, root, "/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2), true);
}

static bool find_vmlinux(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	static const struct symfs here;
	const char *release = s->conf.os_release;
	struct utsname un;

	if (!release)
		release = uname(&un) ? "" : un.release;
	return use_vmlinux(s, dso, t, xstrdup("vmlinux"), true) ||
	       (s->conf.symfs.dir && *s->conf.symfs.dir &&
		vmlinux_below(s, dso, t, &s->conf.symfs, release)) ||
	       vmlinux_below(s, dso, t, &here, release) ||
	       use_vmlinux(s, dso, t, cache_path(s, dso->build_id, dso->build_id_size, "elf"),
			   true) ||
	       use_vmlinux(s, dso, t, cache_path(s, dso->build_id, dso->build_id_size, "debug"),
			   true) ||
	       use_vmlinux(s, dso, t,
			   debuginfod_cached(dso->build_id, dso->build_id_size, "debuginfo"), true);
}

/* Begin to describe where the table of the recorded kernel is kept. Return: whether it is. */
static bool keep_kernel(const struct symbols *s, const struct dso *dso, struct ksyms_keep *keep)
{
	*keep = (struct ksyms_keep){ .cache = s->cache,
				     .key = { .kind = OBJCACHE_KERNEL,
					      .version = KSYMS_INDEX_VERSION,
					      .id_size = dso->build_id_size },
				     .source = { .demangle = s->conf.demangle_kernel },
				     .recorded = dso->ref_addr };
	if (!dso->ref_sym || strlen(dso->ref_sym) >= sizeof(keep->source.ref))
		return false;
	memcpy(keep->key.id, dso->build_id, sizeof(keep->key.id));
	memcpy(keep->source.ref, dso->ref_sym, strlen(dso->ref_sym));
	return objcache_wants(keep->cache, &keep->key);
}

/* Describe where the table of a copy of kallsyms is kept. Return: whether it is. */
static bool keep_copy(const struct symbols *s, const struct dso *dso, const struct kallsyms *k,
		      struct ksyms_keep *keep)
{
	if (!k->mapped || !keep_kernel(s, dso, keep))
		return false;
	keep->source.size = k->len;
	keep->source.inode = k->inode;
	keep->source.mtime = k->mtime;
	return kallsyms_find(k->text, k->len, dso->ref_sym, &keep->ref);
}

/* @kept: the table may be kept, because the file is that of the recorded kernel */
static bool kallsyms_file(struct symbols *s, const struct dso *dso, struct symtab *t,
			  const char *path, bool kept)
{
	struct ksyms_keep keep;
	struct kallsyms k;
	int ret = kallsyms_open(&k, path);
	bool ok;

	if (ret) {
		symtab_why_set(t, "cannot read '%s': %s", path, err_str(ret));
		return false;
	}
	kept = kept && keep_copy(s, dso, &k, &keep);
	ret = kept ? ksyms_kept(t, k.text, k.len, &keep) : 0;
	ok = ret > 0 ? kallsyms_used(t, ret, path)
		     : use_kallsyms(s, dso, t, k.text, k.len, path, kept ? &keep : NULL);
	if (t->ksyms)
		ksyms_own(t->ksyms, &k);
	else
		kallsyms_release(&k);
	return ok;
}

/* ---- copies of the kernel's memory ---- */

/*
 * A folder with kcore, an ELF file that has code at its run-time addresses, and the kallsyms and
 * modules of the same time. `record --kcore` makes one beside the data, `buildid-cache --kcore`
 *makes them in the build-id cache:
 *
 *	DIR/[kernel.kcore]/HEX/YYYYMMDDhhmmsscc/kcore, kallsyms, modules
 */

char *kcore_path(const char *folder)
{
	char *path = xasprintf("%s/kcore", folder);

	if (!access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

/* Tell whether a copy is of the boot that was recorded: the kernel is at the same address. */
static bool same_place(const char *folder, const struct dso *dso)
{
	char *path = xasprintf("%s/kallsyms", folder);
	struct kallsyms k = { 0 };
	u64 addr = 0;
	bool same = dso->ref_sym && !kallsyms_open(&k, path) &&
		    kallsyms_find(k.text, k.len, dso->ref_sym, &addr) && addr == dso->ref_addr;

	kallsyms_release(&k);
	free(path);
	return same;
}

/* Return the folder in the build-id cache with the memory of the recorded kernel, as it was then;
 * NULL: there is none. The caller frees it. */
static char *kcore_cached(const struct symbols *s, const struct dso *dso)
{
	char hex[41], *entry, *found = NULL;
	struct dirent *de;
	DIR *d;

	if (!s->conf.buildid_dir || !*s->conf.buildid_dir || !dso->build_id_size)
		return NULL;
	build_id_hex(dso->build_id, dso->build_id_size, hex);
	entry = xasprintf("%s/[kernel.kcore]/%s", s->conf.buildid_dir, hex);
	d = opendir(entry);
	while (d && (de = readdir(d))) {
		char *folder = *de->d_name == '.' ? NULL : xasprintf("%s/%s", entry, de->d_name);

		/* Modules may have come and gone: the latest one has the most of them. */
		if (folder && (!found || strcmp(folder, found) > 0) && same_place(folder, dso)) {
			free(found);
			found = folder;
		} else {
			free(folder);
		}
	}
	if (d)
		closedir(d);
	free(entry);
	return found;
}

/* Use a copy of the kernel's memory, and the symbols beside it. */
static bool use_kcore_copy(struct symbols *s, const struct dso *dso, struct symtab *t,
			   const char *folder)
{
	char *path = folder ? xasprintf("%s/kallsyms", folder) : NULL;
	bool ok = path && !access(path, R_OK) && kallsyms_file(s, dso, t, path, false);

	if (ok)
		t->kcore = kcore_path(folder);
	free(path);
	return ok;
}

static bool use_cached_kcore(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	char *folder = kcore_cached(s, dso);
	bool ok = use_kcore_copy(s, dso, t, folder);

	free(folder);
	return ok;
}

#define KALLSYMS_START                                                                             \
	((size_t)1 << 18)  /* bytes in which the start of the kernel's text is named */
#define KALLSYMS_STEP 4096 /* bytes that the kernel writes at a time; few of them are needed */

/* Return the bytes up to the end of the last whole line. */
static size_t whole_lines(const struct strbuf *text)
{
	size_t len = text->len;

	while (len && text->buf[len - 1] != '\n')
		len--;
	return len;
}

/* Find where the running kernel has the reference symbol, without reading all of its kallsyms.
 * Return: false when that is not found, or hidden. */
static bool running_ref(const struct symbols *s, const struct dso *dso, u64 *addr)
{
	int fd = dso->ref_sym ? sysroot_open(s->conf.sysroot, "/proc/kallsyms") : -1;
	struct strbuf text = STRBUF_INIT;
	bool found = false;
	ssize_t n = 1;

	while (fd >= 0 && !found && n > 0 && text.len < KALLSYMS_START) {
		size_t seen = text.len;

		strbuf_grow(&text, KALLSYMS_STEP);
		n = read(fd, text.buf + text.len, KALLSYMS_STEP);
		text.len += n > 0 ? (size_t)n : 0;
		while (seen && text.buf[seen - 1] != '\n')
			seen--;
		found = n > 0 && kallsyms_find(text.buf + seen, whole_lines(&text) - seen,
					       dso->ref_sym, addr);
	}
	strbuf_release(&text);
	if (fd >= 0)
		close(fd);
	return found && *addr;
}

/*
 * The memory of the running kernel, which only privileged users can read, has the code of the
 * recorded one. That may have been at other addresses, when this is another boot of it.
 */
static void use_own_kcore(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	u64 addr;

	if (running_ref(s, dso, &addr)) {
		t->kcore = sysroot_path(s->conf.sysroot, "/proc/kcore");
		t->moved = dso->ref_addr - addr;
	}
}

/* Describe where the table of the running kernel, which is the recorded one, is kept. Who may not
 * see its addresses is not shown what was kept, either. Return: whether it is kept. */
static bool keep_running(struct symbols *s, const struct dso *dso, struct ksyms_keep *keep)
{
	const struct sysroot *sr = s->conf.sysroot;
	struct strbuf boot = STRBUF_INIT;
	struct dso here = *dso;
	bool kept;

	/* It may be known by its release alone. */
	if (!here.build_id_size && s->conf.os_release && s->running_id_size > 0) {
		here.build_id_size = (u8)s->running_id_size;
		memcpy(here.build_id, s->running_id, sizeof(here.build_id));
	}
	kept = !(sr && sr->prefix && *sr->prefix) && keep_kernel(s, &here, keep) &&
	       !sysroot_read_max(sr, sizeof(keep->source.boot), &boot,
				 "/proc/sys/kernel/random/boot_id") &&
	       boot.len && running_ref(s, dso, &keep->ref);

	if (kept)
		memcpy(keep->source.boot, boot.buf, boot.len);
	keep->with_text = true;
	strbuf_release(&boot);
	return kept;
}

static void explain_other_kernel(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	char want[41], running[41] = "unknown";

	build_id_hex(dso->build_id, dso->build_id_size, want);
	if (s->running_id_size > 0)
		build_id_hex(s->running_id, (u8)s->running_id_size, running);
	symtab_why_set(
		t,
		"the recorded kernel (build-id %s) is not the running one (%s), and no vmlinux of it was found: give one with -k",
		want, running);
}

/* Tell whether the releases of the kernels differ, for recordings without the kernel's build-id. */
static bool other_release(struct symbols *s, struct symtab *t)
{
	struct strbuf running = STRBUF_INIT;
	const char *release = s->conf.os_release;
	bool other = false;

	if (release && !sysroot_read(s->conf.sysroot, &running, "/proc/sys/kernel/osrelease")) {
		while (running.len && running.buf[running.len - 1] == '\n')
			running.buf[--running.len] = '\0';
		other = strcmp(strbuf_str(&running), release) != 0;
		if (other)
			symtab_why_set(
				t, "recorded on kernel %s, running is %s: give a vmlinux with -k",
				release, strbuf_str(&running));
	}
	strbuf_release(&running);
	return other;
}

/*
 * Nothing but the map was recorded: the kernel moves by whole pages only, and its text has one
 * size. (Old recorders gave the map other ends: then it is not taken for the running one, either.)
 */
static bool other_layout(const struct dso *dso, const struct kallsyms *k)
{
	u64 ref, etext;

	if (!dso->ref_sym || !kallsyms_find(k->text, k->len, dso->ref_sym, &ref) || !ref)
		return false;
	if ((dso->ref_addr - ref) & 4095)
		return true;
	return kallsyms_find(k->text, k->len, "_etext", &etext) &&
	       etext - ref != dso->base + dso->size - dso->ref_addr;
}

/* Return the copy of a guest's kallsyms; NULL: there is none. The caller frees it. */
static char *guest_kallsyms(const struct symbols *s, const struct dso *dso)
{
	const char *pid = strrchr(dso->path, '.');
	int digits = pid ? (int)strspn(pid + 1, "0123456789") : 0;

	if (s->conf.guest_kallsyms)
		return xstrdup(s->conf.guest_kallsyms);
	if (!s->conf.guest_mount || !digits)
		return NULL;
	return xasprintf("%s/%.*s/proc/kallsyms", s->conf.guest_mount, digits, pid + 1);
}

static void load_guest(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	char *path = guest_kallsyms(s, dso);

	if (s->conf.guest_vmlinux)
		use_vmlinux(s, dso, t, xstrdup(s->conf.guest_vmlinux), false);
	else if (path)
		kallsyms_file(s, dso, t, path, false);
	else
		symtab_why_set(
			t,
			"kernel of a guest: give its symbols with --guestkallsyms or --guestvmlinux");
	free(path);
}

void load_kernel(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	const struct kallsyms *k;
	struct ksyms_keep keep;
	char *cached;
	bool running, kept;
	int size, taken;

	if (dso->cpumode != PERF_RECORD_MISC_KERNEL) {
		load_guest(s, dso, t);
		return;
	}
	if (s->conf.vmlinux) {
		use_vmlinux(s, dso, t, xstrdup(s->conf.vmlinux), false);
		return;
	}
	if (s->conf.kallsyms) {
		kallsyms_file(s, dso, t, s->conf.kallsyms, false);
		return;
	}
	if (use_kcore_copy(s, dso, t, s->conf.kcore_dir))
		return;
	if (!s->conf.ignore_vmlinux && find_vmlinux(s, dso, t))
		return;
	if (use_cached_kcore(s, dso, t))
		return;
	size = running_id(s);
	running = size == dso->build_id_size &&
		  !memcmp(s->running_id, dso->build_id, dso->build_id_size);
	/* A copy made when recording is read many times faster than the kernel's own file. */
	cached = cache_path(s, dso->build_id, dso->build_id_size, "kallsyms");
	if (cached && dso->ref_sym && kallsyms_file(s, dso, t, cached, true)) {
		free(cached);
		if (running)
			use_own_kcore(s, dso, t);
		return;
	}
	free(cached);
	if (dso->build_id_size && !running) {
		explain_other_kernel(s, dso, t);
		return;
	}
	free(t->why);
	t->why = NULL;
	if (!dso->build_id_size && other_release(s, t))
		return;
	kept = keep_running(s, dso, &keep);
	taken = kept ? ksyms_kept(t, NULL, 0, &keep) : 0;
	if (taken > 0) {
		kallsyms_used(t, taken, "/proc/kallsyms");
		use_own_kcore(s, dso, t);
		return;
	}
	k = proc_kallsyms(s);
	if (!k->text)
		symtab_why_set(t, "cannot read '/proc/kallsyms'");
	else if (!dso->build_id_size && !s->conf.os_release && other_layout(dso, k))
		symtab_why_set(
			t,
			"no build-id of the recorded kernel is known, and it is not the running one: give its vmlinux with -k");
	else if (use_kallsyms(s, dso, t, k->text, k->len, "/proc/kallsyms", kept ? &keep : NULL))
		use_own_kcore(s, dso, t);
}
