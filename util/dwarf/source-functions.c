// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The code of functions by name. An entry for code of its own has the name, or refers to one that
 * has it; an entry for a copy that was inlined refers to the entry of the function. What an entry
 * refers to is asked for its name once: functions are inlined often.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/pool.h"
#include "dwarf/lines-internal.h"
#include "symbol/radix.h"

#define RANGES_MAX (1u << 20)
#define ORIGINS_MAX 8 /* references from a copy to the entry with its name */

void source_functions_release(struct source_functions *f)
{
	free(f->v);
	*f = (struct source_functions){ 0 };
}

/* ---- what an entry says ---- */

/* Fill in the names of a function, from an entry or what that refers to. */
static void read_names(const struct dw_die *d, struct source_function *f)
{
	struct dw_die die = *d, next;

	for (int i = 0; i < ORIGINS_MAX; i++) {
		if (!f->linkage && dw_has(&die, DW_LINKAGE_NAME))
			f->linkage = dw_string(die.u, &die.v[DW_LINKAGE_NAME]);
		if (!f->name && dw_has(&die, DW_NAME))
			f->name = dw_string(die.u, &die.v[DW_NAME]);
		if (!dw_die_origin(&next, &die))
			break;
		die = next;
	}
	if (!f->name)
		f->name = f->linkage;
}

/* Fill in where a function begins in the source. Files have numbers of their unit. */
static void read_place(struct lines *l, u32 unit, struct unit_state *s, const struct dw_die *d,
		       struct source_function *f)
{
	struct dw_die die = *d, next;
	u64 file, line;

	for (int i = 0; i < ORIGINS_MAX && !f->line; i++) {
		if (dw_has(&die, DW_DECL_LINE) && dw_number(&die.v[DW_DECL_LINE], &line) &&
		    line <= UINT32_MAX)
			f->line = (u32)line;
		if (f->line && die.u == d->u && dw_has(&die, DW_DECL_FILE) &&
		    dw_number(&die.v[DW_DECL_FILE], &file)) {
			lines_need_files(l, unit, s);
			f->file = lines_path(l, s, file);
		}
		if (!dw_die_origin(&next, &die))
			break;
		die = next;
	}
}

struct extent {
	u64 entry, end, first, first_end;
	bool any;
};

static void take_range(void *ctx, u64 start, u64 end)
{
	struct extent *e = ctx;

	if (!start) /* a function that the linker left out */
		return;
	if (!e->any) {
		e->first = start;
		e->first_end = end;
	}
	if (e->entry >= start && e->entry < end)
		e->end = end;
	e->any = true;
}

/* Return where an entry says that its code begins: an address, or a distance from the lowest one;
 * 0: it does not say, and the first of its ranges is meant (DWARF 5, 2.18). */
static u64 stated_entry(const struct dw_die *d)
{
	u64 entry = 0, distance;

	if (dw_has(d, DW_ENTRY_PC) && dw_address(d->u, &d->v[DW_ENTRY_PC], &entry))
		return entry;
	if (!dw_has(d, DW_LOW_PC) || !dw_address(d->u, &d->v[DW_LOW_PC], &entry))
		return 0;
	if (dw_has(d, DW_ENTRY_PC) && dw_number(&d->v[DW_ENTRY_PC], &distance))
		entry += distance;
	return entry;
}

bool source_extent(const struct dw_die *d, struct source_function *f)
{
	struct extent e = { .entry = stated_entry(d) };
	struct dw_ranges to = { .fn = take_range, .ctx = &e, .left = RANGES_MAX };

	dw_die_ranges(d, &to);
	/* the first instruction may be in no range: the compiler moved all but its line away */
	f->entry = e.entry ? e.entry : e.first;
	f->end = e.end ? e.end : e.first_end;
	return e.any;
}

/* Describe the function of an entry. Return: whether it has code and a name. */
static bool describe(struct lines *l, u32 unit, struct unit_state *s, const struct dw_die *d,
		     struct source_function *f)
{
	*f = (struct source_function){ .unit = unit, .die = d->off };
	f->inlined = d->abbrev->tag == DW_TAG_inlined_subroutine;
	if (!source_extent(d, f))
		return false;
	read_names(d, f);
	if (f->name)
		read_place(l, unit, s, d, f);
	return f->name;
}

/* Tell whether an attribute of an entry and one of another are the same number. */
static bool same_number(const struct dw_die *a, enum dw_wanted in_a, const struct dw_die *b,
			enum dw_wanted in_b)
{
	u64 x, y;

	return dw_has(a, in_a) && dw_has(b, in_b) && dw_number(&a->v[in_a], &x) &&
	       dw_number(&b->v[in_b], &y) && x == y;
}

/*
 * Tell whether a copy of a function in its own code is a part of it that the compiler split off and
 * put back, which is no place where it is called: that is then the line where the function begins.
 * A function that calls itself has its copies elsewhere.
 */
static bool is_own_part(const struct dw_die *d)
{
	struct dw_die origin;

	return dw_die_origin(&origin, d) && origin.u == d->u &&
	       same_number(d, DW_CALL_LINE, &origin, DW_DECL_LINE) &&
	       same_number(d, DW_CALL_FILE, &origin, DW_DECL_FILE);
}

/* ---- searching ---- */

#define UNITS_FEW 16 /* so many are read before threads are worth their start */

struct search {
	struct lines *l;
	source_match_fn *match;
	void *ctx;
	bool alone;                     /* units do not refer to others */
	const u32 *units;               /* those that are read */
	struct source_functions *found; /* of each of @units */
};

#define ANSWERS 8192 /* that are kept; a later one takes the place of one with the same hash */

struct answer {
	u64 key; /* plus 1 */
	u32 value;
};

/* Return the answer to a key, which is no answer yet if its key is another one. */
static struct answer *answer_of(struct answer *all, u64 key)
{
	return &all[hash_u64(key) % ANSWERS];
}

/* A worker of a search keeps whether functions are wanted, by the place of their name, or by the
 * entry that tells it. */
struct searcher {
	const struct search *s;
	u32 unit; /* the current one */
	struct answer answers[ANSWERS];
};

static bool names_match(const struct search *s, const struct dw_die *d)
{
	struct source_function f = { .name = NULL };

	read_names(d, &f);
	return f.name && s->match(s->ctx, f.name, f.linkage);
}

/* Ask for the current entry, of which all is read. */
static bool asked(const struct searcher *by, const struct dw_walk *w)
{
	struct dw_walk copy = *w;
	struct dw_die d;

	dw_walk_read(&copy, &d);
	return names_match(by->s, &d);
}

static bool asked_once(struct searcher *by, u64 key, const struct dw_walk *w)
{
	struct answer *a = answer_of(by->answers, key);

	if (a->key != key + 1)
		*a = (struct answer){ key + 1, asked(by, w) };
	return a->value;
}

/* Return a key for the entry that others of the current unit refer to. */
static u64 origin_key(u32 unit, const struct dw_value *origin)
{
	return (u64)(unit + 1ULL) << 32 | (u32)origin->n;
}

/* Tell whether the function of the current entry is wanted. Most entries have a name that others
 * have, or refer to one that others refer to; these are asked for once. */
static bool is_wanted(struct searcher *by, const struct dw_walk *w)
{
	const u32 other = 1U << DW_LINKAGE_NAME | 1U << DW_SPECIFICATION;
	struct dw_value v;

	if (dw_walk_peek(w, DW_ORIGIN, &v))
		return v.form == DW_FORM_ref4 && !(w->at->has & (other | 1U << DW_NAME))
			       ? asked_once(by, origin_key(by->unit, &v), w)
			       : asked(by, w);
	if (by->s->alone && !(w->at->has & other) && dw_walk_peek(w, DW_NAME, &v) &&
	    v.form == DW_FORM_strp && v.n <= UINT32_MAX)
		return asked_once(by, v.n, w);
	return asked(by, w);
}

static bool is_structure(u16 tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/* Go past an entry that is not a function. There are functions below those of scopes, and of
 * structures that are not of C. */
static void pass(struct dw_walk *w)
{
	u16 tag = w->at->tag;

	if ((is_structure(tag) && w->u->is_c) || tag == DW_TAG_enumeration_type ||
	    tag == DW_TAG_subroutine_type)
		dw_walk_pass(w);
	else
		dw_walk_skip(w);
}

/* Go to the next entry of a function or a copy. Return: whether there is one. */
static bool next_function(struct dw_walk *w)
{
	while (dw_walk_next(w)) {
		if (w->at->tag == DW_TAG_subprogram || w->at->tag == DW_TAG_inlined_subroutine)
			return true;
		pass(w);
	}
	return false;
}

static void search_unit(struct searcher *by, u32 unit, struct unit_state *state,
			struct source_functions *out)
{
	struct lines *l = by->s->l;
	const struct dw_unit *u = lines_entries(l, unit, state);
	struct dw_walk w = dw_walk(u, u->root);
	const char *around = NULL; /* the function around copies, if it is wanted */
	struct source_function f;
	struct dw_die d;

	by->unit = unit;
	while (next_function(&w)) {
		if (w.at->tag == DW_TAG_subprogram)
			around = NULL;
		if (!is_wanted(by, &w)) {
			dw_walk_skip(&w);
			continue;
		}
		dw_walk_read(&w, &d);
		if (!describe(l, unit, state, &d, &f))
			continue;
		if (f.inlined && around && !strcmp(f.name, around) && is_own_part(&d))
			continue;
		around = f.inlined ? around : f.name;
		VEC_GROW(out->v, out->nr + 1, out->cap);
		out->v[out->nr++] = f;
	}
}

static void search_item(void *ctx, int worker, size_t item)
{
	struct searcher *by = (struct searcher *)ctx + worker;
	u32 unit = by->s->units[item];

	search_unit(by, unit, lines_lock(by->s->l, unit), &by->s->found[item]);
	if (by->s->alone && !by->s->found[item].nr)
		dw_abbrevs_drop(&by->s->l->file->units[unit]);
	lines_unlock(by->s->l, unit);
}

static void append(struct source_functions *out, struct source_functions *more)
{
	VEC_GROW(out->v, out->nr + more->nr, out->cap);
	if (more->nr)
		memcpy(out->v + out->nr, more->v, more->nr * sizeof(*more->v));
	out->nr += more->nr;
	source_functions_release(more);
}

/* Return the numbers of the units with code that are marked. @may: NULL: all. The caller frees
 * them. */
static u32 *units_with_code(const struct dw_file *f, const bool *may, size_t *nr)
{
	u32 *units = xcalloc(f->nr_units + 1, sizeof(*units));

	*nr = 0;
	for (u32 i = 0; i < f->nr_units; i++)
		if (dw_unit_has_code(&f->units[i]) && (!may || may[i]))
			units[(*nr)++] = i;
	return units;
}

/* Search the units that are marked. @may: NULL: all */
static void search_units(struct search *s, const bool *may, struct source_functions *out)
{
	struct searcher *workers;
	size_t nr;
	u32 *units = units_with_code(s->l->file, may, &nr);
	int count;

	count = nr > UNITS_FEW ? pool_workers() : 1;
	workers = xcalloc((size_t)count, sizeof(*workers));
	for (int i = 0; i < count; i++)
		workers[i].s = s;
	s->units = units;
	s->alone = dw_units_alone(s->l->file);
	s->found = xcalloc(nr + 1, sizeof(*s->found));
	pool_run(count, nr, search_item, workers);
	for (size_t i = 0; i < nr; i++)
		append(out, &s->found[i]);
	free(workers);
	free(s->found);
	free(units);
}

/* ---- listing all ----
 *
 * The functions of an object that is looked at again are listed, and kept on disk: see
 * source-index-internal.h. */

struct listed_place {
	u32 pair; /* of names */
	u32 off;  /* of the entry */
};

/* A worker lists entries with code by their names. */
struct lister {
	struct lines *l;
	const u32 *units;
	bool alone;                     /* as in struct search */
	struct answer answers[ANSWERS]; /* by the entry that tells the name: the pair */
	struct intern pairs;            /* NAME, or NAME, a zero byte and LINKAGE */
	struct strbuf text;
	struct listed_place *v; /* owned */
	size_t nr, cap;
};

#define NO_PAIR (UINT32_MAX - 1) /* the entry has no name */

static u32 read_pair(struct lister *by, const struct dw_die *d)
{
	struct source_function f = { .name = NULL };

	read_names(d, &f);
	if (!f.name)
		return NO_PAIR;
	strbuf_reset(&by->text);
	strbuf_addstr(&by->text, f.name);
	if (f.linkage) {
		strbuf_addch(&by->text, '\0');
		strbuf_addstr(&by->text, f.linkage);
	}
	return intern_id(&by->pairs, by->text.buf, by->text.len);
}

static u32 pair_of(struct lister *by, u32 unit, const struct dw_die *d)
{
	const u32 names = 1U << DW_NAME | 1U << DW_LINKAGE_NAME;
	struct answer *a;
	u64 key;

	if (!dw_has(d, DW_ORIGIN) || d->v[DW_ORIGIN].form != DW_FORM_ref4 || (d->have & names))
		return read_pair(by, d);
	key = origin_key(unit, &d->v[DW_ORIGIN]);
	a = answer_of(by->answers, key);
	if (a->key != key + 1)
		*a = (struct answer){ key + 1, read_pair(by, d) };
	return a->value;
}

static void list_item(void *ctx, int worker, size_t item)
{
	struct lister *by = (struct lister *)ctx + worker;
	const struct dw_unit *u = &by->l->file->units[by->units[item]];
	struct dw_walk w = dw_walk(u, u->root);
	const u32 code = 1U << DW_LOW_PC | 1U << DW_RANGE_LIST;
	struct source_function f;
	u32 pair, around = NO_PAIR; /* that of the function around copies */
	struct dw_die d;

	while (next_function(&w)) {
		bool copy = w.at->tag == DW_TAG_inlined_subroutine;

		if (!(w.at->has & code)) {
			dw_walk_skip(&w);
			continue;
		}
		dw_walk_read(&w, &d);
		pair = source_extent(&d, &f) ? pair_of(by, by->units[item], &d) : NO_PAIR;
		around = copy ? around : pair;
		if (pair == NO_PAIR || (copy && pair == around && is_own_part(&d)))
			continue;
		VEC_GROW(by->v, by->nr + 1, by->cap);
		by->v[by->nr++] = (struct listed_place){ pair, (u32)d.off };
	}
	if (by->alone)
		dw_abbrevs_drop(u);
}

/* The lists of all workers are put together as one. */
struct listing {
	struct intern pairs;
	struct radix_item *places; /* owned; keys: the pair, then the offset */
	size_t nr, cap;
	struct strbuf names, offsets, texts; /* of the index */
};

static void add_lister(struct listing *all, const struct lister *by)
{
	u32 *pair = xcalloc(by->pairs.nr + 1, sizeof(*pair));

	for (u32 i = 0; i < by->pairs.nr; i++)
		pair[i] = intern_id(&all->pairs, by->pairs.strs[i], by->pairs.lens[i]);
	VEC_GROW(all->places, all->nr + by->nr, all->cap);
	for (size_t i = 0; i < by->nr; i++)
		all->places[all->nr++].key = (u64)pair[by->v[i].pair] << 32 | by->v[i].off;
	free(pair);
}

/* Append a pair and its places, @nr from @first on. */
static void put_pair(struct listing *all, u32 pair, size_t first, size_t nr)
{
	const char *text = intern_str(&all->pairs, pair);
	size_t len = all->pairs.lens[pair], name = strlen(text);
	struct kept_name n = { .name = (u32)all->texts.len, .first = (u32)first, .nr = (u32)nr };

	if (name < len)
		n.linkage = (u32)(all->texts.len + name + 1);
	strbuf_add(&all->texts, text, len + 1);
	strbuf_add(&all->names, &n, sizeof(n));
}

static void finish_listing(struct listing *all)
{
	strbuf_addch(&all->texts, '\0');
	radix_sort(all->places, all->nr);
	for (size_t first = 0, i; first < all->nr; first = i) {
		u32 pair = (u32)(all->places[first].key >> 32);

		for (i = first; i < all->nr && all->places[i].key >> 32 == pair; i++) {
			u32 off = (u32)all->places[i].key;

			strbuf_add(&all->offsets, &off, sizeof(off));
		}
		put_pair(all, pair, first, i - first);
	}
}

static void keep_listing(struct lines *l, const struct listing *all)
{
	const struct source_index x = {
		.names = (const struct kept_name *)all->names.buf,
		.places = (const u32 *)all->offsets.buf,
		.texts = all->texts.buf,
		.nr_names = (u32)(all->names.len / sizeof(*x.names)),
		.nr_places = (u32)all->nr,
		.texts_len = all->texts.len,
	};

	if (all->nr < UINT32_MAX && all->texts.len < UINT32_MAX)
		lines_keep(l, &x);
}

static void list_functions(struct lines *l)
{
	int count = pool_workers();
	struct lister *workers = xcalloc((size_t)count, sizeof(*workers));
	struct listing all = { .nr = 0 };
	bool alone = dw_units_alone(l->file);
	size_t nr;
	u32 *units = units_with_code(l->file, NULL, &nr);

	for (int i = 0; i < count; i++) {
		workers[i].l = l;
		workers[i].units = units;
		workers[i].alone = alone;
	}
	pool_run(count, nr, list_item, workers);
	for (int i = 0; i < count; i++) {
		add_lister(&all, &workers[i]);
		intern_release(&workers[i].pairs);
		strbuf_release(&workers[i].text);
		free(workers[i].v);
	}
	free(workers);
	free(units);
	finish_listing(&all);
	keep_listing(l, &all);
	intern_release(&all.pairs);
	free(all.places);
	strbuf_release(&all.names);
	strbuf_release(&all.offsets);
	strbuf_release(&all.texts);
}

/* ---- looking up what was listed ---- */

/* Tell whether the functions are listed, and list them in an object that was looked at before. */
static bool need_listed(struct lines *l)
{
	if (l->kept.there && !l->kept.index.listed)
		list_functions(l);
	return l->kept.index.listed;
}

/* Describe the function of an entry. Return: whether it is one that is wanted. */
static bool describe_listed(const struct search *s, u64 off, struct source_function *out)
{
	const struct dw_unit *u = dw_unit_at(s->l->file, off);
	u32 unit = u ? (u32)(u - s->l->file->units) : 0;
	struct unit_state *state;
	struct dw_die d;
	bool found;

	if (!u)
		return false;
	state = lines_lock(s->l, unit);
	found = dw_die_read(&d, u, off) && describe(s->l, unit, state, &d, out) &&
		s->match(s->ctx, out->name, out->linkage);
	lines_unlock(s->l, unit);
	return found;
}

/* The entries that are wanted, by their offsets. */
struct wanted {
	struct radix_item *v; /* owned */
	size_t nr, cap;
};

static void add_wanted(struct wanted *w, const struct source_index *x, const struct kept_name *n)
{
	VEC_GROW(w->v, w->nr + n->nr, w->cap);
	for (u32 i = 0; i < n->nr; i++)
		w->v[w->nr++] = (struct radix_item){ x->places[n->first + i], 0 };
}

/* Look up functions in the index. @name: one of their names; NULL: any. Return: false when entries
 * are not what it says; nothing is found then. */
static bool search_index(const struct search *s, const char *name, struct source_functions *out)
{
	const struct source_index *x = &s->l->kept.index;
	size_t before = out->nr;
	struct wanted w = { 0 };
	bool good = true;

	for (u32 i = 0; i < x->nr_names; i++) {
		const struct kept_name *n = &x->names[i];
		const char *own = x->texts + n->name;
		const char *linkage = n->linkage ? x->texts + n->linkage : NULL;

		if (name && strcmp(own, name) != 0 && (!linkage || strcmp(linkage, name) != 0))
			continue;
		if (s->match(s->ctx, own, linkage))
			add_wanted(&w, x, n);
	}
	radix_sort(w.v, w.nr);
	for (size_t i = 0; i < w.nr && good; i++) {
		VEC_GROW(out->v, out->nr + 1, out->cap);
		good = describe_listed(s, w.v[i].key, &out->v[out->nr]);
		out->nr += good;
	}
	if (!good)
		out->nr = before;
	free(w.v);
	return good;
}

/* ---- all of it ---- */

void source_functions(struct lines *l, source_match_fn *match, void *ctx,
		      struct source_functions *out)
{
	struct search s = { .l = l, .match = match, .ctx = ctx };

	if (!need_listed(l) || !search_index(&s, NULL, out))
		search_units(&s, NULL, out);
}

static bool *all_marked(size_t nr)
{
	bool *may = xcalloc(nr + 1, sizeof(*may));

	memset(may, true, nr);
	return may;
}

void source_functions_named(struct lines *l, const char *name, source_match_fn *match, void *ctx,
			    struct source_functions *out)
{
	struct search s = { .l = l, .match = match, .ctx = ctx };
	size_t nr = l->file->nr_units;
	struct dw_naming *n;
	bool *may;

	if (need_listed(l) && search_index(&s, name, out))
		return;
	n = dw_naming_new(l->file, name);
	may = n ? all_marked(nr) : NULL;
	if (n)
		dw_naming_look(n, 0, nr, may);
	search_units(&s, may, out);
	dw_naming_free(n);
	free(may);
}

#define BLOCK 128 /* units that are searched at once for the first function */

/* Return the file of the first function from @from on that begins in @file (NULL: anywhere), or
 * NULL. */
static const char *first_file(const struct source_functions *f, size_t from, const char *file)
{
	for (size_t i = from; i < f->nr; i++)
		if (f->v[i].file && f->v[i].line && (!file || source_path_ends(f->v[i].file, file)))
			return f->v[i].file;
	return NULL;
}

/* Search one unit after the other up to the first function, and from there on those that have its
 * file. */
static void search_first(struct search *s, const struct dw_naming *n, const char *file,
			 struct source_functions *out)
{
	size_t nr = s->l->file->nr_units, from = 0, len, before;
	bool *may = xcalloc(nr + 1, sizeof(*may));
	const char *first = NULL;

	for (; from < nr && !first; from += len) {
		len = MIN((size_t)BLOCK, nr - from);
		before = out->nr;
		memset(may + from, true, len);
		dw_naming_look(n, from, len, may + from);
		search_units(s, may, out);
		memset(may + from, false, len);
		first = first_file(out, before, file);
	}
	if (first && from < nr) {
		memcpy(may + from, source_units_with(s->l, first) + from, nr - from);
		dw_naming_look(n, from, nr - from, may + from);
		search_units(s, may, out);
	}
	free(may);
}

void source_functions_first(struct lines *l, const char *name, const char *file,
			    source_match_fn *match, void *ctx, struct source_functions *out)
{
	struct search s = { .l = l, .match = match, .ctx = ctx };
	struct dw_naming *n;

	if (need_listed(l) && search_index(&s, name, out))
		return;
	n = dw_naming_new(l->file, name);
	if (n)
		search_first(&s, n, file, out);
	else
		search_units(&s, NULL, out);
	dw_naming_free(n);
}

static bool match_any(void *ctx, const char *name, const char *linkage)
{
	(void)ctx;
	(void)name;
	(void)linkage;
	return true;
}

void source_functions_with(struct lines *l, const char *file, struct source_functions *out)
{
	struct search s = { .l = l, .match = match_any };

	search_units(&s, source_units_with(l, file), out);
}

bool source_function_at(struct lines *l, u64 addr, bool inner, struct source_function *out)
{
	u32 unit = range_map_at(&l->by_addr, addr), function;
	u64 offs[INLINED_MAX], off;
	struct unit_state *s;
	struct dw_die d;
	bool found;

	if (unit == RANGE_NONE)
		return false;
	s = lines_lock(l, unit);
	lines_need_code(l, unit, s);
	function = range_map_at(&s->code.by_addr, addr);
	found = function != RANGE_NONE;
	if (found) {
		off = s->code.functions[function].off;
		if (inner && unit_code_inlined(&s->code, addr, offs, INLINED_MAX))
			off = offs[0];
		found = dw_die_read(&d, s->code.unit, off) && describe(l, unit, s, &d, out);
	}
	lines_unlock(l, unit);
	return found;
}
