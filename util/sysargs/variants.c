// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls whose arguments depend on a command: the arguments for some values of the command, in the
 * language that set.c reads. "" for the result stands for that of the call.
 */
#include "base/compat.h"
#include "sysargs/sysargs-internal.h"

/* Calls of the same shape: only the type of the last argument differs. */
#define FCNTL(values, ret, arg)                                                                    \
	{ "fcntl", values, ret, "fd:fd cmd:fcntl_cmd" arg },                                       \
	{                                                                                          \
		"fcntl64", values, ret, "fd:fd cmd:fcntl_cmd" arg                                  \
	}
#define PRCTL(values, args)                                                                        \
	{                                                                                          \
		"prctl", values, "", "option:prctl_option" args                                    \
	}
#define KEYCTL(values, args)                                                                       \
	{                                                                                          \
		"keyctl", values, "", "option:keyctl_option" args                                  \
	}
#define FUTEX(values, args)                                                                        \
	{                                                                                          \
		"futex", values, "", "uaddr:ptr op:futex_op" args                                  \
	}
#define BPF(values, ret, attr)                                                                     \
	{                                                                                          \
		"bpf", values, ret, "cmd:bpf_cmd uattr:*" attr "%size size:uint"                   \
	}
#define SECCOMP(values, args)                                                                      \
	{                                                                                          \
		"seccomp", values, "", "op:seccomp_op" args                                        \
	}
#define OPTION(level, kind)                                                                        \
	{ "setsockopt", level, "",                                                                 \
	  "fd:fd level:sock_level optname:" kind " optval:optval[optlen] optlen:int" },            \
	{                                                                                          \
		"getsockopt", level, "",                                                           \
			"fd:fd level:sock_level optname:" kind                                     \
			" optval:>optval_out[optlen] optlen:>*int"                                 \
	}
#define FAMILY(values, protocol)                                                                   \
	{ "socket", values, "", "family:family type:socket_type protocol:-" protocol },            \
	{                                                                                          \
		"socketpair", values, "",                                                          \
			"family:family type:socket_type protocol:-" protocol " usockvec:>*int#2"   \
	}
#define IOCTL(values, arg)                                                                         \
	{                                                                                          \
		"ioctl", values, "", "fd:fd cmd:ioctl_cmd" arg                                     \
	}
#define PTRACE(values, args)                                                                       \
	{                                                                                          \
		"ptrace", values, "", "request:ptrace_request" args                                \
	}

const struct variant_text variant_texts[] = {
	FCNTL("F_DUPFD|F_DUPFD_CLOEXEC", "fd", " arg:int"),
	FCNTL("F_GETFD", "fd_flags", ""),
	FCNTL("F_SETFD", "", " arg:fd_flags"),
	FCNTL("F_GETFL", "open_flags", ""),
	FCNTL("F_SETFL", "", " arg:open_flags"),
	FCNTL("F_GETOWN", "int", ""),
	FCNTL("F_SETOWN", "", " arg:pid"),
	FCNTL("F_GETSIG", "signal", ""),
	FCNTL("F_SETSIG", "", " arg:signal"),
	FCNTL("F_GETLEASE", "lock_type", ""),
	FCNTL("F_SETLEASE", "", " arg:lock_type"),
	FCNTL("F_NOTIFY", "", " arg:dnotify_flags"),
	FCNTL("F_GETPIPE_SZ", "", ""),
	FCNTL("F_SETPIPE_SZ", "", " arg:uint"),
	FCNTL("F_GET_SEALS", "seals", ""),
	FCNTL("F_ADD_SEALS", "", " arg:seals"),
	FCNTL("F_GETLK|F_SETLK|F_SETLKW|F_OFD_GETLK|F_OFD_SETLK|F_OFD_SETLKW", "", " arg:*flock"),
	FCNTL("F_GETOWN_EX", "", " arg:>*f_owner_ex"),
	FCNTL("F_SETOWN_EX", "", " arg:*f_owner_ex"),

	FCNTL("F_GET_RW_HINT|F_GET_FILE_RW_HINT", "", " arg:>*u64.rw_hint"),
	FCNTL("F_SET_RW_HINT|F_SET_FILE_RW_HINT", "", " arg:*u64.rw_hint"),

	FUTEX("FUTEX_WAIT", " val:uint utime:*timespec"),
	FUTEX("FUTEX_LOCK_PI|FUTEX_LOCK_PI2", " val:none utime:*timespec"),
	FUTEX("FUTEX_WAKE", " val:uint"),
	FUTEX("FUTEX_FD", " val:signal"),
	FUTEX("FUTEX_UNLOCK_PI|FUTEX_TRYLOCK_PI", ""),
	FUTEX("FUTEX_REQUEUE", " val:uint val2:ulong uaddr2:ptr"),
	FUTEX("FUTEX_CMP_REQUEUE|FUTEX_CMP_REQUEUE_PI",
	      " val:uint val2:ulong uaddr2:ptr val3:hexint"),
	FUTEX("FUTEX_WAKE_OP", " val:uint val2:ulong uaddr2:ptr val3:hexint"),
	FUTEX("FUTEX_WAIT_BITSET", " val:uint utime:*timespec uaddr2:none val3:futex_bits"),
	FUTEX("FUTEX_WAKE_BITSET", " val:uint utime:none uaddr2:none val3:futex_bits"),
	FUTEX("FUTEX_WAIT_REQUEUE_PI", " val:uint utime:*timespec uaddr2:ptr"),

	PRCTL("PR_SET_NAME", " name:path"),
	PRCTL("PR_GET_NAME", " name:>path"),
	PRCTL("PR_SET_PDEATHSIG", " arg2:signal"),
	PRCTL("PR_GET_PDEATHSIG", " arg2:>*signal"),
	PRCTL("PR_CAPBSET_READ|PR_CAPBSET_DROP", " arg2:capability"),
	PRCTL("PR_SET_MM", " arg2:set_mm arg3:ptr arg4:ulong"),
	PRCTL("PR_SET_DUMPABLE|PR_SET_KEEPCAPS|PR_SET_NO_NEW_PRIVS|PR_SET_CHILD_SUBREAPER"
	      "|PR_SET_TIMERSLACK|PR_SET_THP_DISABLE|PR_SET_TSC|PR_SET_SECCOMP"
	      "|PR_SET_IO_FLUSHER|PR_SET_TIMING|PR_SET_FPEMU|PR_SET_FPEXC|PR_SET_ENDIAN",
	      " arg2:ulong"),
	PRCTL("PR_SET_SECUREBITS|PR_SET_MDWE|PR_SET_TAGGED_ADDR_CTRL|PR_SET_UNALIGN", " arg2:hex"),
	PRCTL("PR_SET_PTRACER", " arg2:ptracer"),
	PRCTL("PR_GET_CHILD_SUBREAPER|PR_GET_TSC|PR_GET_UNALIGN", " arg2:>*int"),
	PRCTL("PR_GET_TID_ADDRESS", " arg2:>*hex"),
	PRCTL("PR_CAP_AMBIENT", " arg2:cap_ambient arg3:capability"),
	PRCTL("PR_GET_SPECULATION_CTRL", " arg2:speculation"),
	PRCTL("PR_SET_SPECULATION_CTRL", " arg2:speculation arg3:speculation_control"),
	PRCTL("PR_MCE_KILL", " arg2:mce_kill arg3:mce_kill_how"),
	PRCTL("PR_SCHED_CORE", " arg2:sched_core arg3:pid arg4:int arg5:ptr"),
	PRCTL("PR_GET_DUMPABLE|PR_GET_KEEPCAPS|PR_GET_SECCOMP|PR_GET_NO_NEW_PRIVS"
	      "|PR_GET_SECUREBITS|PR_GET_TIMERSLACK|PR_GET_THP_DISABLE|PR_GET_TIMING"
	      "|PR_TASK_PERF_EVENTS_DISABLE|PR_TASK_PERF_EVENTS_ENABLE|PR_GET_IO_FLUSHER"
	      "|PR_GET_TAGGED_ADDR_CTRL",
	      ""),
	PRCTL("PR_SET_VMA", " arg2:set_vma start:ptr len:size name:path"),

	{ "arch_prctl",
	  "ARCH_GET_CPUID|ARCH_SET_CPUID|ARCH_REQ_XCOMP_PERM|ARCH_REQ_XCOMP_GUEST_PERM", "",
	  "option:arch_prctl_option arg2:ulong" },
	{ "arch_prctl",
	  "ARCH_GET_FS|ARCH_GET_GS|ARCH_GET_XCOMP_SUPP|ARCH_GET_XCOMP_PERM"
	  "|ARCH_GET_XCOMP_GUEST_PERM",
	  "", "option:arch_prctl_option arg2:>*hex" },

	SECCOMP("SECCOMP_SET_MODE_STRICT", ""),
	SECCOMP("SECCOMP_SET_MODE_FILTER", " flags:seccomp_flags uargs:*sock_filter_prog"),
	SECCOMP("SECCOMP_GET_ACTION_AVAIL", " flags:hexint uargs:*seccomp_action"),
	SECCOMP("SECCOMP_GET_NOTIF_SIZES", " flags:hexint uargs:>*seccomp_sizes"),

	KEYCTL("KEYCTL_GET_KEYRING_ID", " id:key_serial create:int"),
	KEYCTL("KEYCTL_JOIN_SESSION_KEYRING", " name:path"),
	KEYCTL("KEYCTL_UPDATE", " id:key_serial payload:bytes[plen] plen:size"),
	KEYCTL("KEYCTL_REVOKE|KEYCTL_CLEAR|KEYCTL_INVALIDATE|KEYCTL_ASSUME_AUTHORITY",
	       " id:key_serial"),
	KEYCTL("KEYCTL_CHOWN", " id:key_serial user:uid group:gid"),
	KEYCTL("KEYCTL_SETPERM", " id:key_serial perm:hexint"),
	KEYCTL("KEYCTL_DESCRIBE|KEYCTL_READ|KEYCTL_GET_SECURITY",
	       " id:key_serial buffer:>ptr buflen:size"),
	KEYCTL("KEYCTL_LINK|KEYCTL_UNLINK", " id:key_serial ringid:key_serial"),
	KEYCTL("KEYCTL_SEARCH",
	       " ringid:key_serial type:path description:path destringid:key_serial"),
	KEYCTL("KEYCTL_SET_TIMEOUT", " id:key_serial timeout:uint"),
	KEYCTL("KEYCTL_GET_PERSISTENT", " uid:uid ringid:key_serial"),
	KEYCTL("KEYCTL_MOVE", " id:key_serial from:key_serial to:key_serial flags:hex"),

	BPF("BPF_MAP_CREATE", "newfd", "bpf_map"),
	BPF("BPF_MAP_LOOKUP_ELEM|BPF_MAP_UPDATE_ELEM|BPF_MAP_LOOKUP_AND_DELETE_ELEM", "",
	    "bpf_elem"),
	BPF("BPF_MAP_DELETE_ELEM", "", "bpf_key"),
	BPF("BPF_MAP_GET_NEXT_KEY", "", "bpf_next_key"),
	BPF("BPF_MAP_FREEZE", "", "bpf_map_fd"),
	BPF("BPF_MAP_LOOKUP_BATCH|BPF_MAP_LOOKUP_AND_DELETE_BATCH|BPF_MAP_UPDATE_BATCH"
	    "|BPF_MAP_DELETE_BATCH",
	    "", "bpf_batch"),
	BPF("BPF_PROG_LOAD", "newfd", "bpf_prog"),
	BPF("BPF_OBJ_PIN", "", "bpf_object"),
	BPF("BPF_OBJ_GET", "newfd", "bpf_object"),
	BPF("BPF_PROG_ATTACH|BPF_PROG_DETACH", "", "bpf_attach"),
	BPF("BPF_PROG_TEST_RUN", "", "bpf_test"),
	BPF("BPF_PROG_GET_NEXT_ID|BPF_MAP_GET_NEXT_ID|BPF_BTF_GET_NEXT_ID|BPF_LINK_GET_NEXT_ID", "",
	    "bpf_next_id"),
	BPF("BPF_PROG_GET_FD_BY_ID|BPF_MAP_GET_FD_BY_ID|BPF_BTF_GET_FD_BY_ID|BPF_LINK_GET_FD_BY_ID",
	    "newfd", "bpf_id"),
	BPF("BPF_OBJ_GET_INFO_BY_FD", "", "bpf_info"),
	BPF("BPF_PROG_QUERY", "", "bpf_query"),
	BPF("BPF_RAW_TRACEPOINT_OPEN", "newfd", "bpf_raw_tracepoint"),
	BPF("BPF_BTF_LOAD", "newfd", "bpf_btf"),
	BPF("BPF_TASK_FD_QUERY", "", "bpf_task_fd"),
	BPF("BPF_LINK_CREATE", "newfd", "bpf_link"),
	BPF("BPF_LINK_UPDATE", "", "bpf_link_update"),
	BPF("BPF_LINK_DETACH", "", "bpf_link_fd"),
	BPF("BPF_ENABLE_STATS", "newfd", "bpf_stats"),
	BPF("BPF_ITER_CREATE", "newfd", "bpf_iter"),
	BPF("BPF_PROG_BIND_MAP", "", "bpf_bind"),

	OPTION("SOL_SOCKET", "so_option"),
	OPTION("SOL_TCP", "tcp_option"),
	OPTION("SOL_IP", "ip_option"),
	OPTION("SOL_IPV6", "ipv6_option"),
	OPTION("SOL_UDP", "udp_option"),
	OPTION("SOL_NETLINK", "netlink_option"),
	OPTION("SOL_PACKET", "packet_option"),

	FAMILY("PF_INET|PF_INET6", "ip_protocol"),
	FAMILY("PF_NETLINK", "netlink_protocol"),
	FAMILY("PF_PACKET", "ethertype"),

	{ "kcmp", "KCMP_FILE", "", "pid1:pid pid2:pid type:kcmp_type idx1:int idx2:int" },
	{ "kcmp", "KCMP_VM|KCMP_FILES|KCMP_FS|KCMP_SIGHAND|KCMP_IO|KCMP_SYSVSEM", "",
	  "pid1:pid pid2:pid type:kcmp_type" },

	{ "waitid", "P_ALL", "",
	  "which:wait_id upid:none infop:>siginfo options:wait_options ru:>@rusage#144" },
	{ "waitid", "P_PIDFD", "",
	  "which:wait_id upid:fd infop:>siginfo options:wait_options ru:>@rusage#144" },

	{ "fsconfig", "FSCONFIG_SET_FLAG", "", "fd:fd cmd:fsconfig_cmd _key:path" },
	{ "fsconfig", "FSCONFIG_SET_STRING", "", "fd:fd cmd:fsconfig_cmd _key:path _value:path" },
	{ "fsconfig", "FSCONFIG_SET_BINARY", "",
	  "fd:fd cmd:fsconfig_cmd _key:path _value:bytes[aux] aux:int" },
	{ "fsconfig", "FSCONFIG_SET_PATH|FSCONFIG_SET_PATH_EMPTY", "",
	  "fd:fd cmd:fsconfig_cmd _key:path _value:path aux:dirfd" },
	{ "fsconfig", "FSCONFIG_SET_FD", "",
	  "fd:fd cmd:fsconfig_cmd _key:path _value:none aux:fd" },
	{ "fsconfig", "FSCONFIG_CMD_CREATE|FSCONFIG_CMD_RECONFIGURE", "",
	  "fd:fd cmd:fsconfig_cmd" },

	IOCTL("FIONBIO|FIOASYNC|TIOCPKT|TIOCSPTLCK|TIOCSETD|BLKROSET", " arg:*int"),
	IOCTL("FIONREAD|TIOCOUTQ|TIOCGPTN|TIOCGPTLCK|TIOCGETD|SIOCATMARK|FIGETBSZ|BLKROGET"
	      "|BLKSSZGET|RNDGETENTCNT",
	      " arg:>*int"),
	IOCTL("TIOCGPGRP|TIOCGSID", " arg:>*pid"),
	IOCTL("TIOCSPGRP", " arg:*pid"),
	IOCTL("TIOCMGET", " arg:>*modem_bits"),
	IOCTL("TIOCMSET|TIOCMBIS|TIOCMBIC", " arg:*modem_bits"),
	IOCTL("FIOCLEX|FIONCLEX|TIOCNOTTY|TIOCEXCL|TIOCNXCL|TIOCSBRK|TIOCCBRK|TIOCCONS"
	      "|BLKFLSBUF|BLKRRPART|FIFREEZE|FITHAW",
	      ""),
	IOCTL("TIOCGWINSZ", " arg:>*winsize"),
	IOCTL("TIOCSWINSZ", " arg:*winsize"),
	IOCTL("TCSBRK|TCSBRKP|TCXONC|TCFLSH|TIOCSCTTY", " arg:int"),
	IOCTL("TCGETS", " arg:>*ktermios"),
	IOCTL("TCSETS|TCSETSW|TCSETSF", " arg:*ktermios"),
	IOCTL("FICLONE|PERF_EVENT_IOC_SET_OUTPUT|PERF_EVENT_IOC_SET_BPF|LOOP_SET_FD"
	      "|LOOP_CHANGE_FD",
	      " arg:fd"),
	IOCTL("FICLONERANGE", " arg:*file_clone_range"),
	IOCTL("FITRIM", " arg:<*fstrim_range"),
	IOCTL("FS_IOC_GETFLAGS", " arg:>*file_flags"),
	IOCTL("FS_IOC_SETFLAGS", " arg:*file_flags"),
	IOCTL("BLKGETSIZE64|PERF_EVENT_IOC_ID", " arg:>*u64.ulong"),
	IOCTL("BLKBSZGET", " arg:>*int"),
	IOCTL("BLKBSZSET", " arg:*int"),
	IOCTL("BLKGETSIZE|BLKRAGET|BLKFRAGET", " arg:>*ulong"),
	IOCTL("BLKRASET|BLKFRASET|PERF_EVENT_IOC_REFRESH", " arg:ulong"),
	IOCTL("BLKDISCARD|BLKZEROOUT|BLKSECDISCARD", " arg:*u64.ulong#2"),
	IOCTL("PERF_EVENT_IOC_PERIOD", " arg:*u64.ulong"),
	IOCTL("PERF_EVENT_IOC_SET_FILTER", " arg:path"),
	IOCTL("SIOCGIFINDEX", " arg:<*ifreq_index"),
	IOCTL("SIOCGIFFLAGS", " arg:<*ifreq_flags"),
	IOCTL("SIOCSIFFLAGS", " arg:*ifreq_flags"),
	IOCTL("TUNSETIFF", " arg:<*ifreq_tun"),
	IOCTL("SIOCGIFMETRIC", " arg:<*ifreq_metric"),
	IOCTL("SIOCSIFMETRIC", " arg:*ifreq_metric"),
	IOCTL("SIOCGIFMTU", " arg:<*ifreq_mtu"),
	IOCTL("SIOCSIFMTU", " arg:*ifreq_mtu"),
	IOCTL("SIOCGIFTXQLEN", " arg:<*ifreq_qlen"),
	IOCTL("SIOCSIFTXQLEN", " arg:*ifreq_qlen"),
	IOCTL("SIOCGIFNAME", " arg:<*ifreq_index"),
	IOCTL("SIOCGIFADDR", " arg:<*ifreq_addr"),
	IOCTL("SIOCSIFADDR", " arg:*ifreq_addr"),
	IOCTL("SIOCGIFDSTADDR", " arg:<*ifreq_dstaddr"),
	IOCTL("SIOCSIFDSTADDR", " arg:*ifreq_dstaddr"),
	IOCTL("SIOCGIFBRDADDR", " arg:<*ifreq_broadaddr"),
	IOCTL("SIOCSIFBRDADDR", " arg:*ifreq_broadaddr"),
	IOCTL("SIOCGIFNETMASK", " arg:<*ifreq_netmask"),
	IOCTL("SIOCSIFNETMASK", " arg:*ifreq_netmask"),
	IOCTL("SIOCGIFHWADDR", " arg:<*ifreq_hwaddr"),
	IOCTL("SIOCSIFHWADDR", " arg:*ifreq_hwaddr"),
	IOCTL("SIOCGIFCONF", " arg:<*ifconf"),
	IOCTL("RTC_RD_TIME", " arg:>*rtc_time"),
	IOCTL("RTC_SET_TIME", " arg:*rtc_time"),

	PTRACE("PTRACE_TRACEME", ""),
	PTRACE("PTRACE_CONT|PTRACE_SYSCALL|PTRACE_SINGLESTEP|PTRACE_DETACH",
	       " pid:pid addr:ptr data:signal"),
	PTRACE("PTRACE_ATTACH|PTRACE_KILL|PTRACE_INTERRUPT|PTRACE_LISTEN", " pid:pid"),
	PTRACE("PTRACE_SETOPTIONS|PTRACE_SEIZE", " pid:pid addr:ptr data:ptrace_options"),
};

const size_t nr_variant_texts = ARRAY_SIZE(variant_texts);
