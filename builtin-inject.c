// SPDX-License-Identifier: GPL-2.0-or-later
/* perf inject: a recording is read and written again, with more in it. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/progress.h"
#include "cmd/common/settings.h"

#include "inject/run.h"

#include <signal.h>

static const char *const inject_usage[] = { "perf inject [<options>]", NULL };

/* Return the status of a run that failed: what is wrong with a guest has one of its own. */
static int status_of(const struct inject_options *o, int ret)
{
	bool refused = ret == -EINVAL || ret == -EFAULT || ret == -ENOMEM;

	return o->guests.nr && refused ? ret : EXIT_FAILED;
}

/* Tell what was damaged. Return: whether that is all that was recorded. */
static int warn_damages(const struct inject *in)
{
	const struct session *guest;
	int ret = warn_diag(&in->rec.session);

	for (size_t i = 0; in->guests && (guest = inject_guests_session(in->guests, i)); i++)
		ret = warn_diag(guest) ?: ret;
	return ret;
}

static int add_guest(const struct option *opt, const char *arg, int unset)
{
	struct err err = { 0 };
	int ret = unset ? 0 : guest_specs_add(opt->value, arg, &err);

	if (unset)
		guest_specs_release(opt->value);
	return ret ? error_err(&err) : 0;
}

/* Run with @o. @itrace: instruction traces were to be decoded */
static int run(const struct inject_options *o, bool itrace)
{
	struct err err = { 0 };
	struct inject in;
	int ret = inject_open(&in, o, &stderr_notices, &err);

	if (ret) {
		error_err(&err);
		return EXIT_FAILED;
	}
	in.rec.session.progress = progress_open();
	ret = inject_run(&in, &err);
	progress_close(in.rec.session.progress);
	if (itrace && inject_has_traces(&in))
		fprintf(stderr, "decoding of instruction traces is not in this perf: "
				"they are passed on as they are\n");
	ret = ret ? status_of(o, error_err(&err)) : warn_damages(&in);
	inject_close(&in);
	return ret;
}

int cmd_inject(int argc, const char **argv)
{
	struct inject_options o = { .rec.input = "-", .output = "-" };
	const char *kallsyms = NULL;
	bool ignore_vmlinux = false;
	int verbose = debug_level("verbose"), ret;
	const struct option options[] = {
		OPT_BOOLEAN('b', "build-ids", &o.ids_of_hits,
			    "Inject build-ids into the output stream"),
		OPT_BOOLEAN(0, "buildid-all", &o.ids_of_all,
			    "Inject build-ids of all DSOs into the output stream"),
		OPT_BOOLEAN(0, "mmap2-buildids", &o.ids_in_maps,
			    "Drop unused mmap events, make others mmap2 with build IDs"),
		OPT_BOOLEAN(0, "mmap2-buildid-all", &o.ids_in_all_maps,
			    "Rewrite all mmap events as mmap2 events with build IDs"),
		OPT_STRING(0, "known-build-ids", &o.known_ids, "buildid path [,buildid path...]",
			   "build-ids to use for given paths"),
		INPUT_OPTIONS(&o.rec),
		OPT_CALLBACK(0, "guest-data", &o.guests, "file,pid[,offset[,scale]]",
			     "inject events from a guest perf.data file", add_guest),
		OPT_STRING(0, "guestmount", &o.rec.guest.mount, "directory",
			   "guest mount directory under which every guest os instance has a "
			   "subdir"),
		OPT_GONE(0, "vm-time-correlation",
			 "--vm-time-correlation needs a decoder of Intel PT traces, in which "
			 "alone the time of a guest stands beside that of its host: there is "
			 "none in this perf"),
		OPT_STRING('o', "output", &o.output, "file", "output file name"),
		OPT_BOOLEAN('s', "sched-stat", &o.merge_sched,
			    "Merge sched-stat and sched-switch for getting events where and how "
			    "long tasks slept"),
		OPT_BOOLEAN('j', "jit", &o.merge_jit, "merge jitdump files into perf.data file"),
		OPT_BOOLEAN(0, "convert-callchain", &o.unwind,
			    "Replace copies of user stacks by the call chains they are unwound to"),
		UNWIND_OPTION(&o.rec),
		OPT_BOOLEAN(
			0, "aslr", &o.aslr,
			"Replace all addresses, and leave registers, stacks and physical addresses "
			"out"),
		OPT_INCR('v', "verbose", &verbose, "be more verbose (show build ids, etc)"),
		OPT_STRING('k', "vmlinux", &o.vmlinux, "file", "vmlinux pathname"),
		OPT_BOOLEAN(0, "ignore-vmlinux", &ignore_vmlinux,
			    "don't load vmlinux even if found"),
		OPT_STRING(0, "kallsyms", &kallsyms, "file", "kallsyms pathname"),
		ITRACE_OPTION(&o.rec.itrace),
		OPT_BOOLEAN(0, "strip", &o.strip,
			    "strip non-synthesized events (use with --itrace)"),
		OPT_END(),
	};

	argc = parse_options(argc, argv, options, inject_usage, 0);
	if (argc)
		usage_with_options(inject_usage, options);
	if (o.strip && !o.rec.itrace.given) {
		fprintf(stderr, "--strip option requires --itrace option\n");
		return -1;
	}
	if (ignore_vmlinux)
		o.vmlinux = NULL;
	if (!file_is_readable(o.vmlinux) || !file_is_readable(kallsyms))
		return -1;
	signal(SIGXFSZ, SIG_IGN); /* a full disk is told, and cleaned up after */
	o.verbose = verbose;
	source_defaults(&o.rec);
	ret = run(&o, o.rec.itrace.given);
	guest_specs_release(&o.guests);
	return ret;
}
