// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat --live: when the terminal is drawn. What is on it comes from stattext/live.c. Nothing
 * here or in the rooms ends the process while the screen is ours. */
#include "base/compat.h"
#include "cmd/stat/stat.h"

static void draw(struct stat_cmd *s)
{
	struct stat_live *l = &s->live;
	struct live_screen screen = { .utf8 = l->terminal.utf8 };
	struct strbuf title = STRBUF_INIT, out = STRBUF_INIT;

	if (!l->terminal.on)
		return;
	terminal_size(&l->terminal, &screen.width, &screen.height);
	live_title(l->time, s->o.interval, s->o.command, &title);
	live_draw(&l->live, &s->view, &s->results->last, &screen, strbuf_str(&title), &out);
	terminal_put(&l->terminal, strbuf_str(&out));
	strbuf_release(&title);
	strbuf_release(&out);
}

void live_interval(struct stat_cmd *s, u64 time)
{
	struct stat_live *l = &s->live;

	if (!l->asked)
		return;
	/* another run starts from 0 */
	live_take(&l->live, &s->results->last, time > l->time ? time - l->time : time);
	l->time = time;
	draw(s);
}

static int on_keys(void *ctx, int fd, u32 events, struct err *err)
{
	const struct stat_cmd *s = ctx;

	return terminal_key(&s->live.terminal, 'q') ? STAT_QUIT : STAT_GO_ON;
}

static int enter(struct stat_cmd *s, struct err *err)
{
	struct terminal *t = &s->live.terminal;

	terminal_enter(t);
	draw(s);
	return t->raw ? event_loop_watch(stat_run_loop(s->run), t->keys, EPOLLIN, on_keys, s, err)
		      : 0;
}

void live_leave(struct stat_cmd *s)
{
	struct terminal *t = &s->live.terminal;

	if (t->on && t->raw)
		event_loop_forget(stat_run_loop(s->run), t->keys);
	terminal_leave(t);
}

static int on_signal(void *ctx, const struct signalfd_siginfo *info, struct err *err)
{
	struct stat_cmd *s = ctx;

	if (info->ssi_signo == SIGTSTP) {
		/* Ctrl-Z: the shell is to have its screen meanwhile */
		live_leave(s);
		raise(SIGSTOP);
		return enter(s, err);
	}
	draw(s);
	return info->ssi_signo == SIGWINCH ? STAT_GO_ON
					   : stat_run_signal(s->run, (int)info->ssi_signo);
}

int live_start(struct stat_cmd *s, struct err *err)
{
	struct stat_live *l = &s->live;
	sigset_t set;
	int rc;

	if (!l->asked)
		return 0;
	l->asked = terminal_open(&l->terminal, fileno(s->out.file));
	if (!l->asked) {
		fputs("--live: the output is no terminal: rows are printed\n", stderr);
		return 0;
	}
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	rc = event_loop_signals(stat_run_loop(s->run), &set, on_signal, s, err);
	/* what was on the screen is gone in the end */
	s->out.summary = true;
	return rc ? rc : enter(s, err);
}

void live_end(struct stat_cmd *s)
{
	if (s->live.asked)
		terminal_close(&s->live.terminal);
	live_release(&s->live.live);
}
