// SPDX-License-Identifier: GPL-2.0-or-later
/* Side-band records from /proc. Processes that end while we look at them are left out. */
#include "base/compat.h"
#include "kernel/synth.h"

#include "base/alloc.h"
#include "kernel/target.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- /proc/PID/maps ------------------------------------------------------- */

static bool take_hex(char **p, char stop, u64 *out)
{
	char *end;

	if (!isxdigit((unsigned char)**p))
		return false;
	errno = 0;
	*out = strtoull(*p, &end, 16);
	if (errno || *end != stop)
		return false;
	*p = end + 1;
	return true;
}

/* "7f88c7172000-7f88c7198000 r-xp 00001000 fe:00 332383    /usr/lib/ld.so" */
int maps_parse(char *line, struct maps_line *m)
{
	u64 maj, min;
	char *p = line, *end;

	memset(m, 0, sizeof(*m));
	if (!take_hex(&p, '-', &m->start) || !take_hex(&p, ' ', &m->end) || m->end < m->start)
		return -EINVAL;
	if (strnlen(p, 5) < 5 || p[4] != ' ')
		return -EINVAL;
	m->prot = (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) |
		  (p[2] == 'x' ? PROT_EXEC : 0);
	m->flags = p[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	p += 5;
	if (!take_hex(&p, ' ', &m->pgoff) || !take_hex(&p, ':', &maj) || !take_hex(&p, ' ', &min))
		return -EINVAL;
	m->maj = (u32)maj;
	m->min = (u32)min;
	if (!isdigit((unsigned char)*p))
		return -EINVAL;
	errno = 0;
	m->ino = strtoull(p, &end, 10);
	if (errno || (*end && *end != ' '))
		return -EINVAL;
	while (*end == ' ')
		end++;
	m->name = end;
	return 0;
}

static void add_map(struct synth *s, int pid, const struct maps_line *m)
{
	bool exec = m->prot & PROT_EXEC;
	struct rec_mmap r = { .pid = (u32)pid,
			      .tid = (u32)pid,
			      .start = m->start,
			      .len = m->end - m->start,
			      .pgoff = m->pgoff,
			      .maj = m->maj,
			      .min = m->min,
			      .ino = m->ino,
			      .prot = m->prot,
			      .flags = m->flags,
			      .filename = *m->name ? m->name : "//anon" };

	if (!exec && !(s->mmap_data && m->prot & PROT_READ))
		return;
	/* A record is at most 64 KiB; PATH_MAX keeps names far below that. */
	if (strlen(r.filename) > PATH_MAX)
		return;
	enc_mmap2(s->out, PERF_RECORD_MISC_USER | (exec ? 0 : PERF_RECORD_MISC_MMAP_DATA), &r,
		  s->layout, NULL);
}

static void add_maps(struct synth *s, int pid)
{
	struct strbuf sb = STRBUF_INIT;
	struct maps_line m;
	char *line, *next;

	if (sysroot_read(s->sysroot, &sb, "/proc/%d/maps", pid) || !sb.len) {
		strbuf_release(&sb);
		return;
	}
	for (line = sb.buf; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (!maps_parse(line, &m))
			add_map(s, pid, &m);
	}
	strbuf_release(&sb);
}

/* --- threads -------------------------------------------------------------- */

struct task_status {
	char comm[64];
	u32 tgid, ppid;
};

/* Kernel comms are cut to 15 bytes in records of the kernel itself: so they are here. */
#define COMM_MAX 15

static u32 status_number(const char *text, const char *key)
{
	const char *p = strstr(text, key);

	return p ? (u32)strtoul(p + strlen(key), NULL, 10) : 0;
}

static int read_status(struct synth *s, int tid, struct task_status *st)
{
	struct strbuf sb = STRBUF_INIT;
	int rc = sysroot_read(s->sysroot, &sb, "/proc/%d/status", tid);
	const char *text = strbuf_str(&sb);

	memset(st, 0, sizeof(*st));
	if (!rc && !strncmp(text, "Name:\t", 6)) {
		size_t len = strcspn(text + 6, "\n");

		memcpy(st->comm, text + 6, MIN(len, (size_t)COMM_MAX));
		st->tgid = status_number(text, "\nTgid:\t");
		st->ppid = status_number(text, "\nPPid:\t");
	} else {
		rc = rc ? rc : -EINVAL;
	}
	strbuf_release(&sb);
	return rc;
}

static void add_comm(struct synth *s, u32 pid, u32 tid, const char *comm)
{
	struct rec_comm r = { .pid = pid, .tid = tid, .comm = comm };

	enc_comm(s->out, 0, &r, s->layout, NULL);
}

/* A thread's parent is its leader, a leader's the parent process. */
static void add_fork(struct synth *s, const struct task_status *st, u32 tid)
{
	u32 parent = tid == st->tgid ? st->ppid : st->tgid;
	struct rec_task r = { .pid = st->tgid, .tid = tid, .ppid = parent, .ptid = parent };

	enc_task(s->out, PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC, &r, s->layout, NULL);
}

/* Device and inode of each of /proc/TID/ns, in the order of linux/perf_event.h. */
static void add_namespaces(struct synth *s, u32 pid, u32 tid)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	u64 links[ARRAY_SIZE(names)][2] = { 0 };
	struct rec_namespaces r = {
		.pid = pid, .tid = tid, .nr = ARRAY_SIZE(names), .links = (const u64_una *)links
	};

	if (!s->namespaces)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char *path = sysroot_path(s->sysroot, "/proc/%u/task/%u/ns/%s", pid, tid, names[i]);
		struct stat st;

		if (!stat(path, &st)) {
			links[i][0] = st.st_dev;
			links[i][1] = st.st_ino;
		}
		free(path);
	}
	enc_namespaces(s->out, &r, s->layout, NULL);
}

void synth_process(struct synth *s, int pid)
{
	char *path = sysroot_path(s->sysroot, "/proc/%d/task", pid);
	DIR *dir = opendir(path);
	struct dirent *d;

	free(path);
	if (!dir)
		return;
	while ((d = readdir(dir))) {
		struct task_status st;
		int tid = (int)strtol(d->d_name, NULL, 10);

		if (tid <= 0 || read_status(s, tid, &st))
			continue;
		add_fork(s, &st, (u32)tid);
		add_namespaces(s, st.tgid, (u32)tid);
		add_comm(s, st.tgid, (u32)tid, st.comm);
		if (tid == pid)
			add_maps(s, pid);
	}
	closedir(dir);
}

void synth_threads(struct synth *s, const struct int_list *tids)
{
	struct int_list done = { 0 };

	for (size_t i = 0; i < tids->nr; i++) {
		struct task_status st;
		bool seen = false;

		if (read_status(s, tids->v[i], &st))
			continue;
		add_namespaces(s, st.tgid, (u32)tids->v[i]);
		add_comm(s, st.tgid, (u32)tids->v[i], st.comm);
		/* few processes, many threads: the last one is nearly always it */
		for (size_t j = done.nr; j-- > 0 && !seen;)
			seen = done.v[j] == (int)st.tgid;
		if (seen)
			continue;
		int_list_add(&done, (int)st.tgid);
		add_maps(s, (int)st.tgid);
	}
	int_list_release(&done);
}

void synth_comm(struct synth *s, int pid, const char *comm)
{
	add_comm(s, (u32)pid, (u32)pid, comm);
}

int synth_all(struct synth *s)
{
	char *path = sysroot_path(s->sysroot, "/proc");
	DIR *dir = opendir(path);
	int rc = dir ? 0 : -errno;
	struct dirent *d;

	free(path);
	if (!dir)
		return rc;
	while ((d = readdir(dir)))
		if (isdigit((unsigned char)d->d_name[0]))
			synth_process(s, (int)strtol(d->d_name, NULL, 10));
	closedir(dir);
	return 0;
}

/* --- the kernel ----------------------------------------------------------- */

/* The reference symbol's address; reading stops at the first hit, the table has 100,000 lines and
 * more. */
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
			/* _text, where there is one, stands beside it */
			continue;
		}
		if (found && addr > found)
			break;
		/* All zeros: addresses are hidden from us. */
		if (!addr && type == 'T')
			break;
	}
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	return found;
}

/* Bytes of kernel code as the memory map has it; 0 when it is hidden. */
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

/* "name size refs deps state address" */
static void add_modules(struct synth *s)
{
	struct strbuf sb = STRBUF_INIT;
	char *line, *next;

	if (sysroot_read(s->sysroot, &sb, "/proc/modules") || !sb.len) {
		strbuf_release(&sb);
		return;
	}
	for (line = sb.buf; line && *line; line = next) {
		char name[128], shown[160];
		u64 size, addr;

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (sscanf(line, "%127s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &size, &addr) !=
			    3 ||
		    !addr)
			continue;
		snprintf(shown, sizeof(shown), "[%s]", name);
		enc_mmap(s->out, PERF_RECORD_MISC_KERNEL,
			 &(struct rec_mmap){ .pid = (u32)-1,
					     .start = addr,
					     .len = ALIGN_UP(size, (u64)4096),
					     .filename = shown },
			 s->layout, NULL);
	}
	strbuf_release(&sb);
}

void synth_kernel(struct synth *s)
{
	const char *ref;
	u64 start = kernel_start(s->sysroot, &ref), size;
	char name[64];

	if (!start)
		return;
	size = kernel_code_size(s->sysroot);
	/* Without the memory map the text may reach to where modules begin, or to the end. */
	if (!size)
		size = ~start;
	snprintf(name, sizeof(name), "[kernel.kallsyms]%s", ref);
	enc_mmap(s->out, PERF_RECORD_MISC_KERNEL,
		 &(struct rec_mmap){ .pid = (u32)-1,
				     .start = start,
				     .len = size,
				     .pgoff = start,
				     .filename = name },
		 s->layout, NULL);
	add_modules(s);
}

/* --- control groups --------------------------------------------------------- */

#define CGROUP_DEPTH 32

/* @path: below @mount, "" at the top; its id is the file handle of the directory. */
static void add_cgroup(struct synth *s, const char *mount, const char *path, int depth)
{
	char *full = sysroot_path(s->sysroot, "%s%s", mount, path);
	union {
		struct file_handle fh;
		char room[sizeof(struct file_handle) + sizeof(u64)];
	} h = { .fh.handle_bytes = sizeof(u64) };
	struct rec_cgroup r = { .path = *path ? path : "/" };
	DIR *dir = opendir(full);
	struct dirent *d;
	int mnt;

	if (dir && !name_to_handle_at(AT_FDCWD, full, &h.fh, &mnt, 0)) {
		memcpy(&r.id, h.fh.f_handle, sizeof(r.id));
		enc_cgroup(s->out, &r, s->layout, NULL);
	}
	free(full);
	while (dir && depth < CGROUP_DEPTH && (d = readdir(dir))) {
		char *below;

		if (d->d_type != DT_DIR || d->d_name[0] == '.')
			continue;
		below = xasprintf("%s/%s", path, d->d_name);
		if (strlen(below) < PATH_MAX)
			add_cgroup(s, mount, below, depth + 1);
		free(below);
	}
	if (dir)
		closedir(dir);
}

void synth_cgroups(struct synth *s)
{
	struct strbuf sb = STRBUF_INIT;
	char *line, *next;

	if (sysroot_read(s->sysroot, &sb, "/proc/self/mounts") || !sb.len) {
		strbuf_release(&sb);
		return;
	}
	for (line = sb.buf; line && *line; line = next) {
		char mount[PATH_MAX], type[64];

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (sscanf(line, "%*s %4095s %63s", mount, type) == 2 && !strcmp(type, "cgroup2")) {
			add_cgroup(s, mount, "", 0);
			break;
		}
	}
	strbuf_release(&sb);
}

/* --- tables --------------------------------------------------------------- */

void synth_id_index(struct strbuf *out, const struct kevents *k)
{
	enum { ENTRY = 32, PER_RECORD = (0xfff8 - 16) / ENTRY };
	struct strbuf body = STRBUF_INIT;

	for (size_t from = 0; from < k->nr; from += PER_RECORD) {
		u64 nr = MIN(k->nr - from, (size_t)PER_RECORD);

		strbuf_reset(&body);
		strbuf_add(&body, &nr, sizeof(nr));
		for (size_t i = 0; i < nr; i++) {
			const struct kfd *f = &k->fds[from + i];
			/* idx: which ring the event's samples come through */
			u64 entry[4] = { f->id, f->cpu >= 0 ? (u64)f->cpu : from + i,
					 (u64)(s64)f->cpu, (u64)(s64)f->tid };

			strbuf_add(&body, entry, sizeof(entry));
		}
		enc_plain(out, PERF_RECORD_ID_INDEX, 0, body.buf, body.len);
	}
	strbuf_release(&body);
}

void synth_thread_map(struct strbuf *out, const struct int_list *tids)
{
	enum { ENTRY = 24, PER_RECORD = (0xfff8 - 16) / ENTRY };
	u64 nr = tids->nr ? MIN(tids->nr, (size_t)PER_RECORD) : 1;
	struct strbuf body = STRBUF_INIT;

	strbuf_add(&body, &nr, sizeof(nr));
	for (size_t i = 0; i < nr; i++) {
		struct {
			u64 pid;
			char comm[16];
		} e = { tids->nr ? (u64)(s64)tids->v[i] : (u64)-1, "" };

		strbuf_add(&body, &e, sizeof(e));
	}
	enc_plain(out, PERF_RECORD_THREAD_MAP, 0, body.buf, body.len);
	strbuf_release(&body);
}

void synth_cpu_map(struct strbuf *out, const struct int_list *cpus)
{
	struct strbuf body = STRBUF_INIT;
	bool range = cpus->nr && (size_t)(cpus->v[cpus->nr - 1] - cpus->v[0]) == cpus->nr - 1;

	if (range) {
		/* kind 2: any_cpu, pad, first, last */
		u16 v[4] = { 2, 0, (u16)cpus->v[0], (u16)cpus->v[cpus->nr - 1] };

		strbuf_add(&body, v, sizeof(v));
	} else {
		/* kind 0: a count and the numbers; -1 stands for any */
		u16 v[2] = { 0, (u16)(cpus->nr ? MIN(cpus->nr, (size_t)32000) : 1) };

		strbuf_add(&body, v, sizeof(v));
		for (size_t i = 0; i < v[1]; i++) {
			u16 c = cpus->nr ? (u16)cpus->v[i] : 0xffff;

			strbuf_add(&body, &c, sizeof(c));
		}
	}
	enc_plain(out, PERF_RECORD_CPU_MAP, 0, body.buf, body.len);
	strbuf_release(&body);
}
