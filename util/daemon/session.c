// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "daemon/session.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "daemon/dumps.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND 1000000000ULL
#define PAUSE_MOST 60
#define LIVED_WELL (60 * SECOND) /* failures before that do not count any more */

/* ---- plans ---- */

u64 session_pause(u32 failures)
{
	u64 s = failures && failures < 8 ? 1ULL << (failures - 1) : PAUSE_MOST;

	return MIN(s, (u64)PAUSE_MOST) * SECOND;
}

bool session_window(u64 every, u64 window, u64 since, u64 *change)
{
	u64 at = every ? since % every : 0;

	if (!every) {
		*change = UINT64_MAX;
		return true;
	}
	*change = since - at + (at < window ? window : every);
	return at < window;
}

/* ---- a session ---- */

static struct daemon_session_config copy_config(const struct daemon_session_config *c)
{
	struct daemon_session_config copy = *c;

	copy.name = xstrdup(c->name);
	copy.run = xstrdup(c->run);
	return copy;
}

struct daemon_session *session_new(const char *base, const struct daemon_session_config *c)
{
	struct daemon_session *s = xzalloc(sizeof(*s));
	struct strbuf dir = STRBUF_INIT;

	strbuf_addf(&dir, "%s/session-%s", base, c->name);
	s->config = copy_config(c);
	s->state = SESSION_WAITS;
	s->dir = strbuf_detach(&dir);
	s->control = s->ack = -1;
	return s;
}

static void close_fifos(struct daemon_session *s)
{
	if (s->control >= 0)
		close(s->control);
	if (s->ack >= 0)
		close(s->ack);
	s->control = s->ack = -1;
}

static void forget_watches(struct daemon_session *s)
{
	for (u32 i = 0; i < ARRAY_SIZE(s->watches); i++)
		trigger_watch_release(&s->watches[i]);
}

void session_free(struct daemon_session *s)
{
	close_fifos(s);
	forget_watches(s);
	free(s->config.name);
	free(s->config.run);
	free(s->dir);
	free(s);
}

/* ---- the channel ---- */

/* Make a fifo and open it, for both ends, so that neither opening nor the other end's death blocks
 * or fails. */
static int open_fifo(int dir, const char *name)
{
	int fd;

	if (unlinkat(dir, name, 0) && errno != ENOENT)
		return -errno;
	if (mkfifoat(dir, name, 0600))
		return -errno;
	fd = openat(dir, name, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	return fd < 0 ? -errno : fd;
}

static void drain(int fd)
{
	char old[512];

	while (read(fd, old, sizeof(old)) > 0)
		;
}

static int send_command(struct daemon_session *s, const char *command)
{
	size_t len = strlen(command);

	if (s->control < 0 || !s->pid)
		return -ESRCH;
	drain(s->ack);
	return write(s->control, command, len) == (ssize_t)len ? 0 : -EAGAIN;
}

int session_ping(struct daemon_session *s)
{
	return send_command(s, "ping\n");
}

bool session_pong(struct daemon_session *s, u64 until)
{
	struct pollfd p = { .fd = s->ack, .events = POLLIN };
	char text[8];

	for (;;) {
		u64 now = clock_ns(CLOCK_MONOTONIC);

		if (s->ack < 0 || now >= until)
			return false;
		if (poll(&p, 1, (int)((until - now) / 1000000) + 1) > 0)
			return read(s->ack, text, sizeof(text)) > 0;
	}
}

/* ---- its process ---- */

/* Become perf record; this is called in the child of @daemon. */
static _Noreturn void become(pid_t daemon, int dir, const char *const *argv)
{
	sigset_t none;
	int out;

	/* when the daemon is killed, data are written still; it may have been just now */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != daemon)
		_exit(126);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	out = openat(dir, "output", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0640);
	if (out < 0 || fchdir(dir) || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
		_exit(126);
	close(out);
	execv("/proc/self/exe", (char *const *)(uintptr_t)argv);
	dprintf(STDERR_FILENO, "failed to start perf record: %s\n", strerror(errno));
	_exit(127);
}

static void make_argv(const struct daemon_session *s, const struct names *words, const char **argv)
{
	size_t n = 0;

	argv[n++] = "perf";
	argv[n++] = "record";
	argv[n++] = "--control=fifo:control,ack";
	if (s->config.every)
		argv[n++] = "--delay=-1"; /* windows enable the events */
	for (size_t i = 0; i < words->nr; i++)
		argv[n++] = words->v[i];
	argv[n] = NULL;
}

static int spawn(struct daemon_session *s, int dir, struct err *err)
{
	struct names words = { 0 };
	pid_t pid, daemon = getpid();
	const char **argv;
	int rc = daemon_words(s->config.run, &words, err);

	if (rc) {
		names_release(&words);
		return rc;
	}
	argv = xcalloc(words.nr + 5, sizeof(*argv));
	make_argv(s, &words, argv);
	pid = fork();
	if (!pid)
		become(daemon, dir, argv);
	rc = pid < 0 ? err_set(err, -errno, "cannot make a process: %s", err_str(-errno)) : 0;
	s->pid = MAX(pid, 0);
	free(argv);
	names_release(&words);
	return rc;
}

static int open_dir(const struct daemon_session *s, struct err *err)
{
	int dir, rc;

	rc = mkdir(s->dir, 0700) && errno != EEXIST ? -errno : 0;
	dir = rc ? rc : open(s->dir, O_DIRECTORY | O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (!rc && dir < 0)
		dir = -errno;
	return dir < 0 ? err_set(err, dir, "cannot use the directory %s: %s", s->dir, err_str(dir))
		       : dir;
}

int session_start(struct daemon_session *s, u64 now, struct err *err)
{
	int rc, dir = open_dir(s, err);

	if (dir < 0)
		return dir;
	close_fifos(s);
	s->control = open_fifo(dir, "control");
	s->ack = open_fifo(dir, "ack");
	rc = MIN(s->control, s->ack);
	if (rc < 0)
		rc = err_set(err, rc, "cannot make fifos in %s: %s", s->dir, err_str(rc));
	else
		rc = spawn(s, dir, err);
	close(dir);
	if (rc < 0) {
		close_fifos(s);
		return rc;
	}
	s->state = SESSION_RUNS;
	s->started = now;
	s->counts = !s->config.every;
	s->over = false;
	s->cpu_at = 0;
	return 0;
}

static void say(const struct daemon_teller *t, const char *fmt, ...) __printf(2, 3);
static void say(const struct daemon_teller *t, const char *fmt, ...)
{
	struct strbuf line = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&line, fmt, ap);
	va_end(ap);
	t->say(t->ctx, strbuf_str(&line));
	strbuf_release(&line);
}

/* Plan the next try of a session that cannot run. @ran: its process was there, and has ended */
static void wait_for_next(struct daemon_session *s, u64 now, bool ran,
			  const struct daemon_teller *t)
{
	s->failures++;
	s->state = SESSION_WAITS;
	s->due = now + session_pause(s->failures);
	say(t, "session '%s' is started again in %" PRIu64 " s%s%s%s", s->config.name,
	    (u64)(session_pause(s->failures) / SECOND), ran ? ", its output is in " : "",
	    ran ? s->dir : "", ran ? "/output" : "");
}

void session_ended(struct daemon_session *s, int status, u64 now, const struct daemon_teller *t)
{
	bool told_to = s->state == SESSION_ENDS;

	if (WIFSIGNALED(status))
		say(t, "session '%s' killed (signal %d)", s->config.name, WTERMSIG(status));
	else
		say(t, "session '%s' exited, status=%d", s->config.name, WEXITSTATUS(status));
	s->pid = 0;
	s->status = status;
	close_fifos(s);
	forget_watches(s);
	if (now - s->started > LIVED_WELL)
		s->failures = 0;
	if (told_to || !status)
		s->state = SESSION_DONE;
	else
		wait_for_next(s, now, true, t);
}

int session_signal(struct daemon_session *s)
{
	if (!s->pid)
		return -ESRCH;
	if (kill(s->pid, SIGUSR2))
		return -errno;
	s->dumps++;
	return 0;
}

void session_end(struct daemon_session *s, bool hard)
{
	s->state = s->pid ? SESSION_ENDS : SESSION_DONE;
	if (s->pid)
		kill(s->pid, hard ? SIGKILL : SIGTERM);
}

/* ---- what is due ---- */

static void set_counting(struct daemon_session *s, bool on)
{
	if (s->counts != on && !send_command(s, on ? "enable\n" : "disable\n"))
		s->counts = on;
}

/* Return the CPU time of its process so far; utime and stime are fields 14 and 15 of
 * /proc/PID/stat (proc(5)). */
static u64 cpu_time(const struct daemon_session *s, const struct sysroot *sr)
{
	unsigned long user, sys;
	struct strbuf text = STRBUF_INIT;
	const char *after;
	u64 ns = 0;

	if (!sysroot_read(sr, &text, "/proc/%d/stat", s->pid)) {
		after = strrchr(strbuf_str(&text), ')');
		if (after &&
		    sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
			   &sys) == 2)
			ns = (u64)(user + sys) * (SECOND / (u64)sysconf(_SC_CLK_TCK));
	}
	strbuf_release(&text);
	return ns;
}

/* Look once in five seconds whether it takes more CPU than it may. It counts again when a pause
 * has brought its mean since the last look below that. */
static void look_at_budget(struct daemon_session *s, const struct sysroot *sr, u64 now,
			   const struct daemon_teller *t)
{
	u64 cpu;

	if (s->cpu_at && now - s->cpu_at < 5 * SECOND)
		return;
	cpu = cpu_time(s, sr);
	if (s->cpu_at && cpu >= s->cpu_ns) {
		bool over;

		s->cpu_share = (u32)((cpu - s->cpu_ns) * 1000 / (now - s->cpu_at));
		over = s->config.rate && s->cpu_share > s->config.rate;
		if (over && !s->over)
			say(t, "session '%s' took %.1f%% of a CPU, more than %.1f%%: it pauses",
			    s->config.name, s->cpu_share / 10.0, s->config.rate / 10.0);
		if (over) {
			s->over = true;
			return; /* the mean goes on from the last look */
		}
		s->over = false;
	}
	s->cpu_ns = cpu;
	s->cpu_at = now;
}

static void look_at_reasons(struct daemon_session *s, const struct sysroot *sr, u64 now,
			    const struct daemon_teller *t)
{
	for (u32 i = 0; i < s->config.nr_triggers; i++) {
		struct err e = { 0 };
		int rc = trigger_look(&s->config.triggers[i], &s->watches[i], sr, now, &e);

		if (rc < 0 && !s->told[i])
			say(t, "session '%s': %s", s->config.name, e.msg);
		s->told[i] = rc < 0;
		if (rc > 0 && !session_signal(s))
			say(t, "session '%s' dumps: %s", s->config.name,
			    s->config.triggers[i].text);
	}
}

void session_tick(struct daemon_session *s, const struct sysroot *sr, u64 now,
		  const struct daemon_teller *t)
{
	const struct daemon_session_config *c = &s->config;
	struct err e = { 0 };
	u64 change;

	if (s->state == SESSION_WAITS && now >= s->due) {
		if (session_start(s, now, &e)) {
			say(t, "session '%s': %s", c->name, e.msg);
			wait_for_next(s, now, false, t);
		} else {
			say(t, "running session [%s:%d]: %s", c->name, s->pid, c->run);
		}
	}
	if (s->state != SESSION_RUNS)
		return;
	look_at_budget(s, sr, now, t);
	set_counting(s, !s->over && session_window(c->every, c->window, now - s->started, &change));
	look_at_reasons(s, sr, now, t);
	if (c->keep.files || c->keep.bytes || c->keep.age)
		dumps_remove(s->dir, &c->keep);
}

u64 session_due(const struct daemon_session *s, u64 now)
{
	u64 change = UINT64_MAX, due = now + SECOND;

	if (s->state == SESSION_WAITS)
		return MIN(due, MAX(s->due, now));
	if (s->state == SESSION_RUNS && s->config.every) {
		session_window(s->config.every, s->config.window, now - s->started, &change);
		due = MIN(due, s->started + change);
	}
	return due;
}
