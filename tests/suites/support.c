// SPDX-License-Identifier: GPL-2.0-or-later
/* Serve all suites: messages, running this program, temporary folders. */
#include "base/compat.h"

#include "base/alloc.h"
#include "suites.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void test_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int test_skip(struct test_ctx *ctx, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(ctx->reason, sizeof(ctx->reason), fmt, ap);
	va_end(ap);
	return TEST_SKIP;
}

/* In the child: never returns. */
static void exec_self(int in, int out, const char *const *argv)
{
	const char *args[64] = { "perf" };
	size_t n = 1;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setenv("PERF_CONFIG", "/dev/null", 1); /* settings of users change what is printed */
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0)
		_exit(127);
	while (*argv && n < ARRAY_SIZE(args) - 1)
		args[n++] = *argv++;
	args[n] = NULL;
	execv("/proc/self/exe", (char *const *)(uintptr_t)args);
	_exit(127);
}

/* Feed @in and collect what comes out of @out until it is closed. */
static void pump(int in, const char *data, size_t len, int out, struct strbuf *sb)
{
	struct pollfd fds[2] = { { .fd = out, .events = POLLIN }, { .fd = in, .events = POLLOUT } };
	char buf[65536];

	fcntl(in, F_SETFL, O_NONBLOCK);
	while (fds[0].fd >= 0 && (poll(fds, 2, -1) >= 0 || errno == EINTR)) {
		if (fds[1].fd >= 0 && fds[1].revents) {
			ssize_t n = len ? write(in, data, len) : 0;

			if (n > 0) {
				data += n;
				len -= (size_t)n;
			} else if (n == 0 || errno != EAGAIN) {
				close(in);
				fds[1].fd = -1;
			}
		}
		if (fds[0].revents) {
			ssize_t n = read(out, buf, sizeof(buf));

			if (n > 0)
				strbuf_add(sb, buf, (size_t)n);
			else if (n == 0 || errno != EINTR)
				fds[0].fd = -1;
		}
	}
	if (fds[1].fd >= 0)
		close(in);
	close(out);
}

pid_t test_start(int in, int out, const char *const *argv)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		test_say("fork: %s", strerror(errno));
	if (pid == 0) {
		signal(SIGPIPE, SIG_DFL);
		exec_self(in < 0 ? open("/dev/null", O_RDONLY) : in, out, argv);
	}
	return pid;
}

int test_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int test_perf(struct test_run *run, const void *stdin_data, size_t in_len, const char *const *argv)
{
	int in[2], out[2];
	pid_t pid;

	memset(run, 0, sizeof(*run));
	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) {
		test_say("pipe: %s", strerror(errno));
		return TEST_FAIL;
	}
	signal(SIGPIPE, SIG_IGN);
	pid = test_start(stdin_data ? in[0] : -1, out[1], argv);
	close(in[0]);
	close(out[1]);
	pump(in[1], stdin_data, in_len, out[0], &run->out);
	if (pid < 0)
		return TEST_FAIL;
	run->status = test_wait(pid);
	return 0;
}

int test_put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");
	bool fine = f && fputs(text, f) >= 0;

	if (f && fclose(f))
		fine = false;
	if (!fine)
		test_say("%s: %s", path, strerror(errno));
	return fine ? TEST_OK : TEST_FAIL;
}

int test_put_below(const char *dir, const char *path, const char *text)
{
	char *full = xasprintf("%s/%s", dir, path);
	int ret;

	for (char *p = full + strlen(dir) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		if (mkdir(full, 0700) && errno != EEXIST)
			test_say("%s: %s", full, strerror(errno));
	}
	ret = test_put_file(full, text);
	free(full);
	return ret;
}

char *test_tmpdir(void)
{
	const char *base = getenv("TMPDIR");
	char *path = xasprintf("%s/perf-test-XXXXXX", base && *base ? base : "/tmp");

	if (mkdtemp(path))
		return path;
	test_say("%s: %s", path, strerror(errno));
	free(path);
	return NULL;
}

static int remove_one(const char *path, const struct stat *st __unused, int flag __unused,
		      struct FTW *at __unused)
{
	return remove(path);
}

void test_rmdir(char *dir)
{
	if (dir)
		nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(dir);
}
