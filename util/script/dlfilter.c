// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "script/dlfilter.h"

#include "arch/insn.h"
#include "base/alloc.h"
#include "base/library.h"
#include "script/dlfilter-abi.h"
#include "resolve/srcline.h"
#include "disasm/code-files.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <unistd.h>

typedef int filter_fn(void *data, const struct dlfilter_sample *s, void *ctx);
typedef const char *describe_fn(const char **longer);

struct dlfilter {
	void *handle, *data;
	char **args;
	int nr_args;
	bool started, inside; /* inside: one of its functions was called for a sample */
	int (*start)(void **data, void *ctx);
	int (*stop)(void *data, void *ctx);
	filter_fn *event, *event_early;
	/* of the sample at hand */
	const struct machine *machine;
	struct symbols *symbols;
	const struct arch *arch;
	const struct session_event *ev;
	const struct thread_at *at;
	struct dlfilter_al ip_al, addr_al;
	struct code_files *files;
	struct srclines *lines;
	u8 insn[INSN_MAX];
};

/* ---- what it may ask ---- */

static void find(const struct dlfilter *d, u8 cpumode, u64 ip, struct location *l)
{
	resolve_find(d->machine, d->symbols, d->at->epoch, cpumode, ip, l);
}

/* Read code as it was at the time of the sample. */
static size_t read_code(struct dlfilter *d, const struct location *l, void *buf, size_t size,
			bool *wide)
{
	size_t nr;
	const struct text_poke *pokes = machine_pokes(d->machine, &nr);

	code_files_set_pokes(d->files, pokes, nr);
	code_files_set_time(d->files, d->ev->time);
	return code_read(d->files, l->dso, l->symtab, l->addr, buf, size, wide);
}

static bool is_wide(struct dlfilter *d, const struct location *l)
{
	bool wide = true;
	u8 byte;

	if (l->dso && l->symtab && l->dso->kind == DSO_USER)
		code_read(d->files, l->dso, l->symtab, 0, &byte, 1, &wide);
	return wide;
}

static u8 binding_of(u8 letter)
{
	return letter == 'g' ? STB_GLOBAL : letter == 'w' ? STB_WEAK : STB_LOCAL;
}

static void fill(struct dlfilter *d, const struct location *l, struct dlfilter_al *al)
{
	al->addr = l->addr;
	if (l->symtab && l->sym != UINT32_MAX) {
		struct symbol sym = symtab_get(l->symtab, l->sym);

		al->sym = location_symbol(l);
		al->sym_start = sym.start;
		al->sym_end = sym.end;
		al->symoff = (u32)(l->addr - sym.start);
		al->sym_binding = binding_of(sym.binding);
	}
	if (l->dso) {
		al->dso = location_dso_long(l);
		al->is_64_bit = is_wide(d, l);
		al->buildid_size = l->dso->build_id_size;
		al->buildid = l->dso->build_id_size ? l->dso->build_id : NULL;
	}
	al->is_kernel_ip = l->cpumode == PERF_RECORD_MISC_KERNEL;
}

static const struct dlfilter_al *fn_resolve_ip(void *ctx)
{
	struct dlfilter *d = ctx;
	struct location l;

	if (!d->inside)
		return NULL;
	find(d, d->ev->sample->cpumode, d->ev->sample->ip, &l);
	d->ip_al = (struct dlfilter_al){ .size = sizeof(d->ip_al) };
	fill(d, &l, &d->ip_al);
	d->ip_al.comm = machine_comm(d->machine, d->at->comm);
	return &d->ip_al;
}

/* Events whose addr is a place in the code. */
static bool has_place(const struct evsel *e)
{
	if (e->attr.type == PERF_TYPE_SOFTWARE)
		return e->attr.config == PERF_COUNT_SW_PAGE_FAULTS ||
		       e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return e->attr.type == PERF_TYPE_HARDWARE &&
	       e->attr.config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS && e->attr.sample_period == 1;
}

static const struct dlfilter_al *fn_resolve_addr(void *ctx)
{
	struct dlfilter *d = ctx;
	struct location l;

	if (!d->inside || !has_place(d->ev->evsel))
		return NULL;
	find(d, RESOLVE_ANY_MODE, d->ev->sample->addr, &l);
	d->addr_al = (struct dlfilter_al){ .size = sizeof(d->addr_al) };
	fill(d, &l, &d->addr_al);
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
	struct location l;

	if (!d->inside || al->size < offsetof(struct dlfilter_al, filtered))
		return -1;
	find(d, RESOLVE_ANY_MODE, address, &l);
	if (!l.dso)
		return -1;
	fill(d, &l, &mine);
	mine.size = MIN(al->size, (u32)sizeof(mine));
	memcpy(al, &mine, mine.size);
	return 0;
}

static s32 fn_object_code(void *ctx, u64 ip, void *buf, u32 len)
{
	struct dlfilter *d = ctx;
	struct location l;
	size_t n;

	if (!d->inside)
		return -1;
	find(d, RESOLVE_ANY_MODE, ip, &l);
	if (!l.dso || !l.symtab)
		return -1;
	n = read_code(d, &l, buf, MIN(len, (u32)INT32_MAX), NULL);
	return n ? (s32)n : -1;
}

static const u8 *fn_insn(void *ctx, u32 *length)
{
	struct dlfilter *d = ctx;
	struct location l;
	struct insn insn;
	bool wide;
	size_t n;

	*length = 0;
	if (!d->inside)
		return NULL;
	find(d, d->ev->sample->cpumode, d->ev->sample->ip, &l);
	if (!l.dso || !l.symtab)
		return NULL;
	n = read_code(d, &l, d->insn, INSN_MAX, &wide);
	if (insn_decode(d->arch, d->insn, n, wide, &insn))
		return NULL;
	*length = insn.len;
	return d->insn;
}

static const char *fn_srcline(void *ctx, u32 *line)
{
	struct dlfilter *d = ctx;
	const char *file = NULL;
	struct location l;

	*line = 0;
	if (!d->inside)
		return NULL;
	find(d, d->ev->sample->cpumode, d->ev->sample->ip, &l);
	*line = srcline_find(d->lines, &l, &file);
	return file;
}

static struct perf_event_attr *fn_attr(void *ctx)
{
	struct dlfilter *d = ctx;

	return d->inside ? (struct perf_event_attr *)&d->ev->evsel->attr : NULL;
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
	d->files = code_files_new();
	return d;
}

int dlfilter_start(struct dlfilter *d, const struct machine *m, struct symbols *symbols,
		   const struct arch *arch)
{
	d->machine = m;
	d->symbols = symbols;
	d->lines = srclines_new(symbols);
	d->arch = arch;
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
	code_files_free(d->files);
	srclines_free(d->lines);
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
				       has_place(e),
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
	d->ev = ev;
	d->at = at;
	d->inside = true;
	ret = fn(d->data, &ds, d);
	d->inside = false;
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
