// SPDX-License-Identifier: GPL-2.0-or-later
/* perf kallsyms: where the running kernel and its modules have the symbols of these names. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"

#include "base/strbuf.h"
#include "base/sysroot.h"
#include "kernel/synth.h"
#include "kernel/rights.h"
#include "kernel/synth.h"
#include "symbol/symbol.h"

#include <limits.h>

struct looking {
	const char *name;
	int verbose;
};

/* Print a symbol as perf 6.1 does: its module and the file of that, and its range in memory and in
 * the object. */
static void show(void *ctx, const struct kallsyms_place *p)
{
	const struct looking *l = ctx;
	const char *module = p->module ? p->module : "[kernel]";
	const char *object = p->module ? p->module : "[kernel.kallsyms]";
	int len = p->module ? (int)p->module_len : 64;
	char *file = NULL;

	if (p->module && len > 2)
		file = kernel_module_file(NULL, p->module + 1, (size_t)len - 2);
	printf("%s: %.*s %.*s %#" PRIx64 "-%#" PRIx64 " (%#" PRIx64 "-%#" PRIx64 ")", l->name, len,
	       module, file ? INT_MAX : len, file ? file : object, p->start, p->end, p->start,
	       p->end);
	free(file);
	if (l->verbose)
		printf(" %c", p->kind);
	putchar('\n');
}

static void tell_hidden(void)
{
	const struct sysroot here = { 0 };
	struct strbuf why = STRBUF_INIT;

	rights_addresses(&here, &why);
	error("Couldn't read /proc/kallsyms: its addresses are hidden from this user.\n%s",
	      strbuf_str(&why));
	strbuf_release(&why);
}

static int look(const char **names, int verbose)
{
	int ret = 0;

	for (; *names && ret >= 0; names++) {
		struct looking l = { *names, verbose };

		ret = kallsyms_each(NULL, *names, show, &l);
		if (ret == -EPERM)
			tell_hidden();
		else if (ret < 0)
			error("Couldn't read /proc/kallsyms: %s", err_str(ret));
		else if (!ret)
			printf("%s: not found\n", *names);
	}
	return ret < 0 ? EXIT_FAILED : EXIT_OK;
}

int cmd_kallsyms(int argc, const char **argv)
{
	static const char *const usage[] = { "perf kallsyms [<options>] symbol_name", NULL };
	int verbose = debug_level("verbose");
	const struct option options[] = {
		OPT_INCR('v', "verbose", &verbose, "be more verbose (show the kind of symbols)"),
		OPT_END(),
	};

	argc = parse_options(argc, argv, options, usage, 0);
	if (!argc)
		usage_with_options(usage, options);
	return look(argv, verbose);
}
