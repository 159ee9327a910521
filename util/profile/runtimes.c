// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "profile/runtimes.h"

#include "base/alloc.h"
#include "base/escape.h"

#define MAX_TOLD 3 /* processes */

/* ---- samples by process ---- */

struct busy_process *busy_find(struct busy_processes *b, u32 pid)
{
	u32 *at = map64_slot(&b->by_pid, pid);

	if (*at == MAP64_NONE) {
		*at = (u32)b->nr;
		VEC_GROW(b->v, b->nr + 1, b->cap);
		b->v[b->nr++] = (struct busy_process){ .pid = pid };
	}
	b->last = *at;
	return &b->v[*at];
}

void busy_merge(struct busy_processes *to, const struct busy_processes *from)
{
	for (size_t i = 0; i < from->nr; i++)
		busy_note(to, from->v[i].pid, from->v[i].time, from->v[i].nr);
}

void busy_release(struct busy_processes *b)
{
	free(b->v);
	map64_release(&b->by_pid);
	*b = (struct busy_processes){ 0 };
}

/* ---- runtimes ---- */

/* Return the second number of a version like "3.11" behind "python" or "libpython"; -1: it is not
 * told. */
static int python_minor(const char *version)
{
	char *end;
	long minor;

	if (strncmp(version, "3.", 2))
		return -1;
	minor = strtol(version + 2, &end, 10);
	return end == version + 2 || minor > 1000 ? -1 : (int)minor;
}

static const char *python_advice(const char *version)
{
	int minor = python_minor(version);

	if (*version && *version != '2' && *version != '3')
		return NULL;
	return minor < 0 || minor >= 12 ? "python -X perf (in 3.13 and later also -X perf_jit)"
					: "Python 3.12 or later and its option -X perf";
}

const char *runtime_advice(const char *object)
{
	static const struct {
		const char *name;
		bool whole;
		const char *advice;
	} runtimes[] = {
		{ "node", true, "node --perf-basic-prof" },
		{ "nodejs", true, "node --perf-basic-prof" },
		{ "libnode.so", false, "node --perf-basic-prof" },
		{ "libjvm.so", false,
		  "java -XX:+PreserveFramePointer and a map (jcmd PID Compiler.perfmap, "
		  "-XX:+DumpPerfMapAtExit or perf-map-agent)" },
		{ "ruby", false, "ruby --yjit-perf (3.3 and later)" },
		{ "libruby", false, "ruby --yjit-perf (3.3 and later)" },
	};

	if (!strncmp(object, "libpython", 9))
		return python_advice(object + 9);
	if (!strncmp(object, "python", 6))
		return python_advice(object + 6);
	for (size_t i = 0; i < ARRAY_SIZE(runtimes); i++)
		if (runtimes[i].whole
			    ? !strcmp(object, runtimes[i].name)
			    : !strncmp(object, runtimes[i].name, strlen(runtimes[i].name)))
			return runtimes[i].advice;
	return NULL;
}

/* Tell whether the object names functions that were made at run time. */
static bool names_code(struct symbols *symbols, const struct dso *dso)
{
	return dso->kind == DSO_JIT ||
	       (dso->kind == DSO_PERF_MAP && symtab_nr(symbols_load(symbols, dso)));
}

/* Return: what has the process name its functions; NULL: it is of no runtime, or does so. */
static const char *advice_for(const struct busy_process *p, const struct machine *m,
			      struct symbols *symbols)
{
	const char *advice = NULL;
	u64 addr = 0, start, end;
	struct thread_at at;

	machine_thread_at(m, p->pid, p->pid, p->time, &at);
	for (;; addr = end) {
		const struct map *map =
			machine_find_range(m, at.epoch, PERF_RECORD_MISC_USER, addr, &start, &end);

		if (map && names_code(symbols, map->dso))
			return NULL;
		if (map && !advice)
			advice = runtime_advice(map->dso->short_name);
		if (end <= addr || end == UINT64_MAX)
			return advice;
	}
}

static int busy_cmp(const void *pa, const void *pb)
{
	const struct busy_process *a = pa, *b = pb;

	if (a->nr != b->nr)
		return a->nr > b->nr ? -1 : 1;
	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

static void tell(const struct busy_process *p, double share, const char *advice,
		 const struct machine *m, const struct notices *sentences)
{
	struct thread_at at;
	char name[64];

	machine_thread_at(m, p->pid, p->pid, p->time, &at);
	escape_name(name, sizeof(name), machine_comm(m, at.comm));
	notice(sentences,
	       "%.0f%% of the samples are of %s (%u), whose own functions have no names: run it with %s",
	       share, name, p->pid, advice);
}

void runtimes_tell(const struct busy_processes *b, double percent, const struct machine *m,
		   struct symbols *symbols, const struct notices *sentences)
{
	struct busy_process *sorted = xcalloc(b->nr + 1, sizeof(*sorted));
	u64 all = 0;
	u32 told = 0;

	for (size_t i = 0; i < b->nr; i++) {
		sorted[i] = b->v[i];
		all += b->v[i].nr;
	}
	qsort(sorted, b->nr, sizeof(*sorted), busy_cmp);
	for (size_t i = 0; i < b->nr && told < MAX_TOLD; i++) {
		double share = (double)sorted[i].nr * 100 / (double)all;
		const char *advice;

		if (share < percent)
			break;
		advice = advice_for(&sorted[i], m, symbols);
		if (!advice)
			continue;
		tell(&sorted[i], share, advice, m, sentences);
		told++;
	}
	free(sorted);
}
