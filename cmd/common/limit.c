// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/limit.h"

#include <math.h>

static bool is_percent(double *percent, const char *text)
{
	char *end;

	*percent = strtod(text, &end);
	return end != text && *percent >= 0 && (!*end || !strcmp(end, "%"));
}

bool limit_parse(struct limit *l, const char *text)
{
	const char *arg = text;

	*l = (struct limit){ .set = true };
	if (*arg == '>' || *arg == '<')
		l->way = *arg++;
	if (is_percent(&l->percent, arg))
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

bool percent_parse(double *percent, const char *text)
{
	if (is_percent(percent, text))
		return true;
	fprintf(stderr, "invalid limit '%s': give a number of percent\n", text);
	return false;
}

bool percentage_parse(bool *relative, const char *word)
{
	*relative = !strcmp(word, "relative");
	if (*relative || !strcmp(word, "absolute"))
		return true;
	fprintf(stderr, "invalid --percentage '%s': say relative or absolute\n", word);
	return false;
}
