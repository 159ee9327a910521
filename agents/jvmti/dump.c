// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "dump.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x4A695444
#define LINE_HEAD 16 /* bytes of a line before its file */

enum { RECORD_LOAD = 0, RECORD_LINES = 2, RECORD_CLOSE = 3 };

struct record_head {
	u32 id, size;
	u64 time;
};

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#elif defined(__riscv)
#define MACHINE EM_RISCV
#elif defined(__powerpc64__)
#define MACHINE EM_PPC64
#elif defined(__s390x__)
#define MACHINE EM_S390
#elif defined(__arm__)
#define MACHINE EM_ARM
#elif defined(__i386__)
#define MACHINE EM_386
#else
#define MACHINE EM_NONE
#endif

static u64 now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + (u64)ts.tv_nsec;
}

/* --- writing ----------------------------------------------------------------------------- */

/* Write all parts, which are changed. Parts that belong together are not torn by other threads. */
static void put(struct dump *d, struct iovec *v, int nr)
{
	while (nr && !d->failed) {
		ssize_t n = writev(d->fd, v, nr);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			fprintf(stderr, "perf's agent: the jitdump file cannot be written: %s\n",
				strerror(errno));
			d->failed = true;
		}
		for (; nr && n >= (ssize_t)v->iov_len; v++, nr--)
			n -= (ssize_t)v->iov_len;
		if (nr && n > 0) {
			v->iov_base = (char *)v->iov_base + n;
			v->iov_len -= (size_t)n;
		}
	}
}

static struct iovec part(const void *p, size_t len)
{
	return (struct iovec){ .iov_base = (void *)(uintptr_t)p, .iov_len = len };
}

/* Append to a buffer that is large enough. */
static char *append(char *to, const void *p, size_t len)
{
	memcpy(to, p, len);
	return to + len;
}

/* Write the lines of a function, a record that stands before that of its code. */
static void put_lines(struct dump *d, u64 addr, const struct dump_line *lines, size_t nr)
{
	struct record_head head = { .id = RECORD_LINES, .time = now() };
	u64 body[] = { addr, nr };
	size_t size = 0;
	struct iovec v[3];
	char *buf, *w;

	for (size_t i = 0; i < nr; i++)
		size += LINE_HEAD + strlen(lines[i].file) + 1;
	if (size > UINT32_MAX / 2)
		return;
	buf = w = malloc(size);
	if (!buf)
		return;
	for (size_t i = 0; i < nr; i++) {
		const u32 at[] = { lines[i].line, 0 };

		w = append(w, &lines[i].addr, sizeof(lines[i].addr));
		w = append(w, at, sizeof(at));
		w = append(w, lines[i].file, strlen(lines[i].file) + 1);
	}
	head.size = (u32)(sizeof(head) + sizeof(body) + size);
	v[0] = part(&head, sizeof(head));
	v[1] = part(body, sizeof(body));
	v[2] = part(buf, size);
	put(d, v, ARRAY_SIZE(v));
	free(buf);
}

void dump_code(struct dump *d, const char *name, const void *code, u64 size,
	       const struct dump_line *lines, size_t nr)
{
	struct {
		u32 pid, tid;
		u64 vma, addr, size, index;
	} body = { .pid = (u32)getpid(),
		   .tid = (u32)syscall(SYS_gettid),
		   .vma = (u64)(uintptr_t)code,
		   .addr = (u64)(uintptr_t)code,
		   .size = size };
	struct record_head head = { .id = RECORD_LOAD };
	struct iovec v[4];

	if (!code || size > UINT32_MAX / 2)
		return;
	head.size = (u32)(sizeof(head) + sizeof(body) + strlen(name) + 1 + size);
	pthread_mutex_lock(&d->lock);
	if (d->fd >= 0 && !d->failed) {
		if (nr)
			put_lines(d, body.addr, lines, nr);
		body.index = d->index++;
		head.time = now();
		v[0] = part(&head, sizeof(head));
		v[1] = part(&body, sizeof(body));
		v[2] = part(name, strlen(name) + 1);
		v[3] = part(code, size);
		put(d, v, ARRAY_SIZE(v));
	}
	pthread_mutex_unlock(&d->lock);
}

/* --- the file ------------------------------------------------------------------------------ */

/* Make the folder @path unless it is there. */
static bool make_folder(const char *path)
{
	if (!mkdir(path, 0755) || errno == EEXIST)
		return true;
	fprintf(stderr, "perf's agent: the folder %s cannot be made: %s\n", path, strerror(errno));
	return false;
}

/* Choose the folder of the file, and make it. */
static bool choose_folder(const char *options, char *path, size_t size)
{
	static const char dir[] = "dir=";
	const char *base = getenv("JITDUMPDIR");
	time_t t = time(NULL);
	struct tm tm;
	size_t len;

	if (options && *options) {
		if (strncmp(options, dir, sizeof(dir) - 1)) {
			fprintf(stderr, "perf's agent: '%s' is no option, dir=FOLDER is\n",
				options);
			return false;
		}
		snprintf(path, size, "%s", options + sizeof(dir) - 1);
		return make_folder(path);
	}
	if (!base || !*base)
		base = getenv("HOME");
	if (!base || !*base)
		base = ".";
	snprintf(path, size, "%s/.debug", base);
	if (!make_folder(path))
		return false;
	snprintf(path, size, "%s/.debug/jit", base);
	if (!make_folder(path))
		return false;
	len = (size_t)snprintf(path, size, "%s/.debug/jit/java-jit-", base);
	localtime_r(&t, &tm);
	if (len < size)
		strftime(path + len, size - len, "%Y%m%d.XXXXXX", &tm);
	if (mkdtemp(path))
		return true;
	fprintf(stderr, "perf's agent: the folder %s cannot be made: %s\n", path, strerror(errno));
	return false;
}

/* Map a page of the file as code for a moment, by which a recording gets to know it. */
static bool show_file(int fd)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	if (page == MAP_FAILED)
		return false;
	munmap(page, size);
	return true;
}

static bool put_header(struct dump *d)
{
	struct {
		u32 magic, version, size, machine, pad, pid;
		u64 time, flags;
	} head = { .magic = MAGIC,
		   .version = 1,
		   .size = sizeof(head),
		   .machine = MACHINE,
		   .pid = (u32)getpid(),
		   .time = now() };
	struct iovec v = part(&head, sizeof(head));

	put(d, &v, 1);
	return !d->failed;
}

bool dump_open(struct dump *d, const char *options)
{
	char folder[PATH_MAX - 64], path[PATH_MAX];

	if (!choose_folder(options, folder, sizeof(folder)))
		return false;
	snprintf(path, sizeof(path), "%s/jit-%d.dump", folder, (int)getpid());
	d->fd = open(path, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0644);
	if (d->fd < 0 || !put_header(d) || !show_file(d->fd)) {
		fprintf(stderr,
			"perf's agent: %s cannot be used: %s (the file system must allow programs, "
			"JITDUMPDIR names another folder)\n",
			path, strerror(errno));
		dump_close(d);
		return false;
	}
	return true;
}

void dump_close(struct dump *d)
{
	struct record_head head = { .id = RECORD_CLOSE, .size = sizeof(head) };
	struct iovec v = part(&head, sizeof(head));

	pthread_mutex_lock(&d->lock);
	if (d->fd >= 0) {
		head.time = now();
		put(d, &v, 1);
		close(d->fd);
	}
	d->fd = -1;
	pthread_mutex_unlock(&d->lock);
}
