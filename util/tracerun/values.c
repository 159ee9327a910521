// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracerun/values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int trace_read_faults(struct trace_asked *a, const char *text, struct err *err)
{
	static const struct {
		const char *name;
		unsigned int bits;
	} kinds[] = {
		{ "all", TRACE_FAULTS_MAJOR | TRACE_FAULTS_MINOR },
		{ "maj", TRACE_FAULTS_MAJOR },
		{ "min", TRACE_FAULTS_MINOR },
	};

	a->faults = 0;
	for (size_t i = 0; text && i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(text, kinds[i].name))
			a->faults = kinds[i].bits;
	if (!text || a->faults)
		return 0;
	return err_set(err, -EINVAL, "-F: '%s' is none of all, maj, min", text);
}

int trace_read_duration(struct trace_asked *a, const char *text, struct err *err)
{
	char *end;
	double ms = text ? strtod(text, &end) : 0;

	if (text && (end == text || *end || !(ms >= 0) || ms > 1e12))
		return err_set(err, -EINVAL, "--duration: '%s' is no number of milliseconds", text);
	a->least_ns = (u64)(ms * 1e6);
	return 0;
}

/* Take one part of the list of columns. Return: what follows it; NULL: it is none. */
static const char *read_column(struct trace_asked *a, const char *part)
{
	static const char wall[] = "wall";
	const size_t len = strcspn(part, ",");
	char *end = (char *)part;
	double percent;

	if (len == strlen(wall) && !memcmp(part, wall, len)) {
		a->wall = true;
		return part + len;
	}
	percent = *part == 'p' ? strtod(part + 1, &end) : 0;
	if (end != part + len || !(percent > 0 && percent <= 100) ||
	    a->nr_quantiles == TRACE_QUANTILES)
		return NULL;
	a->quantiles[a->nr_quantiles++] = (u32)lround(percent * 1e4);
	return end;
}

int trace_read_columns(struct trace_asked *a, const char *text, struct err *err)
{
	a->nr_quantiles = 0;
	a->wall = false;
	for (const char *p = text ?: ""; *p; p += *p == ',') {
		const char *end = read_column(a, p);

		if (!end)
			return err_set(err, -EINVAL,
				       "--summary: '%s' is no list of at most %d parts like "
				       "p50,p99.9,wall",
				       p, TRACE_QUANTILES);
		p = end;
	}
	return 0;
}

int trace_read_string_len(struct trace_asked *a, const char *text, struct err *err)
{
	const struct sysargs_view usual = SYSARGS_VIEW_DEFAULT;
	char *end;
	unsigned long n = text ? strtoul(text, &end, 10) : usual.string_len;

	if (text && (end == text || *end || *text == '-' || n > UINT32_MAX))
		return err_set(err, -EINVAL, "--string-len: '%s' is no number of bytes", text);
	a->look.view.string_len = (u32)n;
	return 0;
}

int trace_read_mode(struct trace_asked *a, const char *text, struct err *err)
{
	static const char *const modes[] = {
		[TRACE_BY_THREAD] = "thread",
		[TRACE_BY_TOTAL] = "total",
		[TRACE_BY_CGROUP] = "cgroup",
	};

	a->mode = TRACE_BY_THREAD;
	for (size_t i = 0; text && i < ARRAY_SIZE(modes); i++) {
		if (strcmp(text, modes[i]))
			continue;
		a->mode = (enum trace_summary_mode)i;
		return 0;
	}
	return text ? err_set(err, -EINVAL, "--summary-mode: '%s' is none of thread, total, cgroup",
			      text)
		    : 0;
}
