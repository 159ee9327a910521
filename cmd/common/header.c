// SPDX-License-Identifier: GPL-2.0-or-later
/* Print the header of a recording, and its raw dump. */
#include "base/compat.h"
#include "cmd/common/header.h"

#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "base/strbuf.h"
#include "dump/header-text.h"
#include "dump/session-dump.h"
#include "session/session.h"

#include <errno.h>

void print_header(const struct perf_file *f, const struct evlist *evlist, bool full)
{
	struct strbuf sb = STRBUF_INIT;

	header_text_of_file(f, evlist, full, &sb);
	print_text(&sb);
	fflush(stdout);
}

void print_features(const struct perf_file *f, const struct evlist *evlist, bool full, u64 *printed)
{
	struct strbuf sb = STRBUF_INIT;

	header_features(f, evlist, full, printed, &sb);
	print_text(&sb);
	fflush(stdout);
}

void print_dump_order(struct session *s)
{
	if (!dump_keeps_file_order(s))
		return;
	s->file_order = true;
	printf("WARNING: No sample_id_all support, falling back to unordered processing\n");
	fflush(stdout);
}

int print_dump(struct session *s, int workers)
{
	struct err err = { 0 };
	int ret = dump_records(s, buildid_dir(), workers, write_stdout, NULL, &err);

	if (ret && ret != -EPIPE)
		error_err(&err);
	return ret;
}
