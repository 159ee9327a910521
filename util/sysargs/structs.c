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
	{ "mmsghdr", "msg_hdr:.msghdr msg_len:uint" },
	{ "flock", "l_type:u16.lock_type l_whence:u16.seek l_start:long l_len:long l_pid:pid" },
	{ "f_owner_ex", "type:owner_type pid:pid" },
	{ "open_how", "flags:u64.open_flags mode:u64.mode resolve:u64.resolve_flags" },
	{ "clone_args", "flags:u64.clone3_flags pidfd:u64.hex child_tid:u64.hex parent_tid:u64.hex "
			"exit_signal:u64.signal stack:u64.hex stack_size:u64.ulong tls:u64.hex "
			"set_tid:u64.hex set_tid_size:u64.ulong cgroup:u64.ulong" },
	{ "sched_param", "sched_priority:int" },
	{ "sched_attr", "size:struct_size sched_policy:sched_policy sched_flags:u64.sched_flags "
			"sched_nice:int sched_priority:uint sched_runtime:u64.ulong "
			"sched_deadline:u64.ulong sched_period:u64.ulong" },
	{ "sembuf", "sem_num:u16.uint sem_op:s16 sem_flg:u16.ipc_flags" },
	{ "mq_attr", "mq_flags:long mq_maxmsg:long mq_msgsize:long mq_curmsgs:long" },
	{ "sigaction", "sa_handler:handler sa_flags:long.sigaction_flags sa_restorer:ptr "
		       "sa_mask:u64.signals" },
	{ "sigevent", "sigev_value:hex sigev_signo:signal sigev_notify:notify_how" },
	{ "cap_header", "version:cap_version pid:pid" },
	{ "cachestat_range", "off:u64.ulong len:u64.ulong" },
	{ "cachestat", "nr_cache:u64.ulong nr_dirty:u64.ulong nr_writeback:u64.ulong "
		       "nr_evicted:u64.ulong nr_recently_evicted:u64.ulong" },
	{ "mount_attrs",
	  "attr_set:u64.mount_attr attr_clr:u64.mount_attr propagation:u64.mount_flags "
	  "userns_fd:u64.int" },
	{ "landlock_ruleset",
	  "handled_access_fs:u64.landlock_fs handled_access_net:u64.landlock_net scoped:u64.hex" },
	{ "futex_waitv", "val:u64.ulong uaddr:u64.hex flags:futex2_flags" },
	{ "io_uring_params", "sq_entries:uint cq_entries:uint flags:io_uring_setup_flags "
			     "sq_thread_cpu:uint sq_thread_idle:uint features:hexint wq_fd:uint" },
	{ "perf_attr",
	  "type:perf_type size:struct_size config:perf_config sample_period:u64.ulong "
	  "sample_type:u64.perf_sample read_format:u64.perf_read flags:u64.perf_bits "
	  "wakeup_events:uint bp_type:uint config1:u64.hex config2:u64.hex "
	  "branch_sample_type:u64.perf_branch sample_regs_user:u64.hex sample_stack_user:uint "
	  "clockid:int sample_regs_intr:u64.hex aux_watermark:uint sample_max_stack:u16.uint "
	  "reserved:u16.hex aux_sample_size:uint" },
	{ "bpf_map",
	  "map_type:bpf_map_type key_size:uint value_size:uint max_entries:uint "
	  "map_flags:bpf_map_flags inner_map_fd:bare_fd numa_node:uint map_name:text16 "
	  "map_ifindex:uint btf_fd:bare_fd btf_key_type_id:uint btf_value_type_id:uint" },
	{ "bpf_map_fd", "map_fd:bare_fd" },
	{ "bpf_key", "map_fd:bare_fd pad:pad32 key:u64.hex" },
	{ "bpf_next_key", "map_fd:bare_fd pad:pad32 key:u64.hex next_key:u64.hex" },
	{ "bpf_elem",
	  "map_fd:bare_fd pad:pad32 key:u64.hex value:u64.hex flags:u64.bpf_elem_flags" },
	{ "bpf_batch", "in_batch:u64.hex out_batch:u64.hex keys:u64.hex values:u64.hex count:uint "
		       "map_fd:bare_fd elem_flags:u64.bpf_elem_flags flags:u64.hex" },
	{ "bpf_prog",
	  "prog_type:bpf_prog_type insn_cnt:uint insns:u64.hex license:u64.path log_level:uint "
	  "log_size:uint log_buf:u64.hex kern_version:hexint prog_flags:bpf_prog_flags "
	  "prog_name:text16 prog_ifindex:uint expected_attach_type:bpf_attach_type "
	  "prog_btf_fd:bare_fd func_info_rec_size:uint func_info:u64.hex func_info_cnt:uint "
	  "line_info_rec_size:uint line_info:u64.hex line_info_cnt:uint attach_btf_id:uint "
	  "attach_prog_fd:bare_fd" },
	{ "bpf_object", "pathname:u64.path bpf_fd:bare_fd file_flags:bpf_map_flags" },
	{ "bpf_attach", "target_fd:bare_fd attach_bpf_fd:bare_fd attach_type:bpf_attach_type "
			"attach_flags:bpf_attach_flags replace_bpf_fd:bare_fd" },
	{ "bpf_test", "prog_fd:bare_fd retval:uint data_size_in:uint data_size_out:uint "
		      "data_in:u64.hex data_out:u64.hex repeat:uint duration:uint ctx_size_in:uint "
		      "ctx_size_out:uint ctx_in:u64.hex ctx_out:u64.hex flags:hexint cpu:uint" },
	{ "bpf_next_id", "start_id:uint next_id:uint" },
	{ "bpf_id", "id:uint next_id:uint open_flags:bpf_map_flags" },
	{ "bpf_info", "bpf_fd:bare_fd info_len:uint info:u64.hex" },
	{ "bpf_query", "target_fd:bare_fd attach_type:bpf_attach_type query_flags:hexint "
		       "attach_flags:bpf_attach_flags prog_ids:u64.hex prog_cnt:uint" },
	{ "bpf_raw_tracepoint", "name:u64.path prog_fd:bare_fd" },
	{ "bpf_btf", "btf:u64.hex btf_log_buf:u64.hex btf_size:uint btf_log_size:uint "
		     "btf_log_level:uint" },
	{ "bpf_task_fd", "pid:pid fd:bare_fd flags:hexint buf_len:uint buf:u64.hex prog_id:uint "
			 "fd_type:uint probe_offset:u64.hex probe_addr:u64.hex" },
	{ "bpf_link",
	  "prog_fd:bare_fd target_fd:bare_fd attach_type:bpf_attach_type flags:hexint" },
	{ "bpf_link_update",
	  "link_fd:bare_fd new_prog_fd:bare_fd flags:hexint old_prog_fd:bare_fd" },
	{ "bpf_link_fd", "link_fd:bare_fd" },
	{ "bpf_stats", "type:bpf_stats_type" },
	{ "bpf_iter", "link_fd:bare_fd flags:hexint" },
	{ "bpf_bind", "prog_fd:bare_fd map_fd:bare_fd flags:hexint" },
	{ "sigaltstack", "ss_sp:ptr ss_flags:ss_flags ss_size:size" },
	{ "seccomp_sizes",
	  "seccomp_notif:u16.uint seccomp_notif_resp:u16.uint seccomp_data:u16.uint" },
	{ "winsize", "ws_row:u16.uint ws_col:u16.uint ws_xpixel:u16.uint ws_ypixel:u16.uint" },
	{ "sock_filter_prog", "len:u16.uint filter:ptr" },
	{ "ktermios", "c_iflag:term_input c_oflag:term_output c_cflag:term_control "
		      "c_lflag:term_local" },
	{ "ifreq_index", "ifr_name:text16 ifr_ifindex:int" },
	{ "ifreq_flags", "ifr_name:text16 ifr_flags:u16.if_flags" },
	{ "ifreq_tun", "ifr_name:text16 ifr_flags:u16.tun_flags" },
	{ "ifreq_metric", "ifr_name:text16 ifr_metric:int" },
	{ "ifreq_mtu", "ifr_name:text16 ifr_mtu:int" },
	{ "ifreq_qlen", "ifr_name:text16 ifr_qlen:int" },
	{ "ifreq_addr", "ifr_name:text16 ifr_addr:sockaddr16" },
	{ "ifreq_dstaddr", "ifr_name:text16 ifr_dstaddr:sockaddr16" },
	{ "ifreq_broadaddr", "ifr_name:text16 ifr_broadaddr:sockaddr16" },
	{ "ifreq_netmask", "ifr_name:text16 ifr_netmask:sockaddr16" },
	{ "ifreq_hwaddr", "ifr_name:text16 ifr_hwaddr:hwaddr16" },
	{ "ifconf", "ifc_len:int ifc_buf:ptr" },
	{ "file_clone_range",
	  "src_fd:s64 src_offset:u64.ulong src_length:u64.ulong dest_offset:u64.ulong" },
	{ "fstrim_range", "start:u64.ulong len:u64.ulong minlen:u64.ulong" },
	{ "rtc_time", "tm_sec:int tm_min:int tm_hour:int tm_mday:int tm_mon:int tm_year:int" },
	/* The members of siginfo that signals have; devices.c chooses. Each struct has a long, so
	 * that it stands where the kernel's has it. Times of children are left out, because
	 * waitid() does not write them. */
	{ "siginfo", "si_signo:signal si_errno:si_errno si_code:si_code" },
	{ "siginfo_user", "si_pid:pid si_uid:uid pad:pad_long" },
	{ "siginfo_value", "si_pid:pid si_uid:uid si_value:hex" },
	{ "siginfo_timer", "si_timerid:int si_overrun:int si_value:hex" },
	{ "siginfo_exit", "si_pid:pid si_uid:uid si_status:status pad:pad_long" },
	{ "siginfo_child", "si_pid:pid si_uid:uid si_status:signal pad:pad_long" },
	{ "siginfo_fault", "si_addr:ptr" },
	{ "siginfo_poll", "si_band:long.poll_events si_fd:fd" },
	{ "siginfo_sys", "si_call_addr:ptr si_syscall:int si_arch:hexint" },
};

const size_t nr_layout_texts = ARRAY_SIZE(layout_texts);
