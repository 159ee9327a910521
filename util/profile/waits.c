// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "profile/waits.h"

/* The kernel has fixed mappings in this range, and no code. */
#define WAIT_BASE 0xffffffffff400000ULL
#define WAIT_SIZE 0x100ULL

/* A name that ends with '*' stands for all that begin like that. */
static const struct {
	const char *function;
	enum wait_kind kind;
} functions[] = {
	{ "futex_wait*", WAIT_FUTEX },
	{ "__futex_wait*", WAIT_FUTEX },
	{ "do_futex", WAIT_FUTEX },
	{ "futex_lock_pi*", WAIT_FUTEX },
	{ "io_schedule*", WAIT_IO },
	{ "bit_wait_io*", WAIT_IO },
	{ "folio_wait_bit*", WAIT_IO },
	{ "wait_on_page_bit*", WAIT_IO },
	{ "submit_bio_wait", WAIT_IO },
	{ "io_cqring_wait", WAIT_IO },
	{ "jbd2_log_wait_commit", WAIT_IO },
	{ "wait_on_buffer", WAIT_IO },
	{ "do_nanosleep", WAIT_SLEEP },
	{ "hrtimer_nanosleep", WAIT_SLEEP },
	{ "common_nsleep*", WAIT_SLEEP },
	{ "msleep*", WAIT_SLEEP },
	{ "do_poll*", WAIT_POLL },
	{ "do_sys_poll", WAIT_POLL },
	{ "do_select", WAIT_POLL },
	{ "ep_poll", WAIT_POLL },
	{ "do_epoll_wait", WAIT_POLL },
	{ "pipe_read", WAIT_PIPE },
	{ "pipe_write", WAIT_PIPE },
	{ "anon_pipe_read", WAIT_PIPE },
	{ "anon_pipe_write", WAIT_PIPE },
	{ "fifo_open", WAIT_PIPE },
	{ "wait_for_partner", WAIT_PIPE },
	{ "sk_wait_data", WAIT_SOCKET },
	{ "sk_stream_wait_memory", WAIT_SOCKET },
	{ "unix_stream_*", WAIT_SOCKET },
	{ "unix_wait_for_peer", WAIT_SOCKET },
	{ "__skb_wait_for_more_packets", WAIT_SOCKET },
	{ "inet_csk_accept", WAIT_SOCKET },
	{ "tcp_recvmsg*", WAIT_SOCKET },
	{ "sock_*", WAIT_SOCKET },
	{ "do_wait", WAIT_CHILD },
	{ "kernel_wait4", WAIT_CHILD },
	{ "wait_for_vfork_done", WAIT_CHILD },
	{ "kernel_clone", WAIT_CHILD },
	{ "do_sigtimedwait", WAIT_SIGNAL },
	{ "sigsuspend", WAIT_SIGNAL },
	{ "__do_sys_pause", WAIT_SIGNAL },
	{ "__x64_sys_pause", WAIT_SIGNAL },
	{ "__arm64_sys_pause", WAIT_SIGNAL },
	{ "signalfd_read*", WAIT_SIGNAL },
	{ "n_tty_read", WAIT_TERMINAL },
	{ "n_tty_write", WAIT_TERMINAL },
	{ "__mutex_lock*", WAIT_LOCK },
	{ "mutex_lock*", WAIT_LOCK },
	{ "rwsem_down_*", WAIT_LOCK },
	{ "down_read*", WAIT_LOCK },
	{ "down_write*", WAIT_LOCK },
	{ "__down*", WAIT_LOCK },
	{ "percpu_down_*", WAIT_LOCK },
	{ "synchronize_rcu*", WAIT_LOCK },
	{ "ptrace_stop", WAIT_STOPPED },
	{ "do_signal_stop", WAIT_STOPPED },
	{ "do_freezer_trap", WAIT_STOPPED },
	{ "do_sched_yield", WAIT_YIELD },
	{ "preempt_schedule*", WAIT_PREEMPTED },
	{ "__cond_resched*", WAIT_PREEMPTED },
	{ "irqentry_exit*", WAIT_PREEMPTED },
	{ "exit_to_user_mode*", WAIT_PREEMPTED },
	{ "syscall_exit_to_user_mode*", WAIT_PREEMPTED },
	{ "do_notify_resume", WAIT_PREEMPTED },
	{ "do_task_dead", WAIT_EXIT },
	{ "do_exit", WAIT_EXIT },
};

enum wait_kind wait_of_function(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		const char *f = functions[i].function;
		size_t len = strlen(f);

		if (f[len - 1] == '*' ? !strncmp(name, f, len - 1) : !strcmp(name, f))
			return functions[i].kind;
	}
	return WAIT_NONE;
}

const char *wait_name(enum wait_kind kind)
{
	static const char *const names[NR_WAITS] = {
		[WAIT_FUTEX] = "[futex]",
		[WAIT_IO] = "[I/O]",
		[WAIT_SLEEP] = "[sleep]",
		[WAIT_POLL] = "[poll]",
		[WAIT_PIPE] = "[pipe]",
		[WAIT_SOCKET] = "[socket]",
		[WAIT_CHILD] = "[child]",
		[WAIT_SIGNAL] = "[signal]",
		[WAIT_TERMINAL] = "[terminal]",
		[WAIT_LOCK] = "[kernel lock]",
		[WAIT_STOPPED] = "[stopped]",
		[WAIT_YIELD] = "[yield]",
		[WAIT_PREEMPTED] = "[preempted]",
		[WAIT_OTHER] = "[other wait]",
		[WAIT_UNFINISHED] = "[unfinished]",
	};

	return names[kind];
}

u64 wait_address(enum wait_kind kind)
{
	return WAIT_BASE + kind * WAIT_SIZE;
}

void waits_map(struct machine *m, u64 time)
{
	for (enum wait_kind k = 0; k < NR_WAITS; k++)
		if (wait_name(k))
			machine_add_kernel_place(m, time, wait_address(k), WAIT_SIZE, "[waits]",
						 wait_name(k));
}
