// SPDX-License-Identifier: GPL-2.0-or-later
/* perf data: recordings in other formats. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "cmd/data/data.h"

static const char *const data_subcommands[] = { "convert", NULL };
static const char *const data_usage[] = { "perf data convert [<options>]", NULL };

static int convert(struct data_convert *dc)
{
	struct err err = { 0 };
	int ret;

	if (dc->to_json && dc->to_ctf) {
		fprintf(stderr, "You cannot specify both --to-ctf and --to-json.\n");
		return -1;
	}
	if (dc->inlines && (dc->to_json || dc->to_ctf || !exports_any(&dc->exports))) {
		fprintf(stderr,
			"--inline is for profiles (--to-pprof, ...), whose call chains have "
			"functions, not for --to-json and --to-ctf.\n");
		return -1;
	}
	if (exports_any(&dc->exports)) {
		ret = data_to_exports(dc, &err);
		if (ret) {
			error_err(&err);
			return -1;
		}
		if (!dc->to_json && !dc->to_ctf)
			return 0;
	}
	if (!dc->to_json && !dc->to_ctf) {
		fprintf(stderr, "You must specify one of --to-ctf or --to-json.\n");
		return -1;
	}
	ret = data_to_whole(dc, &err);
	if (ret)
		error_err(&err);
	return ret ? -1 : 0;
}

int cmd_data(int argc, const char **argv)
{
	struct data_convert dc = { .verbose = debug_level("verbose") };
	const struct option *formats = exports_options(&dc.exports, "to-");
	const struct option options[] = {
		OPT_INCR('v', "verbose", &dc.verbose, "be more verbose"),
		INPUT_OPTIONS(&dc.rec),
		OPT_STRING(0, "to-json", &dc.to_json, NULL, "Convert to JSON format"),
		OPT_STRING(0, "to-ctf", &dc.to_ctf, NULL, "Convert to CTF format"),
		OPT_BOOLEAN(0, "tod", &dc.tod, "Convert time to wall clock time"),
		OPT_BOOLEAN(0, "all", &dc.all, "Convert all events"),
		TIME_FILTER_OPTIONS(&dc.rec),
		OPT_BOOLEAN(0, "inline", &dc.inlines,
			    "Show inlined functions in call chains of profiles"),
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
	dc.rec.buildid_dir = buildid_dir();
	ret = convert(&dc);
	exports_options_free(formats);
	return ret;
}
