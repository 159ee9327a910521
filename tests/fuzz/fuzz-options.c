// SPDX-License-Identifier: GPL-2.0-or-later
/* Command lines: words separated by zero bytes, the first byte chooses the flags. */
#include "base/compat.h"

#include "cli/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int look_at(const struct option *opt, const char *arg, int unset)
{
	return arg ? (int)(strlen(arg) & 1) : unset;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const usage[] = { "perf fuzz [<options>]", NULL };
	static const char *const subcommands[] = { "one", "two", NULL };
	static const char *const none[] = { NULL };
	bool a = false, set = false, x = false;
	const char *s = NULL, *t = NULL;
	unsigned int u = 0, m = 0;
	u64 n = 0;
	long l = 0;
	int v = 0, i = 0;
	const struct option parent[] = {
		OPT_INCR('v', "verbose", &v, "more"),
		OPT_END(),
	};
	const struct option table[] = {
		OPT_BOOLEAN_SET('a', "all", &a, &set, "all of it"),
		OPT_BOOLEAN('B', "no-buildid", &x, "none"),
		OPT_STRING('o', "output", &s, "file", "where"),
		OPT_STRING_OPTARG(0, "switch-output", &t, "when", "switch", "signal"),
		OPT_GROUP("numbers"),
		OPT_INTEGER('i', "int", &i, "int"),
		OPT_UINTEGER('F', "freq", &u, "freq"),
		OPT_U64('c', "count", &n, "count"),
		OPT_LONG(0, "long", &l, "long"),
		OPT_SET_UINT('m', "mode", &m, "mode", 3),
		OPT_CALLBACK('e', "event", NULL, "event", "event", look_at),
		OPT_CALLBACK_NOOPT('g', NULL, NULL, NULL, "graph", look_at),
		OPT_CALLBACK_OPTARG('z', "level", NULL, NULL, "n", "level", look_at),
		OPT_CALLBACK_DEFAULT('G', "graph", NULL, "how", "graph", look_at, "x"),
		OPT_BOOLEAN_FLAG('x', "ex", &x, "ex", PARSE_OPT_EXCLUSIVE),
		OPT_BOOLEAN_FLAG('y', "why", &x, "why", PARSE_OPT_EXCLUSIVE | PARSE_OPT_NONEG),
		OPT_PARENT(parent),
	};
	struct options_out out = { .text = STRBUF_INIT };
	const char *argv[34] = { "fuzz" };
	char words[513];
	int argc = 1, left;
	size_t pos = 0;

	if (!size)
		return 0;
	size = MIN(size, sizeof(words));
	memcpy(words, data + 1, size - 1);
	words[size - 1] = 0;
	while (pos < size - 1 && argc < 32) {
		argv[argc++] = words + pos;
		pos += strlen(words + pos) + 1;
	}
	left = data[0] & 32 ? options_parse_subcommand(argc, argv, table, subcommands, none,
						       data[0] & 31, &out)
			    : options_parse(argc, argv, table, usage, data[0] & 31, &out);
	if (left > argc || (left < 0 && !out.status))
		abort();
	options_out_release(&out);
	return 0;
}
