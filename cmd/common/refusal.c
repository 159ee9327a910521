// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/refusal.h"

#include "cmd/common/message.h"
#include "cmd/common/usage.h"

static void tell(const struct refusal *r, const char *const usage[], const struct option *options)
{
	fprintf(stderr, "%s\n", r->sentence);
	for (size_t i = 0; i < ARRAY_SIZE(r->options) && r->options[i]; i++) {
		bool lines = !r->no_usage && (i == 0 || r->usage_each);

		usage_one_option(lines ? usage : NULL, options, r->options[i], false);
	}
}

int refusal_find(const struct refusal *rows, size_t nr, const char *const usage[],
		 const struct option *options)
{
	for (size_t i = 0; i < nr; i++) {
		if (!rows[i].holds)
			continue;
		tell(&rows[i], usage, options);
		return rows[i].status ? rows[i].status : EXIT_REFUSED;
	}
	return 0;
}
