// SPDX-License-Identifier: GPL-2.0-or-later
/* Print text on stdout and messages on stderr. */
#include "base/compat.h"
#include "cmd/common/message.h"
#include "cmd/common/pager.h"

#include "base/diag.h"
#include "base/pool.h"
#include "session/session.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

int write_stdout(void *ctx, const char *text, size_t len)
{
	if (fwrite(text, 1, len, stdout) == len)
		return 0;
	output_failed(errno);
	return -EPIPE;
}

static bool take_back(void *ctx)
{
	struct long_output *o = ctx;

	return !write_behind_settle(o->behind) && output_mark_return(&o->begin);
}

take_back_fn *long_output_begin(struct long_output *o)
{
	bool marked = !fflush(stdout) && output_mark_set(&o->begin, STDOUT_FILENO);

	o->behind = write_behind_new(STDOUT_FILENO, pool_workers());
	return marked ? take_back : NULL;
}

/* Keep why writing failed for the exit status. Return: 0, or -EPIPE. */
static int written(int ret)
{
	if (!ret)
		return 0;
	output_failed(-ret);
	return -EPIPE;
}

int long_output_write(void *ctx, const char *text, size_t len)
{
	struct long_output *o = ctx;

	return written(write_behind_put(o->behind, text, len));
}

void long_output_end(struct long_output *o)
{
	written(write_behind_free(o->behind));
}

void print_text(struct strbuf *text)
{
	write_stdout(NULL, strbuf_str(text), text->len);
	strbuf_release(text);
}

bool file_is_readable(const char *path)
{
	if (!path || !access(path, R_OK))
		return true;
	fprintf(stderr, "Invalid file: %s: %s\n", path, err_str(-errno));
	return false;
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

bool warn_traces(const struct session *s, bool wanted)
{
	bool any = s->counts[PERF_RECORD_AUXTRACE_INFO] ||
		   perf_file_has_feature(s->file, HEADER_AUXTRACE);

	if (wanted && any)
		fprintf(stderr, "decoding of instruction traces is not in this perf: "
				"what they tell is not shown\n");
	return wanted && any;
}

void warn_stitching(const struct session *s, bool wanted)
{
	bool chains = false;

	for (size_t i = 0; i < s->evlist.nr; i++)
		chains |= layout_lbr_chain(&s->evlist.evsels[i]->layout);
	if (wanted && !chains)
		fprintf(stderr, "Can't find LBR callchain. Switch off --stitch-lbr.\n"
				"Please apply --call-graph lbr when recording.\n");
	else if (wanted)
		fprintf(stderr, "--stitch-lbr: chains of branch stacks are shown as recorded, "
				"not stitched together\n");
}

static void warn_kind(const struct diag *d, enum diag_kind kind)
{
	const struct diag_place *at = d->notes[kind];

	fputs("Warning:\n", stderr);
	for (u8 i = 0; i < d->nr_notes[kind]; i++) {
		const char *name = record_name(at[i].type);

		fprintf(stderr, "%s (%u) at offset %#" PRIx64 ": %s\n", name ? name : "UNKNOWN",
			at[i].type, at[i].offset, diag_reason(kind));
	}
	if (d->count[kind] > d->nr_notes[kind])
		fprintf(stderr, "%" PRIu64 " %s (first at offset %#" PRIx64 ")\n", d->count[kind],
			diag_text(kind), d->first[kind]);
}

int warn_diag(const struct session *s)
{
	const struct diag *d = &s->diag;

	for (int i = 0; i < DIAG_MAX; i++)
		if (d->count[i] && i != DIAG_LOST && i != DIAG_LOST_SAMPLES && i != DIAG_FILTERED)
			warn_kind(d, (enum diag_kind)i);
	return diag_status(s);
}

int diag_status(const struct session *s)
{
	return diag_incomplete(&s->diag) && !s->forced ? EXIT_FAILED : EXIT_OK;
}
