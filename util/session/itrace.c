// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "session/itrace.h"

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

bool itrace_is_valid(const char *text)
{
	while (*text) {
		if (*text == ',' || *text == ' ')
			text++;
		else if (!itrace_letter(&text))
			return false;
	}
	return true;
}
