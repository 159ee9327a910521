// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "kernel/open-features.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1U << 4)
#endif
#ifndef PERF_SAMPLE_BRANCH_PRIV_SAVE
#define PERF_SAMPLE_BRANCH_PRIV_SAVE (1U << 18)
#endif
#ifndef PERF_SAMPLE_BRANCH_COUNTERS
#define PERF_SAMPLE_BRANCH_COUNTERS (1U << 19)
#endif

struct feature {
	u32 missing;               /* its bit of enum open_missing; 0: no event does without */
	const char *since;         /* the first version of Linux */
	const char *option;        /* NULL: no option of the user asks for it */
	struct perf_event_attr of; /* all bits that belong to it */
	u64 flags;                 /* ATTR_*, which the installed header may have no name for */
};

#define ALL32 0xffffffffU
#define ALL64 (~(u64)0)

static const struct feature features[] = {
	{ MISSING_DEFER, "6.19", "--call-graph fp,defer",
	  .flags = ATTR_DEFER_CALLCHAIN | ATTR_DEFER_OUTPUT },
	{ MISSING_READ_LOST, "6.0", NULL, { .read_format = PERF_FORMAT_LOST } },
	/* The plain weight takes its place. */
	{ MISSING_WEIGHT_STRUCT, "5.12", NULL, { .sample_type = PERF_SAMPLE_WEIGHT_STRUCT } },
	{ MISSING_CGROUP,
	  "5.7",
	  "--all-cgroups",
	  { .cgroup = 1, .sample_type = PERF_SAMPLE_CGROUP } },
	{ MISSING_BPF_EVENT, "5.1", NULL, { .bpf_event = 1 } },
	{ MISSING_KSYMBOL, "5.1", NULL, { .ksymbol = 1 } },
	{ MISSING_CLOCKID, "4.1", "--clockid", { .use_clockid = 1, .clockid = -1 } },
	{ MISSING_NAMESPACES, "4.12", "--namespaces", { .namespaces = 1 } },
	{ MISSING_PAGE_SIZE,
	  "5.11",
	  "--data-page-size, --code-page-size",
	  { .sample_type = PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE } },
	{ MISSING_MMAP2, "3.16", NULL, { .mmap2 = 1 } },
	{ MISSING_COMM_EXEC, "3.16", NULL, { .comm_exec = 1 } },
	{ MISSING_EXCLUDE_GUEST, "3.2", NULL, { .exclude_guest = 1, .exclude_host = 1 } },
	{ MISSING_BRANCH_HW_INDEX,
	  "5.7",
	  NULL,
	  { .branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX } },
	{ MISSING_BRANCH_NO_FLAGS,
	  "4.5",
	  NULL,
	  { .branch_sample_type = PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES } },
	/* The recorder reads them itself, and says so. */
	{ MISSING_BUILD_ID, "5.12", NULL, { .build_id = 1 } },

	{ 0, "5.9", "records of changed kernel code", { .text_poke = 1 } },
	{ 0, "4.3", "--switch-events, --wall", { .context_switch = 1 } },
	{ 0, "4.7", "--overwrite", { .write_backward = 1 } },
	{ 0, "4.8", "a limit for call chains (max-stack)", { .sample_max_stack = 0xffff } },
	{ 0, "4.14", "--phys-data", { .sample_type = PERF_SAMPLE_PHYS_ADDR } },
	{ 0,
	  "3.19",
	  "--intr-regs",
	  { .sample_type = PERF_SAMPLE_REGS_INTR, .sample_regs_intr = ALL64 } },
	{ 0,
	  "3.7",
	  "--call-graph dwarf, --user-regs",
	  { .sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	    .sample_regs_user = ALL64,
	    .sample_stack_user = ALL32 } },
	{ 0, "3.13", "--transaction", { .sample_type = PERF_SAMPLE_TRANSACTION } },
	{ 0, "3.10", "--data", { .sample_type = PERF_SAMPLE_DATA_SRC } },
	{ 0, "3.10", "--weight", { .sample_type = PERF_SAMPLE_WEIGHT } },
	{ 0, "3.12", "several different events", { .sample_type = PERF_SAMPLE_IDENTIFIER } },
	{ 0,
	  "3.7",
	  "call chains of one side only",
	  { .exclude_callchain_kernel = 1, .exclude_callchain_user = 1 } },
	{ 0,
	  "4.14",
	  "--branch-filter save_type",
	  { .branch_sample_type = PERF_SAMPLE_BRANCH_TYPE_SAVE } },
	{ 0, "6.1", "--branch-filter priv", { .branch_sample_type = PERF_SAMPLE_BRANCH_PRIV_SAVE } },
	{ 0,
	  "6.8",
	  "--branch-filter counter",
	  { .branch_sample_type = PERF_SAMPLE_BRANCH_COUNTERS } },
	{ 0, "4.1", "--call-graph lbr", { .branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK } },
};

/* In a sample the id says of which event it is. */
static bool only_counts(const struct perf_event_attr *a)
{
	return !a->sample_period && a->sample_type == PERF_SAMPLE_IDENTIFIER;
}

/* Return an attr in which all bits of a feature are set. */
static struct perf_event_attr bits_of(const struct feature *f)
{
	struct perf_event_attr bits = f->of;

	attr_set(&bits, f->flags);
	return bits;
}

/* The bits that an attr has in common with a feature. Return: whether there are any. */
static bool common(const struct perf_event_attr *a, const struct feature *f,
		   struct perf_event_attr *out)
{
	const struct perf_event_attr bits = bits_of(f);
	const u8 *x = (const u8 *)a, *y = (const u8 *)&bits;
	u8 *to = (u8 *)out, any = 0;

	for (size_t i = 0; i < ATTR_SIZE; i++)
		any |= to[i] = x[i] & y[i];
	return any;
}

bool features_used(const struct perf_event_attr *a, enum open_missing m)
{
	struct perf_event_attr has = { 0 };

	if (m == MISSING_IDENTIFIER)
		return only_counts(a);
	for (size_t i = 0; i < ARRAY_SIZE(features); i++)
		if (features[i].missing == m)
			return common(a, &features[i], &has);
	return m == MISSING_CLOEXEC;
}

void features_leave_out(struct perf_event_attr *a, u32 missing)
{
	bool weight = missing & MISSING_WEIGHT_STRUCT && a->sample_type & PERF_SAMPLE_WEIGHT_STRUCT;

	if (missing & MISSING_IDENTIFIER && only_counts(a))
		a->sample_type = 0;
	for (size_t i = 0; i < ARRAY_SIZE(features); i++) {
		const struct perf_event_attr bits = bits_of(&features[i]);
		const u8 *of = (const u8 *)&bits;
		u8 *to = (u8 *)a;

		for (size_t j = 0; missing & features[i].missing && j < ATTR_SIZE; j++)
			to[j] &= (u8)~of[j];
	}
	if (weight)
		a->sample_type |= PERF_SAMPLE_WEIGHT;
}

static void add_feature(const struct feature *f, struct strbuf *out)
{
	strbuf_addf(out, "%s%s (since Linux %s)", out->len ? ", " : "", f->option, f->since);
}

void features_told(u32 missing, struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(features); i++)
		if (missing & features[i].missing && features[i].option)
			add_feature(&features[i], out);
}

int attr_open(const struct perf_event_attr *a, u64 config3, int pid, int cpu, int group,
	      unsigned long flags)
{
	u32 size = config3 ? PERF_ATTR_SIZE_VER8 : ATTR_SIZE, told;
	u8 given[PERF_ATTR_SIZE_VER8] = { 0 };
	int fd;

	memcpy(given, a, ATTR_SIZE);
	memcpy(given + ATTR_SIZE, &config3, sizeof(config3));
	memcpy(given + offsetof(struct perf_event_attr, size), &size, sizeof(size));
	fd = (int)syscall(SYS_perf_event_open, given, pid, cpu, group, flags);
	if (fd >= 0 || errno != E2BIG)
		return fd < 0 ? -errno : fd;
	memcpy(&told, given + offsetof(struct perf_event_attr, size), sizeof(told));
	if (told < PERF_ATTR_SIZE_VER0 || told >= size)
		return -E2BIG;
	for (u32 i = told; i < size; i++)
		if (given[i])
			return -E2BIG;
	fd = (int)syscall(SYS_perf_event_open, given, pid, cpu, group, flags);
	return fd < 0 ? -errno : fd;
}

/* Open an event that any kernel has, for this thread, with some bits more. Return: 0 or a negative
 * errno. */
static int try_with(const struct perf_event_attr *more, u64 config3)
{
	struct perf_event_attr a = *more;
	int fd;

	a.type = PERF_TYPE_SOFTWARE;
	a.config = PERF_COUNT_SW_CPU_CLOCK;
	a.disabled = 1;
	a.exclude_kernel = 1;
	fd = attr_open(&a, config3, 0, -1, -1, 0);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

void features_unknown(const struct perf_event_attr *a, bool config3, struct strbuf *out)
{
	static const struct feature third = { .since = "6.3", .option = "a term for config3" };
	struct perf_event_attr least = *a, has;

	features_leave_out(&least, ~0U);
	for (size_t i = 0; i < ARRAY_SIZE(features); i++) {
		int rc;

		memset(&has, 0, sizeof(has));
		if (features[i].missing || !common(&least, &features[i], &has))
			continue;
		rc = try_with(&has, 0);
		if (rc == -EINVAL || rc == -E2BIG)
			add_feature(&features[i], out);
	}
	memset(&has, 0, sizeof(has));
	if (config3 && try_with(&has, 1) == -E2BIG)
		add_feature(&third, out);
}

bool features_none(void)
{
	return try_with(&(struct perf_event_attr){ 0 }, 0) == -ENOSYS;
}
