// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * oldkernel WHAT COMMAND...: run a command on a kernel that refuses what an older one would.
 *
 *	4.9	perf_event_open() knows what Linux 4.9 knew, and uname tells this version
 *	size=N	it takes no attr of more than N bytes, whatever is in the rest
 *	none	there is no perf_event_open()
 *	defer	it takes the flags of deferred call chains, which do nothing
 *
 * A seccomp filter of the command hands its system calls to a process beside it, which looks at the
 * attr and either refuses it or lets the real kernel go on.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#define V(major, minor) ((major)*1000 + (minor))
#define FORMAT_LOST (1U << 4)

/* Bits and the version that brought them, of 3.0 and later. */
static const struct {
	int since;
	struct perf_event_attr bits;
} known[] = {
	{ V(3, 2), { .exclude_host = 1, .exclude_guest = 1 } },
	{ V(3, 4), { .sample_type = 1 << 11 } },
	{ V(3, 7),
	  { .sample_type = 3 << 12, .exclude_callchain_kernel = 1, .exclude_callchain_user = 1 } },
	{ V(3, 10), { .sample_type = 3 << 14 } },
	{ V(3, 12), { .sample_type = 1 << 16 } },
	{ V(3, 13), { .sample_type = 1 << 17 } },
	{ V(3, 16), { .mmap2 = 1, .comm_exec = 1 } },
	{ V(3, 19), { .sample_type = 1 << 18 } },
	{ V(4, 1), { .use_clockid = 1 } },
	{ V(4, 3), { .context_switch = 1 } },
	{ V(4, 7), { .write_backward = 1 } },
	{ V(4, 12), { .namespaces = 1 } },
	{ V(4, 14), { .sample_type = 1 << 19 } },
	{ V(5, 1), { .ksymbol = 1, .bpf_event = 1 } },
	{ V(5, 4), { .aux_output = 1 } },
	{ V(5, 5), { .sample_type = 1 << 20 } },
	{ V(5, 7), { .sample_type = 1 << 21, .cgroup = 1 } },
	{ V(5, 9), { .text_poke = 1 } },
	{ V(5, 11), { .sample_type = 3 << 22 } },
	{ V(5, 12), { .sample_type = 1 << 24, .build_id = 1 } },
	{ V(6, 0), { .read_format = FORMAT_LOST } },
};

/* Sizes of the attr, which is called what it was called then. */
static const struct {
	int since;
	uint32_t size;
} sizes[] = { { V(3, 0), 72 },  { V(3, 4), 80 },  { V(3, 7), 96 },   { V(3, 19), 104 },
	      { V(4, 1), 112 }, { V(5, 5), 120 }, { V(5, 13), 128 }, { V(6, 3), 136 } };

/* The flags defer_callchain and defer_output, of 6.19, which the header may have no names for. */
#define DEFER_AT 44
#define DEFER (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0xc0 : 0x03)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int version;       /* 0: of today */
static int defers;        /* it takes those flags */
static uint32_t strict;   /* longest attr; 0: as the version has it */
static struct utsname us; /* what uname says */

static int refused(const void *attr, uint32_t size, uint64_t flags, uint32_t *told)
{
	const uint8_t *given = attr;
	uint32_t longest = 0;

	if (strict) {
		*told = strict;
		return size > strict ? E2BIG : 0;
	}
	if (defers)
		return 0;
	if (version < V(6, 19) && given[DEFER_AT] & DEFER)
		return EINVAL;
	if (version < V(3, 14) && flags & PERF_FLAG_FD_CLOEXEC)
		return EINVAL;
	for (size_t i = 0; i < COUNT(sizes); i++)
		if (sizes[i].since <= version)
			longest = sizes[i].size;
	*told = longest;
	for (uint32_t i = longest; i < size; i++)
		if (given[i])
			return E2BIG;
	for (size_t i = 0; i < COUNT(known); i++) {
		const uint8_t *bits = (const uint8_t *)&known[i].bits;

		for (size_t j = 0; known[i].since > version && j < sizeof(known[i].bits); j++)
			if (given[j] & bits[j])
				return EINVAL;
	}
	return 0;
}

/* Return: the error that the call is answered with, or 0. */
static int judge(const struct seccomp_notif *n)
{
	const size_t at = offsetof(struct perf_event_attr, size);
	char path[64];
	uint8_t attr[256] = { 0 };
	uint32_t size, told = 0;
	int mem, error;

	snprintf(path, sizeof(path), "/proc/%u/mem", n->pid);
	mem = open(path, O_RDWR | O_CLOEXEC);
	if (mem < 0)
		return EIO;
	if (n->data.nr == SYS_uname) {
		error = pwrite(mem, &us, sizeof(us), (off_t)n->data.args[0]) < 0 ? EFAULT : 0;
		close(mem);
		return error;
	}
	if (pread(mem, attr, 64, (off_t)n->data.args[0]) != 64) {
		close(mem);
		return EFAULT;
	}
	memcpy(&size, attr + at, sizeof(size));
	if (size > sizeof(attr) ||
	    pread(mem, attr, size, (off_t)n->data.args[0]) != (ssize_t)size) {
		close(mem);
		return E2BIG;
	}
	error = refused(attr, size, n->data.args[4], &told);
	attr[DEFER_AT] &= (uint8_t)~DEFER;
	if (defers && pwrite(mem, attr, size, (off_t)n->data.args[0]) < 0)
		error = EFAULT;
	if (error == E2BIG && pwrite(mem, &told, sizeof(told), (off_t)(n->data.args[0] + at)) < 0)
		error = EFAULT;
	close(mem);
	return error;
}

static void watch(int fd)
{
	for (;;) {
		/* The kernel wants it to be zero, and may know a longer one. */
		union {
			struct seccomp_notif n;
			char room[512];
		} in = { 0 };
		union {
			struct seccomp_notif_resp r;
			char room[512];
		} out = { 0 };

		if (ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &in)) {
			if (errno == EINTR || errno == ENOENT)
				continue;
			_exit(1);
		}
		out.r.id = in.n.id;
		out.r.error = -judge(&in.n);
		if (!out.r.error && in.n.data.nr != SYS_uname)
			out.r.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &out);
	}
}

/* Filter this process. Return: where the calls are handed out; -1 if none are, or it failed. */
static int filter(uint32_t answer)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, version ? SYS_uname : (uint32_t)-1, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, answer),
	};
	struct sock_fprog prog = { COUNT(code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			    answer == SECCOMP_RET_USER_NOTIF ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0,
			    &prog);
}

int main(int argc, char **argv)
{
	int major, minor, fd;

	if (argc < 3 || uname(&us))
		return 2;
	if (!strcmp(argv[1], "none")) {
		if (filter(SECCOMP_RET_ERRNO | ENOSYS))
			return 3;
		execvp(argv[2], argv + 2);
		return 127;
	}
	if (sscanf(argv[1], "%d.%d", &major, &minor) == 2) {
		version = V(major, minor);
		snprintf(us.release, sizeof(us.release), "%d.%d.0-old", major, minor);
	} else if (!strcmp(argv[1], "defer")) {
		defers = 1;
	} else if (sscanf(argv[1], "size=%u", &strict) != 1) {
		return 2;
	}
	fd = filter(SECCOMP_RET_USER_NOTIF);
	if (fd < 0) {
		perror("seccomp");
		return 3;
	}
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		watch(fd);
	}
	close(fd);
	execvp(argv[2], argv + 2);
	return 127;
}
