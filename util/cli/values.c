// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cli/values.h"

#include <errno.h>
#include <math.h>

static bool is_percent(double *percent, const char *text)
{
	char *end;

	*percent = strtod(text, &end);
	return end != text && *percent >= 0 && (!*end || !strcmp(end, "%"));
}

int limit_parse(struct limit *l, const char *text, struct err *err)
{
	const char *arg = text;

	*l = (struct limit){ .set = true };
	if (*arg == '>' || *arg == '<')
		l->way = *arg++;
	if (is_percent(&l->percent, arg))
		return 0;
	return err_set(err, -EINVAL,
		       "invalid limit '%s': say '>5%%' (grew by more), '<5%%' (shrank by more) "
		       "or '5%%'",
		       text);
}

bool limit_passed(const struct limit *l, double percent)
{
	if ((l->way == '>' && percent < 0) || (l->way == '<' && percent > 0))
		return false;
	return fabs(percent) > l->percent;
}

int percent_parse(double *percent, const char *text, struct err *err)
{
	if (is_percent(percent, text))
		return 0;
	return err_set(err, -EINVAL, "invalid limit '%s': give a number of percent", text);
}

int percentage_parse(bool *relative, const char *word, struct err *err)
{
	*relative = !strcmp(word, "relative");
	if (*relative || !strcmp(word, "absolute"))
		return 0;
	return err_set(err, -EINVAL, "invalid --percentage '%s': say relative or absolute", word);
}

int quantum_parse(u64 *ns, const char *text, struct err *err)
{
	static const struct {
		const char *unit;
		u64 ns;
	} units[] = { { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 } };
	char *end;
	u64 n = strtoull(text, &end, 10);

	*ns = 0;
	for (size_t i = 0; end != text && n && i < ARRAY_SIZE(units); i++)
		if (!strcmp(end, units[i].unit) && n <= UINT64_MAX / units[i].ns)
			*ns = n * units[i].ns;
	if (*ns)
		return 0;
	return err_set(err, -EINVAL,
		       "invalid time quantum '%s': give a number with s, ms, us or ns", text);
}

int widths_parse(u16 *widths, size_t max, const char *text, struct err *err)
{
	char *end;

	for (size_t i = 0; *text && i < max; i++) {
		unsigned long w = strtoul(text, &end, 10);

		if ((*end && *end != ',') || w > 4096)
			return err_set(err, -EINVAL, "invalid column width '%s'", text);
		widths[i] = (u16)w;
		text = *end ? end + 1 : end;
	}
	return 0;
}
