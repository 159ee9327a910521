// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "objects/gaps.h"

#include "base/alloc.h"
#include "objects/packages.h"
#include "recording/hit-objects.h"
#include "symbol/debug-file.h"
#include "symbol/elf-image.h"

#define SHT_NOBITS 8 /* a section without contents */

/* ---- what is missing ---- */

static bool has_section(const struct elf_image *e, const char *name)
{
	const struct elf_section *s = elf_image_section(e, name);

	return s && s->type != SHT_NOBITS && s->size > 0;
}

/* Tell what of @look (enum gap_what) a file lacks. @path: NULL: there is none */
static unsigned int lacks(const char *path, unsigned int look)
{
	struct elf_image e;

	if (!path || elf_image_open(&e, path))
		return look;
	if (has_section(&e, ".symtab"))
		look &= ~(unsigned int)GAP_SYMBOLS;
	if (has_section(&e, ".debug_line") || has_section(&e, ".zdebug_line"))
		look &= ~(unsigned int)GAP_LINES;
	elf_image_release(&e);
	return look;
}

/* Programs name what they lack in three steps; of kernels the list of symbols will do. */
static unsigned int missing(const struct dso *dso, const struct symtab *t)
{
	bool named = symtab_nr(t) > 0, packed = symtab_origin(t) == 'n';
	unsigned int look = GAP_LINES;

	if (dso->kind == DSO_USER)
		look |= packed ? 0 : GAP_SYMBOLS;
	return lacks(symtab_file(t), look) | (named ? 0 : GAP_SYMBOLS) |
	       (dso->kind == DSO_USER && !symtab_object(t) ? GAP_FILE : 0);
}

static bool is_of_file(const struct dso *dso)
{
	return dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE ||
	       (dso->kind == DSO_USER && dso->path[0] == '/');
}

/* The path of an object as packages have it. */
static const char *packaged_path(const struct gaps *g, const struct dso *dso)
{
	if (dso->cpumode != PERF_RECORD_MISC_KERNEL && dso->cpumode != PERF_RECORD_MISC_USER)
		return NULL; /* of a guest */
	if (dso->path[0] == '/')
		return dso->path;
	return g->kernel;
}

static void look_at(struct gaps *g, struct symbols *symbols, const struct dso *dso, u64 samples)
{
	const struct symtab *t = symbols_load(symbols, dso);
	unsigned int what = missing(dso, t);

	if (!what)
		return;
	VEC_GROW(g->v, g->nr + 1, g->cap);
	g->v[g->nr++] = (struct gap){
		.dso = dso,
		.samples = samples,
		.what = what,
		.why = what & (GAP_FILE | GAP_SYMBOLS) ? symtab_why(t) : NULL,
		.origin = packaged_path(g, dso),
	};
}

/* Objects with most samples come first; others in the order in which they appeared. */
static int gap_cmp(const void *pa, const void *pb)
{
	const struct gap *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return a->dso->id < b->dso->id ? -1 : a->dso->id > b->dso->id;
}

void gaps_find_packages(struct gaps *g, const struct symfs *symfs)
{
	const struct sysroot sr = { symfs->dir };
	const char **paths = xcalloc(g->nr + 1, sizeof(*paths));
	char **owners = xcalloc(g->nr + 1, sizeof(*owners));

	for (size_t i = 0; i < g->nr; i++)
		paths[i] = g->v[i].origin;
	packages_find(&sr, paths, g->nr, owners);
	for (size_t i = 0; i < g->nr; i++)
		g->v[i].package = owners[i];
	free(owners);
	free(paths);
}

int gaps_find(struct recording *r, struct gaps *out, struct err *err)
{
	const char *release = r->session.file->env.os_release;
	struct dso *const *dsos;
	struct hits *hits;
	size_t nr;
	int ret = hit_objects_find(r, false, &hits, err);

	if (release)
		out->kernel = xasprintf("/boot/vmlinuz-%s", release);
	dsos = machine_dsos(r->machine, &nr);
	for (size_t i = 0; !ret && i < nr; i++) {
		u64 samples = hits_nr(hits, dsos[i]->id);

		out->samples += samples;
		if (samples && is_of_file(dsos[i]))
			look_at(out, recording_symbols(r), dsos[i], samples);
	}
	hits_free(hits);
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), gap_cmp);
	return ret;
}

void gaps_release(struct gaps *g)
{
	for (size_t i = 0; i < g->nr; i++)
		free(g->v[i].package);
	free(g->v);
	free(g->kernel);
	*g = (struct gaps){ 0 };
}

/* ---- what would help ---- */

/* A list with commas. */
static void put_item(struct strbuf *out, bool *more, const char *text)
{
	strbuf_addstr(out, *more ? ", " : "");
	strbuf_addstr(out, text);
	*more = true;
}

static void put_what(const struct gap *g, struct strbuf *out)
{
	bool more = false;

	strbuf_addstr(out, "\tmissing: ");
	if (g->what & GAP_FILE)
		put_item(out, &more, "file");
	if (g->what & GAP_SYMBOLS)
		put_item(out, &more, "symbols");
	if (g->what & GAP_LINES)
		put_item(out, &more, "lines");
	strbuf_addch(out, '\n');
	if (g->why) {
		strbuf_addstr(out, "\twhy: ");
		strbuf_addname(out, g->why);
		strbuf_addch(out, '\n');
	}
}

static void put_package(const struct gap *g, struct strbuf *out)
{
	bool more = false;
	char *debug;

	if (!g->package)
		return;
	strbuf_addstr(out, "\tpackage: ");
	if (g->what & GAP_FILE)
		put_item(out, &more, g->package);
	debug = package_debug(g->package);
	if (g->what & (GAP_SYMBOLS | GAP_LINES))
		put_item(out, &more, debug);
	free(debug);
	strbuf_addch(out, '\n');
}

static void put_file(const struct symfs *symfs, const char *path, struct strbuf *out)
{
	char *here = symfs_path(symfs, path);

	strbuf_addstr(out, "\tfile: ");
	strbuf_addname(out, here);
	strbuf_addch(out, '\n');
	free(here);
}

/* Name the places where files would be found. */
static void put_files(const struct gap *g, const struct symfs *symfs, struct strbuf *out)
{
	const struct debug_of of = {
		.path = g->dso->path,
		.id = g->dso->build_id,
		.id_size = g->dso->build_id_size,
	};
	struct debug_place place;

	if (g->what & GAP_FILE)
		put_file(symfs, g->dso->path, out);
	if (g->what & (GAP_SYMBOLS | GAP_LINES) && debug_place(&of, 0, &place)) {
		put_file(symfs, place.path, out);
		free(place.path);
	}
}

static void put_servers(const struct gap *g, const char *hex, struct strbuf *out)
{
	if (g->what & GAP_FILE)
		strbuf_addf(out, "\tdebuginfod: debuginfod-find executable %s\n", hex);
	if (g->what & (GAP_SYMBOLS | GAP_LINES))
		strbuf_addf(out, "\tdebuginfod: debuginfod-find debuginfo %s\n", hex);
}

void gaps_text(const struct gaps *all, const struct symfs *symfs, bool servers, struct strbuf *out)
{
	for (size_t i = 0; i < all->nr; i++) {
		const struct gap *g = &all->v[i];
		char hex[41];

		build_id_hex(g->dso->build_id, g->dso->build_id_size, hex);
		strbuf_addf(out, "%-40s ", hex);
		strbuf_addname(out, g->dso->path);
		strbuf_addf(out, "\n\tsamples: %" PRIu64 " (%.2f%%)\n", g->samples,
			    (double)g->samples * 100 / (double)all->samples);
		put_what(g, out);
		put_package(g, out);
		put_files(g, symfs, out);
		if (servers && *hex)
			put_servers(g, hex, out);
	}
}
