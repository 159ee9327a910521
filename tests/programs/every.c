// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes system calls with arguments of every kind. All are harmless: they name descriptors that are
 * not open, processes and files that do not exist, or addresses that nobody may read. They stand
 * between two calls of getpgid(-77).
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/falloc.h>
#include <linux/futex.h>
#include <linux/kcmp.h>
#include <linux/keyctl.h>
#include <linux/landlock.h>
#include <linux/membarrier.h>
#include <linux/mempolicy.h>
#include <linux/openat2.h>
#include <linux/perf_event.h>
#include <linux/quota.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

#define NO_FD 99
#define NO_PID 0x3fffffff
#define BAD 0x1000 /* an address that nobody may read */

static const char no[] = "/no/such", other[] = "/no/other", text[] = "a\tb\"c";
static const struct timespec nap = { 0, 1000 }, wrong = { 1, 2000000000 };
static const struct itimerval never = { { 1, 0 }, { 0, 2000000 } };
static const struct itimerspec spec = { { 0, 7 }, { 0, 2000000000 } };
static const struct sockaddr_in in = { AF_INET, 0x5000, { 0x0100007f } };
static const struct sockaddr_in6 in6 = { AF_INET6, 0x5000, 0, IN6ADDR_LOOPBACK_INIT };
static const struct sockaddr_un un = { AF_UNIX, "/no/socket" };
static const struct iovec parts[] = { { (void *)text, 3 }, { (void *)no, 8 } };
static const struct msghdr message = { (void *)&in, sizeof(in), (void *)parts, 2 };
static const struct iovec far[] = { { (void *)BAD, 3 } };
static struct pollfd polled[] = { { 0x7fffffff, POLLIN | POLLPRI } };
static const struct epoll_event event = { EPOLLIN | EPOLLET, { .u64 = 0x1234 } };
static const struct rlimit64 limits = { 10, RLIM64_INFINITY };
static const struct flock locked = { F_WRLCK, SEEK_CUR, 3, 4 };
static const struct sched_param priority = { 77 };
static const struct open_how how = { O_RDONLY | O_CLOEXEC, 0, RESOLVE_BENEATH };
static const struct sembuf operation = { 1, -1, IPC_NOWAIT };
static const struct timespec times[2] = { { 1, 2 }, { 0, UTIME_OMIT } };
static const unsigned long signals[1] = { 1UL << (SIGINT - 1) | 1UL << (SIGUSR1 - 1) };
static const int on = 1;
static const struct winsize size = { 24, 80 };
static const struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					     .size = 1,
					     .config = PERF_COUNT_SW_DUMMY };
static const struct perf_event_attr whole_attr = {
	.type = PERF_TYPE_HARDWARE,
	.size = PERF_ATTR_SIZE_VER0,
	.config = PERF_COUNT_HW_CPU_CYCLES,
	.sample_period = 1000,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
	.read_format = PERF_FORMAT_ID,
	.disabled = 1,
	.exclude_kernel = 1,
	.precise_ip = 2,
	.branch_sample_type = 7, /* behind the size */
};
static const union bpf_attr element = {
	.map_fd = NO_FD, .key = BAD, .value = 0x2000, .flags = BPF_NOEXIST
};
static const union bpf_attr attachment = { .target_fd = NO_FD,
					   .attach_bpf_fd = 98,
					   .attach_type = BPF_CGROUP_INET_EGRESS,
					   .attach_flags = BPF_F_ALLOW_MULTI };
static const union bpf_attr no_map = { .map_type = BPF_MAP_TYPE_HASH,
				       .key_size = 4,
				       .map_flags = BPF_F_NO_PREALLOC,
				       .map_name = "name" };
static const union bpf_attr object_info = {
	.info = { .bpf_fd = NO_FD, .info_len = 16, .info = BAD }
};
static const union bpf_attr pinned = { .pathname = (unsigned long)no, .bpf_fd = NO_FD };
static const union bpf_attr no_program = { .prog_type = BPF_PROG_TYPE_KPROBE,
					   .insn_cnt = 2,
					   .license = (unsigned long)"GPL",
					   .prog_name = "mine" };
static const union bpf_attr raw_tracepoint = {
	.raw_tracepoint = { .name = (unsigned long)"sys_enter", .prog_fd = NO_FD }
};
static siginfo_t queued = { .si_signo = SIGUSR1, .si_code = SI_QUEUE };
static siginfo_t told = { .si_signo = SIGUSR2, .si_code = SI_TKILL };
static const struct {
	unsigned int input, output, control, local;
	unsigned char line, keys[19];
} terminal = { ICRNL | IXON, OPOST | ONLCR, B9600 | CS8 | CREAD, ISIG | ICANON | ECHO };
static struct ifreq no_device = { { "no-such0" } }, loop = { { "lo" } };
static const unsigned long range[2] = { 512, 1024 };
static const unsigned int action = SECCOMP_RET_LOG;
static const struct {
	unsigned short len;
	const void *filter;
} filter = { 0x7fff, (void *)BAD };
static const struct __user_cap_header_struct of_nobody = { _LINUX_CAPABILITY_VERSION_3, NO_PID };
static const struct __user_cap_data_struct some_caps[2] = {
	{ 1 << CAP_CHOWN | 1 << CAP_KILL, 1 << CAP_CHOWN, 0 }, { 1 << (CAP_BPF - 32), 0, 0 }
};
static const struct linger linger = { 1, 5 };
static const unsigned long nodes[1] = { 5 };
static const struct {
	struct msghdr msg;
	unsigned int len;
} messages[] = { { { NULL, 0, (void *)parts, 1 }, 0 } };
static const struct {
	int type, pid;
} owner = { 1, NO_PID };
static const stack_t stack = { (void *)BAD, 0x70, 10 };
static const struct sigevent notice = { .sigev_signo = SIGUSR1, .sigev_notify = 77 };
static const struct clone_args short_child = {
	.flags = CLONE_SIGHAND, .exit_signal = SIGCHLD, .cgroup = 3 /* behind the size */
};
static const struct landlock_ruleset_attr ruleset = { LANDLOCK_ACCESS_FS_EXECUTE };
static const struct clone_args child = { .flags = CLONE_THREAD, .exit_signal = SIGCHLD };
static const char *const words[] = { "one", "two", NULL };
static int word;

#define L(x) ((long)(x))

static const struct call {
	long nr;
	long args[6];
} calls[] = {
	/* paths and their flags */
	{ SYS_openat, { AT_FDCWD, L(no), O_RDWR | O_CLOEXEC } },
	{ SYS_openat, { NO_FD, L("x"), O_WRONLY | O_CREAT | O_TRUNC, 0644 } },
	{ SYS_openat, { AT_FDCWD, BAD, O_RDONLY | O_DIRECTORY } },
	{ SYS_openat2, { AT_FDCWD, L(no), L(&how), sizeof(how) } },
	{ SYS_faccessat, { AT_FDCWD, L(no), R_OK | W_OK } },
	{ SYS_faccessat2, { AT_FDCWD, L(no), X_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW } },
	{ SYS_newfstatat, { NO_FD, L(""), BAD, AT_EMPTY_PATH } },
	{ SYS_statx, { AT_FDCWD, L(no), AT_STATX_FORCE_SYNC, STATX_SIZE | STATX_MODE, BAD } },
	{ SYS_unlinkat, { AT_FDCWD, L(no), AT_REMOVEDIR } },
	{ SYS_renameat2, { AT_FDCWD, L(no), NO_FD, L(other), RENAME_EXCHANGE } },
	{ SYS_linkat, { AT_FDCWD, L(no), AT_FDCWD, L(other), AT_SYMLINK_FOLLOW } },
	{ SYS_symlinkat, { L(text), AT_FDCWD, L(no) } },
	{ SYS_mkdirat, { AT_FDCWD, L(no), 0750 } },
	{ SYS_mknodat, { AT_FDCWD, L(no), S_IFIFO | 0600, 0x0103 } },
	{ SYS_fchmodat, { AT_FDCWD, L(no), 04755 } },
	{ SYS_fchownat, { AT_FDCWD, L(no), 0, -1, AT_SYMLINK_NOFOLLOW } },
	{ SYS_utimensat, { AT_FDCWD, L(no), L(times) } },
	{ SYS_readlinkat, { AT_FDCWD, L(no), BAD, 20 } },
	{ SYS_truncate, { L(no), 5 } },
	{ SYS_chdir, { L(no) } },
	{ SYS_setxattr, { L(no), L("user.a"), L("value"), 3, XATTR_CREATE } },
	{ SYS_name_to_handle_at, { NO_FD, L("x"), BAD, BAD, AT_SYMLINK_FOLLOW } },
	/* descriptors, positions and what is done with them */
	{ SYS_read, { NO_FD, BAD, 10 } },
	{ SYS_write, { NO_FD, L(text), 6 } },
	{ SYS_writev, { NO_FD, L(parts), 2 } },
	{ SYS_lseek, { NO_FD, -5, SEEK_END } },
	{ SYS_fallocate, { NO_FD, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, 1, 2 } },
	{ SYS_fadvise64, { NO_FD, 0, 0, POSIX_FADV_DONTNEED } },
	{ SYS_sync_file_range, { NO_FD, 0, 10, SYNC_FILE_RANGE_WRITE } },
	{ SYS_flock, { NO_FD, LOCK_EX | LOCK_NB } },
	{ SYS_dup3, { NO_FD, 98, O_CLOEXEC } },
	{ SYS_close_range, { 98, 97, CLOSE_RANGE_CLOEXEC } },
	{ SYS_splice, { NO_FD, 0, 98, 0, 7, SPLICE_F_MOVE | SPLICE_F_NONBLOCK } },
	{ SYS_fcntl, { NO_FD, F_SETFD, FD_CLOEXEC } },
	{ SYS_fcntl, { NO_FD, F_GETFL } },
	{ SYS_fcntl, { NO_FD, F_SETFL, O_NONBLOCK } },
	{ SYS_fcntl, { NO_FD, F_DUPFD_CLOEXEC, 10 } },
	{ SYS_fcntl, { NO_FD, F_SETLK, L(&locked) } },
	{ SYS_fcntl, { NO_FD, F_ADD_SEALS, F_SEAL_WRITE } },
	{ SYS_ioctl, { NO_FD, TIOCSWINSZ, L(&size) } },
	{ SYS_ioctl, { NO_FD, FIONBIO, L(&on) } },
	{ SYS_ioctl, { NO_FD, 0x40047ac8, 0x77 } },
	/* descriptors of other kinds */
	{ SYS_epoll_create1, { 7 } },
	{ SYS_epoll_ctl, { NO_FD, EPOLL_CTL_ADD, 98, L(&event) } },
	{ SYS_epoll_pwait, { NO_FD, BAD, 1, 5, 0, 8 } },
	{ SYS_eventfd2, { 3, 2 } },
	{ SYS_signalfd4, { -1, L(signals), 8, 1 } },
	{ SYS_timerfd_create, { CLOCK_BOOTTIME, 2 } },
	{ SYS_timerfd_settime, { NO_FD, TFD_TIMER_ABSTIME, L(&spec), 0 } },
	{ SYS_inotify_init1, { 1 } },
	{ SYS_inotify_add_watch, { NO_FD, L(no), IN_MODIFY | IN_ONLYDIR } },
	{ SYS_fanotify_mark, { NO_FD, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, L(no) } },
	{ SYS_memfd_create, { L("name"), 0x10000 } },
	{ SYS_ppoll, { L(polled), 1, L(&nap), L(signals), 8 } },
	{ SYS_bpf, { BPF_MAP_CREATE, BAD, 16 } },
	{ SYS_perf_event_open, { L(&attr), 0, -1, NO_FD, PERF_FLAG_FD_CLOEXEC } },
	/* memory */
	{ SYS_mmap, { 0, 0, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 } },
	{ SYS_mprotect, { 1, 4096, PROT_NONE } },
	{ SYS_mremap, { 1, 2, 3, MREMAP_MAYMOVE | MREMAP_FIXED, BAD } },
	{ SYS_madvise, { 1, 4096, MADV_HUGEPAGE } },
	{ SYS_msync, { 1, 1, MS_SYNC } },
	{ SYS_mlockall, { 0x80 } },
	{ SYS_mbind, { 1, 1, MPOL_BIND, 0, 0, MPOL_MF_STRICT } },
	/* processes, threads and signals */
	{ SYS_kill, { NO_PID, SIGUSR1 } },
	{ SYS_tgkill, { NO_PID, NO_PID, 34 } },
	{ SYS_wait4, { NO_PID, 0, WNOHANG | WUNTRACED, 0 } },
	{ SYS_waitid, { P_PID, NO_PID, 0, WEXITED | WNOWAIT, 0 } },
	{ SYS_clone3, { L(&child), sizeof(child) } },
	{ SYS_execve, { L(no), L(words), L(words) } },
	{ SYS_unshare, { CLONE_NEWNS | 1 } },
	{ SYS_setns, { NO_FD, CLONE_NEWNET } },
	{ SYS_rt_sigprocmask, { 77, L(signals), 0, 8 } },
	{ SYS_rt_sigtimedwait, { L(signals), 0, L(&nap), 8 } },
	{ SYS_prctl, { PR_SET_PDEATHSIG, 99 } },
	{ SYS_prctl, { PR_CAPBSET_READ, CAP_NET_ADMIN } },
	{ SYS_ptrace, { PTRACE_CONT, NO_PID, 0, SIGUSR1 } },
	{ SYS_seccomp, { SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_LOG, BAD } },
	{ SYS_kcmp, { NO_PID, NO_PID, KCMP_FILE, 1, 2 } },
	{ SYS_pidfd_open, { NO_PID, 4 } },
	{ SYS_capget, { BAD, 0 } },
	{ SYS_sched_setscheduler, { NO_PID, SCHED_FIFO, L(&priority) } },
	{ SYS_sched_setaffinity, { NO_PID, 8, L(signals) } },
	{ SYS_setpriority, { PRIO_PROCESS, NO_PID, 5 } },
	{ SYS_prlimit64, { NO_PID, RLIMIT_NOFILE, L(&limits), 0 } },
	{ SYS_getrusage, { 77, BAD } },
	{ SYS_membarrier, { 0x10000 } },
	{ SYS_process_vm_readv, { NO_PID, L(far), 1, BAD, 0, 0 } },
	/* time */
	{ SYS_clock_nanosleep, { CLOCK_MONOTONIC, TIMER_ABSTIME, L(&wrong), 0 } },
	{ SYS_nanosleep, { L(&wrong), 0 } },
	{ SYS_setitimer, { ITIMER_PROF, L(&never), 0 } },
	{ SYS_futex, { L(&word), FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 1, L(&nap) } },
	{ SYS_futex, { BAD, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 1, 0, 0, -1 } },
	{ SYS_futex, { BAD, FUTEX_WAKE, 1 } },
	/* sockets */
	{ SYS_socket, { AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 255 } },
	{ SYS_socketpair, { AF_UNIX, SOCK_DGRAM, 9, BAD } },
	{ SYS_connect, { NO_FD, L(&in), sizeof(in) } },
	{ SYS_bind, { NO_FD, L(&in6), sizeof(in6) } },
	{ SYS_sendto, { NO_FD, L(text), 3, MSG_DONTWAIT | MSG_NOSIGNAL, L(&un), sizeof(un) } },
	{ SYS_sendmsg, { NO_FD, L(&message), MSG_PEEK } },
	{ SYS_recvfrom, { NO_FD, BAD, 3, MSG_TRUNC, 0, 0 } },
	{ SYS_shutdown, { NO_FD, SHUT_WR } },
	{ SYS_setsockopt, { NO_FD, SOL_SOCKET, SO_REUSEADDR, L(&on), 4 } },
	{ SYS_getsockopt, { NO_FD, IPPROTO_TCP, TCP_NODELAY, BAD, BAD } },
	/* mounts, keys, security, System V */
	{ SYS_mount, { L("dev"), L(no), L("tmpfs"), MS_RDONLY | MS_NOSUID, 0 } },
	{ SYS_umount2, { L(no), MNT_DETACH } },
	{ SYS_fsopen, { L("nosuchfs"), 1 } },
	{ SYS_open_tree, { AT_FDCWD, L(no), 1 } },
	{ SYS_move_mount, { AT_FDCWD, L(no), AT_FDCWD, L(other), 4 } },
	{ SYS_quotactl, { QCMD(Q_SYNC, USRQUOTA), L(no), 0, 0 } },
	{ SYS_keyctl, { KEYCTL_REVOKE, NO_PID } },
	{ SYS_landlock_create_ruleset, { L(&ruleset), sizeof(ruleset), 64 } },
	{ SYS_landlock_add_rule, { 11, 1, BAD, 45 } },
	{ SYS_getrandom, { BAD, 4, GRND_NONBLOCK } },
	{ SYS_reboot, { 1, 2, 3, 0 } },
	{ SYS_semop, { NO_PID, L(&operation), 1 } },
	{ SYS_semctl, { NO_PID, 0, IPC_STAT, BAD } },
	{ SYS_shmget, { 0x77, 0, IPC_CREAT | IPC_EXCL | 0600 } },
	{ SYS_shmctl, { NO_PID, IPC_RMID, 0 } },
	{ SYS_msgget, { 0x77654321, 0600 } },
	{ SYS_msgctl, { NO_PID, IPC_RMID, 0 } },
	{ SYS_syslog, { 77, 0, 0 } },
	{ SYS_umask, { 022 } },
	/* commands with arguments of their own, and structs whose size is told */
	{ SYS_bpf, { BPF_MAP_CREATE, L(&no_map), 44 } },
	{ SYS_bpf, { BPF_MAP_CREATE, L(&no_map), 20 } },
	{ SYS_bpf, { BPF_MAP_UPDATE_ELEM, L(&element), 32 } },
	{ SYS_bpf, { BPF_MAP_DELETE_ELEM, L(&element), 32 } },
	{ SYS_bpf, { BPF_PROG_ATTACH, L(&attachment), 20 } },
	{ SYS_bpf, { BPF_OBJ_GET_INFO_BY_FD, L(&object_info), 16 } },
	{ SYS_perf_event_open, { L(&whole_attr), 0, -1, NO_FD, PERF_FLAG_FD_NO_GROUP } },
	{ SYS_clone3, { L(&short_child), 64 } },
	{ SYS_seccomp, { SECCOMP_GET_ACTION_AVAIL, 0, L(&action) } },
	{ SYS_seccomp, { SECCOMP_SET_MODE_FILTER, 0, L(&filter) } },
	{ SYS_capset, { L(&of_nobody), L(some_caps) } },
	{ SYS_setsockopt, { NO_FD, SOL_SOCKET, SO_LINGER, L(&linger), sizeof(linger) } },
	{ SYS_setsockopt, { NO_FD, SOL_TCP, TCP_CONGESTION, L("cubic"), 5 } },
	{ SYS_setsockopt, { NO_FD, IPPROTO_UDP, 103, L(&on), 4 } },
	{ SYS_sendmmsg, { NO_FD, L(messages), 1, MSG_NOSIGNAL } },
	{ SYS_mbind, { 1, 1, MPOL_INTERLEAVE, L(nodes), 8, MPOL_MF_MOVE } },
	{ SYS_prctl, { PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_CHOWN } },
	{ SYS_prctl, { PR_GET_SPECULATION_CTRL, PR_SPEC_INDIRECT_BRANCH } },
	{ SYS_prctl, { PR_GET_PDEATHSIG, L(&word) } },
	{ SYS_prctl, { PR_MCE_KILL, 1, 77 } },
	{ SYS_request_key, { L("user"), L(no), 0, -3 } },
	{ SYS_getrusage, { RUSAGE_CHILDREN, BAD } },
	{ SYS_mmap,
	  { 0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | 21 << 26, -1, 0 } },
	{ SYS_fcntl, { NO_FD, F_SETOWN_EX, L(&owner) } },
	{ SYS_futex, { BAD, FUTEX_LOCK_PI, 7, L(&nap) } },
	{ SYS_sigaltstack, { L(&stack), 0 } },
	{ SYS_timer_create, { CLOCK_MONOTONIC, L(&notice), BAD } },
	{ SYS_personality, { 0xffffffff } },
	{ SYS_bpf, { BPF_OBJ_PIN, L(&pinned), 16 } },
	{ SYS_bpf, { BPF_OBJ_GET, L(&pinned), 12 } },
	{ SYS_bpf, { BPF_PROG_LOAD, L(&no_program), 64 } },
	{ SYS_bpf, { BPF_RAW_TRACEPOINT_OPEN, L(&raw_tracepoint), 16 } },
	{ SYS_rt_sigqueueinfo, { NO_PID, SIGUSR1, L(&queued) } },
	{ SYS_rt_tgsigqueueinfo, { NO_PID, NO_PID, SIGUSR2, L(&told) } },
	{ SYS_ioctl, { NO_FD, TCSETSW, L(&terminal) } },
	{ SYS_ioctl, { NO_FD, TIOCSPGRP, L(&on) } },
	{ SYS_ioctl, { NO_FD, SIOCGIFINDEX, L(&no_device) } },
	{ SYS_ioctl, { NO_FD, BLKDISCARD, L(range) } },
	{ SYS_ioctl, { NO_FD, BLKGETSIZE64, BAD } },
};

/* Buffers that the kernel fills, one after the other. */
static void fill(void)
{
	static char first[4], second[100];
	static const char hello[] = "hello world";
	static const struct iovec in_two[] = { { first, 4 }, { second, 100 }, { (void *)BAD, 3 } };
	static struct msghdr into = { NULL, 0, (void *)in_two, 3 };
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return;
	for (int i = 0; i < 2; i++)
		if (write(ends[0], hello, 11) == 11)
			(void)(i ? recvmsg(ends[1], &into, 0) : readv(ends[1], in_two, 3));
}

/* Structs that the kernel fills: @child has ended with status 3. */
static void ask(pid_t child)
{
	siginfo_t info;
	int ends[2], bytes, fd;

	syscall(SYS_waitid, P_PID, child, &info, WEXITED, 0);
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	ioctl(fd, SIOCGIFINDEX, &loop);
	if (pipe2(ends, 0) || write(ends[1], no, 8) != 8)
		return;
	ioctl(ends[0], FIONREAD, &bytes);
}

int main(void)
{
	const pid_t child = fork();

	siginfo_t info;

	if (!child)
		_exit(3);
	waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT); /* it makes no calls between ours */
	queued.si_pid = told.si_pid = NO_PID;
	queued.si_value.sival_ptr = (void *)0x77;
	umask(022);
	syscall(SYS_getpgid, -77);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		const long *a = calls[i].args;

		syscall(calls[i].nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	}
	fill();
	ask(child);
	syscall(SYS_getpgid, -77);
	return 0;
}
