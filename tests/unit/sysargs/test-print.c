// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls as text: arguments of each kind, with and without the memory of the process. */
#include "base/compat.h"
#include "sysargs/sysargs.h"

#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define AT 0x1000 /* where the memory of the process begins */

/* The process has this in memory, and some of it is known. */
struct process {
	const void *memory;
	size_t size;
};

static const char *fd_path(void *ctx, int fd)
{
	return fd == 3 ? "/etc/passwd" : NULL;
}

static const char *task_name(void *ctx, s32 tid)
{
	return tid == 42 ? "cat" : NULL;
}

static size_t memory(void *ctx, u64 addr, void *buf, size_t size, bool out)
{
	const struct process *p = ctx;

	if (addr < AT || addr >= AT + p->size)
		return 0;
	size = MIN(size, AT + p->size - addr);
	memcpy(buf, (const char *)p->memory + (addr - AT), size);
	return size;
}

static bool symbol(void *ctx, u64 addr, struct strbuf *out)
{
	if (addr == 0x401000)
		strbuf_addstr(out, "on_signal");
	return addr == 0x401000;
}

static const struct sysargs_ops ops = { fd_path, task_name, memory, symbol };

struct one {
	const char *call;
	u64 args[SYSARGS_MAX];
	s64 ret;
	const void *memory;
	size_t size;
	const char *text;
};

#define MEMORY(...)                                                                                \
	.memory = (const u8[]){ __VA_ARGS__ }, .size = sizeof((const u8[]){ __VA_ARGS__ })
#define WORDS(...)                                                                                 \
	.memory = (const u64[]){ __VA_ARGS__ }, .size = sizeof((const u64[]){ __VA_ARGS__ })
#define STRING(s) .memory = s, .size = sizeof(s)
#define MINUS(n) (u64)(-(s64)(n))

/* Return the number of lines that are wrong, so that a table shows all of them. */
static int check(const struct sysargs *sa, const struct one *o, struct sysargs_view *v)
{
	struct process p = { o->memory, o->size };
	int nr = sysargs_number(sa, o->call);
	struct syscall_made made = {
		.desc = sysargs_call(sa, (u32)nr), .args = o->args, .returned = true, .ret = o->ret
	};
	struct strbuf out = STRBUF_INIT;
	int wrong = 0;

	assert_true(nr >= 0);
	v->ops = &ops;
	v->ctx = &p;
	sysargs_print(&out, sa, &made, v);
	sysargs_align(&out, 0, v);
	sysargs_print_return(&out, sa, &made, v);
	if (strcmp(strbuf_str(&out), o->text)) {
		print_error("%s\nexpected: %s\n", strbuf_str(&out), o->text);
		wrong++;
	}
	strbuf_release(&out);
	return wrong;
}

static void check_all(const struct sysargs_abi *abi, const struct one *all, size_t nr,
		      struct sysargs_view v)
{
	struct sysargs *sa = sysargs_new(abi, NULL);

	int wrong = 0;

	assert_non_null(sa);
	for (size_t i = 0; i < nr; i++)
		wrong += check(sa, &all[i], &v);
	sysargs_free(sa);
	assert_int_equal(wrong, 0);
}

static const struct sysargs_abi x86_64 = { .machine = EM_X86_64 };
static const struct sysargs_view usual = { .show_arg_names = true, .string_len = 32 };

/* These tests are about values in registers. */
static const struct one registers[] = {
	{ "openat",
	  { MINUS(100), 0x7ffe12345678, 02000000, 0755 },
	  3,
	  .text = "openat(dfd: CWD, filename: 0x7ffe12345678, flags: RDONLY|CLOEXEC) = 3" },
	{ "openat",
	  { 3, AT, 0102, 0644 },
	  4,
	  STRING("a\n\x01"),
	  .text = "openat(dfd: 3</etc/passwd>, filename: \"a\\n\\1\", flags: CREAT|RDWR, mode: IRUGO|IWUSR) = 4" },
	{ "openat",
	  { MINUS(100), AT, 020200001, 0 },
	  4,
	  STRING("/tmp"),
	  .text = "openat(dfd: CWD, filename: \"/tmp\", flags: TMPFILE|WRONLY) = 4" },
	{ "open",
	  { AT, 1UL << 40 | 1UL << 30 | 04010000 },
	  -2,
	  STRING("/x"),
	  .text = "open(filename: \"/x\", flags: RDONLY|SYNC|0x40000000) = -1 ENOENT (No such file or directory)" },
	{ "read",
	  { 3, 0x10, 832 },
	  832,
	  .text = "read(fd: 3</etc/passwd>, buf: 0x10, count: 832) = 832" },
	{ "close", { 0xffffffff }, -9, .text = "close(fd: -1) = -1 EBADF (Bad file descriptor)" },
	{ "lseek",
	  { 3, MINUS(5), 2 },
	  7,
	  .text = "lseek(fd: 3</etc/passwd>, offset: -5, whence: END) = 7" },
	{ "lseek", { 3, 0, 0 }, 0, .text = "lseek(fd: 3</etc/passwd>, whence: SET) = 0" },
	{ "lseek",
	  { 3, 0, 9 },
	  -22,
	  .text = "lseek(fd: 3</etc/passwd>, whence: 0x9) = -1 EINVAL (Invalid argument)" },
	{ "mmap",
	  { 0, 8192, 3, 0x22, MINUS(1), 0 },
	  0x7fab01b90000,
	  .text = "mmap(len: 8192, prot: READ|WRITE, flags: PRIVATE|ANONYMOUS) = 0x7fab01b90000" },
	{ "mmap",
	  { 0, 8192, 0, 0x802, 3, 0x26000 },
	  0x7fab01b90000,
	  .text = "mmap(len: 8192, prot: NONE, flags: PRIVATE|DENYWRITE, fd: 3</etc/passwd>, off: 0x26000) = 0x7fab01b90000" },
	{ "madvise",
	  { 0x7000, 4096, 4 },
	  0,
	  .text = "madvise(start: 0x7000, len_in: 4096, behavior: MADV_DONTNEED) = 0" },
	{ "mremap",
	  { 0x7000, 4096, 8192, 1, 0xbad },
	  0x9000,
	  .text = "mremap(addr: 0x7000, old_len: 4096, new_len: 8192, flags: MAYMOVE) = 0x9000" },
	{ "mremap",
	  { 0x7000, 4096, 8192, 3, 0x9000 },
	  0x9000,
	  .text = "mremap(addr: 0x7000, old_len: 4096, new_len: 8192, flags: MAYMOVE|FIXED, new_addr: 0x9000) = 0x9000" },
	{ "kill", { 42, 9 }, 0, .text = "kill(pid: 42 (cat), sig: KILL) = 0" },
	{ "tgkill",
	  { 42, 42, 34 },
	  0,
	  .text = "tgkill(tgid: 42 (cat), pid: 42 (cat), sig: RTMIN+2) = 0" },
	{ "clone",
	  { 0x1200011, 0, 0, 0x7f00, 0x99 },
	  42,
	  .text = "clone(clone_flags: SIGCHLD|CHILD_CLEARTID|CHILD_SETTID, child_tidptr: 0x7f00, tls: 0x99) = 42 (cat)" },
	{ "wait4",
	  { 0xffffffff, 0, 3, 0 },
	  0,
	  .text = "wait4(upid: -1, options: NOHANG|UNTRACED) = 0" },
	{ "fcntl",
	  { 3, 2, 1 },
	  0,
	  .text = "fcntl(fd: 3</etc/passwd>, cmd: SETFD, arg: CLOEXEC) = 0" },
	{ "fcntl",
	  { 3, 3, 0x77 },
	  0100002,
	  .text = "fcntl(fd: 3</etc/passwd>, cmd: GETFL) = LARGEFILE|RDWR" },
	{ "fcntl",
	  { 4, 1030, 10 },
	  3,
	  .text = "fcntl(fd: 4, cmd: DUPFD_CLOEXEC, arg: 10) = 3</etc/passwd>" },
	{ "futex",
	  { 0x1000, 129, 1, 5, 6, 7 },
	  1,
	  .text = "futex(uaddr: 0x1000, op: WAKE|PRIVATE_FLAG, val: 1) = 1" },
	{ "futex",
	  { 0x1000, 0, 2, 0, 6, 7 },
	  -11,
	  .text = "futex(uaddr: 0x1000, op: WAIT, val: 2) = -1 EAGAIN (Resource temporarily unavailable)" },
	{ "futex",
	  { 0x1000, 265, 2, 0x50, 6, 0xffffffff },
	  -110,
	  .text = "futex(uaddr: 0x1000, op: WAIT_BITSET|CLOCK_REALTIME, val: 2, utime: 0x50, val3: MATCH_ANY) = -1 ETIMEDOUT (Connection timed out)" },
	{ "socket",
	  { 2, 0x80001, 6 },
	  4,
	  .text = "socket(family: INET, type: STREAM|CLOEXEC, protocol: TCP) = 4" },
	{ "socket",
	  { 16, 3, 15 },
	  4,
	  .text = "socket(family: NETLINK, type: RAW, protocol: KOBJECT_UEVENT) = 4" },
	{ "socket", { 1, 2, 0 }, 5, .text = "socket(family: LOCAL, type: DGRAM) = 5" },
	{ "setsockopt",
	  { 4, 1, 2, 0x10, 4 },
	  0,
	  .text = "setsockopt(fd: 4, level: SOCKET, optname: REUSEADDR, optval: 0x10, optlen: 4) = 0" },
	{ "ioctl",
	  { 0, 0x5413, 0x1000 },
	  -25,
	  .text = "ioctl(cmd: TIOCGWINSZ, arg: 0x1000) = -1 ENOTTY (Inappropriate ioctl for device)" },
	{ "ioctl",
	  { 3, 0xc0104588, 0x1000 },
	  0,
	  .text = "ioctl(fd: 3</etc/passwd>, cmd: (READ|WRITE, 'E', 0x88, 0x10), arg: 0x1000) = 0" },
	{ "prctl", { 4, 1 }, 0, .text = "prctl(option: SET_DUMPABLE, arg2: 1) = 0" },
	{ "prctl", { 1, 15 }, 0, .text = "prctl(option: SET_PDEATHSIG, arg2: TERM) = 0" },
	{ "arch_prctl",
	  { 0x1002, 0x7f00 },
	  0,
	  .text = "arch_prctl(option: SET_FS, arg2: 0x7f00) = 0" },
	{ "epoll_create1", { 02000000 }, 8, .text = "epoll_create1(flags: CLOEXEC) = 8" },
	{ "epoll_wait",
	  { 8, 0x10, 1, 0xffffffff },
	  0,
	  .text = "epoll_wait(epfd: 8, events: 0x10, maxevents: 1, timeout: -1) = 0 (Timeout)" },
	{ "eventfd2",
	  { 3, 02004000 },
	  9,
	  .text = "eventfd2(count: 3, flags: CLOEXEC|NONBLOCK) = 9" },
	{ "faccessat2",
	  { MINUS(100), 0x10, 5, 0x200 },
	  0,
	  .text = "faccessat2(dfd: CWD, filename: 0x10, mode: X_OK|R_OK, flags: EACCESS) = 0" },
	{ "unlinkat",
	  { MINUS(100), 0x10, 0x200 },
	  0,
	  .text = "unlinkat(dfd: CWD, pathname: 0x10, flag: REMOVEDIR) = 0" },
	{ "renameat2",
	  { MINUS(100), 0x10, 3, 0x20, 1 },
	  0,
	  .text = "renameat2(olddfd: CWD, oldname: 0x10, newdfd: 3</etc/passwd>, newname: 0x20, flags: NOREPLACE) = 0" },
	{ "landlock_add_rule",
	  { 11, 1, 0x7fff, 45 },
	  -22,
	  .text = "landlock_add_rule(ruleset_fd: 11, rule_type: LANDLOCK_RULE_PATH_BENEATH, rule_attr: 0x7fff, flags: 45) = -1 EINVAL (Invalid argument)" },
	{ "clock_gettime",
	  { 1, 0x10 },
	  0,
	  .text = "clock_gettime(which_clock: MONOTONIC, tp: 0x10) = 0" },
	{ "prlimit64",
	  { 0, 3, 0, 0x10 },
	  0,
	  .text = "prlimit64(resource: STACK, old_rlim: 0x10) = 0" },
	{ "mknod",
	  { 0x10, 020600, 0x103 },
	  0,
	  .text = "mknod(filename: 0x10, mode: IFCHR|IRUSR|IWUSR, dev: 1:3) = 0" },
	{ "umask", { 022 }, 022, .text = "umask(mask: IWGRP|IWOTH) = IWGRP|IWOTH" },
	{ "statx",
	  { MINUS(100), 0x10, 0x100, 0x7ff, 0x20 },
	  0,
	  .text = "statx(dfd: CWD, filename: 0x10, flags: SYMLINK_NOFOLLOW, mask: TYPE|MODE|NLINK|UID|GID|ATIME|MTIME|CTIME|INO|SIZE|BLOCKS, buffer: 0x20) = 0" },
	{ "bpf", { 0, 0x10, 72 }, 5, .text = "bpf(cmd: MAP_CREATE, uattr: 0x10, size: 72) = 5" },
	{ "quotactl",
	  { 0x80000701, 0x10, 0, 0x20 },
	  0,
	  .text = "quotactl(cmd: GETQUOTA|GRPQUOTA, special: 0x10, id: 0, addr: 0x20) = 0" },
	{ "getpid", { 0 }, 42, .text = "getpid() = 42" },
	{ "getpid", { 0 }, -600, .text = "getpid() = -1 (unknown error 600)" },
	{ "kcmp",
	  { 42, 42, 0, 1, 3 },
	  0,
	  .text = "kcmp(pid1: 42 (cat), pid2: 42 (cat), type: FILE, idx1: 1, idx2: 3) = 0" },
	{ "request_key",
	  { 0, 0, 0, 0xfffffffd },
	  5,
	  .text = "request_key(destringid: SESSION_KEYRING) = 5" },
	{ "getrusage", { 0xffffffff, 0x10 }, 0, .text = "getrusage(who: CHILDREN, ru: 0x10) = 0" },
	{ "mmap",
	  { 0, 4096, 1, 0x54040022, MINUS(1) },
	  -12,
	  .text = "mmap(len: 4096, prot: READ, flags: PRIVATE|ANONYMOUS|HUGETLB|0x54000000) = -1 ENOMEM (Cannot allocate memory)" },
	{ "futex",
	  { 0x10, 6, 7, 0x20 },
	  0,
	  .text = "futex(uaddr: 0x10, op: LOCK_PI, utime: 0x20) = 0" },
	{ "prctl",
	  { 47, 1, 5 },
	  1,
	  .text = "prctl(option: CAP_AMBIENT, arg2: IS_SET, arg3: KILL) = 1" },
	{ "prctl",
	  { 0x59616d61, MINUS(1) },
	  0,
	  .text = "prctl(option: SET_PTRACER, arg2: ANY) = 0" },
	{ "personality", { 0xffffffff }, 0, .text = "personality(personality: 0xffffffff) = LINUX" },
};

static void test_registers(void **state)
{
	check_all(&x86_64, registers, ARRAY_SIZE(registers), usual);
}

/* These tests are about values behind pointers. */
static const struct one pointed[] = {
	{ "write",
	  { 3, AT, 12 },
	  12,
	  STRING("hello\nworld\t"),
	  .text = "write(fd: 3</etc/passwd>, buf: \"hello\\nworld\\t\", count: 12) = 12" },
	{ "write",
	  { 1, AT, 100 },
	  100,
	  STRING("0123456789012345678901234567890123456789"),
	  .text = "write(fd: 1, buf: \"01234567890123456789012345678901\"..., count: 100) = 100" },
	{ "read",
	  { 3, AT, 100 },
	  3,
	  STRING("abcdef"),
	  .text = "read(fd: 3</etc/passwd>, buf: \"abc\", count: 100) = 3" },
	{ "read",
	  { 3, AT, 100 },
	  -9,
	  STRING("abcdef"),
	  .text = "read(fd: 3</etc/passwd>, buf: 0x1000, count: 100) = -1 EBADF (Bad file descriptor)" },
	{ "unlink",
	  { AT },
	  0,
	  .memory = "half",
	  .size = 4,
	  .text = "unlink(pathname: \"half\"...) = 0" },
	{ "unlink", { AT }, 0, STRING("\x1b[31m\0"), .text = "unlink(pathname: \"\\33[31m\") = 0" },
	{ "nanosleep",
	  { AT, 0 },
	  0,
	  WORDS(1, 5000),
	  .text = "nanosleep(rqtp: { .tv_sec: 1, .tv_nsec: 5000 }) = 0" },
	{ "nanosleep",
	  { AT, 0 },
	  0,
	  .memory = "short",
	  .size = 5,
	  .text = "nanosleep(rqtp: 0x1000) = 0" },
	{ "setitimer",
	  { 0, AT, 0 },
	  0,
	  WORDS(1, 2, 3, 4),
	  .text = "setitimer(which: REAL, value: { .it_interval: { .tv_sec: 1, .tv_usec: 2 }, .it_value: { .tv_sec: 3, .tv_usec: 4 } }) = 0" },
	{ "connect",
	  { 4, AT, 16 },
	  0,
	  MEMORY(2, 0, 0, 80, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
	  .text = "connect(fd: 4, uservaddr: { .family: INET, port: 80, addr: 127.0.0.1 }, addrlen: 16) = 0" },
	{ "connect",
	  { 4, AT, 9 },
	  0,
	  MEMORY(1, 0, '/', 't', 'm', 'p', '/', 'x', 0),
	  .text = "connect(fd: 4, uservaddr: { .family: LOCAL, path: \"/tmp/x\" }, addrlen: 9) = 0" },
	{ "bind",
	  { 4, AT, 5 },
	  0,
	  MEMORY(1, 0, 0, 'a', 'b'),
	  .text = "bind(fd: 4, umyaddr: { .family: LOCAL, path: @\"ab\" }, addrlen: 5) = 0" },
	{ "bind",
	  { 4, AT, 28 },
	  0,
	  MEMORY(10, 0, 1, 187, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0,
		 0),
	  .text = "bind(fd: 4, umyaddr: { .family: INET6, port: 443, addr: ::1, scope: 2 }, addrlen: 28) = 0" },
	{ "bind",
	  { 4, AT, 12 },
	  0,
	  MEMORY(16, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0),
	  .text = "bind(fd: 4, umyaddr: { .family: NETLINK, pid: 7, groups: 0x1 }, addrlen: 12) = 0" },
	{ "pipe2",
	  { AT, 02000000 },
	  0,
	  MEMORY(3, 0, 0, 0, 4, 0, 0, 0),
	  .text = "pipe2(fildes: [3, 4], flags: CLOEXEC) = 0" },
	{ "poll",
	  { AT, 2, 0xffffffff },
	  1,
	  MEMORY(3, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 8, 0),
	  .text = "poll(ufds: [{ .fd: 3</etc/passwd>, .events: IN, .revents: 0 }, { .fd: 4, .events: OUT, .revents: ERR }], nfds: 2, timeout_msecs: -1) = 1" },
	{ "epoll_ctl",
	  { 5, 1, 3, AT },
	  0,
	  MEMORY(1, 0, 0, 0x80, 7, 0, 0, 0, 0, 0, 0, 0),
	  .text = "epoll_ctl(epfd: 5, op: ADD, fd: 3</etc/passwd>, event: { .events: IN|ET, .data: 0x7 }) = 0" },
	{ "writev",
	  { 1, AT, 2 },
	  5,
	  WORDS(AT + 32, 2, AT + 34, 3, 0x2121213332316968),
	  .text = "writev(fd: 1, vec: [{ .iov_base: \"hi\", .iov_len: 2 }, { .iov_base: \"123\", .iov_len: 3 }], vlen: 2) = 5" },
	{ "rt_sigprocmask",
	  { 0, AT, 0, 8 },
	  0,
	  WORDS(1UL << 9 | 1UL << 16),
	  .text = "rt_sigprocmask(how: BLOCK, nset: [USR1 CHLD], sigsetsize: 8) = 0" },
	{ "rt_sigprocmask",
	  { 2, AT, 0, 8 },
	  0,
	  WORDS(~(1UL << 8)),
	  .text = "rt_sigprocmask(how: SETMASK, nset: ~[KILL], sigsetsize: 8) = 0" },
	{ "rt_sigaction",
	  { 10, AT, 0, 8 },
	  0,
	  WORDS(0x401000, 0x14000000, 0, 2),
	  .text = "rt_sigaction(sig: USR1, act: { .sa_handler: on_signal, .sa_flags: RESTART|RESTORER, .sa_restorer: NULL, .sa_mask: [INT] }, sigsetsize: 8) = 0" },
	{ "sched_setaffinity",
	  { 0, 8, AT },
	  0,
	  WORDS(0x10f),
	  .text = "sched_setaffinity(len: 8, user_mask_ptr: 0x10f) = 0" },
	{ "select", { 5, AT, 0, 0, 0 }, 1, WORDS(0x19), .text = "select(n: 5, inp: [0,3-4]) = 1" },
	{ "openat2",
	  { MINUS(100), AT + 24, AT, 24 },
	  3,
	  WORDS(0102, 0600, 8, 0x78),
	  .text = "openat2(dfd: CWD, filename: \"x\", how: { .flags: CREAT|RDWR, .mode: IRUSR|IWUSR, .resolve: BENEATH }, usize: 24) = 3" },
	{ "clone3",
	  { AT, 88 },
	  42,
	  WORDS(0x100, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0),
	  .text = "clone3(uargs: { .flags: VM, .exit_signal: CHLD }, size: 88) = 42 (cat)" },
	{ "fcntl",
	  { 3, 6, AT },
	  0,
	  WORDS(1, 10, 20, 0),
	  .text = "fcntl(fd: 3</etc/passwd>, cmd: SETLK, arg: { .l_type: WRLCK, .l_whence: SET, .l_start: 10, .l_len: 20 }) = 0" },
	{ "execve",
	  { AT + 32, AT, 0 },
	  0,
	  WORDS(AT + 32, AT + 34, 0, 0, 0x0000000000620061),
	  .text = "execve(filename: \"a\", argv: [\"a\", \"b\"]) = 0" },
	{ "wait4",
	  { 42, AT, 0, 0 },
	  42,
	  MEMORY(0, 3, 0, 0),
	  .text = "wait4(upid: 42 (cat), stat_addr: [exited 3]) = 42 (cat)" },
	{ "prctl",
	  { 15, AT },
	  0,
	  STRING("name"),
	  .text = "prctl(option: SET_NAME, name: \"name\") = 0" },
	{ "getsockopt",
	  { 4, 1, 4, AT, 0 },
	  0,
	  MEMORY(111, 0, 0, 0),
	  .text = "getsockopt(fd: 4, level: SOCKET, optname: ERROR, optval: [111]) = 0" },
	{ "bpf",
	  { 0, AT, 20 },
	  3,
	  WORDS(0x400000001, 0xa00000008, 0xffffffff00000001, 0xffffffffffffffff),
	  .text = "bpf(cmd: MAP_CREATE, uattr: { .map_type: HASH, .key_size: 4, .value_size: 8, .max_entries: 10, .map_flags: NO_PREALLOC }, size: 20) = 3" },
	{ "bpf",
	  { 2, AT, 32 },
	  0,
	  WORDS(9, 0x10, 0x20, 1),
	  .text = "bpf(cmd: MAP_UPDATE_ELEM, uattr: { .map_fd: 9, .key: 0x10, .value: 0x20, .flags: NOEXIST }, size: 32) = 0" },
	{ "bpf",
	  { 2, AT, 1000 },
	  0,
	  WORDS(9, 0x10),
	  .text = "bpf(cmd: MAP_UPDATE_ELEM, uattr: 0x1000, size: 1000) = 0" },
	{ "waitid",
	  { 1, 42, AT, 4 },
	  0,
	  WORDS(17, 1, 42UL, 3UL, 0, 0),
	  .text = "waitid(which: PID, upid: 42 (cat), infop: { .si_signo: CHLD, .si_code: EXITED, .si_pid: 42 (cat), .si_uid: 0, .si_status: 3 }, options: EXITED) = 0" },
	{ "waitid",
	  { 0, 0, AT, 4 },
	  0,
	  WORDS(17, 2, 42UL, 9UL, 0, 0),
	  .text = "waitid(which: ALL, infop: { .si_signo: CHLD, .si_code: KILLED, .si_pid: 42 (cat), .si_uid: 0, .si_status: KILL }, options: EXITED) = 0" },
	{ "waitid",
	  { 0, 0, AT, 5 },
	  0,
	  WORDS(0, 0, 0, 0, 0, 0),
	  .text = "waitid(which: ALL, infop: {}, options: NOHANG|EXITED) = 0" },
	{ "waitid",
	  { 0, 0, AT, 4 },
	  -10,
	  WORDS(17, 2, 42UL, 9UL, 0, 0),
	  .text = "waitid(which: ALL, infop: 0x1000, options: EXITED) = -1 ECHILD (No child processes)" },
	{ "rt_sigqueueinfo",
	  { 42, 10, AT },
	  0,
	  WORDS(10, 0xffffffff, 7UL | 8UL << 32, 0x77, 0, 0),
	  .text = "rt_sigqueueinfo(pid: 42 (cat), sig: USR1, uinfo: { .si_signo: USR1, .si_code: QUEUE, .si_pid: 7, .si_uid: 8, .si_value: 0x77 }) = 0" },
	{ "rt_sigtimedwait",
	  { 0, AT, 0, 8 },
	  11,
	  WORDS(11, 2, 0x401000, 0, 0, 0),
	  .text = "rt_sigtimedwait(uinfo: { .si_signo: SEGV, .si_code: ACCERR, .si_addr: 0x401000 }, sigsetsize: 8) = 11" },
	{ "rt_sigtimedwait",
	  { 0, AT, 0, 8 },
	  14,
	  WORDS(14, 0xfffffffe, 5UL | 6UL << 32, 0, 0, 0),
	  .text = "rt_sigtimedwait(uinfo: { .si_signo: ALRM, .si_code: TIMER, .si_timerid: 5, .si_overrun: 6, .si_value: 0 }, sigsetsize: 8) = 14" },
	{ "rt_sigtimedwait",
	  { 0, AT, 0, 8 },
	  5,
	  WORDS(5, 0x80, 0, 0, 0, 0),
	  .text = "rt_sigtimedwait(uinfo: { .si_signo: TRAP, .si_code: KERNEL }, sigsetsize: 8) = 5" },
	{ "pidfd_send_signal",
	  { 3, 10, AT },
	  0,
	  WORDS(5UL << 32 | 10, 77, 0, 0, 0, 0),
	  .text = "pidfd_send_signal(pidfd: 3</etc/passwd>, sig: USR1, info: { .si_signo: USR1, .si_errno: EIO, .si_code: 77 }) = 0" },
	{ "ioctl",
	  { 3, 0x5401, AT },
	  0,
	  MEMORY(0, 5, 0, 0, 5, 0, 0, 0, 0xbf, 0, 0, 0, 0x3b, 0x8a, 0, 0),
	  .text = "ioctl(fd: 3</etc/passwd>, cmd: TCGETS, arg: { .c_iflag: ICRNL|IXON, .c_oflag: OPOST|ONLCR, .c_cflag: B38400|CS8|CREAD, .c_lflag: ISIG|ICANON|ECHO|ECHOE|ECHOK|ECHOCTL|ECHOKE|IEXTEN }) = 0" },
	{ "ioctl",
	  { 3, 0x540f, AT },
	  0,
	  MEMORY(42, 0, 0, 0),
	  .text = "ioctl(fd: 3</etc/passwd>, cmd: TIOCGPGRP, arg: [42 (cat)]) = 0" },
	{ "ioctl",
	  { 3, 0x80081272, AT },
	  0,
	  WORDS(1UL << 40),
	  .text = "ioctl(fd: 3</etc/passwd>, cmd: BLKGETSIZE64, arg: [1099511627776]) = 0" },
	{ "ioctl",
	  { 3, 0x8913, AT },
	  0,
	  WORDS('l' | 'o' << 8, 0, 0x49),
	  .text = "ioctl(fd: 3</etc/passwd>, cmd: SIOCGIFFLAGS, arg: { .ifr_name: \"lo\", .ifr_flags: UP|LOOPBACK|RUNNING }) = 0" },
	{ "ioctl", /* what the program has asked for */
	  { 3, 0x8913, AT },
	  -19,
	  WORDS('l' | 'x' << 8, 0, 0),
	  .text = "ioctl(fd: 3</etc/passwd>, cmd: SIOCGIFFLAGS, arg: { .ifr_name: \"lx\", .ifr_flags: 0 }) = -1 ENODEV (No such device)" },
	{ "ioctl",
	  { 3, 0x8915, AT },
	  0,
	  WORDS('l' | 'o' << 8, 0, 0x100007f00000002, 0),
	  .text = "ioctl(fd: 3</etc/passwd>, cmd: SIOCGIFADDR, arg: { .ifr_name: \"lo\", .ifr_addr: { .family: INET, port: 0, addr: 127.0.0.1 } }) = 0" },
	{ "ioctl",
	  { 3, 0x8927, AT },
	  0,
	  WORDS('e' | '0' << 8, 0, 0x06050403fe020001, 0),
	  .text = "ioctl(fd: 3</etc/passwd>, cmd: SIOCGIFHWADDR, arg: { .ifr_name: \"e0\", .ifr_hwaddr: { .family: ETHER, addr: 02:fe:03:04:05:06 } }) = 0" },
	{ "ioctl",
	  { 3, 0x1277, AT },
	  0,
	  WORDS(512, 1024),
	  .text = "ioctl(fd: 3</etc/passwd>, cmd: BLKDISCARD, arg: [512, 1024]) = 0" },
	{ "perf_event_open",
	  { AT, 0, 0, MINUS(1) },
	  -9,
	  WORDS(0x4000000000, 0, 5, 1, 0, 0x10023, 0, 0, 7, 7, 7, 7, 7, 7, 7),
	  .text = "perf_event_open(attr_uptr: { .type: HARDWARE, .size: 64, .config: CPU_CYCLES, .sample_period: 5, .sample_type: IP, .flags: precise_ip_2|disabled|inherit|exclude_kernel }, group_fd: -1) = -1 EBADF (Bad file descriptor)" },
	{ "clone3",
	  { AT, 64 },
	  -22,
	  WORDS(0x800, 0, 0, 0, 17, 0, 0, 0, 5, 5, 5),
	  .text = "clone3(uargs: { .flags: SIGHAND, .exit_signal: CHLD }, size: 64) = -1 EINVAL (Invalid argument)" },
	{ "capset",
	  { AT, AT + 8 },
	  0,
	  WORDS(0x20080522, 0x2100000021, 0x8000000000, 0),
	  .text = "capset(header: { .version: VERSION_3, .pid: 0 }, data: { .effective: CHOWN|KILL|BPF, .permitted: CHOWN|KILL, .inheritable: 0 }) = 0" },
	{ "setsockopt",
	  { 4, 1, 13, AT, 8 },
	  0,
	  MEMORY(1, 0, 0, 0, 5, 0, 0, 0),
	  .text = "setsockopt(fd: 4, level: SOCKET, optname: LINGER, optval: \"\\1\\0\\0\\0\\5\\0\\0\\0\", optlen: 8) = 0" },
	{ "getsockopt",
	  { 4, 6, 13, AT, AT + 8 },
	  0,
	  MEMORY('b', 'b', 'r', 0, 0, 0, 0, 0, 3, 0, 0, 0),
	  .text = "getsockopt(fd: 4, level: TCP, optname: CONGESTION, optval: \"bbr\", optlen: [3]) = 0" },
	{ "mbind",
	  { 0x2000, 4096, 3, AT, 70, 2 },
	  0,
	  WORDS(5, 1),
	  .text = "mbind(start: 0x2000, len: 4096, mode: INTERLEAVE, nmask: 0x10000000000000005, maxnode: 70, flags: MOVE) = 0" },
	{ "seccomp",
	  { 2, 0, AT },
	  0,
	  MEMORY(0, 0, 0xfc, 0x7f),
	  .text = "seccomp(op: GET_ACTION_AVAIL, uargs: [LOG]) = 0" },
};

static void test_memory(void **state)
{
	check_all(&x86_64, pointed, ARRAY_SIZE(pointed), usual);
}

/* Options of the view. */
static void test_view(void **state)
{
	const struct one prefixed[] = {
		{ "openat",
		  { MINUS(100), 0, 02000000, 0 },
		  3,
		  .text = "openat(dfd: AT_FDCWD, filename: NULL, flags: O_RDONLY|O_CLOEXEC) = 3" },
		{ "kill", { 0, 0 }, 0, .text = "kill(pid: 0, sig: 0) = 0" },
		{ "pipe2", { 0, 0 }, 0, .text = "pipe2(fildes: NULL, flags: 0) = 0" },
		{ "socket",
		  { 2, 0x80001, 0 },
		  4,
		  .text = "socket(family: PF_INET, type: SOCK_STREAM|SOCK_CLOEXEC, protocol: IPPROTO_IP) = 4" },
		{ "clone",
		  { 17, 0, 0, 0, 0 },
		  0,
		  .text = "clone(clone_flags: SIGCHLD, newsp: NULL, parent_tidptr: NULL, child_tidptr: NULL, tls: NULL) = 0" },
	};
	const struct one nameless[] = {
		{ "clock_nanosleep",
		  { 0, 0, AT, 0x7f00 },
		  0,
		  WORDS(1, 0),
		  .text = "clock_nanosleep(REALTIME, 0, {1, 0}, 0x7f00) = 0" },
		{ "mmap",
		  { 0, 4096, 3, 0x22, MINUS(1), 0 },
		  0x1000,
		  .text = "mmap(NULL, 4096, READ|WRITE, PRIVATE|ANONYMOUS, 0) = 0x1000" },
		{ "sched_setaffinity",
		  { 0, 8, AT },
		  0,
		  WORDS(0x10f),
		  .text = "sched_setaffinity(0, 8, [0-3,8]) = 0" },
	};
	const struct one aligned[] = {
		{ "getpid", { 0 }, 42, .text = "getpid()  = 42" },
		{ "lseek", { 3, 0, 0 }, 0, .text = "lseek(fd: 3</etc/passwd>, whence: SET) = 0" },
	};
	struct sysargs_view v = usual;

	v.args_alignment = 10;
	check_all(&x86_64, aligned, ARRAY_SIZE(aligned), v);
	v = (struct sysargs_view){ .bitmask_list = true, .string_len = 32 };
	check_all(&x86_64, nameless, ARRAY_SIZE(nameless), v);
	v = usual;
	v.show_prefix = v.show_zeros = true;
	check_all(&x86_64, prefixed, ARRAY_SIZE(prefixed), v);
}

/* Programs of 32 bits, and of other machines. */
static void test_abis(void **state)
{
	const struct one narrow[] = {
		{ "nanosleep",
		  { AT, 0 },
		  0,
		  MEMORY(1, 0, 0, 0, 2, 0, 0, 0),
		  .text = "nanosleep(rqtp: { .tv_sec: 1, .tv_nsec: 2 }) = 0" },
		{ "pread64",
		  { 3, 0x10, 5, 0xfffffffe, 1 },
		  5,
		  .text = "pread64(fd: 3</etc/passwd>, buf: 0x10, count: 5, pos: 8589934590) = 5" },
		{ "clock_gettime64",
		  { 1, AT },
		  0,
		  WORDS(1, 2),
		  .text = "clock_gettime64(which_clock: MONOTONIC, tp: { .tv_sec: 1, .tv_nsec: 2 }) = 0" },
		{ "getuid32", { 0 }, 7, .text = "getuid32() = 7" },
		{ "brk",
		  { 0xffffffff08000000 },
		  0x8000000,
		  .text = "brk(brk: 0x8000000) = 0x8000000" },
		{ "clone",
		  { 17, 0, 0, 1, 2 },
		  42,
		  .text = "clone(clone_flags: SIGCHLD, tls: 0x1, child_tidptr: 0x2) = 42 (cat)" },
	};
	const struct one arm64[] = {
		{ "openat",
		  { MINUS(100), 0x10, 040000 | 0200000 | 02000000 },
		  3,
		  .text = "openat(dfd: CWD, filename: 0x10, flags: RDONLY|CLOEXEC|DIRECT|DIRECTORY) = 3" },
		{ "epoll_ctl",
		  { 5, 1, 3, AT },
		  0,
		  WORDS(1, 7),
		  .text = "epoll_ctl(epfd: 5, op: ADD, fd: 3</etc/passwd>, event: { .events: IN, .data: 0x7 }) = 0" },
	};

	check_all(&(struct sysargs_abi){ .machine = EM_386, .narrow = true }, narrow,
		  ARRAY_SIZE(narrow), usual);
	check_all(&(struct sysargs_abi){ .machine = EM_AARCH64 }, arm64, ARRAY_SIZE(arm64), usual);
}

/* A call that has not returned shows what the kernel will write as a pointer. */
static void test_running(void **state)
{
	struct sysargs *sa = sysargs_new(&x86_64, NULL);
	struct process p = { "abc", 4 };
	struct sysargs_view v = usual;
	struct syscall_made made = { .desc = sysargs_call(sa, 0),
				     .args = (const u64[SYSARGS_MAX]){ 3, AT, 4 } };
	struct strbuf out = STRBUF_INIT;

	v.ops = &ops;
	v.ctx = &p;
	sysargs_print(&out, sa, &made, &v);
	assert_string_equal(strbuf_str(&out), "read(fd: 3</etc/passwd>, buf: 0x1000, count: 4");
	strbuf_release(&out);
	sysargs_free(sa);
}

/* Values of filters. */
static void test_parse(void **state)
{
	static const struct {
		const char *call, *text;
		u32 arg;
		int rc;
		u64 value;
	} all[] = {
		{ "openat", "O_RDONLY", 2, 0, 0 },
		{ "openat", "CREAT|O_EXCL", 2, 0, 0300 },
		{ "openat", "CREAT|0x1000000", 2, 0, 0x1000040 },
		{ "openat", "CREATE", 2, -EINVAL },
		{ "openat", "CREAT|", 2, -EINVAL },
		{ "openat", "CWD", 0, 0, MINUS(100) },
		{ "openat", "-100", 0, 0, MINUS(100) },
		{ "openat", "", 0, -EINVAL },
		{ "read", "100", 2, 0, 100 },
		{ "read", "ten", 2, -EINVAL },
		{ "read", "99999999999999999999999", 2, -EINVAL },
		{ "read", "0123456789012345678901234567890123456789", 2, -EINVAL },
		{ "kill", "SIGKILL", 1, 0, 9 },
		{ "kill", "TERM", 1, 0, 15 },
		{ "ioctl", "TCGETS", 1, 0, 0x5401 },
	};
	struct sysargs *sa = sysargs_new(&x86_64, NULL);
	u64 value;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		const struct syscall_desc *d =
			sysargs_call(sa, (u32)sysargs_number(sa, all[i].call));
		struct err err = { 0 };

		assert_int_equal(sysargs_parse(sa, &d->args[all[i].arg], all[i].text,
					       strlen(all[i].text), &value, &err),
				 all[i].rc);
		if (!all[i].rc)
			assert_int_equal(value, all[i].value);
		else
			assert_non_null(strstr(err.msg, d->args[all[i].arg].name));
	}
	sysargs_free(sa);
	sa = sysargs_new(&(struct sysargs_abi){ .machine = EM_AARCH64 }, NULL);
	assert_int_equal(sysargs_parse(sa, &sysargs_call(sa, 56)->args[2], "DIRECTORY|CREAT", 15,
				       &value, NULL),
			 0);
	assert_int_equal(value, 040100);
	sysargs_free(sa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers), cmocka_unit_test(test_memory),
		cmocka_unit_test(test_view),      cmocka_unit_test(test_abis),
		cmocka_unit_test(test_running),   cmocka_unit_test(test_parse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
