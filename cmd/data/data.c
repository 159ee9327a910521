// SPDX-License-Identifier: GPL-2.0-or-later
/* perf data convert: what is done for the formats that were asked for. */
#include "base/compat.h"

#include "cmd/data/data.h"
#include "cmd/common/message.h"
#include "cmd/common/progress.h"

#include "base/pool.h"
#include "convert/convert.h"

#include <errno.h>

static void tell(const struct session *s, const char *what, const char *where,
		 const struct convert_counts *n)
{
	fprintf(stderr,
		"[ perf data convert: Converted '%s' into %s data '%s' ]\n"
		"[ perf data convert: Converted and wrote %.3f MB (%" PRIu64 " samples",
		s->file->path, what, where, (double)n->bytes / 1024.0 / 1024.0, n->samples);
	if (n->others)
		fprintf(stderr, ", %" PRIu64 " non-samples", n->others);
	fprintf(stderr, ") ]\n");
}

/* ---- JSON and CTF ---- */

static int run_whole(struct data_convert *dc, struct recording *r, struct err *err)
{
	const struct convert_options o = {
		.path = dc->to_json ? dc->to_json : dc->to_ctf,
		.overwrite = dc->rec.force,
		.all = dc->all,
		.wall_clock = dc->tod,
		.workers = pool_cpus(),
	};
	struct convert_counts n = { 0 };
	int ret = recording_prepare(r, err);

	if (!ret && !recording_is_stream(r))
		ret = recording_settle_time(r, err);
	if (!ret)
		ret = dc->to_json ? convert_json(r, &o, &n, err) : convert_ctf(r, &o, &n, err);
	if (ret)
		return ret;
	warn_lost(&r->session);
	warn_diag(&r->session.diag);
	if (n.late)
		fprintf(stderr,
			"Warning:\n%" PRIu64 " events came after later ones of their CPU, and "
			"have the time of those\n",
			n.late);
	tell(&r->session, dc->to_json ? "JSON" : "CTF", o.path, &n);
	return 0;
}

int data_to_whole(struct data_convert *dc, struct err *err)
{
	struct recording r;
	int ret = recording_open(&r, &dc->rec, &stderr_notices, err);

	if (ret)
		return ret;
	r.session.progress = progress_open();
	ret = run_whole(dc, &r, err);
	progress_close(r.session.progress);
	recording_close(&r);
	return ret;
}

/* ---- formats of profiles ---- */

static int run_profile(struct data_convert *dc, struct recording *r, struct profile *p,
		       struct err *err)
{
	const struct export_source from = { &r->session, p };
	struct exports *x = &dc->exports;
	int ret;

	r->session.progress = progress_open();
	ret = profile_run(p, err);
	progress_close(r->session.progress);
	if (!ret && !profile_has_samples(p))
		ret = err_set(err, -ENODATA, "The %s data has no samples!", r->session.file->path);
	if (!ret)
		ret = exports_write(x, &from, NULL, err);
	for (u32 i = 0; !ret && i < x->nr; i++)
		tell(&r->session, x->one[i].ops->name, x->one[i].path,
		     &(struct convert_counts){ .bytes = x->one[i].bytes, .samples = x->samples });
	warn_diag(&r->session.diag);
	return ret;
}

int data_to_exports(struct data_convert *dc, struct err *err)
{
	const struct profile_options o = {
		.max_stack = 127,
		.inlines = dc->inlines,
		.socket = -1,
		.group = true,
		.workers = pool_workers(),
		.stacks = exports_dims(&dc->exports),
	};
	struct recording r;
	struct profile *p;
	/* what is there already stays, unless that is asked for */
	int ret = dc->rec.force ? 0 : exports_check_new(&dc->exports, err);

	if (!ret)
		ret = recording_open(&r, &dc->rec, &stderr_notices, err);
	if (ret)
		return ret;
	p = profile_new(&o, &r);
	ret = run_profile(dc, &r, p, err);
	profile_free(p);
	recording_close(&r);
	return ret;
}
