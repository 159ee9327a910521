// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Structs that arguments point to, in the language that set.c reads. Members have their natural
 * alignment, as in <linux/...> of the kernel. A struct stands after those that it has inside.
 */
#include "base/compat.h"
#include "sysargs/sysargs-internal.h"

const struct layout_text layout_texts[] = {
	{ "timespec", "tv_sec:long tv_nsec:long" },
	{ "timespec64", "tv_sec:s64 tv_nsec:s64" },
	{ "itimerspec64", "it_interval:.timespec64 it_value:.timespec64" },
	{ "timeval", "tv_sec:long tv_usec:long" },
	{ "itimerspec", "it_interval:.timespec it_value:.timespec" },
	{ "itimerval", "it_interval:.timeval it_value:.timeval" },
	{ "rlimit", "rlim_cur:rlim rlim_max:rlim" },
	{ "rlimit64", "rlim_cur:u64.rlim64 rlim_max:u64.rlim64" },
	{ "pollfd", "fd:fd events:u16.poll_events revents:u16.poll_events" },
	{ "epoll_event", "events:epoll_events data:packed64" },
	{ "iovec", "iov_base:buffer[iov_len] iov_len:size" },
	{ "iovec_out", "iov_base:>buffer[iov_len] iov_len:size" },
	{ "range", "iov_base:ptr iov_len:size" },
	{ "msghdr", "msg_name:sockaddr msg_namelen:int msg_iov:*iovec[msg_iovlen] msg_iovlen:size "
		    "msg_control:ptr msg_controllen:size msg_flags:msg_flags" },
	{ "flock", "l_type:u16.lock_type l_whence:u16.seek l_start:long l_len:long l_pid:pid" },
	{ "f_owner_ex", "type:int pid:pid" },
	{ "open_how", "flags:u64.open_flags mode:u64.mode resolve:u64.resolve_flags" },
	{ "clone_args", "flags:u64.clone3_flags pidfd:u64.hex child_tid:u64.hex parent_tid:u64.hex "
			"exit_signal:u64.signal stack:u64.hex stack_size:u64.ulong tls:u64.hex "
			"set_tid:u64.hex set_tid_size:u64.ulong cgroup:u64.ulong" },
	{ "sched_param", "sched_priority:int" },
	{ "sched_attr", "size:uint sched_policy:sched_policy sched_flags:u64.sched_flags "
			"sched_nice:int sched_priority:uint sched_runtime:u64.ulong "
			"sched_deadline:u64.ulong sched_period:u64.ulong" },
	{ "sembuf", "sem_num:u16.uint sem_op:s16 sem_flg:u16.ipc_flags" },
	{ "mq_attr", "mq_flags:long mq_maxmsg:long mq_msgsize:long mq_curmsgs:long" },
	{ "sigaction", "sa_handler:handler sa_flags:long.sigaction_flags sa_restorer:ptr "
		       "sa_mask:u64.signals" },
	{ "sigevent", "sigev_value:hex sigev_signo:signal sigev_notify:notify_how" },
	{ "cap_header", "version:hexint pid:pid" },
	{ "cap_data", "effective:hexint permitted:hexint inheritable:hexint" },
	{ "cachestat_range", "off:u64.ulong len:u64.ulong" },
	{ "cachestat", "nr_cache:u64.ulong nr_dirty:u64.ulong nr_writeback:u64.ulong "
		       "nr_evicted:u64.ulong nr_recently_evicted:u64.ulong" },
	{ "mount_attrs",
	  "attr_set:u64.mount_attr attr_clr:u64.mount_attr propagation:u64.mount_flags "
	  "userns_fd:u64.int" },
	{ "landlock_ruleset", "handled_access_fs:u64.landlock_fs" },
	{ "landlock_path", "allowed_access:u64.landlock_fs parent_fd:fd" },
	{ "futex_waitv", "val:u64.ulong uaddr:u64.hex flags:futex2_flags" },
	{ "io_uring_params", "sq_entries:uint cq_entries:uint flags:io_uring_setup_flags "
			     "sq_thread_cpu:uint sq_thread_idle:uint features:hexint wq_fd:uint" },
	{ "perf_attr", "type:perf_type size:uint config:u64.hex sample_period:u64.ulong "
		       "sample_type:u64.perf_sample read_format:u64.perf_read flags:u64.hex "
		       "wakeup_events:uint bp_type:uint" },
	{ "bpf_map", "map_type:bpf_map_type key_size:uint value_size:uint max_entries:uint" },
	{ "bpf_elem", "map_fd:bare_fd pad:pad32 key:u64.hex value:u64.hex flags:u64.ulong" },
	{ "bpf_prog", "prog_type:bpf_prog_type insn_cnt:uint insns:u64.hex license:u64.path "
		      "log_level:uint log_size:uint" },
	{ "winsize", "ws_row:u16.uint ws_col:u16.uint ws_xpixel:u16.uint ws_ypixel:u16.uint" },
	{ "sock_filter_prog", "len:u16.uint filter:ptr" },
};

const size_t nr_layout_texts = ARRAY_SIZE(layout_texts);
