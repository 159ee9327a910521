// SPDX-License-Identifier: GPL-2.0-or-later
/* perf data convert: profiles for other programs, as perf report writes them. */
#include "base/compat.h"

#include "cmd/data/data.h"
#include "cmd/common/message.h"

#include <errno.h>
#include <unistd.h>

/* What is there already stays, unless that is asked for. */
static int check_outputs(const struct data_convert *dc, struct err *err)
{
	for (u32 i = 0; i < dc->exports.nr && !dc->force; i++) {
		const char *path = dc->exports.one[i].path;

		if (strcmp(path, "-") && !access(path, F_OK))
			return err_set(err, -EEXIST,
				       "Output file exists. Use --force to overwrite it.");
	}
	return 0;
}

static int run(struct data_convert *dc, struct profile *p, struct err *err)
{
	struct exports *x = &dc->exports;
	int ret = session_open(&p->session, p->input, p->force, err);

	if (ret)
		return ret;
	ret = profile_run(p, err);
	if (!ret && !profile_has_samples(p))
		ret = err_set(err, -ENODATA, "The %s data has no samples!", p->session.file->path);
	if (!ret)
		ret = exports_write(x, p, NULL, err);
	for (u32 i = 0; !ret && i < x->nr; i++)
		data_tell(&p->session, x->one[i].ops->name, x->one[i].path, x->one[i].bytes,
			  x->samples, 0);
	warn_diag(&p->session.diag);
	profile_release(p);
	session_close(&p->session);
	return ret;
}

int data_to_exports(struct data_convert *dc, struct err *err)
{
	struct profile p = {
		.input = dc->input,
		.force = dc->force,
		.time = dc->time,
		.max_stack = 127,
		.inlines = dc->inlines,
		.socket = -1,
		.group = true,
		.workers = workers_wanted(),
		.stacks = exports_dims(&dc->exports),
	};
	int ret = check_outputs(dc, err);

	return ret ? ret : run(dc, &p, err);
}
