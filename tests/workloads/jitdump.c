// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a just-in-time compiler does for a profiler: code in anonymous memory, and a file
 * jit-PID.dump that says what it is. The "compiled" code is a copy of a function's own bytes,
 * which works on any machine whose code is position-independent.
 *
 * File: a 40-byte header, then records of {u32 id, u32 size, u64 time} and a body; one
 * JIT_CODE_LOAD (id 0) and one JIT_CODE_CLOSE (id 3). Times are CLOCK_MONOTONIC, so record with
 * -k mono. The file is mapped executable once: that mapping is how a reader finds it.
 */
#include "base/compat.h"

#include "workloads.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define JIT_MAGIC 0x4A695444
#define JIT_CODE_LOAD 0
#define JIT_CODE_CLOSE 3
#define JIT_NAME "jitdump_generated"

struct jit_header {
	u32 magic, version, total_size, elf_mach, pad, pid;
	u64 timestamp, flags;
};

struct jit_record {
	u32 id, total_size;
	u64 timestamp;
};

struct jit_code_load {
	struct jit_record rec;
	u32 pid, tid;
	u64 vma, code_addr, code_size, code_index;
};

/* The template is all there is in its section; the linker makes the two symbols. */
extern const char __start_jit_template[], __stop_jit_template[];
u64 jit_template_loop(u64 n);
void jitdump_call(u64 (*fn)(u64));

__attribute__((section("jit_template"), noinline, used, aligned(16)))
#if defined(__has_attribute) && __has_attribute(no_sanitize)
__attribute__((no_sanitize("address", "undefined")))
#endif
u64 jit_template_loop(u64 n)
{
	volatile u64 left = n;

	while (left)
		left--;
	return n;
}

WORKLOAD_FN void jitdump_call(u64 (*fn)(u64))
{
	while (!workload_stop)
		fn(100000);
}

static u64 now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + (u64)ts.tv_nsec;
}

/* The machine number that this program's own file has. */
static u32 own_machine(void)
{
	u16 half = 0;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	if (pread(fd, &half, sizeof(half), offsetof(Elf64_Ehdr, e_machine)) != sizeof(half))
		half = 0;
	close(fd);
	return half;
}

static int put(int fd, const void *p, size_t len)
{
	ssize_t n = write(fd, p, len);

	if (n == (ssize_t)len)
		return 0;
	fprintf(stderr, "the jitdump file could not be written: %s\n",
		n < 0 ? strerror(errno) : "short write");
	return -1;
}

/* Open the file, write its header and map it. Return: the fd or -1. */
static int dump_open(const char *dir)
{
	struct jit_header h = { .magic = JIT_MAGIC,
				.version = 1,
				.total_size = sizeof(h),
				.elf_mach = own_machine(),
				.pid = (u32)getpid(),
				.timestamp = now() };
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/jit-%d.dump", dir, getpid());
	fd = open(path, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0) {
		fprintf(stderr, "'%s' could not be created: %s\n", path, strerror(errno));
		return -1;
	}
	if (put(fd, &h, sizeof(h))) {
		close(fd);
		return -1;
	}
	if (mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) ==
	    MAP_FAILED)
		fprintf(stderr, "'%s' could not be mapped: %s\n", path, strerror(errno));
	return fd;
}

static int dump_code(int fd, const void *code, size_t size)
{
	struct jit_code_load load = {
		.rec = { JIT_CODE_LOAD, (u32)(sizeof(load) + sizeof(JIT_NAME) + size), now() },
		.pid = (u32)getpid(),
		.tid = (u32)syscall(SYS_gettid),
		.vma = (uintptr_t)code,
		.code_addr = (uintptr_t)code,
		.code_size = size,
	};

	if (put(fd, &load, sizeof(load)) || put(fd, JIT_NAME, sizeof(JIT_NAME)))
		return -1;
	return put(fd, code, size);
}

int wl_jitdump(int argc, const char **argv)
{
	const char *dir = workload_arg(argc, argv, 1);
	size_t size = (size_t)(__stop_jit_template - __start_jit_template);
	struct jit_record end = { JIT_CODE_CLOSE, sizeof(end), 0 };
	void *code;
	int fd, ret;

	if (workload_timer(workload_arg(argc, argv, 0), 1))
		return 1;
	fd = dump_open(dir ? dir : ".");
	if (fd < 0)
		return 1;
	code = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED) {
		perror("mmap");
		close(fd);
		return 1;
	}
	memcpy(code, __start_jit_template, size);
	if (mprotect(code, size, PROT_READ | PROT_EXEC)) {
		perror("mprotect");
		close(fd);
		return 1;
	}
	__builtin___clear_cache((char *)code, (char *)code + size);
	ret = dump_code(fd, code, size);
	if (!ret)
		jitdump_call((u64(*)(u64))(uintptr_t)code);
	end.timestamp = now();
	if (!ret)
		ret = put(fd, &end, sizeof(end));
	close(fd);
	munmap(code, size);
	return ret ? 1 : 0;
}
