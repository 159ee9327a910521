// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "daemon/trigger.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "events/parse.h"
#include "kernel/count.h"
#include "kernel/target.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- text ---- */

static const struct {
	const char *word;
	enum trigger_kind kind;
	bool named, limited;
} kinds[] = {
	{ "psi:", TRIGGER_PSI, true, true },     { "load", TRIGGER_LOAD, false, true },
	{ "file:", TRIGGER_FILE, true, false },  { "cgroup:", TRIGGER_CGROUP, true, false },
	{ "event:", TRIGGER_EVENT, true, true },
};

static int parse_limit(struct trigger *t, const char *from, struct err *err)
{
	char *end;

	t->limit = from ? strtod(from + 1, &end) : 0;
	if (!from || end == from + 1 || *end || !(t->limit >= 0))
		return err_set(err, -EINVAL,
			       "a reason like psi:memory>10, load>8 or "
			       "event:sched:sched_process_fork>1000 ends in a limit");
	return 0;
}

static int check_what(const struct trigger *t, struct err *err)
{
	if (t->kind == TRIGGER_PSI && strcmp(t->what, "cpu") && strcmp(t->what, "memory") &&
	    strcmp(t->what, "io"))
		return err_set(err, -EINVAL, "psi is of cpu, memory or io, not of '%s'", t->what);
	if ((t->kind == TRIGGER_FILE || t->kind == TRIGGER_CGROUP) && *t->what != '/')
		return err_set(err, -EINVAL, "'%s' is no path from the root", t->what);
	return 0;
}

int trigger_parse(struct trigger *t, const char *text, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const char *what = text + strlen(kinds[i].word);
		const char *limit = kinds[i].limited ? strrchr(text, '>') : NULL;
		size_t len;
		int rc;

		if (strncmp(text, kinds[i].word, strlen(kinds[i].word)))
			continue;
		*t = (struct trigger){ .kind = kinds[i].kind };
		rc = kinds[i].limited ? parse_limit(t, limit, err) : 0;
		if (rc)
			return rc;
		len = limit ? (size_t)(limit - what) : strlen(what);
		if ((len > 0) != kinds[i].named || len >= sizeof(t->what))
			break;
		memcpy(t->what, what, len);
		snprintf(t->text, sizeof(t->text), "%s", text);
		return check_what(t, err);
	}
	return err_set(err, -EINVAL,
		       "'%s' is no reason; there are psi:RESOURCE>PERCENT, load>N, file:PATH, "
		       "cgroup:PATH and event:EVENT>N",
		       text);
}

bool trigger_same(const struct trigger *a, const struct trigger *b)
{
	return a->kind == b->kind && !strcmp(a->what, b->what) && !(a->limit < b->limit) &&
	       !(a->limit > b->limit);
}

/* ---- events ---- */

/* An event that is counted on all CPUs. */
struct trigger_count {
	struct evlist list;
	struct kevents fds;
	u64 last, at; /* what the last look saw, and when */
};

static void count_free(struct trigger_count *c)
{
	if (!c)
		return;
	kevents_release(&c->fds);
	evlist_release(&c->list);
	free(c);
}

static int count_open(struct trigger_count *c, const char *event, const struct sysroot *sr,
		      struct err *err)
{
	const struct parse_env env = { .sr = sr };
	struct int_list cpus = { 0 }, none = { 0 };
	struct open_opts o = { .sysroot = sr, .cpus = &cpus, .tids = &none };
	struct parse_error pe = { 0 };
	int rc = cpu_list_online(sr, &cpus, err);

	if (!rc && (rc = parse_events(&c->list, event, &env, &pe)))
		err_set(err, rc, "event '%s': %s", event, pe.text);
	rc = rc ?: kevents_open(&c->fds, &c->list, &o, err);
	if (!rc)
		kevents_enable(&c->fds, true);
	int_list_release(&cpus);
	return rc;
}

static void add_count(void *ctx, const struct kfd *k, const struct kcount *count)
{
	u64 *sum = ctx;

	*sum += count->val;
}

/* Store how often the event was there in a second since the last look. */
static int event_rate(const char *event, struct trigger_watch *w, const struct sysroot *sr, u64 now,
		      double *rate, struct err *err)
{
	u64 sum = 0;
	struct trigger_count *c = w->count;

	*rate = 0;
	if (!c) {
		int rc;

		c = xzalloc(sizeof(*c));

		rc = count_open(c, event, sr, err);
		if (rc) {
			count_free(c);
			return rc;
		}
		w->count = c;
	}
	kevents_read(&c->fds, &c->list, add_count, &sum);
	if (c->at && now > c->at)
		*rate = (double)(sum - c->last) * 1e9 / (double)(now - c->at);
	c->last = sum;
	c->at = now;
	return 0;
}

/* ---- a look ---- */

static int look_psi(const struct trigger *t, const struct sysroot *sr, double *percent,
		    struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc = sysroot_read(sr, &text, "/proc/pressure/%s", t->what);

	if (!rc && sscanf(strbuf_str(&text), "some avg10=%lf", percent) != 1)
		rc = -EINVAL;
	strbuf_release(&text);
	return rc ? err_set(err, rc,
			    "cannot read /proc/pressure/%s: %s; the kernel needs CONFIG_PSI",
			    t->what, err_str(rc))
		  : 0;
}

static int look_load(const struct sysroot *sr, double *load, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc = sysroot_read(sr, &text, "/proc/loadavg");

	if (!rc && sscanf(strbuf_str(&text), "%lf", load) != 1)
		rc = -EINVAL;
	strbuf_release(&text);
	return rc ? err_set(err, rc, "cannot read /proc/loadavg: %s", err_str(rc)) : 0;
}

static int64_t mtime_of(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

/* Tell whether a path exists; when the file is another one than before, it has begun to. */
static bool look_path(const struct trigger *t, struct trigger_watch *w, const struct sysroot *sr)
{
	char *path = t->kind == TRIGGER_CGROUP ? sysroot_path(sr, "/sys/fs/cgroup%s", t->what)
					       : sysroot_path(sr, "%s", t->what);
	struct stat st;
	bool there = !stat(path, &st);

	free(path);
	if (!there)
		return false;
	if (t->kind == TRIGGER_FILE && w->held &&
	    (w->file_ino != st.st_ino || w->file_mtime != (u64)mtime_of(&st)))
		w->held = false;
	w->file_ino = st.st_ino;
	w->file_mtime = (u64)mtime_of(&st);
	return true;
}

int trigger_look(const struct trigger *t, struct trigger_watch *w, const struct sysroot *sr,
		 u64 now, struct err *err)
{
	bool holds, begins;
	double value = 0;
	int rc = 0;

	if (t->kind == TRIGGER_PSI)
		rc = look_psi(t, sr, &value, err);
	else if (t->kind == TRIGGER_LOAD)
		rc = look_load(sr, &value, err);
	else if (t->kind == TRIGGER_EVENT)
		rc = event_rate(t->what, w, sr, now, &value, err);
	if (rc)
		return rc;
	if (t->kind == TRIGGER_FILE || t->kind == TRIGGER_CGROUP)
		holds = look_path(t, w, sr);
	else
		holds = value > t->limit;
	begins = w->known && holds && !w->held;
	w->known = true;
	w->held = holds;
	return begins;
}

void trigger_watch_release(struct trigger_watch *w)
{
	count_free(w->count);
	*w = (struct trigger_watch){ 0 };
}
