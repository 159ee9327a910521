// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "triage/kinds.h"

#include <linux/futex.h>

static const struct {
	const char *name;
	enum triage_class class;
} kinds[TRIAGE_KINDS] = {
	[TRIAGE_USER] = { "cpu", TRIAGE_WORK },
	[TRIAGE_SYSCALL] = { "system-calls", TRIAGE_WORK },
	[TRIAGE_FAULT] = { "page-faults", TRIAGE_LOSS },
	[TRIAGE_INTERRUPT] = { "interrupts", TRIAGE_LOSS },
	[TRIAGE_QUEUE] = { "run-queue", TRIAGE_LOSS },
	[TRIAGE_DISK] = { "disk", TRIAGE_LOSS },
	[TRIAGE_LOCK] = { "kernel-lock", TRIAGE_LOSS },
	[TRIAGE_FUTEX] = { "user-lock", TRIAGE_LOSS },
	[TRIAGE_NET] = { "network", TRIAGE_LOSS },
	[TRIAGE_PEER] = { "other-process", TRIAGE_LOSS },
	[TRIAGE_CHILD] = { "child", TRIAGE_PASSIVE },
	[TRIAGE_THREADS] = { "other-threads", TRIAGE_PASSIVE },
	[TRIAGE_SLEEP] = { "sleep", TRIAGE_IDLE },
	[TRIAGE_POLL] = { "idle", TRIAGE_IDLE },
	[TRIAGE_INPUT] = { "terminal", TRIAGE_IDLE },
	[TRIAGE_SIGNAL] = { "signal", TRIAGE_IDLE },
	[TRIAGE_OTHER] = { "unknown", TRIAGE_LOSS },
};

const char *triage_kind_name(enum triage_kind kind)
{
	return kinds[kind].name;
}

enum triage_class triage_kind_class(enum triage_kind kind)
{
	return kinds[kind].class;
}

/* ---- functions ---- */

/* Functions of a kind; a star stands for any end of a name. */
struct functions {
	enum triage_kind kind;
	const char *names[24];
};

/* The innermost function of a chain that is in this table tells what is waited for. */
static const struct functions waits[] = {
	{ TRIAGE_FUTEX, { "futex_wait*", "__futex_wait*", "futex_lock_pi*", "do_futex" } },
	{ TRIAGE_LOCK,
	  { "rwsem_down_*", "__mutex_lock*", "mutex_lock*", "__down*", "down_read*", "down_write*",
	    "percpu_down_*", "__percpu_down_*", "percpu_rwsem_wait*", "rt_mutex_*", "rwbase_*",
	    "queued_*_lock_slowpath" } },
	{ TRIAGE_DISK,
	  { "io_schedule*",
	    "blk_*",
	    "__blk_*",
	    "submit_bio*",
	    "folio_wait_*",
	    "wait_on_page*",
	    "__wait_on_buffer",
	    "bit_wait_io*",
	    "jbd2_*",
	    "balance_dirty_pages*",
	    "blkdev_*",
	    "xfs_log_*",
	    "btrfs_*",
	    "rq_qos_wait",
	    "wait_for_completion_io*",
	    "ext4_*",
	    "__iomap_dio_rw",
	    "file_write_and_wait*",
	    "nfs_*",
	    "p9_*",
	    "fuse_*",
	    "f2fs_*",
	    "sync_inodes_sb" } },
	{ TRIAGE_SLEEP, { "hrtimer_nanosleep", "do_nanosleep", "common_nsleep*", "msleep*" } },
	{ TRIAGE_CHILD,
	  { "do_wait", "kernel_wait4", "kernel_waitid*", "wait_for_vfork_done", "kernel_clone" } },
	{ TRIAGE_NET,
	  { "sk_wait_data", "tcp_*", "inet_*", "udp_*", "__udp_*", "__skb_wait_*", "sk_stream_*",
	    "inet6_*", "udpv6_*", "raw_recvmsg", "packet_recvmsg", "vsock_*", "mptcp_*" } },
	{ TRIAGE_PEER,
	  { "unix_*", "__unix_*", "pipe_*", "anon_pipe_*", "fifo_*", "wait_for_partner",
	    "eventfd_*", "do_msgrcv", "do_msgsnd", "__do_semtimedop", "do_semtimedop",
	    "wq_sleep" } },
	{ TRIAGE_POLL,
	  { "poll_schedule_timeout*", "do_poll*", "do_sys_poll", "do_select", "ep_poll*",
	    "do_epoll_*", "io_cqring_*", "io_wq_*", "worker_thread", "smpboot_thread_fn",
	    "rcu_gp_*", "kswapd*", "kjournald2", "read_events", "inotify_read", "timerfd_read*",
	    "signalfd_*", "devkmsg_read" } },
	{ TRIAGE_INPUT, { "n_tty_read", "n_tty_write", "tty_*" } },
	{ TRIAGE_SIGNAL,
	  { "sigsuspend", "do_sigtimedwait", "ksys_sigsuspend", "do_signal_stop", "ptrace_stop",
	    "__do_sys_pause", "__x64_sys_pause", "do_freezer_trap" } },
};

/* Any of these in a chain means that the kernel handles a page fault. */
static const struct functions faults = {
	TRIAGE_FAULT,
	{ "asm_exc_page_fault", "exc_page_fault", "do_user_addr_fault", "handle_mm_fault",
	  "__handle_mm_fault", "do_page_fault", "do_mem_abort", "el0_da", "el0_ia",
	  "handle_userfault", "do_translation_fault", "handle_page_fault" },
};

static const struct functions spins = {
	TRIAGE_LOCK,
	{ "native_queued_spin_lock_slowpath*", "queued_spin_lock_slowpath*",
	  "__pv_queued_spin_lock_slowpath*", "osq_lock", "rwsem_spin_on_owner*",
	  "mutex_spin_on_owner*", "queued_read_lock_slowpath*", "queued_write_lock_slowpath*",
	  "pv_wait_*", "rwsem_optimistic_spin*" },
};

static const struct functions interrupts = {
	TRIAGE_INTERRUPT,
	{ "__do_softirq", "handle_softirqs", "irq_exit_rcu", "__irq_exit_rcu", "common_interrupt",
	  "__common_interrupt", "asm_common_interrupt", "sysvec_*", "__sysvec_*", "asm_sysvec_*",
	  "handle_irq_event*", "el1_interrupt", "el0_interrupt", "gic_handle_irq" },
};

/* Tell whether a function is that of a pattern, or a clone of it that the compiler made. */
static bool fits(const char *name, const char *pattern)
{
	size_t len = strcspn(pattern, "*");

	if (strncmp(name, pattern, len))
		return false;
	if (pattern[len] == '*' && pattern[len + 1]) /* a star in the middle */
		return strstr(name + len, pattern + len + 1);
	return pattern[len] || !name[len] || name[len] == '.';
}

static bool is_among(const struct functions *f, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(f->names) && f->names[i]; i++)
		if (fits(name, f->names[i]))
			return true;
	return false;
}

static bool any_among(const struct functions *f, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (names[i] && is_among(f, names[i]))
			return true;
	return false;
}

/* ---- waits ---- */

enum triage_futex triage_futex_of(u64 op, u64 value)
{
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_LOCK_PI:
	case 13: /* FUTEX_LOCK_PI2, which older headers lack */
		return TRIAGE_FUTEX_LOCK;
	case FUTEX_WAIT:
		return (u32)value == 2 ? TRIAGE_FUTEX_LOCK : TRIAGE_FUTEX_EVENT;
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAIT_REQUEUE_PI:
		return TRIAGE_FUTEX_EVENT;
	}
	return TRIAGE_FUTEX_UNKNOWN;
}

static enum triage_kind innermost(const char *const *names, size_t nr, size_t *at)
{
	for (*at = 0; *at < nr; (*at)++)
		for (size_t k = 0; names[*at] && k < ARRAY_SIZE(waits); k++)
			if (is_among(&waits[k], names[*at]))
				return waits[k].kind;
	return TRIAGE_OTHER;
}

enum triage_kind triage_wait_kind(const char *const *names, size_t nr, char state,
				  enum triage_futex futex, size_t *at)
{
	enum triage_kind kind = innermost(names, nr, at);

	if (kind == TRIAGE_FUTEX && futex == TRIAGE_FUTEX_EVENT)
		return TRIAGE_THREADS;
	if (kind == TRIAGE_OTHER && (state == 'T' || state == 't'))
		return TRIAGE_SIGNAL;
	if (kind == TRIAGE_OTHER && state == 'I') /* threads of the kernel without work */
		return TRIAGE_POLL;
	if ((kind == TRIAGE_DISK || kind == TRIAGE_OTHER) && any_among(&faults, names, nr))
		return TRIAGE_FAULT;
	return kind;
}

/* ---- on a CPU ---- */

enum triage_kind triage_cpu_kind(const char *const *names, size_t nr)
{
	if (!nr)
		return TRIAGE_USER;
	if (any_among(&interrupts, names, nr))
		return TRIAGE_INTERRUPT;
	if (any_among(&spins, names, nr))
		return TRIAGE_LOCK;
	if (any_among(&faults, names, nr))
		return TRIAGE_FAULT;
	return TRIAGE_SYSCALL;
}

const char *triage_syscall_name(const char *const *names, size_t nr)
{
	static const char *const starts[] = { "__x64_sys_",   "__arm64_sys_", "__se_sys_",
					      "__do_sys_",    "__ia32_sys_",  "ksys_",
					      "__riscv_sys_", "__s390x_sys_" };

	for (size_t i = nr; i-- > 0;)
		for (size_t k = 0; names[i] && k < ARRAY_SIZE(starts); k++)
			if (!strncmp(names[i], starts[k], strlen(starts[k])))
				return names[i] + strlen(starts[k]);
	return NULL;
}
