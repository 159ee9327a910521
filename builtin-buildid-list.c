// SPDX-License-Identifier: GPL-2.0-or-later
/* perf buildid-list: which builds of which objects a recording is about. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/pager.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "base/strbuf.h"
#include "base/sysroot.h"
#include "recording/hit-objects.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <inttypes.h>

#define KERNEL_NOTES "/sys/kernel/notes"
#define ID_COLUMNS 40 /* hex digits of the usual build-id */

static const char *const buildid_list_usage[] = { "perf buildid-list [<options>]", NULL };

struct buildid_list {
	/* options */
	struct recording_options opts;
	bool with_hits, kernel, kernel_maps;
	int verbose;
	/* running */
	struct recording rec;
	struct hits *hits; /* objects with samples */
};

static void put_line(const u8 *id, u8 size, const char *name, struct strbuf *out)
{
	size_t start = out->len;
	u8 i;

	for (i = 0; i < size; i++)
		strbuf_hex(out, id[i], 2, 0);
	if (name) {
		strbuf_pad(out, start + ID_COLUMNS);
		strbuf_addch(out, ' ');
		strbuf_addname(out, name);
	}
	strbuf_addch(out, '\n');
}

/* ---- printing ---- */

static int by_path(const void *a, const void *b)
{
	const struct dso *const *x = a, *const *y = b;

	return strcmp((*x)->path, (*y)->path);
}

static int path_is(const void *path, const void *dso)
{
	return strcmp(path, (*(const struct dso *const *)dso)->path);
}

/* Of those that are the same object only the first counts. */
struct table {
	const struct env *env;
	u8 *again; /* owned; by index: the path stands above already */
};

static int by_name(const void *a, const void *b)
{
	const struct env_build_id *const *x = a, *const *y = b;
	int r = strcmp((*x)->filename, (*y)->filename);

	return r ? r : (*x > *y) - (*x < *y);
}

static void table_init(struct table *t, const struct env *env)
{
	size_t nr = env->nr_build_ids, i;
	const struct env_build_id **sorted = xcalloc(nr + 1, sizeof(*sorted));

	*t = (struct table){ env, xcalloc(nr + 1, 1) };
	for (i = 0; i < nr; i++)
		sorted[i] = &env->build_ids[i];
	qsort(sorted, nr, sizeof(*sorted), by_name);
	for (i = 1; i < nr; i++)
		if (!strcmp(sorted[i]->filename, sorted[i - 1]->filename))
			t->again[sorted[i] - env->build_ids] = 1;
	free(sorted);
}

/* Objects that replaced one another at a path have one line. Return: none of them has samples. */
static bool take_path(struct dso **sorted, size_t nr, const char *path, u8 *printed)
{
	struct dso **found = bsearch(path, sorted, nr, sizeof(*sorted), path_is), **d = found;

	if (!found)
		return true;
	while (d > sorted && !strcmp(d[-1]->path, path))
		d--;
	for (; d < sorted + nr && !strcmp((*d)->path, path); d++)
		printed[(*d)->id] = 1;
	return false;
}

/* Those in the file's table, in its order, then those it does not have. */
static void put_hits(const struct buildid_list *l, const struct table *t, struct strbuf *out)
{
	size_t nr, nr_hit = 0, i;
	struct dso *const *dsos = machine_dsos(l->rec.machine, &nr);
	struct dso **sorted = xcalloc(nr + 1, sizeof(*sorted));
	u8 *printed = xcalloc(nr + 1, 1);

	for (i = 0; i < nr; i++)
		if (hits_has(l->hits, dsos[i]->id))
			sorted[nr_hit++] = dsos[i];
	qsort(sorted, nr_hit, sizeof(*sorted), by_path);
	for (i = 0; i < t->env->nr_build_ids; i++) {
		const struct env_build_id *b = &t->env->build_ids[i];

		if (!t->again[i] && !take_path(sorted, nr_hit, b->filename, printed))
			put_line(b->id, b->size, b->filename, out);
	}
	for (i = 0; i < nr; i++)
		if (hits_has(l->hits, dsos[i]->id) && !printed[dsos[i]->id])
			put_line(dsos[i]->build_id, dsos[i]->build_id_size, dsos[i]->path, out);
	free(printed);
	free(sorted);
}

static void put_all(const struct table *t, struct strbuf *out)
{
	size_t i;

	for (i = 0; i < t->env->nr_build_ids; i++) {
		const struct env_build_id *b = &t->env->build_ids[i];

		if (!t->again[i])
			put_line(b->id, b->size, b->filename, out);
	}
}

static void tell_ids(const struct env *env)
{
	struct strbuf sb = STRBUF_INIT;
	size_t i;
	u8 k;

	for (i = 0; i < env->nr_build_ids; i++) {
		const struct env_build_id *b = &env->build_ids[i];

		strbuf_addstr(&sb, "build id event received for ");
		strbuf_addname(&sb, b->filename);
		strbuf_addstr(&sb, ": ");
		for (k = 0; k < b->size; k++)
			strbuf_hex(&sb, b->id[k], 2, 0);
		strbuf_addf(&sb, " [%u]\n", b->size);
	}
	fputs(strbuf_str(&sb), stderr);
	strbuf_release(&sb);
}

/* ---- sources ---- */

static int list_recording(struct buildid_list *l, struct strbuf *out, struct err *err)
{
	int ret = recording_open(&l->rec, &l->opts, &stderr_notices, err);
	const struct perf_file *f = l->rec.session.file;
	struct table table;

	if (ret)
		return ret;
	if (l->verbose)
		tell_ids(&f->env);
	if (!f->pipe)
		table_init(&table, &f->env);
	/* Without a table of ids samples tell which objects matter. */
	if (!l->with_hits && !f->pipe && perf_file_has_feature(f, HEADER_BUILD_ID)) {
		put_all(&table, out);
	} else {
		ret = hit_objects_find(&l->rec, false, &l->hits, err);
		if (f->pipe) /* what it lists has come meanwhile */
			table_init(&table, &f->env);
		put_hits(l, &table, out);
		warn_diag(&l->rec.session.diag);
	}
	hits_free(l->hits);
	free(table.again);
	recording_close(&l->rec);
	return ret;
}

/* The build-id in a file of notes of the running kernel. Return: bytes, negative errno. */
static int running_id(const char *path, u8 id[20])
{
	struct strbuf notes = STRBUF_INIT;
	int ret = sysroot_read(NULL, &notes, "%s", path);

	if (ret >= 0)
		ret = note_build_id(strbuf_str(&notes), notes.len, id);
	strbuf_release(&notes);
	return ret;
}

static int list_kernel(struct strbuf *out, struct err *err)
{
	u8 id[20];
	int ret = running_id(KERNEL_NOTES, id);

	if (ret < 0)
		return err_set(err, ret, "cannot read the build-id of the kernel from %s: %s",
			       KERNEL_NOTES, err_str(ret));
	put_line(id, (u8)ret, NULL, out);
	return 0;
}

static void put_range(const char *notes, u64 start, u64 end, const char *name, struct strbuf *out)
{
	u8 id[20];
	int size = running_id(notes, id), i;

	for (i = 0; i < size; i++)
		strbuf_hex(out, id[i], 2, 0);
	strbuf_addf(out, " %16" PRIx64 " %16" PRIx64 " ", start, end);
	strbuf_addname(out, name);
	strbuf_addch(out, '\n');
}

/* "ADDRESS TYPE NAME": where the text of the kernel begins and ends; zeros when that is secret. */
static void kernel_range(const struct strbuf *kallsyms, u64 *start, u64 *end)
{
	const char *p = strbuf_str(kallsyms), *stop = p + kallsyms->len;
	struct line l;

	while (next_line(&p, stop, &l)) {
		size_t len = (size_t)(l.end - l.p);

		if (len > 7 && !memcmp(l.end - 7, " _stext", 7))
			*start = strtoull(l.p, NULL, 16);
		if (len > 7 && !memcmp(l.end - 7, " _etext", 7))
			*end = strtoull(l.p, NULL, 16);
	}
}

/* "NAME SIZE USES USERS STATE 0xADDRESS" */
static void put_module(const struct line *l, struct strbuf *out)
{
	char *text = xstrndup(l->p, (size_t)(l->end - l->p)), name[64], *path, *shown;
	u64 start, size;

	if (sscanf(text, "%63s %" SCNu64 " %*s %*s %*s 0x%" SCNx64, name, &size, &start) == 3) {
		path = xasprintf("/sys/module/%s/notes/.note.gnu.build-id", name);
		shown = xasprintf("[%s]", name);
		put_range(path, start, start + size, shown, out);
		free(shown);
		free(path);
	}
	free(text);
}

static int list_kernel_maps(struct strbuf *out, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	u64 start = 0, end = 0;
	const char *p, *stop;
	struct line l;
	int ret = sysroot_read(NULL, &text, "/proc/kallsyms");

	if (ret < 0) {
		strbuf_release(&text);
		return err_set(err, ret, "cannot read /proc/kallsyms: %s", err_str(ret));
	}
	kernel_range(&text, &start, &end);
	put_range(KERNEL_NOTES, start, end, "[kernel.kallsyms]", out);
	strbuf_reset(&text);
	/* A kernel without modules has no such file. */
	if (sysroot_read(NULL, &text, "/proc/modules") >= 0)
		for (p = strbuf_str(&text), stop = p + text.len; next_line(&p, stop, &l);)
			put_module(&l, out);
	strbuf_release(&text);
	return 0;
}

static int list(struct buildid_list *l, struct strbuf *out, struct err *err)
{
	u8 id[20];
	int size;

	if (l->kernel)
		return list_kernel(out, err);
	if (l->kernel_maps)
		return list_kernel_maps(out, err);
	size = l->opts.input ? elf_build_id(l->opts.input, id) : -ENOENT;
	if (size <= 0)
		return list_recording(l, out, err);
	put_line(id, (u8)size, NULL, out);
	return 0;
}

int cmd_buildid_list(int argc, const char **argv)
{
	struct buildid_list l = { 0 };
	const struct option options[] = {
		OPT_BOOLEAN('H', "with-hits", &l.with_hits, "Show only DSOs with hits"),
		INPUT_OPTIONS(&l.opts),
		OPT_BOOLEAN('k', "kernel", &l.kernel, "Show current kernel build id"),
		OPT_BOOLEAN('m', "kernel-maps", &l.kernel_maps,
			    "Show build id of current kernel + modules"),
		OPT_INCR('v', "verbose", &l.verbose, "be more verbose"),
		OPT_END(),
	};
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };
	int ret;

	parse_options(argc, argv, options, buildid_list_usage, 0);
	setup_pager();
	ret = list(&l, &out, &err);
	fwrite(strbuf_str(&out), 1, out.len, stdout);
	strbuf_release(&out);
	if (ret)
		error_err(&err);
	return ret ? -1 : 0;
}
