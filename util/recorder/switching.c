// SPDX-License-Identifier: GPL-2.0-or-later
/* Watch for triggers that switch the output, and name its files. */
#include "base/compat.h"
#include "recorder/switching.h"

#include "base/alloc.h"
#include "file/keep-old.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

/* --- the names of files ---------------------------------------------------------- */

/* Return the path with a time like "20261121174249" and hundredths of a second, or microseconds
 * when that name is taken. The order of names is that of time. */
static char *stamped_name(const char *path)
{
	struct timespec now;
	char day[32], *name;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(day, sizeof(day), "%Y%m%d%H%M%S", &tm);
	name = xasprintf("%s.%s%02ld", path, day, now.tv_nsec / 10000000);
	for (long us = now.tv_nsec / 1000; !access(name, F_OK); us++) {
		free(name);
		/* six digits; in the unlikely case of more they are one more */
		name = xasprintf("%s.%s%06ld", path, day, us);
	}
	return name;
}

static void remove_oldest(struct rotation *r, const struct notices *always)
{
	int rc = recording_remove(r->files[0]);

	/* somebody else may have been faster */
	if (rc && rc != -ENOENT)
		notice(always, "Warning:\nfailed to remove %s: %s\n", r->files[0], err_str(rc));
	free(r->files[0]);
	memmove(r->files, r->files + 1, --r->nr * sizeof(*r->files));
}

char *rotation_rename(const char *path, struct err *err)
{
	char *name = stamped_name(path);
	int code;

	if (!rename(path, name))
		return name;
	code = -errno;
	err_set(err, code, "failed to rename %s to %s: %s", path, name, err_str(code));
	free(name);
	return NULL;
}

void rotation_keep(struct rotation *r, char *name, const struct notices *always)
{
	if (!r->max) {
		free(name);
		return;
	}
	VEC_GROW(r->files, r->nr + 1, r->cap);
	r->files[r->nr++] = name;
	while (r->nr > r->max)
		remove_oldest(r, always);
}

void rotation_release(struct rotation *r)
{
	for (size_t i = 0; i < r->nr; i++)
		free(r->files[i]);
	free(r->files);
	memset(r, 0, sizeof(*r));
}

/* --- what triggers a switch ------------------------------------------------------- */

bool switching_trigger(struct switching *s)
{
	s->wanted |= s->opts->enabled;
	return s->opts->enabled;
}

bool switching_due(struct switching *s, bool any, u64 written)
{
	bool due = s->wanted || (any && s->opts->size && written >= s->opts->size);

	s->wanted = false;
	return due;
}

static int on_time(void *ctx, int fd __unused, u32 events __unused, struct err *err __unused)
{
	switching_trigger(ctx);
	return EVENT_LOOP_GO_ON;
}

/* Several events since the last look are one trigger. */
static int on_event(void *ctx, struct err *err __unused)
{
	struct switching *s = ctx;
	u64 last = 0;

	if (event_watch_read(&s->watch, &last))
		switching_trigger(s);
	return EVENT_LOOP_GO_ON;
}

static int open_events(struct switching *s, const struct opened *ev, bool system_wide,
		       const struct record_notes *notes, struct event_loop *loop, struct err *err)
{
	struct int_list cpus = { 0 }, all = { 0 };
	struct open_opts o = { .sysroot = ev->sysroot,
			       .cpus = &cpus,
			       .tids = s->of_target && !system_wide ? &ev->tids : &all,
			       .tried = notes->tried,
			       .note_ctx = notes->tried_ctx };
	int rc = cpu_list_online(ev->sysroot, &cpus, err);

	s->watch.ready = on_event;
	s->watch.ctx = s;
	if (!rc)
		rc = event_watch_open(&s->watch, &o, s->of_target, loop, err);
	int_list_release(&cpus);
	return rc;
}

/* A threshold below what wakes us cannot be kept. */
static void warn_small(const struct switch_opts *o, size_t pages, const struct notices *notes)
{
	u64 wakes = (pages + 1) * (u64)sysconf(_SC_PAGESIZE) / 2;
	char unit = 'B';

	if (!o->size || o->size >= wakes)
		return;
	for (const char *u = "KMG"; *u && wakes >= 1024; u++) {
		wakes /= 1024;
		unit = *u;
	}
	notice(notes,
	       "WARNING: switch-output data size lower than wakeup kernel buffer size (%" PRIu64
	       "%c) expect bigger perf.data sizes\n",
	       wakes, unit);
}

int switching_start(struct switching *s, const struct opened *ev, bool system_wide,
		    const struct record_notes *notes, struct event_loop *loop, struct err *err)
{
	int rc = 0;

	if (!s->opts->enabled)
		return 0;
	warn_small(s->opts, ev->rings.pages, notes->always);
	if (s->opts->ms)
		rc = event_loop_timer(loop, s->opts->ms, s->opts->ms, on_time, s, err);
	rc = MIN(rc, 0);
	return !rc && s->watch.list->nr ? open_events(s, ev, system_wide, notes, loop, err) : rc;
}

void switching_release(struct switching *s)
{
	event_watch_release(&s->watch);
}
