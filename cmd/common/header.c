// SPDX-License-Identifier: GPL-2.0-or-later
/* Print the header of a recording. */
#include "base/compat.h"
#include "cmd/common/header.h"

#include "base/strbuf.h"
#include "dump/header-text.h"
#include "session/session.h"

#include <sys/stat.h>
#include <time.h>

void print_header(const struct perf_file *f, const struct evlist *evlist, bool full)
{
	struct strbuf sb = STRBUF_INIT;
	struct stat st = { 0 };

	if (fstat(f->fd, &st))
		st.st_mtime = time(NULL);
	header_text(f, evlist, st.st_mtime, full, &sb);
	fputs(strbuf_str(&sb), stdout);
	fflush(stdout);
	strbuf_release(&sb);
}

void print_features(const struct perf_file *f, const struct evlist *evlist, bool full, u64 *printed)
{
	struct strbuf sb = STRBUF_INIT;

	header_features(f, evlist, full, printed, &sb);
	fputs(strbuf_str(&sb), stdout);
	fflush(stdout);
	strbuf_release(&sb);
}

/* What a sink returns when it has seen enough. */
#define STOP 1

static int stop_at_state(void *ctx, const struct session_event *ev, struct err *err)
{
	return STOP;
}

static int stop_at_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
			  struct err *err)
{
	return STOP;
}

int read_pipe_header(struct session *s, struct err *err)
{
	static const struct session_ordered_ops ops = {
		.state = { .state = stop_at_state },
		.format = stop_at_record,
	};
	int ret;

	if (!s->file->pipe)
		return 0;
	ret = session_ordered(s, &ops, NULL, 1, err);
	return ret == STOP ? 0 : ret;
}
