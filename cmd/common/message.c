// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages on stderr. */
#include "base/compat.h"
#include "cmd/common/message.h"

#include "base/diag.h"
#include "recording/guest.h"
#include "session/session.h"

#include <stdarg.h>
#include <unistd.h>

bool file_is_readable(const char *path)
{
	if (!path || !access(path, R_OK))
		return true;
	fprintf(stderr, "Invalid file: %s: %s\n", path, err_str(-errno));
	return false;
}

bool guest_files_readable(const struct guest_options *g)
{
	return file_is_readable(g->vmlinux) && file_is_readable(g->kallsyms);
}

void error(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("  Error: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int error_err(const struct err *e)
{
	if (e->msg[0])
		fprintf(stderr, "%s\n", e->msg);
	return e->code ? e->code : -1;
}

static void put_stderr(void *ctx, const char *text)
{
	fputs(text, stderr);
}

const struct notices stderr_notices = { .put = put_stderr };

void warn_lost(const struct session *s)
{
	u64 all = 0, lost = s->counts[PERF_RECORD_LOST];
	size_t i;

	if (!lost)
		return;
	for (i = 0; i < ARRAY_SIZE(s->counts); i++)
		all += s->counts[i];
	fprintf(stderr,
		"Warning:\nProcessed %" PRIu64 " events and lost %" PRIu64
		" chunks!\n\nCheck IO/CPU overload!\n\n",
		all, lost);
}

void warn_diag(const struct diag *d)
{
	size_t i;

	for (i = 0; i < DIAG_MAX; i++)
		if (d->count[i] && i != DIAG_LOST && i != DIAG_LOST_SAMPLES && i != DIAG_FILTERED)
			fprintf(stderr, "Warning:\n%" PRIu64 " %s (first at offset %#" PRIx64 ")\n",
				d->count[i], diag_text(i), d->first[i]);
}
