#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='perf trace: arguments of every kind, each line as it is written here: live, with BPF programs and without, and from a recording'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

every=$(program every)
test_lazy_prereq COPIES 'BPF programs cannot copy memory here' 'perf trace -v -o out -e openat true 2>err; grep "memory of [1-9][0-9]* calls was copied" err'
test_lazy_prereq SETPRIV 'no setpriv to give up rights' 'setpriv --bounding-set -bpf,-sys_admin true'

# What does not depend on the kernel's options; * stands for anything.
cat >want <<'END'
openat(dfd: CWD, filename: "/no/such", flags: CLOEXEC|RDWR) = -1 ENOENT (No such file or directory)
openat(dfd: 99, filename: "x", flags: CREAT|TRUNC|WRONLY, mode: IRUGO|IWUSR) = -1 EBADF (Bad file descriptor)
openat(dfd: CWD, filename: 0x1000, flags: RDONLY|DIRECTORY) = -1 EFAULT (Bad address)
openat2(dfd: CWD, filename: "/no/such", how: { .flags: RDONLY|CLOEXEC, .mode: 0, .resolve: BENEATH }, usize: 24) = *
faccessat(dfd: CWD, filename: "/no/such", mode: W_OK|R_OK) = -1 ENOENT (No such file or directory)
faccessat2(dfd: CWD, filename: "/no/such", mode: X_OK, flags: SYMLINK_NOFOLLOW|EACCESS) = -1 ENOENT (No such file or directory)
newfstatat(dfd: 99, filename: "", statbuf: 0x1000, flag: EMPTY_PATH) = -1 EBADF (Bad file descriptor)
statx(dfd: CWD, filename: "/no/such", flags: STATX_FORCE_SYNC, mask: MODE|SIZE, buffer: 0x1000) = -1 ENOENT (No such file or directory)
unlinkat(dfd: CWD, pathname: "/no/such", flag: REMOVEDIR) = -1 ENOENT (No such file or directory)
renameat2(olddfd: CWD, oldname: "/no/such", newdfd: 99, newname: "/no/other", flags: EXCHANGE) = -1 ENOENT (No such file or directory)
linkat(olddfd: CWD, oldname: "/no/such", newdfd: CWD, newname: "/no/other", flags: SYMLINK_FOLLOW) = -1 ENOENT (No such file or directory)
symlinkat(oldname: "a\tb\"c", newdfd: CWD, newname: "/no/such") = -1 ENOENT (No such file or directory)
mkdirat(dfd: CWD, pathname: "/no/such", mode: IRUSR|IWUSR|IXUSR|IRGRP|IXGRP) = -1 ENOENT (No such file or directory)
mknodat(dfd: CWD, filename: "/no/such", mode: IFIFO|IRUSR|IWUSR, dev: 1:3) = -1 ENOENT (No such file or directory)
fchmodat(dfd: CWD, filename: "/no/such", mode: IRUGO|IXUGO|ISUID|IWUSR) = -1 ENOENT (No such file or directory)
fchownat(dfd: CWD, filename: "/no/such", user: 0, group: -1, flag: SYMLINK_NOFOLLOW) = -1 ENOENT (No such file or directory)
utimensat(dfd: CWD, filename: "/no/such", utimes: [{ .tv_sec: 1, .tv_nsec: 2 }, { .tv_sec: 0, .tv_nsec: 1073741822 }]) = -1 ENOENT (No such file or directory)
readlinkat(dfd: CWD, pathname: "/no/such", buf: 0x1000, bufsiz: 20) = -1 ENOENT (No such file or directory)
truncate(path: "/no/such", length: 5) = -1 ENOENT (No such file or directory)
chdir(filename: "/no/such") = -1 ENOENT (No such file or directory)
setxattr(pathname: "/no/such", name: "user.a", value: "val", size: 3, flags: CREATE) = -1 ENOENT (No such file or directory)
name_to_handle_at(dfd: 99, name: "x", handle: 0x1000, mnt_id: 0x1000, flag: SYMLINK_FOLLOW) = -1 EBADF (Bad file descriptor)
read(fd: 99, buf: 0x1000, count: 10) = -1 EBADF (Bad file descriptor)
write(fd: 99, buf: "a\tb\"c\0", count: 6) = -1 EBADF (Bad file descriptor)
writev(fd: 99, vec: [{ .iov_base: "a\tb", .iov_len: 3 }, { .iov_base: "/no/such", .iov_len: 8 }], vlen: 2) = -1 EBADF (Bad file descriptor)
lseek(fd: 99, offset: -5, whence: END) = -1 EBADF (Bad file descriptor)
fallocate(fd: 99, mode: KEEP_SIZE|PUNCH_HOLE, offset: 1, len: 2) = -1 EBADF (Bad file descriptor)
fadvise64(fd: 99, advice: DONTNEED) = -1 EBADF (Bad file descriptor)
sync_file_range(fd: 99, nbytes: 10, flags: WRITE) = -1 EBADF (Bad file descriptor)
flock(fd: 99, cmd: EX|NB) = -1 EBADF (Bad file descriptor)
dup3(oldfd: 99, newfd: 98, flags: CLOEXEC) = -1 EBADF (Bad file descriptor)
close_range(fd: 98, max_fd: 97, flags: CLOEXEC) = -1 EINVAL (Invalid argument)
splice(fd_in: 99, fd_out: 98, len: 7, flags: MOVE|NONBLOCK) = -1 EBADF (Bad file descriptor)
fcntl(fd: 99, cmd: SETFD, arg: CLOEXEC) = -1 EBADF (Bad file descriptor)
fcntl(fd: 99, cmd: GETFL) = -1 EBADF (Bad file descriptor)
fcntl(fd: 99, cmd: SETFL, arg: RDONLY|NONBLOCK) = -1 EBADF (Bad file descriptor)
fcntl(fd: 99, cmd: DUPFD_CLOEXEC, arg: 10) = -1 EBADF (Bad file descriptor)
fcntl(fd: 99, cmd: SETLK, arg: { .l_type: WRLCK, .l_whence: CUR, .l_start: 3, .l_len: 4 }) = -1 EBADF (Bad file descriptor)
fcntl(fd: 99, cmd: ADD_SEALS, arg: WRITE) = -1 EBADF (Bad file descriptor)
ioctl(fd: 99, cmd: TIOCSWINSZ, arg: { .ws_row: 24, .ws_col: 80, .ws_xpixel: 0, .ws_ypixel: 0 }) = -1 EBADF (Bad file descriptor)
ioctl(fd: 99, cmd: FIONBIO, arg: [1]) = -1 EBADF (Bad file descriptor)
ioctl(fd: 99, cmd: (WRITE, 'z', 0xc8, 0x4), arg: 0x77) = -1 EBADF (Bad file descriptor)
epoll_create1(flags: 0x7) = -1 EINVAL (Invalid argument)
epoll_ctl(epfd: 99, op: ADD, fd: 98, event: { .events: IN|ET, .data: 0x1234 }) = -1 EBADF (Bad file descriptor)
epoll_pwait(epfd: 99, events: 0x1000, maxevents: 1, timeout: 5, sigsetsize: 8) = -1 EBADF (Bad file descriptor)
eventfd2(count: 3, flags: 0x2) = -1 EINVAL (Invalid argument)
signalfd4(ufd: -1, user_mask: [INT USR1], sizemask: 8, flags: 0x1) = -1 EINVAL (Invalid argument)
timerfd_create(clockid: BOOTTIME, flags: 0x2) = -1 EINVAL (Invalid argument)
timerfd_settime(ufd: 99, flags: ABSTIME, utmr: { .it_interval: { .tv_sec: 0, .tv_nsec: 7 }, .it_value: { .tv_sec: 0, .tv_nsec: 2000000000 } }) = -1 EINVAL (Invalid argument)
inotify_init1(flags: 0x1) = -1 EINVAL (Invalid argument)
inotify_add_watch(fd: 99, pathname: "/no/such", mask: MODIFY|ONLYDIR) = -1 EBADF (Bad file descriptor)
fanotify_mark(fanotify_fd: 99, flags: ADD, mask: OPEN, dfd: CWD, pathname: "/no/such") = *
memfd_create(uname: "name", flags: 0x10000) = -1 EINVAL (Invalid argument)
ppoll(ufds: [{ .fd: 2147483647, .events: IN|PRI, .revents: 0 }], nfds: 1, tsp: { .tv_sec: 0, .tv_nsec: 1000 }, sigmask: [INT USR1], sigsetsize: 8) = 1
bpf(cmd: MAP_CREATE, uattr: 0x1000, size: 16) = -1 EFAULT (Bad address)
perf_event_open(attr_uptr: { .type: SOFTWARE, .size: 1, .config: DUMMY }, cpu: -1, group_fd: 99, flags: FD_CLOEXEC) = *
mmap(prot: READ|EXEC, flags: PRIVATE|ANONYMOUS) = -1 EINVAL (Invalid argument)
mprotect(start: 0x1, len: 4096, prot: NONE) = -1 EINVAL (Invalid argument)
mremap(addr: 0x1, old_len: 2, new_len: 3, flags: MAYMOVE|FIXED, new_addr: 0x1000) = -1 EINVAL (Invalid argument)
madvise(start: 0x1, len_in: 4096, behavior: MADV_HUGEPAGE) = -1 EINVAL (Invalid argument)
msync(start: 0x1, len: 1, flags: SYNC) = -1 EINVAL (Invalid argument)
mlockall(flags: 0x80) = -1 EINVAL (Invalid argument)
mbind(start: 0x1, len: 1, mode: BIND, flags: STRICT) = *
kill(pid: 1073741823, sig: USR1) = -1 ESRCH (No such process)
tgkill(tgid: 1073741823, pid: 1073741823, sig: RTMIN+2) = -1 ESRCH (No such process)
wait4(upid: 1073741823, options: NOHANG|UNTRACED) = -1 ECHILD (No child processes)
waitid(which: PID, upid: 1073741823, options: EXITED|NOWAIT) = -1 ECHILD (No child processes)
clone3(uargs: { .flags: THREAD, .exit_signal: CHLD }, size: 88) = *
execve(filename: "/no/such", argv: ["one", "two"], envp: ["one", "two"]) = -1 ENOENT (No such file or directory)
unshare(unshare_flags: NEWNS|0x1) = -1 EINVAL (Invalid argument)
setns(fd: 99, flags: NEWNET) = -1 EBADF (Bad file descriptor)
rt_sigprocmask(how: 0x4d, nset: [INT USR1], sigsetsize: 8) = -1 EINVAL (Invalid argument)
rt_sigtimedwait(uthese: [INT USR1], uts: { .tv_sec: 0, .tv_nsec: 1000 }, sigsetsize: 8) = -1 EAGAIN (Resource temporarily unavailable)
prctl(option: SET_PDEATHSIG, arg2: 0x63) = -1 EINVAL (Invalid argument)
prctl(option: CAPBSET_READ, arg2: NET_ADMIN) = 1
ptrace(request: CONT, pid: 1073741823, data: USR1) = -1 ESRCH (No such process)
seccomp(op: SET_MODE_FILTER, flags: LOG, uargs: 0x1000) = *
kcmp(pid1: 1073741823, pid2: 1073741823, type: FILE, idx1: 1, idx2: 2) = *
pidfd_open(pid: 1073741823, flags: 0x4) = -1 EINVAL (Invalid argument)
capget(header: 0x1000) = -1 EFAULT (Bad address)
sched_setscheduler(pid: 1073741823, policy: FIFO, param: { .sched_priority: 77 }) = -1 ESRCH (No such process)
sched_setaffinity(pid: 1073741823, len: 8, user_mask_ptr: 0x202) = -1 ESRCH (No such process)
setpriority(which: PROCESS, who: 1073741823, niceval: 5) = -1 ESRCH (No such process)
prlimit64(pid: 1073741823, resource: NOFILE, new_rlim: { .rlim_cur: 10, .rlim_max: INFINITY }) = -1 ESRCH (No such process)
getrusage(who: 0x4d, ru: 0x1000) = -1 EINVAL (Invalid argument)
membarrier(cmd: 0x10000) = *
process_vm_readv(pid: 1073741823, lvec: [{ .iov_base: 0x1000, .iov_len: 3 }], liovcnt: 1, rvec: 0x1000) = *
clock_nanosleep(which_clock: MONOTONIC, flags: ABSTIME, rqtp: { .tv_sec: 1, .tv_nsec: 2000000000 }) = -1 EINVAL (Invalid argument)
nanosleep(rqtp: { .tv_sec: 1, .tv_nsec: 2000000000 }) = -1 EINVAL (Invalid argument)
setitimer(which: PROF, value: { .it_interval: { .tv_sec: 1, .tv_usec: 0 }, .it_value: { .tv_sec: 0, .tv_usec: 2000000 } }) = -1 EINVAL (Invalid argument)
futex(uaddr: 0x*, op: WAIT|PRIVATE_FLAG, val: 1, utime: { .tv_sec: 0, .tv_nsec: 1000 }) = -1 EAGAIN (Resource temporarily unavailable)
futex(uaddr: 0x1000, op: WAIT_BITSET|CLOCK_REALTIME, val: 1, val3: MATCH_ANY) = -1 EFAULT (Bad address)
futex(uaddr: 0x1000, op: WAKE, val: 1) = -1 EFAULT (Bad address)
socket(family: INET, type: STREAM|CLOEXEC, protocol: RAW) = -1 EPROTONOSUPPORT (Protocol not supported)
socketpair(family: LOCAL, type: DGRAM, protocol: 9, usockvec: 0x1000) = -1 EFAULT (Bad address)
connect(fd: 99, uservaddr: { .family: INET, port: 80, addr: 127.0.0.1 }, addrlen: 16) = -1 EBADF (Bad file descriptor)
bind(fd: 99, umyaddr: { .family: INET6, port: 80, addr: ::1 }, addrlen: 28) = -1 EBADF (Bad file descriptor)
sendto(fd: 99, buff: "a\tb", len: 3, flags: DONTWAIT|NOSIGNAL, addr: { .family: LOCAL, path: "/no/socket" }, addr_len: 110) = -1 EBADF (Bad file descriptor)
sendmsg(fd: 99, msg: { .msg_name: { .family: INET, port: 80, addr: 127.0.0.1 }, .msg_namelen: 16, .msg_iov: [{ .iov_base: "a\tb", .iov_len: 3 }, { .iov_base: "/no/such", .iov_len: 8 }], .msg_iovlen: 2 }, flags: PEEK) = -1 EBADF (Bad file descriptor)
recvfrom(fd: 99, ubuf: 0x1000, size: 3, flags: TRUNC) = -1 EBADF (Bad file descriptor)
shutdown(fd: 99, how: WR) = -1 EBADF (Bad file descriptor)
setsockopt(fd: 99, level: SOCKET, optname: REUSEADDR, optval: [1], optlen: 4) = -1 EBADF (Bad file descriptor)
getsockopt(fd: 99, level: TCP, optname: NODELAY, optval: 0x1000, optlen: 0x1000) = -1 EBADF (Bad file descriptor)
mount(dev_name: "dev", dir_name: "/no/such", type: "tmpfs", flags: RDONLY|NOSUID) = -1 ENOENT (No such file or directory)
umount2(name: "/no/such", flags: MNT_DETACH) = -1 ENOENT (No such file or directory)
fsopen(_fs_name: "nosuchfs", flags: CLOEXEC) = *
open_tree(dfd: CWD, filename: "/no/such", flags: OPEN_TREE_CLONE) = *
move_mount(from_dfd: CWD, from_pathname: "/no/such", to_dfd: CWD, to_pathname: "/no/other", flags: F_EMPTY_PATH) = *
quotactl(cmd: SYNC|USRQUOTA, special: "/no/such", id: 0) = *
keyctl(option: REVOKE, id: 0x3fffffff) = *
landlock_create_ruleset(attr: { .handled_access_fs: EXECUTE }, size: 8, flags: 0x40) = *
landlock_add_rule(ruleset_fd: 11, rule_type: LANDLOCK_RULE_PATH_BENEATH, rule_attr: 0x1000, flags: 45) = -1 EINVAL (Invalid argument)
getrandom(ubuf: 0x1000, len: 4, flags: NONBLOCK) = -1 EFAULT (Bad address)
reboot(magic1: 0x1, magic2: 0x2, cmd: 0x3) = -1 EINVAL (Invalid argument)
semop(semid: 1073741823, tsops: [{ .sem_num: 1, .sem_op: -1, .sem_flg: NOWAIT }], nsops: 1) = *
semctl(semid: 1073741823, cmd: IPC_STAT, arg: 0x1000) = *
shmget(key: 0x77, shmflg: IPC_CREAT|IPC_EXCL|0x180) = *
shmctl(shmid: 1073741823, cmd: IPC_RMID) = *
msgget(key: 0x77654321, msgflg: 0x180) = *
msgctl(msqid: 1073741823, cmd: IPC_RMID) = *
syslog(type: 0x4d) = -1 EINVAL (Invalid argument)
umask(mask: IWGRP|IWOTH) = IWGRP|IWOTH
bpf(cmd: MAP_CREATE, uattr: { .map_type: HASH, .key_size: 4, .map_flags: NO_PREALLOC, .map_name: "name" }, size: 44) = *
bpf(cmd: MAP_CREATE, uattr: { .map_type: HASH, .key_size: 4, .map_flags: NO_PREALLOC }, size: 20) = *
bpf(cmd: MAP_UPDATE_ELEM, uattr: { .map_fd: 99, .key: 0x1000, .value: 0x2000, .flags: NOEXIST }, size: 32) = *
bpf(cmd: MAP_DELETE_ELEM, uattr: { .map_fd: 99, .key: 0x1000 }, size: 32) = *
bpf(cmd: PROG_ATTACH, uattr: { .target_fd: 99, .attach_bpf_fd: 98, .attach_type: CGROUP_INET_EGRESS, .attach_flags: ALLOW_MULTI }, size: 20) = *
bpf(cmd: OBJ_GET_INFO_BY_FD, uattr: { .bpf_fd: 99, .info_len: 16, .info: 0x1000 }, size: 16) = *
perf_event_open(attr_uptr: { .type: HARDWARE, .size: 64, .config: CPU_CYCLES, .sample_period: 1000, .sample_type: IP|TID, .read_format: ID, .flags: precise_ip_2|disabled|exclude_kernel }, cpu: -1, group_fd: 99, flags: FD_NO_GROUP) = *
clone3(uargs: { .flags: SIGHAND, .exit_signal: CHLD }, size: 64) = -1 EINVAL (Invalid argument)
seccomp(op: GET_ACTION_AVAIL, uargs: [LOG]) = *
seccomp(op: SET_MODE_FILTER, uargs: { .len: 32767, .filter: 0x1000 }) = *
capset(header: { .version: VERSION_3, .pid: 1073741823 }, data: { .effective: CHOWN|KILL|BPF, .permitted: CHOWN, .inheritable: 0 }) = -1 EPERM (Operation not permitted)
setsockopt(fd: 99, level: SOCKET, optname: LINGER, optval: "\1\0\0\0\5\0\0\0", optlen: 8) = -1 EBADF (Bad file descriptor)
setsockopt(fd: 99, level: TCP, optname: CONGESTION, optval: "cubic", optlen: 5) = -1 EBADF (Bad file descriptor)
setsockopt(fd: 99, level: UDP, optname: SEGMENT, optval: [1], optlen: 4) = -1 EBADF (Bad file descriptor)
sendmmsg(fd: 99, mmsg: [{ .msg_hdr: { .msg_iov: [{ .iov_base: "a\tb", .iov_len: 3 }], .msg_iovlen: 1 }, .msg_len: 0 }], vlen: 1, flags: NOSIGNAL) = -1 EBADF (Bad file descriptor)
mbind(start: 0x1, len: 1, mode: INTERLEAVE, nmask: 0x5, maxnode: 8, flags: MOVE) = *
prctl(option: CAP_AMBIENT, arg2: IS_SET, arg3: CHOWN) = *
prctl(option: GET_SPECULATION_CTRL, arg2: INDIRECT_BRANCH) = *
prctl(option: GET_PDEATHSIG, arg2: [0]) = 0
prctl(option: MCE_KILL, arg2: SET, arg3: 0x4d) = *
request_key(_type: "user", _description: "/no/such", destringid: SESSION_KEYRING) = *
getrusage(who: CHILDREN, ru: 0x1000) = -1 EFAULT (Bad address)
mmap(prot: READ, flags: PRIVATE|ANONYMOUS|HUGETLB|0x54000000) = -1 EINVAL (Invalid argument)
fcntl(fd: 99, cmd: SETOWN_EX, arg: { .type: PID, .pid: 1073741823 }) = -1 EBADF (Bad file descriptor)
futex(uaddr: 0x1000, op: LOCK_PI, utime: { .tv_sec: 0, .tv_nsec: 1000 }) = -1 EFAULT (Bad address)
sigaltstack(uss: { .ss_sp: 0x1000, .ss_flags: 0x70, .ss_size: 10 }) = -1 EINVAL (Invalid argument)
timer_create(which_clock: MONOTONIC, timer_event_spec: { .sigev_value: 0, .sigev_signo: USR1, .sigev_notify: 0x4d }, created_timer_id: 0x1000) = -1 EINVAL (Invalid argument)
personality(personality: 0xffffffff) = *
bpf(cmd: OBJ_PIN, uattr: { .pathname: "/no/such", .bpf_fd: 99, .file_flags: 0 }, size: 16) = *
bpf(cmd: OBJ_GET, uattr: { .pathname: "/no/such", .bpf_fd: 99 }, size: 12) = *
bpf(cmd: PROG_LOAD, uattr: { .prog_type: KPROBE, .insn_cnt: 2, .license: "GPL", .prog_name: "mine" }, size: 64) = *
bpf(cmd: RAW_TRACEPOINT_OPEN, uattr: { .name: "sys_enter", .prog_fd: 99 }, size: 16) = *
rt_sigqueueinfo(pid: 1073741823, sig: USR1, uinfo: { .si_signo: USR1, .si_code: QUEUE, .si_pid: 1073741823, .si_uid: 0, .si_value: 0x77 }) = -1 ESRCH (No such process)
rt_tgsigqueueinfo(tgid: 1073741823, pid: 1073741823, sig: USR2, uinfo: { .si_signo: USR2, .si_code: TKILL, .si_pid: 1073741823, .si_uid: 0 }) = -1 EPERM (Operation not permitted)
ioctl(fd: 99, cmd: TCSETSW, arg: { .c_iflag: ICRNL|IXON, .c_oflag: OPOST|ONLCR, .c_cflag: B9600|CS8|CREAD, .c_lflag: ISIG|ICANON|ECHO }) = -1 EBADF (Bad file descriptor)
ioctl(fd: 99, cmd: TIOCSPGRP, arg: [1]) = -1 EBADF (Bad file descriptor)
ioctl(fd: 99, cmd: SIOCGIFINDEX, arg: { .ifr_name: "no-such0", .ifr_ifindex: 0 }) = -1 EBADF (Bad file descriptor)
ioctl(fd: 99, cmd: BLKDISCARD, arg: [512, 1024]) = -1 EBADF (Bad file descriptor)
ioctl(fd: 99, cmd: BLKGETSIZE64, arg: 0x1000) = -1 EBADF (Bad file descriptor)
socketpair(family: LOCAL, type: STREAM, usockvec: *) = 0
write(fd: *, buf: "hello world", count: 11) = 11
readv(fd: *, vec: [{ .iov_base: "hell", .iov_len: 4 }, { .iov_base: "o world", .iov_len: 100 }, { .iov_base: 0x1000, .iov_len: 3 }], vlen: 3) = 11
write(fd: *, buf: "hello world", count: 11) = 11
recvmsg(fd: *, msg: { .msg_iov: [{ .iov_base: "hell", .iov_len: 4 }, { .iov_base: "o world", .iov_len: 100 }, { .iov_base: 0x1000, .iov_len: 3 }], .msg_iovlen: 3 }) = 11
waitid(which: PID, upid: *, infop: { .si_signo: CHLD, .si_code: EXITED, .si_pid: *, .si_uid: 0, .si_status: 3 }, options: EXITED) = 0
socket(family: INET, type: DGRAM) = *
ioctl(fd: *, cmd: SIOCGIFINDEX, arg: { .ifr_name: "lo", .ifr_ifindex: 1 }) = 0
pipe2(fildes: *) = 0
write(fd: *, buf: "/no/such", count: 8) = 8
ioctl(fd: *, cmd: FIONREAD, arg: [8]) = 0
END

# lines FILE: the lines of the program's table, without times and alignment
lines() { sed -nE '/getpgid\(pid: -77/,/getpgid\(pid: -77/p' "$1" | sed -E 's/^[^/]*\/[0-9]+ //; s/ +(= [^=]*)$/ \1/' | grep -v "^getpgid("; }
# bare: memory as a pointer
bare() { perl -pe 's/"(\\.|[^"\\])*"(\.\.\.)?/0x~/g; 1 while s/\{[^{}]*\}|\[[^][]*\]/0x~/g; s/0x[0-9a-f]{5,}/0x~/g; s/(user_mask_ptr|nmask): 0x[\w~]*/$1: 0x~/; s/uaddr: 0x\*/uaddr: 0x~/'; }
# as_written WANT GOT: each line is as it is written
as_written() {
	perl -e '
		open(W, $ARGV[0]); open(G, $ARGV[1]); @want = <W>; @got = <G>; $wrong = @want != @got;
		print scalar(@got), " lines, not ", scalar(@want), "\n" if $wrong;
		for $i (0 .. $#want) {
			($p = quotemeta $want[$i]) =~ s/\\\*/.*/g;
			next if $got[$i] =~ /^$p$/;
			print "want $want[$i]got  $got[$i]"; $wrong = 1;
		}
		exit $wrong' "$1" "$2"
}

test_expect_success COPIES 'live' '
	perf trace -m 256 -o out "$every" && lines out >got && as_written want got
'
test_expect_success COPIES 'from a recording' '
	perf trace record -q -o t.data "$every" && perf trace -i t.data -o out && lines out >got && as_written want got
'
test_expect_success 'from a recording without memory' '
	perf record -q -R -c 1 -m 256 -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -o bare.data "$every" &&
	perf trace -i bare.data -o out && lines out | bare >got && bare <want >bare && as_written bare got && ! grep "\"/no" out
'
test_expect_success SETPRIV 'live, without BPF programs' '
	setpriv --bounding-set -bpf,-sys_admin --inh-caps -bpf,-sys_admin "$(command -v perf)" trace -m 256 -o out "$every" 2>err &&
	lines out | bare >got && bare <want >bare && as_written bare got
'
test_done
