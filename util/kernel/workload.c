// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fork, wait, exec. There are two pipes: the gate releases the child, and the other one carries the
 * errno of a failed exec.
 */
#include "base/compat.h"
#include "kernel/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* The bytes that are written to the gate: run, or stop after the exec. */
enum { GO, GO_HELD };

static void direct(enum workload_output output)
{
	int null;

	if (output == WORKLOAD_OUTPUT_TO_STDERR)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	if (output != WORKLOAD_OUTPUT_HIDDEN)
		return;
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null < 0)
		return;
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close(null);
}

static void child(int gate, int exec_err, char *const argv[], const sigset_t *mask,
		  enum workload_output output)
{
	int code;
	char go;

	prctl(PR_SET_NAME, "perf-exec");
	/* The gate is closed without a byte when the recorder has given up or died. */
	while ((code = (int)read(gate, &go, 1)) < 0 && errno == EINTR)
		;
	if (code != 1)
		_exit(0);
	sigprocmask(SIG_SETMASK, mask, NULL);
	direct(output);
	if (go != GO_HELD || !ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		execvp(argv[0], argv);
	code = errno;
	(void)!write(exec_err, &code, sizeof(code));
	_exit(127);
}

int workload_prepare(struct workload *w, char *const argv[], const sigset_t *mask,
		     enum workload_output output, struct err *err)
{
	int gate[2], exec_err[2];

	memset(w, 0, sizeof(*w));
	w->gate = w->exec_err = -1;
	if (pipe2(gate, O_CLOEXEC) < 0)
		return err_set(err, -errno, "failed to create a pipe: %s", err_str(-errno));
	if (pipe2(exec_err, O_CLOEXEC) < 0) {
		close(gate[0]);
		close(gate[1]);
		return err_set(err, -errno, "failed to create a pipe: %s", err_str(-errno));
	}
	fflush(NULL);
	w->pid = fork();
	if (!w->pid) {
		close(gate[1]);
		close(exec_err[0]);
		child(gate[0], exec_err[1], argv, mask, output);
	}
	close(gate[0]);
	close(exec_err[1]);
	w->gate = gate[1];
	w->exec_err = exec_err[0];
	if (w->pid < 0) {
		int code = -errno;

		w->pid = 0;
		workload_cancel(w);
		return err_set(err, code, "failed to fork: %s", err_str(code));
	}
	return 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int start(struct workload *w, char how, struct err *err)
{
	int code = 0;
	ssize_t n;

	if (!w->pid)
		return 0;
	while (write(w->gate, &how, 1) < 0 && errno == EINTR)
		;
	close_fd(&w->gate);
	while ((n = read(w->exec_err, &code, sizeof(code))) < 0 && errno == EINTR)
		;
	close_fd(&w->exec_err);
	if (n != sizeof(code))
		return 0;
	workload_wait(w);
	return err_set(err, -code, "%s", err_str(-code));
}

int workload_start(struct workload *w, struct err *err)
{
	return start(w, GO, err);
}

int workload_start_held(struct workload *w, struct err *err)
{
	int rc = start(w, GO_HELD, err);

	while (!rc && w->pid && waitpid(w->pid, &w->status, 0) < 0 && errno == EINTR)
		;
	return rc;
}

int workload_step(struct workload *w)
{
	/* distinguishes system calls from signals, which are delivered */
	const int of_call = SIGTRAP | 0x80;
	long sig = 0;

	if (!w->pid || ptrace(PTRACE_SETOPTIONS, w->pid, NULL, PTRACE_O_TRACESYSGOOD))
		return w->pid ? -errno : -ECHILD;
	do {
		if (ptrace(PTRACE_SYSCALL, w->pid, NULL, sig))
			return -errno;
		while (waitpid(w->pid, &w->status, 0) < 0)
			if (errno != EINTR)
				return -errno;
		if (!WIFSTOPPED(w->status)) {
			w->ended = true;
			return -ECHILD;
		}
		sig = WSTOPSIG(w->status);
	} while (sig != of_call);
	return 0;
}

void workload_let_go(struct workload *w)
{
	if (w->pid)
		ptrace(PTRACE_DETACH, w->pid, NULL, NULL);
}

bool workload_poll(struct workload *w)
{
	if (w->pid && !w->ended && waitpid(w->pid, &w->status, WNOHANG) == w->pid)
		w->ended = true;
	return w->ended;
}

void workload_term(struct workload *w)
{
	if (w->pid && !workload_poll(w))
		kill(w->pid, SIGTERM);
}

void workload_wait(struct workload *w)
{
	if (!w->pid)
		return;
	close_fd(&w->gate);
	if (workload_poll(w))
		return;
	while (waitpid(w->pid, &w->status, 0) < 0 && errno == EINTR)
		;
	w->ended = true;
}

void workload_block_signals(sigset_t *set, sigset_t *before)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD };

	sigemptyset(set);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(set, signals[i]);
	sigprocmask(SIG_BLOCK, set, before);
}

int workload_wait_signal(struct workload *w, const sigset_t *set)
{
	for (;;) {
		int sig = sigwaitinfo(set, NULL);

		if (w->pid && workload_poll(w))
			return sig == SIGCHLD ? 0 : sig;
		if (sig < 0 || sig == SIGCHLD)
			continue;
		if (w->pid) {
			workload_term(w);
			workload_wait(w);
		}
		return sig;
	}
}

int workload_run(struct workload *w, const char *name, const sigset_t *set, int *signal,
		 struct err *err)
{
	int ret = w->pid ? workload_start(w, err) : 0;

	if (ret)
		return err_set(err, ret, "Workload failed: %s: %s", name, err_str(ret));
	*signal = workload_wait_signal(w, set);
	return 0;
}

int workload_around(char *const argv[], enum workload_output output, workload_work work, void *ctx,
		    struct err *err)
{
	struct workload w = { 0 };
	sigset_t set, before;
	int ret = 0;

	workload_block_signals(&set, &before);
	if (argv[0])
		ret = workload_prepare(&w, argv, &before, output, err);
	if (!ret)
		ret = work(ctx, &w, &set, err);
	if (ret && w.pid)
		workload_cancel(&w);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}

void workload_cancel(struct workload *w)
{
	close_fd(&w->gate);
	close_fd(&w->exec_err);
	workload_wait(w);
}
