// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "kvmtext/front.h"

#include <unistd.h>

/* A command takes these of the options before the verb. */
struct taker {
	const char *command;
	const char *file; /* its option for the file; NULL: none */
	bool machines, symbols;
};

static const struct taker takers[] = {
	{ "top", NULL, .machines = true, .symbols = true },
	{ "record", "-o", .machines = true },
	{ "report", "-i", .symbols = true },
	{ "buildid-list", "-i" },
	{ "stat", NULL, .machines = true },
	{ "diff", NULL },
};

static const struct taker *taker_of(const char *command)
{
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(takers) && strcmp(takers[i].command, command))
		i++;
	return &takers[i];
}

const char *kvm_front_file(const struct kvm_front *f)
{
	if (f->file)
		return f->file;
	return !f->host ? "perf.data.guest" : f->guest ? "perf.data.kvm" : "perf.data.host";
}

static void add_value(struct verb_args *a, const char *option, const char *value)
{
	if (!value)
		return;
	verb_args_add(a, option);
	verb_args_add(a, value);
}

static void add_symbols(struct verb_args *a, const struct guest_options *g)
{
	add_value(a, "--guestmount", g->mount);
	add_value(a, "--guestkallsyms", g->kallsyms);
	add_value(a, "--guestmodules", g->modules);
	add_value(a, "--guestvmlinux", g->vmlinux);
	if (g->code)
		verb_args_add(a, "--guest-code");
}

static bool has_symbols(const struct guest_options *g)
{
	return g->mount || g->kallsyms || g->modules || g->vmlinux || g->code;
}

/* Without files the host is compared with the guest. */
static void add_compared(struct verb_args *a, int argc, const char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!access(argv[i], F_OK))
			return;
	verb_args_add(a, "perf.data.host");
	verb_args_add(a, "perf.data.guest");
}

void kvm_front_args(const struct kvm_front *f, struct verb_args *a, const char *command, int argc,
		    const char **argv, struct strbuf *notes)
{
	const struct taker *t = taker_of(command);

	verb_args_init(a, command);
	for (int i = 0; i < f->verbose; i++)
		verb_args_add(a, "-v");
	if (t->machines)
		add_value(a, "--machines", !f->host ? "guest" : f->guest ? "host,guest" : "host");
	if (t->file)
		add_value(a, t->file, kvm_front_file(f));
	if (t->symbols)
		add_symbols(a, &f->symbols);
	else if (has_symbols(&f->symbols))
		strbuf_addf(notes,
			    "kvm %s: the files of guests are needed later: give their options to "
			    "kvm report\n",
			    command);
	verb_args_users(a, argc, argv);
	if (!strcmp(command, "diff"))
		add_compared(a, argc, argv);
}
