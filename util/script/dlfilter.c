// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "script/dlfilter.h"

#include "base/alloc.h"
#include "base/library.h"
#include "disasm/code-files.h"
#include "script/dlfilter-abi.h"

#include <dirent.h>
#include <errno.h>
#include <unistd.h>

typedef int filter_fn(void *data, const struct dlfilter_sample *s, void *ctx);
typedef const char *describe_fn(const char **longer);

struct dlfilter {
	void *handle, *data;
	char **args;
	int nr_args;
	bool started;
	int (*start)(void **data, void *ctx);
	int (*stop)(void *data, void *ctx);
	filter_fn *event, *event_early;
	struct view *view;                 /* borrowed */
	struct dlfilter_al ip_al, addr_al; /* of the sample at hand */
};

/* ---- what it may ask ---- */

static bool is_wide(struct dlfilter *d, const struct location *l)
{
	bool wide = true;
	u8 byte;

	if (l->dso && l->symtab && l->dso->kind == DSO_USER)
		code_read(d->view->files, l->dso, l->symtab, 0, &byte, 1, &wide);
	return wide;
}

/* Look up an address for the filter. */
static void fill(struct dlfilter *d, u8 cpumode, u64 ip, struct dlfilter_al *al)
{
	struct view_place p;
	struct location l;

	view_find(d->view, cpumode, ip, &l);
	view_place(d->view, cpumode, ip, &p);
	al->addr = p.addr;
	al->sym = p.sym;
	al->sym_start = p.sym_start;
	al->sym_end = p.sym_end;
	al->symoff = (u32)p.symoff;
	al->sym_binding = p.sym ? view_binding(&p) : 0;
	if (p.dso) {
		al->dso = p.object;
		al->is_64_bit = is_wide(d, &l);
		al->buildid_size = p.dso->build_id_size;
		al->buildid = p.dso->build_id_size ? p.dso->build_id : NULL;
	}
	al->is_kernel_ip = p.cpumode == PERF_RECORD_MISC_KERNEL;
}

static const struct dlfilter_al *fn_resolve_ip(void *ctx)
{
	struct dlfilter *d = ctx;

	if (!d->view->ev)
		return NULL;
	d->ip_al = (struct dlfilter_al){ .size = sizeof(d->ip_al) };
	fill(d, d->view->ev->sample->cpumode, d->view->ev->sample->ip, &d->ip_al);
	d->ip_al.comm = machine_comm(d->view->of.machine, d->view->at->comm);
	return &d->ip_al;
}

static const struct dlfilter_al *fn_resolve_addr(void *ctx)
{
	struct dlfilter *d = ctx;

	if (!d->view->ev || !view_addr_is_place(d->view->ev->evsel))
		return NULL;
	d->addr_al = (struct dlfilter_al){ .size = sizeof(d->addr_al) };
	fill(d, RESOLVE_ANY_MODE, d->view->ev->sample->addr, &d->addr_al);
	return &d->addr_al;
}

static char **fn_args(void *ctx, int *nr)
{
	struct dlfilter *d = ctx;

	*nr = d->nr_args;
	return d->args;
}

/* Resolve an address. The answer is as long as the filter, which may be older, has room for. */
static s32 fn_resolve_address(void *ctx, u64 address, struct dlfilter_al *al)
{
	struct dlfilter *d = ctx;
	struct dlfilter_al mine = { 0 };

	if (!d->view->ev || al->size < offsetof(struct dlfilter_al, filtered))
		return -1;
	fill(d, RESOLVE_ANY_MODE, address, &mine);
	if (!mine.dso)
		return -1;
	mine.size = MIN(al->size, (u32)sizeof(mine));
	memcpy(al, &mine, mine.size);
	return 0;
}

static s32 fn_object_code(void *ctx, u64 ip, void *buf, u32 len)
{
	struct dlfilter *d = ctx;
	struct location l;
	size_t n;

	if (!d->view->ev)
		return -1;
	view_find(d->view, RESOLVE_ANY_MODE, ip, &l);
	if (!l.dso || !l.symtab)
		return -1;
	n = view_code(d->view, &l, buf, MIN(len, (u32)INT32_MAX), NULL);
	return n ? (s32)n : -1;
}

static const u8 *fn_insn(void *ctx, u32 *length)
{
	struct dlfilter *d = ctx;

	*length = 0;
	return d->view->ev ? view_insn(d->view, length) : NULL;
}

static const char *fn_srcline(void *ctx, u32 *line)
{
	struct dlfilter *d = ctx;
	const char *file = NULL;

	*line = d->view->ev ? view_srcline(d->view, &file) : 0;
	return file;
}

static struct perf_event_attr *fn_attr(void *ctx)
{
	struct dlfilter *d = ctx;

	return d->view->ev ? (struct perf_event_attr *)&d->view->ev->evsel->attr : NULL;
}

/* ---- loading ---- */

static void *load(const char *name, const char *folder)
{
	char *here = xasprintf("./%s", name);
	char *there = xasprintf("%s/%s", folder, name);
	const char *path = name;
	void *handle;

	if (!strchr(name, '/'))
		path = !access(here, R_OK) ? here : !access(there, R_OK) ? there : name;
	handle = PLUGIN_LOAD(path, RTLD_NOW);
	free(here);
	free(there);
	return handle;
}

struct dlfilter *dlfilter_open(const char *name, const char *folder, char **args, int nr,
			       struct err *err)
{
	void *handle = load(name, folder);
	struct dlfilter_fns *fns;
	struct dlfilter *d;

	if (!handle) {
#ifdef PERF_STATIC
		err_set(err, -ENOTSUP, "dlopen failed for: '%s': a static perf loads no filters",
			name);
#else
		err_set(err, -ENOENT, "dlopen failed for: '%s'", name);
#endif
		return NULL;
	}
	d = xzalloc(sizeof(*d));
	d->handle = handle;
	d->args = args;
	d->nr_args = nr;
	*(void **)&d->start = dlsym(handle, "start");
	*(void **)&d->stop = dlsym(handle, "stop");
	*(void **)&d->event = dlsym(handle, "filter_event");
	*(void **)&d->event_early = dlsym(handle, "filter_event_early");
	fns = dlsym(handle, "perf_dlfilter_fns");
	if (fns) {
		fns->resolve_ip = fn_resolve_ip;
		fns->resolve_addr = fn_resolve_addr;
		fns->args = fn_args;
		fns->resolve_address = fn_resolve_address;
		fns->insn = fn_insn;
		fns->srcline = fn_srcline;
		fns->attr = fn_attr;
		fns->object_code = fn_object_code;
	}
	return d;
}

int dlfilter_start(struct dlfilter *d, struct view *v)
{
	d->view = v;
	d->started = true;
	return d->start ? d->start(&d->data, d) : 0;
}

int dlfilter_close(struct dlfilter *d)
{
	int ret = 0;

	if (!d)
		return 0;
	if (d->started && d->stop)
		ret = d->stop(d->data, d);
	dlclose(d->handle);
	free(d);
	return ret;
}

/* ---- samples ---- */

int dlfilter_call(struct dlfilter *d, const struct session_event *ev, const struct thread_at *at,
		  bool early)
{
	filter_fn *fn = early ? d->event_early : d->event;
	const struct sample *s = ev->sample;
	const struct evsel *e = ev->evsel;
	struct dlfilter_sample ds = {
		.size = sizeof(ds),
		.ins_lat = s->ins_lat,
		.p_stage_cyc = s->p_stage_cyc,
		.ip = s->ip,
		.pid = (s32)s->pid,
		.tid = (s32)s->tid,
		.time = s->time,
		.addr = s->addr,
		.id = s->id,
		.stream_id = s->stream_id,
		.period = s->period,
		.weight = s->weight,
		.transaction = s->transaction,
		.cpu = (s32)s->cpu,
		.data_src = s->data_src,
		.phys_addr = s->phys_addr,
		.data_page_size = s->data_page_size,
		.code_page_size = s->code_page_size,
		.cgroup = s->cgroup,
		.cpumode = s->cpumode,
		.addr_correlates_sym = (e->attr.sample_type & PERF_SAMPLE_ADDR) != 0 &&
				       view_addr_is_place(e),
		.misc = s->misc,
		.raw_size = s->raw_size,
		.raw_data = s->raw,
		.brstack_nr = s->nr_branches,
		.brstack = s->branches,
		.raw_callchain_nr = s->nr_callchain,
		.raw_callchain = s->callchain,
		.event = e->name,
	};
	int ret;

	if (!fn)
		return 0;
	view_enter(d->view, ev, at);
	ret = fn(d->data, &ds, d);
	view_leave(d->view);
	return ret;
}

/* ---- the list ---- */

static void describe(const char *folder, const char *name, bool verbose, struct strbuf *out)
{
	char *path = xasprintf("%s/%s", folder, name);
	void *handle = PLUGIN_LOAD(path, RTLD_NOW);
	const char *one = NULL, *more = NULL;
	describe_fn *fn = NULL;

	free(path);
	if (!handle)
		return;
	*(void **)&fn = dlsym(handle, "filter_description");
	if (dlsym(handle, "perf_dlfilter_fns") || fn) {
		one = fn ? fn(&more) : NULL;
		strbuf_addf(out, "  %-36s %s\n", name, one ? one : "");
		while (verbose && more && *more) {
			size_t len = strcspn(more, "\n");

			strbuf_addf(out, "%39s%.*s\n", "", (int)len, more);
			more += len;
			more += *more == '\n';
		}
	}
	dlclose(handle);
}

static void list_folder(const char *folder, bool verbose, struct strbuf *out)
{
	DIR *dir = opendir(folder);
	struct dirent *e;

	while (dir && (e = readdir(dir)) != NULL) {
		size_t len = strlen(e->d_name);

		if (len > 3 && !strcmp(e->d_name + len - 3, ".so"))
			describe(folder, e->d_name, verbose, out);
	}
	if (dir)
		closedir(dir);
}

void dlfilter_list(const char *folder, bool verbose, struct strbuf *out)
{
	strbuf_addstr(out, "List of available dlfilters:\n");
	list_folder(".", verbose, out);
	list_folder(folder, verbose, out);
}
