// SPDX-License-Identifier: GPL-2.0-or-later
/* List the names of branch filters. Source of the bits: linux/perf_event.h. */
#include "base/compat.h"
#include "events/branch.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <strings.h>

static const struct {
	const char *name;
	u64 bit;
} filters[] = {
	{ "u", PERF_SAMPLE_BRANCH_USER },
	{ "k", PERF_SAMPLE_BRANCH_KERNEL },
	{ "hv", PERF_SAMPLE_BRANCH_HV },
	{ "any", PERF_SAMPLE_BRANCH_ANY },
	{ "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },
	{ "any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN },
	{ "ind_call", PERF_SAMPLE_BRANCH_IND_CALL },
	{ "ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP },
	{ "call", PERF_SAMPLE_BRANCH_CALL },
	{ "cond", PERF_SAMPLE_BRANCH_COND },
	{ "abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX },
	{ "in_tx", PERF_SAMPLE_BRANCH_IN_TX },
	{ "no_tx", PERF_SAMPLE_BRANCH_NO_TX },
	{ "stack", PERF_SAMPLE_BRANCH_CALL_STACK },
	{ "save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE },
	{ "priv", PERF_SAMPLE_BRANCH_PRIV_SAVE },
};

int branch_mask_parse(const char *text, u64 *mask, const char **bad, size_t *bad_len)
{
	*mask = 0;
	if (!strcmp(text, "no"))
		return 0;
	for (const char *p = text;;) {
		size_t len = strcspn(p, ","), i;

		for (i = 0; i < ARRAY_SIZE(filters); i++)
			if (strlen(filters[i].name) == len && !strncasecmp(filters[i].name, p, len))
				break;
		if (i == ARRAY_SIZE(filters)) {
			*mask = 0;
			*bad = p;
			*bad_len = len;
			return -EINVAL;
		}
		*mask |= filters[i].bit;
		if (!p[len])
			break;
		p += len + 1;
	}
	/* a privilege level without a kind of branch means all branches */
	if (!(*mask & ~(u64)PERF_SAMPLE_BRANCH_PLM_ALL))
		*mask |= PERF_SAMPLE_BRANCH_ANY;
	return 0;
}

void branch_mask_names(struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++)
		strbuf_addf(out, "%s ", filters[i].name);
}
