// SPDX-License-Identifier: GPL-2.0-or-later
/* Check annotations with a function of this very program. */
#include "base/compat.h"

#include "arch/arch.h"
#include "disasm/disasm.h"
#include "made.h"
#include "suites.h"
#include "tests/workloads/workloads.h"

#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

/* Find the mapping of this program that has an address. */
static bool find_own(u64 at, struct rec_mmap *map, char path[PATH_MAX])
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[PATH_MAX + 128];
	bool found = false;
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 1);

	path[len < 0 ? 0 : len] = 0;
	while (f && !found && fgets(line, sizeof(line), f)) {
		char *p = line;

		map->start = strtoull(p, &p, 16);
		map->len = strtoull(p + 1, &p, 16) - map->start;
		map->pgoff = strtoull(strchr(p + 1, ' ') ?: p, NULL, 16);
		found = at - map->start < map->len;
	}
	if (f)
		fclose(f);
	map->pid = map->tid = 100;
	map->prot = PROT_READ | PROT_EXEC;
	map->filename = path;
	return found;
}

/* All of three samples are at the first instruction of a workload. */
static int make(struct test_ctx *ctx, struct made *m)
{
	const u64 at = (u64)(uintptr_t)workload_find("noploop")->run;
	struct rec_mmap map = { 0 };
	char path[PATH_MAX];
	u64 id;

	if (test_is_stripped())
		return test_skip(ctx, "this program is stripped");
	TEST_CHECK(find_own(at, &map, path), "no mapping of this program has %#llx",
		   (unsigned long long)at);
	made_init(m, PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD);
	id = made_event(m, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock");
	made_task(m, 100, 100, "loops");
	made_mmap(m, &map);
	for (u64 i = 1; i <= 3; i++)
		made_sample(m, &(struct sample){ .misc = PERF_RECORD_MISC_USER,
						 .id = id,
						 .pid = 100,
						 .tid = 100,
						 .time = i * 1000000,
						 .ip = at,
						 .period = 1 });
	return 0;
}

/* Lines with samples begin with their share; there is one, which has them all. */
static int look(const char *text)
{
	const char *title = "(3 samples, percent: local period)";
	int nr = 0;

	TEST_CHECK(strstr(text, title), "'%s' is not in:\n%.2000s", title, text);
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		char *end;
		double share = strtod(text, &end);

		if (end == text || strncmp(end, " :", 2) || !(share > 0))
			continue;
		nr++;
		TEST_CHECK(share == 100, "%.60s", text);
	}
	TEST_EQ(nr, 1);
	return TEST_OK;
}

static int test_stdio(struct test_ctx *ctx)
{
	struct disasm *d = disasm_open(arch_host(), sizeof(long) == 8);
	struct test_run run;
	struct made m;
	char *dir;
	int ret;

	if (!d)
		return test_skip(ctx, "the library capstone is not here, or not for this machine");
	disasm_close(d);
	ret = make(ctx, &m);
	if (ret)
		return ret;
	ret = made_enter(&m, &dir);
	made_release(&m);
	if (ret)
		return ret;
	ret = TEST_PERF(&run, "annotate", "--stdio", "-s", "wl_noploop");
	if (!ret)
		ret = look(strbuf_str(&run.out));
	strbuf_release(&run.out);
	made_leave(dir);
	return ret;
}

static const struct test_case cases[] = {
	{ "samples at an instruction", test_stdio },
};
TEST_SUITE(suite_annotate, "Annotated functions", cases, "annotate annotatetext annotaterun");
