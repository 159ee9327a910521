// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "buildid/kcore.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "buildid/buildid-internal.h"
#include "symbol/symbol.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define MAX_SEGMENTS 4096
#define KCORE_DIR "[kernel.kcore]"

struct range {
	u64 start, end;
};

struct kcore {
	char *from; /* owned: the folder it is in */
	int fd;
	char hex[41];
	struct strbuf kallsyms, modules;
	struct range *want; /* owned: code, as addresses; sorted, apart from one another */
	size_t nr, cap;
	u64 text; /* where the kernel's starts */
};

static void kcore_release(struct kcore *k)
{
	if (k->fd >= 0)
		close(k->fd);
	free(k->from);
	free(k->want);
	strbuf_release(&k->kallsyms);
	strbuf_release(&k->modules);
}

/* ---- what is there ---- */

static int read_text(struct kcore *k, const char *leaf, struct strbuf *out, struct err *err)
{
	int ret = sysroot_read(NULL, out, "%s/%s", k->from, leaf);

	return ret < 0 ? err_set(err, ret, "%s/%s: %s", k->from, leaf, err_str(ret)) : 0;
}

static int read_id(struct kcore *k, struct err *err)
{
	struct strbuf notes = STRBUF_INIT;
	int ret = read_text(k, "../sys/kernel/notes", &notes, err), n = 0;
	u8 id[20];

	if (!ret)
		n = note_build_id(strbuf_str(&notes), notes.len, id);
	if (!ret && n <= 0)
		ret = err_set(err, -ENODATA, "%s/../sys/kernel/notes has no build-id", k->from);
	if (!ret)
		build_id_hex(id, (u8)n, k->hex);
	strbuf_release(&notes);
	return ret;
}

static void want(struct kcore *k, u64 start, u64 end)
{
	if (end <= start)
		return;
	VEC_GROW(k->want, k->nr + 1, k->cap);
	k->want[k->nr++] = (struct range){ start & -(u64)PAGE, ALIGN_UP(end, PAGE) };
}

/* Parse a line "NAME SIZE USES USERS STATE 0xADDRESS". */
static bool parse_module(const struct line *l, char name[64], struct range *r)
{
	char *text = xstrndup(l->p, (size_t)(l->end - l->p));
	u64 size = 0;
	bool ok = sscanf(text, "%63s %" SCNu64 " %*s %*s %*s 0x%" SCNx64, name, &size, &r->start) ==
			  3 &&
		  r->start;

	free(text);
	r->end = r->start + size;
	return ok && r->end > r->start;
}

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Join ranges that touch each other. */
static void join_ranges(struct kcore *k)
{
	size_t i, kept = 0;

	qsort(k->want, k->nr, sizeof(*k->want), by_start);
	for (i = 1; i < k->nr; i++) {
		if (k->want[i].start <= k->want[kept].end)
			k->want[kept].end = MAX(k->want[kept].end, k->want[i].end);
		else
			k->want[++kept] = k->want[i];
	}
	k->nr = k->nr ? kept + 1 : 0;
}

static int find_code(struct kcore *k, struct err *err)
{
	const char *p = strbuf_str(&k->modules), *end = p + k->modules.len;
	u64 etext = 0;
	struct range r;
	char name[64];
	struct line l;

	if (!kallsyms_find(strbuf_str(&k->kallsyms), k->kallsyms.len, "_stext", &k->text) ||
	    !kallsyms_find(strbuf_str(&k->kallsyms), k->kallsyms.len, "_etext", &etext) ||
	    !k->text || etext <= k->text)
		return err_set(err, -EPERM, "%s/kallsyms does not tell where the kernel is%s",
			       k->from, geteuid() ? ": root may see it" : "");
	want(k, k->text, etext);
	while (next_line(&p, end, &l))
		if (parse_module(&l, name, &r))
			want(k, r.start, r.end);
	join_ranges(k);
	return 0;
}

static int kcore_open(struct kcore *k, const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	int ret;

	*k = (struct kcore){ .fd = open(path, O_RDONLY | O_CLOEXEC) };
	k->from = slash ? xstrndup(path, (size_t)MAX(slash - path, 1)) : xstrdup(".");
	if (k->fd < 0) {
		ret = -errno;
		return err_set(err, ret, "%s%s", err_str(ret),
			       ret == -ENOENT ? " (kernels without CONFIG_PROC_KCORE have none)"
					      : "");
	}
	ret = read_id(k, err);
	if (!ret)
		ret = read_text(k, "kallsyms", &k->kallsyms, err);
	if (!ret)
		ret = read_text(k, "modules", &k->modules, err);
	return ret ? ret : find_code(k, err);
}

/* ---- what the cache has ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Write names and addresses of modules in alphabetical order, so that lists can be compared. */
static void module_list(const struct strbuf *modules, struct strbuf *out)
{
	const char *p = strbuf_str(modules), *end = p + modules->len;
	char **v = NULL, name[64];
	size_t nr = 0, cap = 0, i;
	struct range r;
	struct line l;

	while (next_line(&p, end, &l)) {
		if (!parse_module(&l, name, &r))
			continue;
		VEC_GROW(v, nr + 1, cap);
		v[nr++] = xasprintf("%s %" PRIx64, name, r.start);
	}
	if (nr)
		qsort(v, nr, sizeof(*v), by_text);
	for (i = 0; i < nr; i++) {
		strbuf_addf(out, "%s\n", v[i]);
		free(v[i]);
	}
	free(v);
}

static bool is_same(const struct kcore *k, const char *folder)
{
	struct strbuf text = STRBUF_INIT, a = STRBUF_INIT, b = STRBUF_INIT;
	char *kcore = xasprintf("%s/kcore", folder);
	bool same = !access(kcore, F_OK);
	u64 at = 0;

	free(kcore);
	same = same && sysroot_read(NULL, &text, "%s/kallsyms", folder) >= 0 &&
	       kallsyms_find(strbuf_str(&text), text.len, "_stext", &at) && at == k->text;
	strbuf_reset(&text);
	if (same && sysroot_read(NULL, &text, "%s/modules", folder) >= 0) {
		module_list(&text, &a);
		module_list(&k->modules, &b);
		same = !strcmp(strbuf_str(&a), strbuf_str(&b));
	} else {
		same = false;
	}
	strbuf_release(&text);
	strbuf_release(&a);
	strbuf_release(&b);
	return same;
}

/* Return: the folder that has the same, NULL; the caller frees. */
static char *find_same(const struct kcore *k, const char *entry)
{
	DIR *d = opendir(entry);
	struct dirent *de;
	char *found = NULL;

	while (d && !found && (de = readdir(d))) {
		if (*de->d_name == '.')
			continue;
		found = xasprintf("%s/%s", entry, de->d_name);
		if (!is_same(k, found)) {
			free(found);
			found = NULL;
		}
	}
	if (d)
		closedir(d);
	return found;
}

/* ---- the copy ---- */

static int read_at(int fd, void *buf, size_t len, u64 at)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = pread(fd, (char *)buf + got, len - got, (off_t)(at + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		got += (size_t)n;
	}
	return 0;
}

static int copy_range(int from, u64 at, int to, u64 size)
{
	char buf[1 << 16];
	int ret = 0;

	for (; !ret && size; size -= MIN(size, sizeof(buf)), at += sizeof(buf)) {
		size_t len = (size_t)MIN(size, sizeof(buf));

		ret = read_at(from, buf, len, at);
		if (!ret)
			ret = write_all(to, buf, len);
	}
	return ret;
}

struct core_file {
	Elf64_Ehdr eh;
	Elf64_Phdr *from, *to; /* owned; of the source, and of the copy with the source's offsets */
	size_t nr_from, nr_to;
};

static int read_core(struct kcore *k, struct core_file *c, struct err *err)
{
	size_t i, w;

	if (read_at(k->fd, &c->eh, sizeof(c->eh), 0) || memcmp(c->eh.e_ident, ELFMAG, SELFMAG) ||
	    c->eh.e_ident[EI_CLASS] != ELFCLASS64 || c->eh.e_phentsize != sizeof(*c->from))
		return err_set(err, -ENOEXEC, "it is not a core file of 64 bits");
	c->nr_from = MIN(c->eh.e_phnum, MAX_SEGMENTS);
	c->from = xcalloc(c->nr_from + 1, sizeof(*c->from));
	c->to = xcalloc(c->nr_from * (k->nr + 1) + 1, sizeof(*c->to));
	if (read_at(k->fd, c->from, c->nr_from * sizeof(*c->from), c->eh.e_phoff))
		return err_set(err, -ENOEXEC, "its program headers cannot be read");
	for (w = 0; w < k->nr; w++) {
		for (i = 0; i < c->nr_from; i++) {
			const Elf64_Phdr *p = &c->from[i];
			u64 start = MAX(k->want[w].start, p->p_vaddr), skip = start - p->p_vaddr;
			u64 end = MIN(k->want[w].end, p->p_vaddr + p->p_filesz);

			if (p->p_type != PT_LOAD || p->p_vaddr + p->p_filesz < p->p_vaddr ||
			    end <= start)
				continue;
			c->to[c->nr_to++] = (Elf64_Phdr){ .p_type = PT_LOAD,
							  .p_flags = PF_R | PF_W | PF_X,
							  .p_offset = p->p_offset + skip,
							  .p_vaddr = start,
							  .p_filesz = end - start,
							  .p_memsz = end - start,
							  .p_align = PAGE };
		}
	}
	return c->nr_to ? 0 : err_set(err, -ENODATA, "the kernel's code is not in it");
}

static int write_core(struct kcore *k, struct core_file *c, int fd)
{
	u64 *source = xcalloc(c->nr_to, sizeof(*source));
	u64 at = ALIGN_UP(sizeof(c->eh) + c->nr_to * sizeof(*c->to), PAGE);
	Elf64_Ehdr eh = { .e_type = ET_CORE,
			  .e_machine = c->eh.e_machine,
			  .e_version = EV_CURRENT,
			  .e_phoff = sizeof(eh),
			  .e_flags = c->eh.e_flags,
			  .e_ehsize = sizeof(eh),
			  .e_phentsize = sizeof(*c->to),
			  .e_phnum = (u16)c->nr_to };
	size_t i;
	int ret;

	memcpy(eh.e_ident, c->eh.e_ident, sizeof(eh.e_ident));
	for (i = 0; i < c->nr_to; i++) {
		source[i] = c->to[i].p_offset;
		c->to[i].p_offset = at;
		at += c->to[i].p_filesz;
	}
	ret = write_all(fd, (const char *)&eh, sizeof(eh));
	if (!ret)
		ret = write_all(fd, (const char *)c->to, c->nr_to * sizeof(*c->to));
	for (i = 0; !ret && i < c->nr_to; i++) {
		if (lseek(fd, (off_t)c->to[i].p_offset, SEEK_SET) < 0)
			ret = -errno;
		if (!ret)
			ret = copy_range(k->fd, source[i], fd, c->to[i].p_filesz);
	}
	free(source);
	return ret;
}

static int new_file(const char *folder, const char *leaf)
{
	char *path = xasprintf("%s/%s", folder, leaf);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0400);

	fd = fd < 0 ? -errno : fd;
	free(path);
	return fd;
}

static int put_text(const char *folder, const char *leaf, const struct strbuf *text)
{
	int fd = new_file(folder, leaf), ret = MIN(fd, 0);

	if (!ret)
		ret = write_all(fd, strbuf_str(text), text->len);
	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	return ret;
}

static int put_core(struct kcore *k, const char *folder, struct err *err)
{
	struct core_file c = { 0 };
	int ret = read_core(k, &c, err), fd;

	if (!ret) {
		fd = ret = new_file(folder, "kcore");
		if (fd >= 0) {
			ret = write_core(k, &c, fd);
			if (close(fd) && !ret)
				ret = -errno;
		}
		if (ret)
			err_set(err, ret, "%s/kcore: %s", folder, err_str(ret));
	}
	free(c.from);
	free(c.to);
	return ret;
}

static int put_all(struct kcore *k, const char *folder, struct err *err)
{
	int ret = put_core(k, folder, err);

	if (!ret)
		ret = put_text(folder, "kallsyms", &k->kallsyms);
	return ret ? ret : put_text(folder, "modules", &k->modules);
}

/* Copy all three files into a folder that gets its name when they are complete. */
static int make_copy(struct kcore *k, const char *entry, char **at, struct err *err)
{
	char *tmp = xasprintf("%s/.new.XXXXXX", entry), stamp[32];
	struct timespec now;
	struct tm tm;
	int ret = make_dirs(entry);

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%d%H%M%S", &tm);
	*at = xasprintf("%s/%s%02d", entry, stamp, (int)(now.tv_nsec / 10000000));
	if (!ret && !mkdtemp(tmp))
		ret = -errno;
	if (!ret)
		ret = put_all(k, tmp, err);
	if (!ret && (chmod(tmp, 0755) || rename(tmp, *at)))
		ret = -errno;
	if (ret)
		remove_entry(tmp);
	free(tmp);
	return ret && !err->code ? err_set(err, ret, "%s: %s", entry, err_str(ret)) : ret;
}

int kcore_copy(const char *path, const char *folder, struct err *err)
{
	struct kcore k;
	int ret = kcore_open(&k, path, err);

	if (!ret && mkdir(folder, 0700))
		ret = err_set(err, -errno, "%s: %s", folder, err_str(-errno));
	if (!ret) {
		ret = put_all(&k, folder, err);
		if (ret)
			remove_entry(folder);
	}
	kcore_release(&k);
	return ret;
}

int cache_add_kcore(const char *dir, const char *path, char **at, struct err *err)
{
	struct kcore k;
	int ret = kcore_open(&k, path, err);
	char *entry;

	*at = NULL;
	if (!ret) {
		entry = xasprintf("%s/" KCORE_DIR "/%s", dir, k.hex);
		*at = find_same(&k, entry);
		ret = *at ? 1 : make_copy(&k, entry, at, err);
		free(entry);
	}
	kcore_release(&k);
	return ret;
}
