// SPDX-License-Identifier: GPL-2.0-or-later
/* perf doctor: what this machine, user and build can do, or what a recording lacks. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"
#include "cmd/common/features.h"

#include "base/alloc.h"
#include "doctor/doctor.h"
#include "recording/recording.h"

static const char *const doctor_usage[] = { "perf doctor [<options>] [<recording>]", NULL };

static void print(struct doctor_findings *f, const char *what, bool json)
{
	struct strbuf text = STRBUF_INIT;

	if (json)
		doctor_json(f, &text);
	else
		doctor_text(f, what, &text);
	print_text(&text);
	doctor_findings_release(f);
}

static int check_machine(bool json)
{
	const struct sysroot here = { 0 };
	struct doctor_part parts[ARRAY_SIZE(features)] = { { NULL } };
	struct doctor_findings found = { 0 };
	struct doctor_here h;
	size_t i;

	for (i = 0; features[i].name; i++)
		parts[i] = (struct doctor_part){ features[i].name, features[i].on };
	doctor_here_init(&h, &here, parts);
	doctor_machine(&h, &found);
	print(&found, "this machine", json);
	return EXIT_OK;
}

static int check_recording(const char *path, bool json, bool force)
{
	struct recording_options o = { .input = path, .force = force };
	struct doctor_findings found = { 0 };
	struct err err = { 0 };
	struct recording r;
	int ret;

	source_defaults(&o);
	if (open_recording(&r, &o))
		return EXIT_FAILED;
	ret = doctor_recording(&r, &found, &err);
	if (ret)
		error_err(&err);
	else
		print(&found, path, json);
	doctor_findings_release(&found);
	recording_close(&r);
	return ret ? EXIT_FAILED : EXIT_OK;
}

int cmd_doctor(int argc, const char **argv)
{
	bool json = false, force = false;
	const struct option options[] = {
		OPT_BOOLEAN(0, "json", &json, "Print the findings as JSON"),
		OPT_BOOLEAN('f', "force", &force, "don't complain, do it"),
		OPT_END(),
	};

	argc = parse_options(argc, argv, options, doctor_usage, 0);
	if (argc > 1)
		usage_with_options(doctor_usage, options);
	return argc ? check_recording(argv[0], json, force) : check_machine(json);
}
