// SPDX-License-Identifier: GPL-2.0-or-later
/* Make side-band records from /proc. Processes that end meanwhile are left out. */
#include "base/compat.h"
#include "kernel/synth.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "kernel/cgroup.h"
#include "kernel/target.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void synth_add_id(const struct synth *s, struct rec_mmap *r)
{
	int n = s->build_id ? s->build_id(s->build_id_ctx, r->pid, r->filename, r->build_id) : 0;

	r->build_id_size = n > 0 && n <= (int)sizeof(r->build_id) ? (u8)n : 0;
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
	synth_add_id(s, &r);
	enc_mmap2(s->out, PERF_RECORD_MISC_USER | (exec ? 0 : PERF_RECORD_MISC_MMAP_DATA), &r,
		  s->layout, NULL);
}

struct map_target {
	struct synth *s;
	int pid;
	size_t last; /* offset of the last record plus 1; 0: there is none */
};

static void take_map(void *ctx, const struct maps_line *m)
{
	struct map_target *t = ctx;
	size_t at = t->s->out->len;

	add_map(t->s, t->pid, m);
	if (t->s->out->len > at)
		t->last = at + 1;
}

static void add_maps(struct synth *s, int pid)
{
	struct map_target t = { s, pid, 0 };
	struct maps_reader own;
	int rc;

	if (s->no_maps)
		return;
	if (s->maps) {
		rc = maps_walk(s->maps, pid, s->mmap_data, take_map, &t);
	} else {
		maps_reader_init(&own, s->sysroot);
		own.limit_ns = s->map_limit_ns;
		rc = maps_walk(&own, pid, s->mmap_data, take_map, &t);
		maps_reader_release(&own);
	}
	if (rc != -ETIMEDOUT)
		return;
	/* the last record completes the description for readers */
	if (t.last)
		((wire_header *)(s->out->buf + t.last - 1))->misc |=
			PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT;
	if (s->slow)
		s->slow(s->slow_ctx, pid);
}

/* --- threads -------------------------------------------------------------- */

struct task_status {
	char comm[64];
	u32 tgid, ppid;
};

/* In records of the kernel, names are cut to 15 bytes, and so they are here. */
#define COMM_MAX 15

static u32 status_number(const char *text, const char *key)
{
	const char *p = strstr(text, key);

	return p ? (u32)strtoul(p + strlen(key), NULL, 10) : 0;
}

/* Read the start of a small file of /proc into @buf and terminate it. The kernel writes such a file
 * in one piece, so that a single read gets all that fits; another one, which would tell that this
 * was the end, costs as much as a tenth of describing a process. */
static int read_once(int fd, char *buf, size_t size)
{
	ssize_t n = fd < 0 ? fd : read(fd, buf, size - 1);

	if (fd >= 0 && n < 0)
		n = -errno;
	buf[n < 0 ? 0 : n] = '\0';
	if (fd >= 0)
		close(fd);
	return n < 0 ? (int)n : 0;
}

static int read_status(struct synth *s, int tid, struct task_status *st)
{
	char text[4096];
	int rc = read_once(sysroot_open(s->sysroot, "/proc/%d/status", tid), text, sizeof(text));

	memset(st, 0, sizeof(*st));
	if (!rc && !strncmp(text, "Name:\t", 6)) {
		size_t len = strcspn(text + 6, "\n");

		memcpy(st->comm, text + 6, MIN(len, (size_t)COMM_MAX));
		st->tgid = status_number(text, "\nTgid:\t");
		st->ppid = status_number(text, "\nPPid:\t");
	} else {
		rc = rc ? rc : -EINVAL;
	}
	return rc;
}

/* Numbers of /proc/PID/stat, counted as in proc_pid_stat(5). */
enum stat_field { STAT_PPID = 4, STAT_THREADS = 20, STAT_MEMORY = 23, STAT_FIELDS };

/* Find the numbers of /proc/PID/stat. @text: from the state on, which is a letter. Return: whether
 * all of them are there. */
static bool stat_fields(const char *text, const char *at[STAT_FIELDS])
{
	int i;

	for (i = STAT_PPID; i < STAT_FIELDS; i++) {
		text = strchr(text, ' ');
		if (!text)
			return false;
		at[i] = ++text;
	}
	return true;
}

/*
 * Read what is to be told of a process. Its file "stat" has all that is needed, and costs the
 * kernel two thirds of what "status" does. It does not name the process of a thread, so that @pid
 * must not be a thread other than the first one.
 * @threads: receives how many threads there are; @memory: whether the process has any memory, which
 * threads of the kernel and processes that have ended lack
 */
static int read_process(struct synth *s, int pid, struct task_status *st, u64 *threads,
			bool *memory)
{
	char text[1024], *name, *end;
	const char *at[STAT_FIELDS];
	int rc = read_once(sysroot_open(s->sysroot, "/proc/%d/stat", pid), text, sizeof(text));

	if (rc)
		return rc;
	/* The name may have parentheses of its own; nothing behind it has. */
	name = strchr(text, '(');
	end = strrchr(text, ')');
	if (!name || !end || end < name || end[1] != ' ' || !stat_fields(end + 2, at))
		return -EINVAL;
	memset(st, 0, sizeof(*st));
	memcpy(st->comm, name + 1, MIN((size_t)(end - name - 1), (size_t)COMM_MAX));
	st->tgid = (u32)pid;
	st->ppid = (u32)strtoul(at[STAT_PPID], NULL, 10);
	*threads = strtoull(at[STAT_THREADS], NULL, 10);
	*memory = *at[STAT_MEMORY] != '0';
	return 0;
}

static void add_comm(struct synth *s, u32 pid, u32 tid, const char *comm)
{
	struct rec_comm r = { .pid = pid, .tid = tid, .comm = comm };

	enc_comm(s->out, 0, &r, s->layout, NULL);
}

/* The parent of a thread is its leader; that of a leader is the parent process. */
static void add_fork(struct synth *s, const struct task_status *st, u32 tid)
{
	u32 parent = tid == st->tgid ? st->ppid : st->tgid;
	struct rec_task r = { .pid = st->tgid, .tid = tid, .ppid = parent, .ptid = parent };

	enc_task(s->out, PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC, &r, s->layout, NULL);
}

/* Add device and inode of the files /proc/TID/ns, in the order of linux/perf_event.h. */
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

static void add_task(struct synth *s, const struct task_status *st, u32 tid)
{
	add_fork(s, st, tid);
	add_namespaces(s, st->tgid, tid);
	add_comm(s, st->tgid, tid, st->comm);
}

/* Read the name of a thread other than the leader; nothing else differs from the leader. */
static bool read_comm(struct synth *s, int pid, int tid, struct task_status *st)
{
	char text[64];
	int rc = read_once(sysroot_open(s->sysroot, "/proc/%d/task/%d/comm", pid, tid), text,
			   sizeof(text));
	size_t len = strcspn(text, "\n");

	memset(st->comm, 0, sizeof(st->comm));
	memcpy(st->comm, text, MIN(len, (size_t)COMM_MAX));
	return !rc || !read_status(s, tid, st);
}

void synth_process(struct synth *s, int pid)
{
	struct task_status st;
	struct dirent *d;
	u64 threads;
	bool memory;
	char *path;
	DIR *dir;

	if (read_process(s, pid, &st, &threads, &memory))
		return;
	add_task(s, &st, (u32)pid);
	if (memory)
		add_maps(s, pid);
	if (threads == 1)
		return;
	path = sysroot_path(s->sysroot, "/proc/%d/task", pid);
	dir = opendir(path);
	free(path);
	while (dir && (d = readdir(dir))) {
		int tid = (int)strtol(d->d_name, NULL, 10);

		if (tid > 0 && tid != pid && read_comm(s, pid, tid, &st))
			add_task(s, &st, (u32)tid);
	}
	if (dir)
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
		/* usually there are few processes with many threads, and it is the last one */
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

/* Processes are described in blocks, each with a buffer of its own. */
#define BLOCK 32
#define MAX_WORKERS 16

struct synth_work {
	struct synth *s;
	const struct int_list *pids;
	struct maps_reader maps;
	struct strbuf *out; /* owned; one for each block */
};

static void synth_block(void *ctx, int worker, size_t block)
{
	struct synth_work *w = ctx;
	struct synth mine = *w->s;

	(void)worker;
	mine.out = &w->out[block];
	mine.maps = &w->maps;
	for (size_t i = block * BLOCK; i < MIN((block + 1) * BLOCK, w->pids->nr); i++)
		synth_process(&mine, w->pids->v[i]);
}

static void synth_list(struct synth *s, const struct int_list *pids)
{
	size_t nr = (pids->nr + BLOCK - 1) / BLOCK;
	struct synth_work w = { .s = s, .pids = pids, .out = xcalloc(nr + 1, sizeof(*w.out)) };

	if (s->maps) {
		w.maps = *s->maps;
	} else {
		maps_reader_init(&w.maps, s->sysroot);
		w.maps.limit_ns = s->map_limit_ns;
	}
	pool_run((int)MIN((size_t)(s->workers ? s->workers : MIN(pool_cpus(), MAX_WORKERS)), nr),
		 nr, synth_block, &w);
	for (size_t i = 0; i < nr; i++) {
		strbuf_add(s->out, w.out[i].buf, w.out[i].len);
		strbuf_release(&w.out[i]);
	}
	free(w.out);
	if (!s->maps)
		maps_reader_release(&w.maps);
}

int synth_all(struct synth *s)
{
	char *path = sysroot_path(s->sysroot, "/proc");
	DIR *dir = opendir(path);
	int rc = dir ? 0 : -errno;
	struct int_list pids = { 0 };
	struct dirent *d;

	free(path);
	if (!dir)
		return rc;
	while ((d = readdir(dir)))
		if (isdigit((unsigned char)d->d_name[0]))
			int_list_add(&pids, (int)strtol(d->d_name, NULL, 10));
	closedir(dir);
	synth_list(s, &pids);
	int_list_release(&pids);
	return 0;
}

/* --- control groups --------------------------------------------------------- */

#define CGROUP_DEPTH 32

/* Add a control group. @path: below @mount, "" at the top. The id of a group is the file handle of
 * its directory. */
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
	struct strbuf mount = STRBUF_INIT;

	if (!cgroup_mount(s->sysroot, true, &mount))
		add_cgroup(s, strbuf_str(&mount), "", 0);
	strbuf_release(&mount);
}
