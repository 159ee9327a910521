// SPDX-License-Identifier: GPL-2.0-or-later
#include "mapped.h"

#include "base/alloc.h"
#include "report/report.h"
#include "state-build.h"
#include "tmp-tree.h"

void mapped_open(struct mapped *w)
{
	*w = (struct mapped){ .root = tmp_dir(), .m = machine_new() };
	w->sysroot.prefix = w->root;
}

void mapped_process(struct mapped *w, u32 pid, const char *comm, const char *map)
{
	char *path = xasprintf("tmp/perf-%u.map", pid);

	tree_put(w->root, path, map);
	free(path);
	st_comm(w->m, 0, pid, pid, comm, false);
	st_mmap(w->m, 0, pid, pid, 0x1000, 0x8000, 0, "//anon");
}

void mapped_seal(struct mapped *w)
{
	const struct symconf conf = { .sysroot = &w->sysroot, .force = true };

	machine_seal(w->m);
	w->symbols = symbols_new(&conf);
	w->resolver = resolver_new(w->m, w->symbols);
}

void mapped_release(struct mapped *w)
{
	resolver_free(w->resolver);
	symbols_free(w->symbols);
	machine_free(w->m);
	tmp_remove(w->root);
}

struct hist *mapped_hist(const struct mapped *w, const struct hist_conf *conf, bool at_once,
			 struct hist_worker **workers, int nr)
{
	struct hist *h = hist_new(conf);

	if (at_once)
		hist_resolve_early(h, w->m, w->resolver);
	for (int i = 0; i < nr; i++)
		workers[i] = hist_worker_new(h);
	return h;
}

struct hist_sample mapped_sample(const struct mapped *w, u32 pid, u32 tid, u64 time)
{
	struct thread_at at;

	machine_thread_at(w->m, pid, tid, time, &at);
	return (struct hist_sample){
		.pid = pid,
		.tid = tid,
		.cpumode = PERF_RECORD_MISC_USER,
		.time = time,
		.thread = at.thread,
		.comm = at.comm,
		.epoch = at.epoch,
	};
}

static int collect(void *ctx, const char *text, size_t len)
{
	strbuf_add(ctx, text, len);
	return 0;
}

const char *mapped_print(struct hist *h, const char *sep, struct strbuf *out)
{
	const struct report_conf conf = { .quiet = true, .sep = sep };

	if (report_rows(h, &conf, 0, collect, out))
		abort();
	return strbuf_str(out);
}
