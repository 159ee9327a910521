// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched seccomp-notify: a process calls getppid(), which a seccomp filter hands to another process
 * to answer. Each call needs two switches of tasks.
 */
#include "base/compat.h"
#include "bench/sched-internal.h"

#include "base/clock.h"
#include "bench/team.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS /* since Linux 6.6 */
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP 1UL
#endif

#define ANSWER 0x7fffffff /* no process has this number */

struct notify {
	u64 loops;
	int socket[2]; /* the caller sends its listener through it */
};

static int send_fd(int socket, int fd)
{
	char byte = 'f', control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	return sendmsg(socket, &msg, 0) == 1 ? 0 : -errno;
}

/* Return: the descriptor, or the negative errno that was sent in its place. */
static int receive_fd(int socket)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	u8 byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	int fd;

	if (recvmsg(socket, &msg, MSG_CMSG_CLOEXEC) != 1)
		return -EPIPE;
	c = CMSG_FIRSTHDR(&msg);
	if (!c || c->cmsg_type != SCM_RIGHTS)
		return byte ? -(int)byte : -EPIPE;
	memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

/* Let this process ask for the answer to getppid(). Return: the listener or a negative errno. */
static int install_filter(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { ARRAY_SIZE(code), code };
	long fd;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog);
	return fd < 0 ? -errno : (int)fd;
}

static int call(void *arg)
{
	struct notify *n = arg;
	int fd = install_filter();
	u8 code = fd < 0 ? (u8)-fd : 0;
	u64 i;

	if (fd < 0)
		return write(n->socket[1], &code, 1) == 1 ? 1 : 2;
	if (send_fd(n->socket[1], fd))
		return 1;
	close(fd);
	for (i = 0; i < n->loops; i++)
		if (syscall(SYS_getppid) != ANSWER)
			return 1;
	return 0;
}

static int answer(int listener, u64 loops)
{
	/* Kernels write and read as much as they know of; neither structure has grown yet. */
	union {
		struct seccomp_notif s;
		u8 room[256];
	} asked;
	union {
		struct seccomp_notif_resp s;
		u8 room[256];
	} reply;
	u64 i;

	for (i = 0; i < loops; i++) {
		memset(&asked.s, 0, sizeof(asked.s));
		while (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked))
			if (errno != EINTR)
				return -errno;
		reply.s = (struct seccomp_notif_resp){ .id = asked.s.id, .val = ANSWER };
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply))
			return -errno;
	}
	return 0;
}

static int run(struct notify *n, bool sync, u64 *ns, struct err *err)
{
	pid_t pid = bench_fork(call, n, err);
	int listener, ret = 0;
	u64 from;

	if (pid < 0)
		return pid;
	listener = receive_fd(n->socket[0]);
	from = clock_ns(CLOCK_MONOTONIC);
	if (listener < 0)
		ret = err_set(err, listener,
			      "the kernel does not let a seccomp filter ask: %s; that needs Linux "
			      "5.0 and CONFIG_SECCOMP_FILTER, and no other filter with a listener",
			      err_str(listener));
	else if (sync &&
		 ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP))
		ret = err_set(err, -errno,
			      "this kernel has no synchronous mode of seccomp notifications: %s; "
			      "Linux 6.6 has it, leave out --sync-mode here",
			      err_str(-errno));
	else if ((ret = answer(listener, n->loops)))
		err_set(err, ret, "could not answer a seccomp notification: %s", err_str(ret));
	if (ret)
		bench_kill(pid);
	else if (bench_reap(pid))
		ret = err_set(err, -EIO, "the process with the seccomp filter got a wrong answer");
	*ns = clock_ns(CLOCK_MONOTONIC) - from;
	if (listener >= 0)
		close(listener);
	return ret;
}

int sched_seccomp_notify(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench sched seccomp-notify <options>", NULL };
	struct notify n = { .loops = 1000000 };
	bool sync = false;
	const struct option options[] = {
		OPT_U64('l', "loop", &n.loops, "Specify number of loops"),
		OPT_BOOLEAN('s', "sync-mode", &sync,
			    "Enable the synchronous mode for seccomp notifications"),
		OPT_END(),
	};
	u64 ns = 0;
	int ret;

	b->parse(b, options, usage);
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, n.socket))
		return err_set(err, -errno, "could not create a pair of sockets: %s",
			       err_str(-errno));
	ret = run(&n, sync, &ns, err);
	close(n.socket[0]);
	close(n.socket[1]);
	if (ret)
		return ret;
	if (b->format == BENCH_DEFAULT)
		bench_say(b, "# Executed %" PRIu64 " system calls\n\n", n.loops);
	bench_total(b, ns);
	bench_per_op(b, ns, n.loops);
	return 0;
}
