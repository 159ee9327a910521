// SPDX-License-Identifier: GPL-2.0-or-later
/* perf data: recordings in other formats. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/export.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/progress.h"
#include "cmd/common/settings.h"
#include "cmd/common/source.h"

#include "base/pool.h"
#include "blocktext/blocktext.h"
#include "convert/convert.h"
#include "scriptrun/scriptrun.h"

#include <errno.h>
#include <unistd.h>

static const char *const data_subcommands[] = { "convert", NULL };
static const char *const data_usage[] = { "perf data convert [<options>]", NULL };

struct data_convert {
	struct recording_options rec;
	const char *to_ctf, *to_json; /* where to; NULL: not asked for; at most one of them */
	const char *to_arrow;         /* also */
	const char *to_blktrace;      /* also */
	bool all, tod, inlines, inlines_set;
	int verbose;
	struct exports exports; /* formats of profiles */
};

static void tell(const struct recording *r, const char *format, const char *to,
		 const struct convert_counts *n)
{
	struct strbuf text = STRBUF_INIT;

	convert_text(r->session.file->path, format, to, n, &text);
	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
}

/* ---- JSON and CTF: all of a recording ---- */

static int to_whole(const struct data_convert *dc, struct err *err)
{
	const struct convert_options o = {
		.path = dc->to_json ? dc->to_json : dc->to_ctf,
		.overwrite = dc->rec.force,
		.all = dc->all,
		.wall_clock = dc->tod,
		.workers = pool_cpus(),
	};
	enum convert_format format = dc->to_json ? CONVERT_JSON : CONVERT_CTF;
	struct convert_counts n = { 0 };
	struct recording r;
	int ret = recording_open(&r, &dc->rec, &stderr_notices, err);

	if (ret)
		return ret;
	r.session.progress = progress_open();
	ret = convert_recording(&r, format, &o, &n, err);
	if (!ret) {
		warn_lost(&r.session);
		ret = warn_diag(&r.session);
		tell(&r, dc->to_json ? "JSON" : "CTF", o.path, &n);
	}
	progress_close(r.session.progress);
	recording_close(&r);
	return ret;
}

/* ---- samples as columns ---- */

static int run_columns(const struct data_convert *dc, struct recording *r, struct err *err)
{
	struct script_options o = {
		.max_stack = 127,
		.inlines = dc->inlines,
		.rows.columnar = dc->to_arrow,
	};
	const struct script_programs none = { 0 };
	const struct script_output out = { .notices = &stderr_notices };
	struct script_run *run;
	int ret;

	sample_fields_init(&o.fields);
	rows_file_default(&o.fields);
	run = script_run_new(&o, r, &none, &out);
	r->session.progress = progress_open();
	ret = script_run_all(run, err);
	progress_close(r->session.progress);
	r->session.progress = NULL;
	if (!ret) {
		const struct rows_file *rows = script_run_rows(run);
		struct convert_counts n = { .bytes = rows->bytes, .samples = rows->samples };

		warn_lost(&r->session);
		ret = warn_diag(&r->session);
		tell(r, "Arrow", dc->to_arrow, &n);
	}
	script_run_free(run);
	return ret;
}

static int to_columns(const struct data_convert *dc, struct err *err)
{
	struct recording r;
	int ret;

	if (!dc->rec.force && !access(dc->to_arrow, F_OK))
		return err_set(err, -EEXIST, "%s exists. Use --force to overwrite it.",
			       dc->to_arrow);
	ret = recording_open(&r, &dc->rec, &stderr_notices, err);
	if (ret)
		return ret;
	fetch_missing(&r, false);
	ret = run_columns(dc, &r, err);
	recording_close(&r);
	return ret;
}

/* ---- formats of profiles ---- */

static int run_profile(struct data_convert *dc, struct recording *r, struct profile *p,
		       struct err *err)
{
	const struct export_source from = { &r->session, p };
	struct exports *x = &dc->exports;
	int ret, status;

	r->session.progress = progress_open();
	ret = profile_run(p, err);
	progress_close(r->session.progress);
	if (!ret && !profile_has_samples(p))
		ret = err_set(err, -ENODATA, "The %s data has no samples!", r->session.file->path);
	if (!ret)
		ret = exports_write(x, &from, NULL, err);
	for (u32 i = 0; !ret && i < x->nr; i++)
		tell(r, x->one[i].ops->name, x->one[i].path,
		     &(struct convert_counts){ .bytes = x->one[i].bytes, .samples = x->samples });
	status = warn_diag(&r->session);
	return ret ? ret : status;
}

static int to_exports(struct data_convert *dc, struct err *err)
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
	fetch_missing(&r, false);
	p = profile_new(&o, &r);
	ret = run_profile(dc, &r, p, err);
	profile_free(p);
	recording_close(&r);
	return ret;
}

/* ---- files of blktrace ---- */

static int write_blktrace(void *ctx, struct analysis *a, struct err *err)
{
	const struct data_convert *dc = ctx;
	struct strbuf text = STRBUF_INIT;
	int ret = block_to_blktrace(a, dc->to_blktrace, &text, err);

	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
	return ret;
}

/* ---- which of them ---- */

/* Write what may be asked for beside JSON or CTF. Return: as to_whole(). */
static int convert_others(struct data_convert *dc, struct err *err)
{
	int ret = 0;

	if (dc->to_arrow)
		ret = to_columns(dc, err);
	if (ret >= 0 && exports_any(&dc->exports))
		ret = to_exports(dc, err);
	if (!ret && dc->to_blktrace)
		ret = analyse_recording(&dc->rec, write_blktrace, dc);
	return ret;
}

static int convert(struct data_convert *dc)
{
	bool others = dc->to_arrow || dc->to_blktrace || exports_any(&dc->exports);
	struct err err = { 0 };
	int ret;

	if (dc->to_json && dc->to_ctf) {
		fprintf(stderr, "You cannot specify both --to-ctf and --to-json.\n");
		return -1;
	}
	if (dc->inlines_set && (dc->to_json || dc->to_ctf || !others)) {
		fprintf(stderr,
			"--inline is for profiles (--to-pprof, ...), whose call chains have "
			"functions, not for --to-json and --to-ctf.\n");
		return -1;
	}
	if (others) {
		ret = convert_others(dc, &err);
		if (ret < 0) {
			error_err(&err);
			return -1;
		}
		if (!dc->to_json && !dc->to_ctf)
			return ret;
	}
	if (!dc->to_json && !dc->to_ctf) {
		fprintf(stderr, "You must specify one of --to-ctf or --to-json.\n");
		return -1;
	}
	ret = to_whole(dc, &err);
	if (ret < 0)
		error_err(&err);
	return ret < 0 ? -1 : ret;
}

int cmd_data(int argc, const char **argv)
{
	struct data_convert dc = { .verbose = debug_level("verbose"), .inlines = true };
	const struct option *formats = exports_options(&dc.exports, "to-");
	const struct option options[] = {
		OPT_INCR('v', "verbose", &dc.verbose, "be more verbose"),
		INPUT_OPTIONS(&dc.rec),
		OPT_STRING(0, "to-json", &dc.to_json, NULL, "Convert to JSON format"),
		OPT_STRING(0, "to-ctf", &dc.to_ctf, NULL, "Convert to CTF format"),
		OPT_STRING(0, "to-arrow", &dc.to_arrow, "file",
			   "Write samples as columns, in the Arrow format"),
		OPT_STRING(0, "to-blktrace", &dc.to_blktrace, "directory",
			   "Write events of block devices as files of blktrace"),
		OPT_BOOLEAN(0, "tod", &dc.tod, "Convert time to wall clock time"),
		OPT_BOOLEAN(0, "all", &dc.all, "Convert all events"),
		TIME_FILTER_OPTIONS(&dc.rec),
		DEBUGINFOD_OPTION(&dc.rec),
		OPT_BOOLEAN_SET(0, "inline", &dc.inlines, &dc.inlines_set,
				"Show inlined functions in call chains of profiles (default)"),
		OPT_PARENT(formats),
	};
	int ret;

	argc = parse_options_subcommand(argc, argv, options, data_subcommands, data_usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	if (!argc)
		usage_with_options(data_usage, options);
	if (strcmp(argv[0], "convert"))
		usage_with_options_msg(data_usage, options, "Unknown command: %s", argv[0]);
	argc = parse_options(argc, argv, options, data_usage, 0);
	if (argc)
		usage_with_options(data_usage, options);
	dc.rec.verbose = dc.verbose;
	source_defaults(&dc.rec);
	ret = convert(&dc);
	exports_options_free(formats);
	return ret;
}
