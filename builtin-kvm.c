// SPDX-License-Identifier: GPL-2.0-or-later
/* perf kvm runs other commands on guests, and shows what guests are left for. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/commands.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"
#include "cmd/kvm/kvm.h"

static const char *const subcommands[] = { "top",          "record", "report", "diff",
					   "buildid-list", "stat",   NULL };
static const char *const kvm_usage[] = {
	"perf kvm [<options>] {top|record|report|diff|buildid-list|stat}",
	NULL,
};

/* Verbs may be short, as those of other commands. */
static bool is_verb(const char *word, const char *verb)
{
	return !strncmp(verb, word, MAX(strlen(word), (size_t)3));
}

/* ---- verbs that run other commands ---- */

/* Run a command with the arguments that follow from the options before the verb. */
static int run_other(const struct kvm_front *f, const char *command, int argc, const char **argv)
{
	struct strbuf notes = STRBUF_INIT;
	struct verb_args a;

	kvm_front_args(f, &a, command, argc, argv, &notes);
	fputs(strbuf_str(&notes), stderr);
	strbuf_release(&notes);
	return run_verb(&a);
}

static int run_stat_record(struct kvm_command *c, int argc, const char **argv)
{
	const struct sysroot here = { 0 };
	struct verb_args a;

	kvm_record_args(&a, &here, kvm_front_file(&c->front), argc, argv);
	return record_verb(&a, NULL, NULL);
}

/* ---- the command ---- */

static const struct {
	const char *name;
	int (*run)(struct kvm_command *c, int argc, const char **argv);
} stat_verbs[] = {
	{ "record", run_stat_record },
	{ "report", kvm_report },
	{ "live", kvm_live },
};

/* Without one of the verbs it is the command stat that counts in guests. */
static int run_stat(struct kvm_command *c, int argc, const char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--list-cmds"))
		return puts("record report live") < 0 ? EXIT_WRITE : EXIT_OK;
	for (size_t i = 0; argc > 1 && i < ARRAY_SIZE(stat_verbs); i++)
		if (is_verb(argv[1], stat_verbs[i].name))
			return stat_verbs[i].run(c, argc - 1, argv + 1);
	return run_other(&c->front, "stat", argc, argv);
}

int cmd_kvm(int argc, const char **argv)
{
	struct kvm_command c = { .front = { .guest = true, .verbose = debug_level("verbose") } };
	struct kvm_front *f = &c.front;
	const struct option options[] = {
		OPT_STRING('i', "input", &f->file, "file", "Input file name"),
		OPT_STRING('o', "output", &f->file, "file", "Output file name"),
		OPT_BOOLEAN(0, "guest", &f->guest, "Collect guest os data"),
		OPT_BOOLEAN(0, "host", &f->host, "Collect host os data"),
		GUEST_OPTIONS(&f->symbols),
		OPT_INCR('v', "verbose", &f->verbose,
			 "be more verbose (show counter open errors, etc)"),
		OPT_END(),
	};

	argc = parse_options_subcommand(argc, argv, options, subcommands, kvm_usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	if (!argc)
		usage_with_options(kvm_usage, options);
	if (!f->host && !f->guest)
		usage_with_options_msg(kvm_usage, options,
				       "--no-guest without --host leaves nothing to look at");
	if (!strcmp(argv[0], "stat"))
		return run_stat(&c, argc, argv);
	for (size_t i = 0; subcommands[i]; i++)
		if (is_verb(argv[0], subcommands[i]))
			return run_other(f, subcommands[i], argc, argv);
	usage_with_options_msg(kvm_usage, options, "Unknown command: %s", argv[0]);
}
