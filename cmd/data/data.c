// SPDX-License-Identifier: GPL-2.0-or-later
/* What both conversions have in common. */
#include "base/compat.h"
#include "cmd/data/data.h"

#include "cmd/common/progress.h"

#include "base/pool.h"

#include <errno.h>

int data_open(struct data_convert *dc, struct err *err)
{
	int ret = session_open(&dc->session, dc->input, dc->force, err);

	if (ret)
		return ret;
	dc->workers = MIN(pool_cpus(), DATA_MAX_WORKERS);
	dc->session.progress = progress_open();
	if (dc->session.file->pipe)
		return 0;
	if (dc->time)
		ret = session_scan(&dc->session, err);
	return ret ? ret : data_ready(dc, err);
}

void data_close(struct data_convert *dc)
{
	progress_close(dc->session.progress);
	dc->session.progress = NULL;
	sample_filter_release(&dc->filter);
	formats_release(&dc->formats);
	session_close(&dc->session);
}

int data_ready(struct data_convert *dc, struct err *err)
{
	const struct env *env = &dc->session.file->env;
	bool pipe = dc->session.file->pipe;

	if (dc->ready)
		return 0;
	dc->ready = true;
	if (dc->tod && !env->clock_wall)
		return err_set(err, -EINVAL,
			       "Can't provide --tod time, missing clock data. Please record with "
			       "-k/--clockid option.");
	if (dc->tod)
		dc->wall_offset = env->clock_wall - env->clock_time;
	if (!dc->time)
		return 0;
	return sample_filter_time(&dc->filter, dc->time, pipe ? 0 : dc->session.first_time,
				  pipe ? 0 : dc->session.last_time, err);
}

bool data_wants(const struct data_convert *dc, u64 time)
{
	return !dc->filter.any || sample_filter_match(&dc->filter, 0, 0, 0, time, "");
}

void data_tell(const struct session *s, const char *what, const char *where, u64 bytes, u64 samples,
	       u64 others)
{
	fprintf(stderr,
		"[ perf data convert: Converted '%s' into %s data '%s' ]\n"
		"[ perf data convert: Converted and wrote %.3f MB (%" PRIu64 " samples",
		s->file->path, what, where, (double)bytes / 1024.0 / 1024.0, samples);
	if (others)
		fprintf(stderr, ", %" PRIu64 " non-samples", others);
	fprintf(stderr, ") ]\n");
}
