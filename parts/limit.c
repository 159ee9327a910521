// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "parts/limit.h"

#include <math.h>

bool limit_parse(struct limit *l, const char *text)
{
	const char *arg = text;
	char *end;

	*l = (struct limit){ .set = true };
	if (*arg == '>' || *arg == '<')
		l->way = *arg++;
	l->percent = strtod(arg, &end);
	if (end != arg && l->percent >= 0 && (!*end || !strcmp(end, "%")))
		return true;
	fprintf(stderr,
		"invalid limit '%s': say '>5%%' (grew by more), '<5%%' (shrank by more) or '5%%'\n",
		text);
	return false;
}

bool limit_passed(const struct limit *l, double percent)
{
	if ((l->way == '>' && percent < 0) || (l->way == '<' && percent > 0))
		return false;
	return fabs(percent) > l->percent;
}
