// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/refusal.h"

#include "cmd/common/message.h"
#include "cmd/common/usage.h"

static void tell(const struct refusal *r, const char *const usage[], const struct option *options)
{
	if (r->sentence)
		fprintf(stderr, "%s\n", r->sentence);
	if (r->whole_usage)
		usage_with_options(usage, options);
	for (size_t i = 0; i < ARRAY_SIZE(r->options) && r->options[i]; i++) {
		bool lines = !r->no_usage && (i == 0 || r->usage_each);

		usage_one_option(lines ? usage : NULL, options, r->options[i], !r->options[i][1]);
	}
}

bool refusal_tell(const struct refusal *rows, size_t nr, const char *const usage[],
		  const struct option *options, int *status)
{
	for (size_t i = 0; i < nr; i++) {
		const struct refusal *r = &rows[i];

		if (!r->holds && file_is_readable(r->unreadable))
			continue;
		tell(r, usage, options);
		*status = r->status ? r->status : EXIT_REFUSED;
		if (r->accepted)
			*status = EXIT_OK;
		return true;
	}
	return false;
}

int refusal_find(const struct refusal *rows, size_t nr, const char *const usage[],
		 const struct option *options)
{
	int status = 0;

	refusal_tell(rows, nr, usage, options, &status);
	return status;
}
