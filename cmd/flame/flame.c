// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cmd/flame/flame.h"

#include "base/strbuf.h"
#include "base/sysroot.h"
#include "http/http.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define TOKEN 16 /* bytes */

void flame_open(const char *what)
{
	pid_t pid;
	int status;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		sigset_t none;

		/* It may run for as long as the browser does: nobody waits. */
		if (fork())
			_exit(0);
		setsid();
		/* the browser is to end when it is told to */
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		execlp("xdg-open", "xdg-open", what, NULL);
		fprintf(stderr, "cannot start xdg-open: %s\n", err_str(-errno));
		_exit(1);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
}

static int read_page(const char *path, struct strbuf *page, struct err *err)
{
	int rc = sysroot_read(NULL, page, "%s", path);

	return rc ? err_set(err, rc, "cannot read %s: %s", path, err_str(rc)) : 0;
}

static void give_page(void *ctx, struct strbuf *out)
{
	const struct strbuf *page = ctx;

	strbuf_add(out, page->buf, page->len);
}

/* Make a path that nobody can guess: "/" and a random number. */
static int make_path(struct strbuf *path, struct err *err)
{
	u8 token[TOKEN];

	if (getrandom(token, sizeof(token), 0) != sizeof(token))
		return err_set(err, -EIO, "there are no random numbers for the address");
	strbuf_addch(path, '/');
	for (size_t i = 0; i < sizeof(token); i++)
		strbuf_hex(path, token[i], 2, 0);
	return 0;
}

/* Serve the page until a signal comes. The signal is read, so that it does not end perf later. */
static void serve(struct http *h, int sigfd)
{
	struct pollfd fds[2] = { { .fd = http_fd(h), .events = POLLIN },
				 { .fd = sigfd, .events = POLLIN } };
	struct signalfd_siginfo si;

	while (!fds[1].revents) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			break;
		http_serve(h);
	}
	(void)!read(sigfd, &si, sizeof(si));
}

int flame_serve(const char *file, bool show, struct err *err)
{
	struct strbuf page = STRBUF_INIT, path = STRBUF_INIT, address = STRBUF_INIT;
	struct http_page served = {
		.type = "text/html; charset=utf-8", .hidden = true, .put = give_page, .ctx = &page
	};
	struct http *h = NULL;
	sigset_t set, old;
	int sigfd, ret;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, &old);
	sigfd = signalfd(-1, &set, SFD_CLOEXEC);
	ret = read_page(file, &page, err);
	if (!ret)
		ret = make_path(&path, err);
	served.path = strbuf_str(&path);
	if (!ret)
		ret = http_open(&h, 0, &served, err);
	if (!ret) {
		strbuf_addf(&address, "http://127.0.0.1:%u%s", http_port(h), strbuf_str(&path));
		printf("%s\n", strbuf_str(&address));
		fflush(stdout);
		fprintf(stderr, "[ perf flame: the page is at this address until Ctrl-C ]\n");
		if (show)
			flame_open(strbuf_str(&address));
		serve(h, sigfd);
	}
	http_close(h);
	close(sigfd);
	sigprocmask(SIG_SETMASK, &old, NULL);
	strbuf_release(&page);
	strbuf_release(&path);
	strbuf_release(&address);
	return ret;
}
