// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "objects/fetch.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "buildid/debuginfod.h"
#include "objects/gaps.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MISSING_SECONDS (24 * 3600) /* what no server has may be there on the next day */
#define NO_ANSWER_SECONDS (10 * 60)
#define SECOND 1000000000ULL

struct fetching {
	const struct fetch_conf *conf;
	struct debuginfod *client;
	struct fetch_state state;
	u64 until; /* ns of CLOCK_MONOTONIC */
	struct fetch_result *out;
};

/* ---- failures of earlier runs ---- */

/* A failure is a file with the servers that were asked, and counts as long as it is young. */
static char *note_path(const struct fetch_conf *conf, const char *name)
{
	return xasprintf("%s/.debuginfod/%s", conf->dir, name);
}

static bool note_holds(const struct fetch_conf *conf, const char *name, time_t seconds)
{
	char *path = note_path(conf, name);
	struct strbuf text = STRBUF_INIT;
	struct stat st;
	bool holds = !stat(path, &st) && time(NULL) - st.st_mtime < seconds &&
		     !sysroot_read_max(NULL, 65536, &text, "%s", path) &&
		     !strcmp(strbuf_str(&text), conf->servers);

	strbuf_release(&text);
	free(path);
	return holds;
}

/* Nothing is lost when a note cannot be written: the servers are asked again. */
static void note_put(const struct fetch_conf *conf, const char *name)
{
	char *folder = note_path(conf, ""), *path = note_path(conf, name);
	ssize_t written = -1;
	int fd;

	(void)mkdir(conf->dir, 0755);
	(void)mkdir(folder, 0755);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd >= 0) {
		written = write(fd, conf->servers, strlen(conf->servers));
		close(fd);
	}
	if (fd >= 0 && written != (ssize_t)strlen(conf->servers))
		unlink(path);
	free(path);
	free(folder);
}

/* ---- files ---- */

static bool still_going(void *ctx, u64 bytes)
{
	struct fetching *f = ctx;

	f->state.bytes = bytes;
	if (clock_ns(CLOCK_MONOTONIC) >= f->until)
		f->out->end = FETCH_TIME;
	else if (!f->conf->going(f->conf->ctx, &f->state))
		f->out->end = FETCH_STOPPED;
	return f->out->end == FETCH_DONE;
}

static void fetch_file(struct fetching *f, enum debuginfod_file what, const struct dso *dso)
{
	char hex[41], *name;
	int ret;

	build_id_hex(dso->build_id, dso->build_id_size, hex);
	name = xasprintf("%s.%s", hex, what == DEBUGINFOD_OBJECT ? "executable" : "debuginfo");
	f->state.object = dso->path;
	f->state.file++;
	if (note_holds(f->conf, name, MISSING_SECONDS)) {
		f->out->missing++;
		f->out->known++;
	} else if (still_going(f, 0)) {
		ret = debuginfod_get(f->client, what, dso->build_id, dso->build_id_size);
		f->out->fetched += !ret;
		f->out->missing += ret == -ENOENT;
		if (ret == -ENOENT)
			note_put(f->conf, name);
		else if (ret && ret != -EINTR)
			f->out->end = FETCH_NO_ANSWER;
	}
	free(name);
}

/* Return what is to be fetched of an object, of enum gap_what. Lines of the kernel are left out:
 * few ask for them, and they are hundreds of megabytes. */
static unsigned int wanted(const struct gap *g)
{
	if (!g->dso->build_id_size)
		return 0;
	return g->dso->kind != DSO_USER && !(g->what & GAP_SYMBOLS) ? 0 : g->what;
}

static u32 nr_files(const struct gap *g)
{
	unsigned int what = wanted(g);

	return !!(what & GAP_FILE) + !!(what & (GAP_SYMBOLS | GAP_LINES));
}

/* Fetch the files of all gaps, of which the one with most samples is the first. */
static void fetch_all(struct fetching *f, const struct gaps *gaps)
{
	for (size_t i = 0; i < gaps->nr; i++)
		f->out->wanted += nr_files(&gaps->v[i]);
	f->state.nr_files = f->out->wanted;
	if (f->out->wanted && note_holds(f->conf, "no-answer", NO_ANSWER_SECONDS))
		f->out->end = FETCH_NOT_ASKED;
	for (size_t i = 0; i < gaps->nr && f->out->end == FETCH_DONE; i++) {
		const struct gap *g = &gaps->v[i];

		if (wanted(g) & GAP_FILE)
			fetch_file(f, DEBUGINFOD_OBJECT, g->dso);
		if (wanted(g) & (GAP_SYMBOLS | GAP_LINES) && f->out->end == FETCH_DONE)
			fetch_file(f, DEBUGINFOD_DEBUG, g->dso);
	}
	if (f->out->end == FETCH_NO_ANSWER)
		note_put(f->conf, "no-answer");
}

int fetch_gaps(const struct recording_options *o, const struct fetch_conf *conf,
	       struct fetch_result *out, struct err *err)
{
	struct fetching f = { .conf = conf, .out = out };
	struct gaps gaps = { 0 };
	struct recording r;
	int ret;

	*out = (struct fetch_result){ 0 };
	ret = debuginfod_open(&f.client, err);
	if (ret)
		return ret;
	debuginfod_watch(f.client, still_going, &f);
	ret = recording_open(&r, o, NULL, err);
	if (!ret) {
		ret = gaps_find(&r, &gaps, err);
		f.until = clock_ns(CLOCK_MONOTONIC) + conf->seconds * SECOND;
		if (!ret)
			fetch_all(&f, &gaps);
		gaps_release(&gaps);
		recording_close(&r);
	}
	debuginfod_close(f.client);
	return ret;
}

void fetch_text(const struct fetch_result *r, u64 seconds, struct strbuf *out)
{
	u32 left = r->wanted - r->fetched - r->missing;

	if (!r->wanted)
		return;
	strbuf_addf(out, "debuginfod: %u of %u files fetched", r->fetched, r->wanted);
	if (r->missing)
		strbuf_addf(out, ", %u not there%s", r->missing,
			    r->known == r->missing ? " when last asked for" : "");
	if (r->end == FETCH_TIME)
		strbuf_addf(out, ", %u left when %" PRIu64 " seconds were over", left, seconds);
	else if (r->end == FETCH_STOPPED)
		strbuf_addf(out, ", stopped");
	else if (r->end == FETCH_NO_ANSWER)
		strbuf_addstr(out, "; no server answers, and none is asked for 10 minutes");
	else if (r->end == FETCH_NOT_ASKED)
		strbuf_addstr(out, "; no server answered less than 10 minutes ago");
	strbuf_addch(out, '\n');
}
