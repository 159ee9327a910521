// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record: values of options that are names: call chains, clocks, registers, branches. */
#include "base/compat.h"
#include "recorder/recorder.h"
#include "cmd/common/settings.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "events/branch.h"

#include <errno.h>
#include <time.h>

/* A number behind the comma, if there is one. Return: false when it is none, or above @max. */
static bool take_size(const char *arg, unsigned long max, unsigned long *out)
{
	char *end;

	if (!*arg)
		return true;
	errno = 0;
	*out = strtoul(arg + 1, &end, 0);
	return !errno && end != arg + 1 && !*end && arg[1] != '-' && *out && *out <= max;
}

/* dwarf[,size]: store registers and the top of the stack with each sample */
static int callgraph_dwarf(struct sample_opts *s, const char *size)
{
	unsigned long bytes = 8192;

	if (!arch_host()->sample_regs) {
		fprintf(stderr, "callchain: dwarf is not there on this architecture\n");
		return -1;
	}
	if (!take_size(size, 65528, &bytes)) {
		fprintf(stderr, "callchain: Incorrect stack dump size (max 65528): %s\n", size + 1);
		return -1;
	}
	s->callgraph = CALLGRAPH_DWARF;
	s->stack_size = (u32)ALIGN_UP(bytes, sizeof(u64));
	return 0;
}

/* fp[,addresses] */
static int callgraph_fp(struct sample_opts *s, const char *addresses)
{
	unsigned long max = 0;

	if (!take_size(addresses, UINT16_MAX, &max)) {
		fprintf(stderr, "callchain: Incorrect number of addresses in a chain: %s\n",
			addresses + 1);
		return -1;
	}
	s->callgraph = CALLGRAPH_FP;
	s->max_stack = (u16)max;
	return 0;
}

/* The name of @mode at the start of @arg, up to its end or a comma. */
static bool is_mode(const char *arg, const char *mode)
{
	size_t len = strlen(mode);

	return !strncmp(arg, mode, len) && (!arg[len] || arg[len] == ',');
}

static int callgraph_mode(struct sample_opts *s, const char *arg)
{
	if (is_mode(arg, "fp"))
		return callgraph_fp(s, arg + 2);
	if (is_mode(arg, "dwarf"))
		return callgraph_dwarf(s, arg + 5);
	if (!strcmp(arg, "lbr")) {
		s->callgraph = CALLGRAPH_LBR;
		return 0;
	}
	if (is_mode(arg, "lbr"))
		fprintf(stderr, "callchain: No more arguments needed for --call-graph lbr\n");
	else
		fprintf(stderr, "callchain: Unknown --call-graph option value: %s\n", arg);
	return -1;
}

int record_opt_callgraph(const struct option *opt, const char *arg, int unset)
{
	struct sample_opts *s = opt->value;

	if (unset || !strcmp(arg, "no")) {
		s->callgraph = CALLGRAPH_NONE;
		return 0;
	}
	if (callgraph_mode(s, arg))
		return -1;
	/* what a stack points to is of use too */
	if (s->callgraph == CALLGRAPH_DWARF)
		s->addr = true;
	return 0;
}

int record_opt_g(const struct option *opt, const char *arg __unused, int unset)
{
	struct sample_opts *s = opt->value;
	const char *mode = NULL, *size = NULL;

	if (unset) {
		s->callgraph = CALLGRAPH_NONE;
		return 0;
	}
	if (s->callgraph != CALLGRAPH_NONE) /* --call-graph has said how */
		return 0;
	config_default_str("call-graph.record-mode", &mode);
	config_default_str("record.call-graph", &mode);
	config_default_str("call-graph.dump-size", &size);
	if (callgraph_mode(s, mode ? mode : "fp"))
		return -1;
	if (size && s->callgraph == CALLGRAPH_DWARF && (!mode || !strchr(mode, ','))) {
		char *text = xasprintf("dwarf,%s", size);
		int rc = callgraph_mode(s, text);

		free(text);
		return rc;
	}
	return 0;
}

int record_opt_clockid(const struct option *opt, const char *arg, int unset)
{
	static const struct {
		const char *name;
		s32 id;
	} clocks[] = {
		{ "monotonic", CLOCK_MONOTONIC },
		{ "mono", CLOCK_MONOTONIC },
		{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
		{ "raw", CLOCK_MONOTONIC_RAW },
		{ "mono_raw", CLOCK_MONOTONIC_RAW },
		{ "realtime", CLOCK_REALTIME },
		{ "real", CLOCK_REALTIME },
		{ "boottime", CLOCK_BOOTTIME },
		{ "boot", CLOCK_BOOTTIME },
		{ "tai", CLOCK_TAI },
	};
	struct sample_opts *s = opt->value;
	const char *name = arg;

	s->clockid_set = false;
	if (unset)
		return 0;
	if (!strncasecmp(name, "CLOCK_", 6))
		name += 6;
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (!strcasecmp(name, clocks[i].name)) {
			s->clockid = clocks[i].id;
			s->clockid_set = true;
			return 0;
		}
	}
	fprintf(stderr, "Warning:\nunknown clockid %s, check man page\n", arg);
	return -1;
}

void record_settle_lbr(const struct record *r)
{
	bool kernel_only = false;

	if (r->sample.callgraph != CALLGRAPH_LBR)
		return;
	for (size_t i = 0; i < r->evlist.nr; i++)
		kernel_only |= r->evlist.evsels[i]->attr.exclude_user;
	if (r->sample.branches)
		fprintf(stderr,
			"Cannot use LBR callstack with branch stack. Falling back to framepointers.\n");
	else if (kernel_only)
		fprintf(stderr,
			"LBR callstack option is only available to get user callchain information. "
			"Falling back to framepointers.\n");
}

void record_settle_regs(struct sample_opts *s)
{
	const struct arch *host = arch_host();

	s->dwarf_regs = s->user_regs ? host->unwind_regs : host->sample_regs;
	if (s->callgraph == CALLGRAPH_FP && host->link_reg)
		s->user_regs |= 1ULL << host->link_reg;
}

static void list_regs(void)
{
	const struct arch *host = arch_host();

	fprintf(stderr, "available registers: ");
	for (unsigned int i = 0; i < ARCH_REGS_MAX; i++)
		if (host->sample_regs >> i & 1)
			fprintf(stderr, "%s ", arch_reg_name(host, i));
	fprintf(stderr, "\n");
}

/* The bit of the register called @name (@len bytes); 0 when it is none. */
static u64 reg_bit(const char *name, size_t len)
{
	const struct arch *host = arch_host();

	for (unsigned int i = 0; i < ARCH_REGS_MAX; i++) {
		const char *n = host->sample_regs >> i & 1 ? arch_reg_name(host, i) : "";

		if (len && strlen(n) == len && !strncasecmp(n, name, len))
			return 1ULL << i;
	}
	return 0;
}

int record_opt_regs(const struct option *opt, const char *arg, int unset)
{
	u64 *mask = opt->value;

	*mask = 0;
	if (unset)
		return 0;
	if (!arch_host()->sample_regs) {
		fprintf(stderr, "registers cannot be sampled on this architecture\n");
		return -1;
	}
	if (!arg) {
		*mask = arch_host()->sample_regs;
		return 0;
	}
	if (!strcmp(arg, "?")) {
		list_regs();
		return -1;
	}
	for (const char *p = arg;; p++) {
		size_t len = strcspn(p, ",");
		u64 bit = reg_bit(p, len);

		if (!bit) {
			fprintf(stderr,
				"Warning:\nUnknown register \"%.*s\", check man page or run \"perf record %s?\"\n",
				(int)len, p, opt->short_name ? "-I" : "--user-regs=");
			return -1;
		}
		*mask |= bit;
		p += len;
		if (!*p)
			return 0;
	}
}

int record_opt_branch_any(const struct option *opt, const char *arg __unused, int unset)
{
	u64 *mask = opt->value;

	*mask = unset ? 0 : PERF_SAMPLE_BRANCH_ANY;
	return 0;
}

int record_opt_branches(const struct option *opt, const char *arg, int unset)
{
	u64 *mask = opt->value;
	const char *bad;
	size_t len;

	*mask = 0;
	if (!unset && branch_mask_parse(arg, mask, &bad, &len)) {
		fprintf(stderr, "unknown branch filter %.*s, check man page\n", (int)len, bad);
		return -1;
	}
	return 0;
}
