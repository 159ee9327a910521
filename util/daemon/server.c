// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "daemon/server-internal.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "daemon/client.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RELOAD_PAUSE 100000000ULL /* ns after a change of a file: more of them may follow */

u64 server_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* ---- what it says ---- */

static void write_line(void *ctx __unused, const char *text)
{
	struct strbuf line = STRBUF_INIT;
	struct timespec now;
	struct tm tm;
	char date[32];
	ssize_t n;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
	strbuf_addf(&line, "[%s.%06ld] ", date, now.tv_nsec / 1000);
	strbuf_addstr(&line, text);
	strbuf_addch(&line, '\n');
	/* when there is no room for it, there is nothing else to do */
	n = write(STDERR_FILENO, strbuf_str(&line), line.len);
	(void)n;
	strbuf_release(&line);
}

void server_say(const struct daemon_server *d, const char *fmt, ...)
{
	struct strbuf line = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&line, fmt, ap);
	va_end(ap);
	d->teller.say(d->teller.ctx, strbuf_str(&line));
	strbuf_release(&line);
}

/* ---- the base directory ---- */

/* Only its owner, or root, may work in it: others could lead files elsewhere. */
static int check_owner(int dir, const char *base, struct err *err)
{
	struct stat st;

	if (fstat(dir, &st))
		return err_set(err, -errno, "cannot look at %s: %s", base, err_str(-errno));
	if (st.st_uid != geteuid())
		return err_set(err, -EPERM, "%s belongs to another user (%u)", base, st.st_uid);
	return 0;
}

static int open_base(const char *base, struct err *err)
{
	int dir, rc;

	if (mkdir(base, 0700) && errno != EEXIST)
		return err_set(err, -errno, "cannot make the base directory %s: %s", base,
			       err_str(-errno));
	dir = open(base, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
	if (dir < 0)
		return err_set(err, -errno, "cannot use the base directory %s: %s", base,
			       err_str(-errno));
	rc = check_owner(dir, base, err);
	if (rc) {
		close(dir);
		return rc;
	}
	return dir;
}

/* The lock stays with the descriptor, also in a child. */
static int take_lock(struct daemon_server *d, struct err *err)
{
	char pid[16] = "";
	ssize_t n;

	d->lock = openat(d->dir, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
	if (d->lock < 0)
		return err_set(err, -errno, "cannot open %s/lock: %s", d->opts.base,
			       err_str(-errno));
	if (!flock(d->lock, LOCK_EX | LOCK_NB))
		return 0;
	n = pread(d->lock, pid, sizeof(pid) - 1, 0);
	pid[MAX(n, (ssize_t)0)] = 0;
	pid[strcspn(pid, "\n")] = 0;
	return err_set(err, -EBUSY, "another perf daemon (pid %s) owns %s", *pid ? pid : "?",
		       d->opts.base);
}

static int write_pid(struct daemon_server *d, struct err *err)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", getpid());

	if (ftruncate(d->lock, 0) || pwrite(d->lock, text, (size_t)len, 0) != len)
		return err_set(err, -errno, "cannot write %s/lock: %s", d->opts.base,
			       err_str(-errno));
	return 0;
}

static int make_socket(struct daemon_server *d, struct err *err)
{
	if (unlinkat(d->dir, "control", 0) && errno != ENOENT)
		return err_set(err, -errno, "cannot remove the old %s/control: %s", d->opts.base,
			       err_str(-errno));
	d->listens = daemon_socket(d->opts.base, true);
	return d->listens < 0 ? err_set(err, d->listens, "cannot make the socket %s/control: %s",
					d->opts.base, err_str(d->listens))
			      : 0;
}

int daemon_server_open(struct daemon_server **out, const struct daemon_server_opts *o,
		       struct err *err)
{
	struct daemon_server *d = xzalloc(sizeof(*d));
	int rc;

	d->opts = *o;
	d->lock = d->listens = d->inotify = -1;
	d->teller.say = write_line;
	d->dir = open_base(o->base, err);
	rc = MIN(d->dir, 0);
	rc = rc ?: take_lock(d, err);
	rc = rc ?: write_pid(d, err);
	rc = rc ?: make_socket(d, err);
	if (rc) {
		daemon_server_close(d);
		return rc;
	}
	*out = d;
	return 0;
}

int daemon_server_detach(struct daemon_server *d, struct err *err)
{
	int out = openat(d->dir, "output",
			 O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0640);
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	pid_t pid;

	if (out < 0 || in < 0)
		return err_set(err, -errno, "cannot open %s/output: %s", d->opts.base,
			       err_str(-errno));
	pid = fork();
	if (pid < 0)
		return err_set(err, -errno, "cannot make a process: %s", err_str(-errno));
	if (pid) {
		close(d->listens); /* the socket is the daemon's now */
		d->listens = -1;
		return 1;
	}
	setsid();
	umask(027);
	if (chdir("/") || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(out, STDERR_FILENO) < 0)
		return err_set(err, -errno, "cannot go into the background: %s", err_str(-errno));
	close(in);
	close(out);
	return write_pid(d, err);
}

/* Whoever waits for the end learns of it when nothing is left of the daemon in its directory. */
void daemon_server_close(struct daemon_server *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->nr; i++)
		session_free(d->sessions[i]);
	free(d->sessions);
	http_close(d->http);
	server_drop_clients(d);
	event_loop_free(d->loop);
	if (d->listens >= 0) {
		unlinkat(d->dir, "control", 0);
		close(d->listens);
	}
	if (d->inotify >= 0)
		close(d->inotify);
	if (d->lock >= 0)
		close(d->lock);
	if (d->dir >= 0)
		close(d->dir);
	server_answer_stoppers(d);
	free(d->told);
	free(d->had_base);
	free(d);
}

/* ---- the configuration ---- */

static struct daemon_session *find(const struct daemon_server *d, const char *name)
{
	for (size_t i = 0; i < d->nr; i++)
		if (!strcmp(d->sessions[i]->config.name, name))
			return d->sessions[i];
	return NULL;
}

/* End the sessions that are not what the configuration says. */
static void end_others(struct daemon_server *d, const struct daemon_config *c)
{
	for (size_t i = 0; i < d->nr; i++) {
		struct daemon_session *s = d->sessions[i];
		const struct daemon_session_config *wanted = daemon_config_find(c, s->config.name);

		if (s->gone || (wanted && daemon_config_same(wanted, &s->config)))
			continue;
		server_say(d, "reconfig: session '%s' ends", s->config.name);
		s->gone = true;
		session_end(s, false);
	}
}

static void add_new(struct daemon_server *d, const struct daemon_config *c)
{
	for (u32 i = 0; i < c->nr_sessions; i++) {
		if (find(d, c->sessions[i].name))
			continue;
		d->sessions = xrealloc(d->sessions, d->nr + 1, sizeof(*d->sessions));
		d->sessions[d->nr++] = session_new(d->opts.base, &c->sessions[i]);
	}
}

/* Forget the sessions that are gone and have ended. */
static void remove_gone(struct daemon_server *d)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->nr; i++) {
		if (d->sessions[i]->gone && !d->sessions[i]->pid) {
			session_free(d->sessions[i]);
			d->changed = true; /* a new one may have its name */
		} else {
			d->sessions[kept++] = d->sessions[i];
		}
	}
	d->nr = kept;
}

static void tell_problems(struct daemon_server *d, const struct daemon_config *c)
{
	const char *line = strbuf_str(&c->problems);

	while (*line) {
		size_t len = strcspn(line, "\n");

		server_say(d, "%.*s", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

/* The base directory cannot become another one while sessions write into it. */
static void tell_other_base(struct daemon_server *d, const struct daemon_config *c)
{
	if (!c->base)
		return;
	if (d->had_base && strcmp(d->had_base, c->base))
		server_say(d,
			   "reconfig: daemon.base has become '%s', which counts when the daemon is "
			   "started again",
			   c->base);
	free(d->had_base);
	d->had_base = xstrdup(c->base);
}

/* Read the configuration and become what it says. When it cannot be read, all stays as it is. */
static void reconfigure(struct daemon_server *d)
{
	struct daemon_config c = { 0 };
	struct err e = { 0 };

	d->changed = false;
	d->reload_at = 0;
	if (d->stopping)
		return;
	if (d->opts.load(d->opts.ctx, &c, &e)) {
		server_say(d, "reconfig: %s; the sessions stay as they are", e.msg);
		return;
	}
	if (!d->told || strcmp(strbuf_str(&c.problems), d->told)) {
		tell_problems(d, &c);
		free(d->told);
		d->told = xstrdup(strbuf_str(&c.problems));
	}
	tell_other_base(d, &c);
	end_others(d, &c);
	remove_gone(d);
	add_new(d, &c);
	server_serve_metrics(d, &c);
	daemon_config_release(&c);
}

static const char *name_in(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_ours(const struct daemon_server *d, const char *name)
{
	for (size_t i = 0; i < d->opts.nr_files; i++)
		if (!strcmp(name, name_in(d->opts.files[i])))
			return true;
	return false;
}

/* Return a number that changes when a file of the configuration becomes another one. */
static u64 files_stamp(const struct daemon_server *d)
{
	u64 stamp = 0;

	for (size_t i = 0; i < d->opts.nr_files; i++) {
		struct stat st = { 0 };

		if (!stat(d->opts.files[i], &st))
			stamp += st.st_ino ^ (u64)st.st_size << 40 ^ timespec_ns(&st.st_mtim);
		stamp *= 31;
	}
	return stamp;
}

/* A change that inotify does not tell is seen by looking: behind a symbolic link, on another
 * machine's disk, or in a directory that was not there. */
static void look_at_files(struct daemon_server *d, u64 now)
{
	u64 stamp = files_stamp(d);

	if (stamp != d->stamp && !d->reload_at)
		d->reload_at = now + RELOAD_PAUSE;
	d->stamp = stamp;
}

static int on_files(void *ctx, int fd, u32 events __unused, struct err *err __unused)
{
	char text[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	struct daemon_server *d = ctx;
	ssize_t n = read(fd, text, sizeof(text));

	for (char *p = text; n > 0 && p < text + n;) {
		const struct inotify_event *e = (const struct inotify_event *)p;

		if ((e->mask & IN_Q_OVERFLOW) || (e->len && is_ours(d, e->name)))
			d->reload_at = server_now() + RELOAD_PAUSE;
		p += sizeof(*e) + e->len;
	}
	return EVENT_LOOP_GO_ON;
}

/* Files are replaced rather than written by many editors, so their directories are watched. Where
 * that cannot be done, SIGHUP still has the configuration read. */
static int watch_files(struct daemon_server *d, struct err *err)
{
	const u32 mask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE;

	d->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (d->inotify < 0) {
		server_say(d, "changes of the configuration are not noticed: %s; send SIGHUP",
			   err_str(-errno));
		return 0;
	}
	for (size_t i = 0; i < d->opts.nr_files; i++) {
		const char *path = d->opts.files[i];
		char *dir = xstrndup(path, (size_t)(name_in(path) - path));

		if (inotify_add_watch(d->inotify, *dir ? dir : ".", mask) < 0 && errno != ENOENT)
			server_say(d, "changes of %s are not noticed: %s; send SIGHUP", path,
				   err_str(-errno));
		free(dir);
	}
	return event_loop_watch(d->loop, d->inotify, EPOLLIN, on_files, d, err);
}

/* ---- running ---- */

static void reap(struct daemon_server *d)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (size_t i = 0; i < d->nr; i++)
			if (d->sessions[i]->pid == pid)
				session_ended(d->sessions[i], status, server_now(), &d->teller);
}

void server_stop(struct daemon_server *d)
{
	server_say(d, d->stopping ? "asked to end again: sessions are killed" : "daemon ends");
	for (size_t i = 0; i < d->nr; i++)
		session_end(d->sessions[i], d->stopping);
	d->stopping = true;
}

static int on_signal(void *ctx, const struct signalfd_siginfo *info, struct err *err __unused)
{
	struct daemon_server *d = ctx;

	if (info->ssi_signo == SIGCHLD)
		reap(d);
	else if (info->ssi_signo == SIGHUP)
		d->reload_at = server_now();
	else
		server_stop(d);
	return EVENT_LOOP_GO_ON;
}

static int take_signals(struct daemon_server *d, struct err *err)
{
	static const int signals[] = { SIGCHLD, SIGHUP, SIGTERM, SIGINT };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return event_loop_signals(d->loop, &set, on_signal, d, err);
}

static int prepare(struct daemon_server *d, struct err *err)
{
	int rc;

	d->loop = event_loop_new(err);
	if (!d->loop)
		return err->code;
	rc = take_signals(d, err);
	rc = rc ?: event_loop_watch(d->loop, d->listens, EPOLLIN, server_accept, d, err);
	rc = rc ?: watch_files(d, err);
	return rc;
}

static bool any_process(const struct daemon_server *d)
{
	for (size_t i = 0; i < d->nr; i++)
		if (d->sessions[i]->pid)
			return true;
	return false;
}

/* Do what is due, and return the ms until something is. */
static int tick(struct daemon_server *d)
{
	u64 now = server_now(), due = now + 1000000000ULL;

	look_at_files(d, now);
	if (d->changed || (d->reload_at && now >= d->reload_at))
		reconfigure(d);
	for (size_t i = 0; i < d->nr; i++) {
		if (!d->stopping)
			session_tick(d->sessions[i], d->opts.sysroot, now, &d->teller);
		due = MIN(due, session_due(d->sessions[i], now));
	}
	remove_gone(d);
	server_old_clients(d, now);
	if (d->reload_at)
		due = MIN(due, d->reload_at);
	return d->changed || due <= now ? 1 : (int)((due - now) / 1000000) + 1;
}

int daemon_server_run(struct daemon_server *d, struct err *err)
{
	int rc;

	server_say(d, "daemon started (pid %d)", getpid());
	d->started = server_now();
	d->stamp = files_stamp(d);
	rc = prepare(d, err);
	d->changed = true;
	while (rc >= 0 && !(d->stopping && !any_process(d))) {
		int ms = tick(d);

		rc = event_loop_wait(d->loop, ms, err);
	}
	if (rc < 0)
		server_stop(d);
	server_say(d, "daemon ended");
	return MIN(rc, 0);
}
