// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/itrace.h"

#include <ctype.h>

/* Letters that take no more than a number, or flags. */
static bool itrace_letter(const char **p)
{
	char c = *(*p)++;

	if (!strchr("ibcrxwpoIedfmMtagGlLsqAZ", c))
		return false;
	if (c == 'e' || c == 'd')
		while ((**p == '+' || **p == '-') && isalpha((unsigned char)(*p)[1]))
			*p += 2;
	while (isdigit((unsigned char)**p))
		(*p)++;
	if (c != 'i')
		return true;
	if (!strncmp(*p, "ns", 2) || !strncmp(*p, "us", 2) || !strncmp(*p, "ms", 2))
		*p += 2;
	else if (isdigit((unsigned char)(*p)[-1]) && (**p == 'i' || **p == 't'))
		(*p)++;
	return true;
}

int opt_itrace(const struct option *opt, const char *arg, int unset)
{
	bool *given = opt->value;
	const char *p = arg ? arg : "";

	*given = !unset;
	while (!unset && *p) {
		if (*p == ',' || *p == ' ') {
			p++;
		} else if (!itrace_letter(&p)) {
			fprintf(stderr, "Bad Instruction Tracing options '%s'\n", arg);
			return -1;
		}
	}
	return 0;
}
