// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "dwarf/lines.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "dwarf/lines-internal.h"

#define NAMELESS "[unknown]"

/* ---- opening ---- */

struct unit_ranges {
	struct range_list list;
	u32 unit;
};

static void add_range(void *ctx, u64 start, u64 end)
{
	struct unit_ranges *r = ctx;

	if (start) /* functions that the linker left out begin at 0 */
		range_add(&r->list, start, end, r->unit);
}

/* Add the addresses of a unit. Where it does not tell them, its lines do. */
static void add_unit(struct unit_ranges *r, const struct dw_unit *u)
{
	struct dw_ranges to = { .fn = add_range, .ctx = r };
	size_t before = r->list.nr;
	struct line_table t;

	to.left = u->sec[DW_RNGLISTS].len + u->sec[DW_RANGES].len + 1;
	dw_unit_ranges(u, &to);
	if (r->list.nr > before || !u->has_lines)
		return;
	line_table_read(&t, u);
	line_table_ranges(&t, &r->list, r->unit);
	line_table_release(&t);
}

static void map_units(struct lines *l)
{
	struct unit_ranges r = { { 0 }, 0 };

	for (; r.unit < l->file->nr_units; r.unit++)
		if (dw_unit_has_code(&l->file->units[r.unit]))
			add_unit(&r, &l->file->units[r.unit]);
	range_map_make(&l->by_addr, &r.list);
	free(r.list.v);
}

static struct dw_file *open_package(const char *program)
{
	char *path = xasprintf("%s.dwp", program);
	struct dw_file *f = dw_file_open(path, true);

	free(path);
	return f;
}

/* Note where files of split units may be. */
static void find_split_files(struct lines *l, const char *debug, const char *object)
{
	const char *program = object ? object : debug, *slash = strrchr(program, '/');
	bool split = false;

	for (size_t i = 0; i < l->file->nr_units; i++)
		split = split || l->file->units[i].dwo_name;
	if (!split)
		return;
	l->folder = slash ? xstrndup(program, (size_t)(slash - program)) : NULL;
	l->package = open_package(program);
	if (!l->package && program != debug)
		l->package = open_package(debug);
}

/* ---- what is kept ---- */

#define KEEP_FROM (1 << 18) /* bytes of entries: those of smaller objects are read as quickly */

/* Take over which unit has which addresses. */
static void take_addresses(struct lines *l)
{
	const struct source_index *x = &l->kept.index;

	l->by_addr.v = xcalloc(x->nr_pieces + 1U, sizeof(*l->by_addr.v));
	l->by_addr.nr = x->nr_pieces;
	for (u32 i = 0; i < x->nr_pieces; i++)
		l->by_addr.v[i] = (struct range_piece){ x->pieces[i].start, x->pieces[i].of };
}

/* Take the units of a file from the cache. Return: whether they were there. */
static bool take_units(struct lines_kept *k, struct dw_file *f, const struct source_keep *keep)
{
	if (!keep->cache || keep->id_size > sizeof(k->key.id) || f->alt || f->alt_missing ||
	    f->sec[DW_INFO].len < KEEP_FROM)
		return false;
	k->key = (struct objcache_key){ .kind = OBJCACHE_SOURCE,
					.version = SOURCE_INDEX_VERSION,
					.id_size = keep->id_size };
	memcpy(k->key.id, keep->id, keep->id_size);
	if (!objcache_wants(keep->cache, &k->key))
		return false;
	k->cache = keep->cache;
	k->origin = index_origin_of(f);
	if (!objcache_get(k->cache, &k->key, &k->file))
		return false;
	k->there = source_index_read(&k->index, k->file.data, k->file.len, &k->origin) &&
		   kept_units_take(f, &k->index);
	if (!k->there)
		objcache_file_release(&k->file);
	return k->there;
}

void lines_keep(struct lines *l, const struct source_index *names)
{
	struct source_index x = names ? *names
				      : (struct source_index){ .texts = "", .texts_len = 1 };
	struct kept_unit *units = xcalloc(l->file->nr_units + 1, sizeof(*units));
	struct kept_piece *pieces = xcalloc(l->by_addr.nr + 1, sizeof(*pieces));
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < l->file->nr_units; i++)
		units[i] = kept_unit_of(&l->file->units[i]);
	for (size_t i = 0; i < l->by_addr.nr; i++)
		pieces[i] = (struct kept_piece){ l->by_addr.v[i].start, l->by_addr.v[i].of, 0 };
	x.units = units;
	x.nr_units = (u32)l->file->nr_units;
	x.pieces = pieces;
	x.nr_pieces = (u32)l->by_addr.nr;
	x.listed = names;
	source_index_write(&x, &l->kept.origin, &out);
	free(units);
	free(pieces);
	objcache_put(l->kept.cache, &l->kept.key, out.buf, out.len);
	strbuf_release(&l->kept.made);
	l->kept.made = out;
	if (!source_index_read(&l->kept.index, out.buf, out.len, &l->kept.origin))
		l->kept.index = (struct source_index){ 0 };
}

/* ---- all of it ---- */

/* Make the lines of a file, whose units are known if there is @kept. */
static struct lines *new_lines(struct dw_file *f, const struct lines_kept *kept)
{
	struct lines *l = xzalloc(sizeof(*l));

	l->file = f;
	if (kept)
		l->kept = *kept;
	if (l->kept.there)
		take_addresses(l);
	else
		map_units(l);
	l->units = xcalloc(f->nr_units + 1, sizeof(*l->units));
	for (size_t i = 0; i < f->nr_units; i++)
		pthread_mutex_init(&l->units[i].lock, NULL);
	pthread_mutex_init(&l->paths_lock, NULL);
	return l;
}

struct lines *lines_open(const char *debug, const char *object)
{
	return lines_open_kept(debug, object, &(struct source_keep){ 0 });
}

struct lines *lines_open_kept(const char *debug, const char *object, const struct source_keep *keep)
{
	struct dw_file *f = dw_file_open_bare(debug);
	struct lines_kept kept = { 0 };
	struct lines *l;

	if (!f)
		return NULL;
	if (!take_units(&kept, f, keep)) {
		dw_units_read(f);
		if (!index_fits(f))
			kept.cache = NULL;
	}
	l = new_lines(f, &kept);
	if (object && strcmp(object, debug))
		(void)elf_image_open(&l->object, object); /* without it, that of @debug counts */
	find_split_files(l, debug, object);
	return l;
}

struct lines *lines_open_module(const char *debug, const struct module_section *sections, size_t nr)
{
	struct dw_file *f = dw_file_open_module(debug, sections, nr);
	struct lines *l = f ? new_lines(f, NULL) : NULL;

	if (l)
		l->module_at = DW_MODULE_AT;
	return l;
}

struct lines *lines_open_by(const struct line_source *by, const char *debug, const char *object)
{
	struct read_lines *other;
	struct lines *l;

	if (by->style <= LINES_BUILTIN)
		return lines_open(debug, object);
	other = read_lines_open(by, debug);
	if (!other)
		return NULL;
	l = xzalloc(sizeof(*l));
	l->other = other;
	pthread_mutex_init(&l->paths_lock, NULL);
	(void)elf_image_open(&l->object, object ? object : debug);
	return l;
}

static void forget(struct unit_state *s)
{
	line_table_release(&s->table);
	unit_code_release(&s->code);
	free(s->paths);
	s->paths = NULL;
	s->table_read = s->code_read = false;
}

void lines_close(struct lines *l)
{
	if (!l)
		return;
	if (l->kept.cache && !l->kept.there && !l->kept.index.listed)
		lines_keep(l, NULL);
	read_lines_close(l->other);
	for (size_t i = 0; l->file && i < l->file->nr_units; i++) {
		struct unit_state *s = l->units[i].state;

		if (s) {
			forget(s);
			dw_split_close(&s->split);
			free(s);
		}
		pthread_mutex_destroy(&l->units[i].lock);
	}
	free(l->units);
	free(l->by_addr.v);
	free(l->folder);
	intern_release(&l->paths);
	pthread_mutex_destroy(&l->paths_lock);
	elf_image_release(&l->object);
	objcache_file_release(&l->kept.file);
	strbuf_release(&l->kept.made);
	free(l->marked_file);
	free(l->marked);
	dw_file_close(l->package);
	dw_file_close(l->file);
	free(l);
}

/* ---- units ---- */

static u64 virtual_addr(const struct lines *l, u64 addr, bool virtual)
{
	if (virtual)
		return addr + l->module_at;
	return elf_image_vaddr(l->object.elf || !l->file ? &l->object : &l->file->image, addr);
}

u32 lines_unit(const struct lines *l, u64 addr, bool virtual)
{
	return l->other ? 0 : range_map_at(&l->by_addr, virtual_addr(l, addr, virtual));
}

bool lines_unit_entry(const struct lines *l, u64 addr, u64 *off)
{
	u32 unit = range_map_at(&l->by_addr, addr);

	if (unit != RANGE_NONE)
		*off = l->file->units[unit].root;
	return unit != RANGE_NONE;
}

struct unit_state *lines_lock(struct lines *l, u32 unit)
{
	struct line_unit *u = &l->units[unit];

	pthread_mutex_lock(&u->lock);
	if (!u->state) {
		u->state = xzalloc(sizeof(*u->state));
		u->state->lacking = l->file->alt_missing;
	}
	return u->state;
}

void lines_unlock(struct lines *l, u32 unit)
{
	pthread_mutex_unlock(&l->units[unit].lock);
}

void lines_need_files(struct lines *l, u32 unit, struct unit_state *s)
{
	if (s->paths)
		return;
	line_table_files(&s->table, &l->file->units[unit]);
	s->paths = xcalloc(s->table.nr_files + 1, sizeof(*s->paths));
}

void lines_need_table(struct lines *l, u32 unit, struct unit_state *s)
{
	if (s->table_read)
		return;
	lines_need_files(l, unit, s);
	s->table_read = true;
	line_table_release(&s->table);
	line_table_read(&s->table, &l->file->units[unit]);
}

const struct dw_unit *lines_entries(struct lines *l, u32 unit, struct unit_state *s)
{
	const struct dw_unit *u = &l->file->units[unit];

	if (u->dwo_name && !s->split_tried) {
		s->split_tried = true;
		if (!dw_split_open(&s->split, u, l->package, l->folder))
			s->lacking = true;
	}
	return s->split.unit ? s->split.unit : u;
}

void lines_need_code(struct lines *l, u32 unit, struct unit_state *s)
{
	if (s->code_read)
		return;
	s->code_read = true;
	unit_code_read(&s->code, lines_entries(l, unit, s));
}

void lines_forget(struct lines *l, u32 unit)
{
	if (l->other)
		return;
	forget(lines_lock(l, unit));
	lines_unlock(l, unit);
}

bool lines_lacking(struct lines *l, u32 unit)
{
	bool lacking;

	if (l->other)
		return false;
	lacking = lines_lock(l, unit)->lacking;
	lines_unlock(l, unit);
	return lacking;
}

/* ---- lines and functions ---- */

const char *lines_path(struct lines *l, struct unit_state *s, u64 file)
{
	struct strbuf path = STRBUF_INIT;

	if (file >= s->table.nr_files)
		return NULL;
	if (!s->paths[file] && line_table_path(&s->table, file, &path)) {
		pthread_mutex_lock(&l->paths_lock);
		s->paths[file] = intern_str(&l->paths, intern_id(&l->paths, path.buf, path.len));
		pthread_mutex_unlock(&l->paths_lock);
	}
	strbuf_release(&path);
	return s->paths[file];
}

u32 lines_find(struct lines *l, u64 addr, bool virtual, const char **file)
{
	u64 at = virtual_addr(l, addr, virtual);
	u32 unit = range_map_at(&l->by_addr, at), line = 0;
	const struct line_row *row;
	struct unit_state *s;

	if (l->other)
		return read_lines_find(l->other, at, file);
	*file = NULL;
	if (unit == RANGE_NONE)
		return 0;
	s = lines_lock(l, unit);
	lines_need_table(l, unit, s);
	row = line_table_find(&s->table, at);
	if (row)
		*file = lines_path(l, s, row->file);
	if (*file)
		line = row->line;
	lines_unlock(l, unit);
	return line;
}

static struct inlined describe(struct lines *l, struct unit_state *s, u64 off)
{
	struct inlined in = { .name = NULL };
	struct dw_die d;
	u64 file, line;

	if (dw_die_read(&d, s->code.unit, off)) {
		in.name = dw_die_function_name(&d);
		if (dw_has(&d, DW_CALL_FILE) && dw_number(&d.v[DW_CALL_FILE], &file) &&
		    dw_has(&d, DW_CALL_LINE) && dw_number(&d.v[DW_CALL_LINE], &line) &&
		    line <= UINT32_MAX)
			in.file = lines_path(l, s, file);
		if (in.file)
			in.line = (u32)line;
	}
	if (!in.name)
		in.name = NAMELESS;
	return in;
}

size_t lines_inlined(struct lines *l, u64 addr, bool virtual, struct inlined *out)
{
	u64 at = virtual_addr(l, addr, virtual), offs[INLINED_MAX];
	u32 unit = range_map_at(&l->by_addr, at);
	struct unit_state *s;
	size_t nr;

	if (l->other)
		return read_lines_inlined(l->other, at, out);
	if (unit == RANGE_NONE)
		return 0;
	s = lines_lock(l, unit);
	lines_need_table(l, unit, s);
	lines_need_code(l, unit, s);
	nr = unit_code_inlined(&s->code, at, offs, INLINED_MAX);
	for (size_t i = 0; i < nr; i++)
		out[i] = describe(l, s, offs[i]);
	lines_unlock(l, unit);
	return nr;
}

bool lines_symbol(struct lines *l, const char *name, u64 *value)
{
	return elf_image_find(l->file ? &l->file->image : &l->object, name, value);
}
