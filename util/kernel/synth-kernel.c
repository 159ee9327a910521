// SPDX-License-Identifier: GPL-2.0-or-later
/* Describe the maps of the kernel and its modules, and the relation of its clock to the time-stamp
 * counter. */
#include "base/compat.h"
#include "kernel/synth.h"

#include "base/alloc.h"
#include "base/lines.h"

#include <limits.h>
#include <unistd.h>

/*
 * Return the address of the reference symbol. Reading stops at the first match, because the table
 * has 100,000 lines and more.
 */
static u64 kernel_start(const struct sysroot *sr, const char **ref)
{
	int fd = sysroot_open(sr, "/proc/kallsyms");
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
	u64 found = 0, addr;
	char line[512], type, name[256];

	*ref = "_text";
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%" SCNx64 " %c %255s", &addr, &type, name) != 3)
			continue;
		if (!strcmp(name, "_text")) {
			found = addr;
			*ref = "_text";
			break;
		}
		if (!strcmp(name, "_stext") && !found) {
			found = addr;
			*ref = "_stext";
			/* _text, if it exists, has the same address */
			continue;
		}
		if (found && addr > found)
			break;
		/* All addresses are zero: they are hidden from us. */
		if (!addr && type == 'T')
			break;
	}
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	return found;
}

/* Return the size of the kernel's code according to the memory map, or 0 when that is hidden. */
static u64 kernel_code_size(const struct sysroot *sr)
{
	struct strbuf sb = STRBUF_INIT;
	u64 start = 0, end = 0, size = 0;
	const char *p;

	if (!sysroot_read(sr, &sb, "/proc/iomem")) {
		p = strstr(strbuf_str(&sb), " : Kernel code");
		while (p && p > sb.buf && p[-1] != '\n')
			p--;
		if (p && sscanf(p, "%" SCNx64 "-%" SCNx64, &start, &end) == 2 && end > start)
			size = end - start + 1;
	}
	strbuf_release(&sb);
	return size;
}

/* --- modules ---------------------------------------------------------------- */

struct module {
	char *name, *path; /* owned; path: of its file, NULL when it is unknown */
	u64 start, size;
};

struct modules {
	struct module *v; /* owned */
	size_t nr, cap;
};

static int cmp_name(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int cmp_start(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Read the lines "name size refs deps state address". */
static void read_modules(const struct sysroot *sr, struct modules *m)
{
	struct strbuf sb = STRBUF_INIT;
	char *line, *next;

	if (sysroot_read(sr, &sb, "/proc/modules") || !sb.len) {
		strbuf_release(&sb);
		return;
	}
	for (line = sb.buf; line && *line; line = next) {
		char name[128];
		u64 size, addr;

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (sscanf(line, "%127s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &size, &addr) !=
			    3 ||
		    !addr)
			continue;
		VEC_GROW(m->v, m->nr + 1, m->cap);
		m->v[m->nr++] =
			(struct module){ .name = xstrdup(name), .start = addr, .size = size };
	}
	strbuf_release(&sb);
}

/* Return the loaded module whose file is @path (@len bytes): x-y.ko.xz is the file of x_y. */
static struct module *module_of(const struct modules *m, const char *path, size_t len)
{
	const char *base = memrchr(path, '/', len);
	char name[128];
	size_t n;

	base = base ? base + 1 : path;
	len -= (size_t)(base - path);
	for (n = 0; n < len && base[n] != '.' && n + 1 < sizeof(name); n++)
		name[n] = base[n] == '-' ? '_' : base[n];
	name[n] = 0;
	if (len - n < 3 || memcmp(base + n, ".ko", 3))
		return NULL;
	return bsearch(&(struct module){ .name = name }, m->v, m->nr, sizeof(*m->v), cmp_name);
}

/* Read modules.dep, which lists the files of all modules: "kernel/fs/x.ko: kernel/lib/y.ko". */
static void find_files(const struct sysroot *sr, struct modules *m)
{
	struct strbuf release = STRBUF_INIT, dep = STRBUF_INIT;
	const char *p, *end;
	struct line l;

	if (sysroot_read(sr, &release, "/proc/sys/kernel/osrelease") || !release.len)
		goto out;
	release.buf[strcspn(release.buf, "\n")] = 0;
	if (sysroot_read(sr, &dep, "/lib/modules/%s/modules.dep", release.buf) || !dep.len)
		goto out;
	for (p = dep.buf, end = p + dep.len; next_line(&p, end, &l);) {
		const char *colon = memchr(l.p, ':', (size_t)(l.end - l.p));
		size_t len = colon ? (size_t)(colon - l.p) : 0;
		struct module *mod = len ? module_of(m, l.p, len) : NULL;

		if (!mod || mod->path)
			continue;
		mod->path = *l.p == '/'
				    ? xstrndup(l.p, len)
				    : xasprintf("/lib/modules/%s/%.*s", release.buf, (int)len, l.p);
	}
out:
	strbuf_release(&release);
	strbuf_release(&dep);
}

char *kernel_module_file(const struct sysroot *sr, const char *name, size_t len)
{
	struct module module = { .name = xstrndup(name, len) };
	struct modules m = { .v = &module, .nr = 1 };

	find_files(sr, &m);
	free(module.name);
	return module.path;
}

/* Without a build-id, use the older kind of record, like perf 6.1. */
static void add_kernel_map(struct synth *s, struct rec_mmap *r)
{
	synth_add_id(s, r);
	if (r->build_id_size)
		enc_mmap2(s->out, PERF_RECORD_MISC_KERNEL, r, s->layout, NULL);
	else
		enc_mmap(s->out, PERF_RECORD_MISC_KERNEL, r, s->layout, NULL);
}

/*
 * Add one map for each module, by address, with the name of its file, or "[name]" when that is
 * unknown.
 */
static void add_modules(struct synth *s)
{
	struct modules m = { 0 };

	read_modules(s->sysroot, &m);
	if (m.nr) {
		qsort(m.v, m.nr, sizeof(*m.v), cmp_name);
		find_files(s->sysroot, &m);
		qsort(m.v, m.nr, sizeof(*m.v), cmp_start);
	}
	for (size_t i = 0; i < m.nr; i++) {
		char shown[160];
		bool file = m.v[i].path && strlen(m.v[i].path) < PATH_MAX;

		snprintf(shown, sizeof(shown), "[%s]", m.v[i].name);
		add_kernel_map(s, &(struct rec_mmap){ .pid = (u32)-1,
						      .start = m.v[i].start,
						      .len = ALIGN_UP(m.v[i].size, (u64)4096),
						      .filename = file ? m.v[i].path : shown });
		free(m.v[i].name);
		free(m.v[i].path);
	}
	free(m.v);
}

void synth_kernel(struct synth *s)
{
	const char *ref;
	u64 start = kernel_start(s->sysroot, &ref), size;
	char name[64];

	if (!start)
		return;
	size = kernel_code_size(s->sysroot);
	/* Without the memory map, the text extends to the modules or to the end. */
	if (!size)
		size = ~start;
	snprintf(name, sizeof(name), "[kernel.kallsyms]%s", ref);
	add_kernel_map(s, &(struct rec_mmap){ .pid = (u32)-1,
					      .start = start,
					      .len = size,
					      .pgoff = start,
					      .filename = name });
	add_modules(s);
}

/* --- clocks ----------------------------------------------------------------- */

void synth_time_conv(struct strbuf *out, const struct perf_event_mmap_page *pc)
{
	struct rec_time_conv conv = { .has_cycles = true };
	u32 seq;

	/* the kernel may be changing it: the sequence number is odd, or another one afterwards */
	do {
		seq = __atomic_load_n(&pc->lock, __ATOMIC_ACQUIRE);
		conv.shift = pc->time_shift;
		conv.mult = pc->time_mult;
		conv.zero = pc->time_zero;
		conv.cycles = pc->time_cycles;
		conv.mask = pc->time_mask;
		conv.cap_zero = pc->cap_user_time_zero;
		conv.cap_short = pc->cap_user_time_short;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (seq & 1 || seq != __atomic_load_n(&pc->lock, __ATOMIC_RELAXED));
	if (!conv.cap_zero)
		return;
	if (!conv.cap_short)
		conv.cycles = conv.mask = 0;
	enc_record(out, PERF_RECORD_TIME_CONV, 0, &conv, NULL, NULL);
}
