// SPDX-License-Identifier: GPL-2.0-or-later
/* perf iostat: what passes through PCIe root ports, a front of perf stat --iostat. */
#include "base/compat.h"

#include "builtin.h"

#include "base/alloc.h"
#include "cmd/common/usage.h"
#include "stat/iostat.h"

static const char *const iostat_usage[] = {
	"perf iostat list",
	"perf iostat [<ports>] [<options of perf stat>] -- <command> [<options>]",
	NULL,
};

int cmd_iostat(int argc, const char **argv)
{
	const struct option options[] = { OPT_END() };
	const char **words = xcalloc((size_t)argc + 3, sizeof(*words));
	bool ports = argc > 1 && iostat_is_choice(argv[1]);
	int nr = 0;

	/* All other options are those of perf stat. */
	if (argc > 1 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help") ||
			 !strncmp(argv[1], "--list-", strlen("--list-"))))
		parse_options(argc, argv, options, iostat_usage, 0);
	words[nr++] = "stat";
	words[nr++] = ports ? xasprintf("--iostat=%s", argv[1]) : "--iostat";
	for (int i = ports ? 2 : 1; i < argc; i++)
		words[nr++] = argv[i];
	return cmd_stat(nr, words);
}
