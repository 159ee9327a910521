// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Key values: numbers of samples that tell rows apart, such as weights, times and page sizes. Only
 * those that a column asks for are kept. All values of a sample make a set, and the number of the
 * set is part of the sample's base.
 */
#include "base/compat.h"

#include "hist/counting-internal.h"
#include "hist/rows-internal.h"
#include "wire/event.h"

/* ---- which word has which value ---- */

void key_words_plan(struct hist *h, bool own_sets)
{
	const struct hist_columns *c = &h->conf.cols;

	h->own_sets = own_sets;
	h->set_size = own_sets ? 1 : 0;
	for (u32 i = 0; i < c->nr_keys; i++)
		if (own_sets && c->keys[i].few)
			h->key_word[i] = (u16)(h->kind_size++ | KEY_OF_KIND);
		else
			h->key_word[i] = (u16)h->set_size++;
}

/* Return the word of key @at in the set @set of a worker. It is none of a kind. */
static u64 *word_of(const struct hist_worker *w, size_t set, u32 at)
{
	return &w->key_values[set * w->h->set_size + w->h->key_word[at]];
}

/* ---- keeping ---- */

/* Return a value of a sample; of an address, the address itself. */
static u64 key_value(struct hist_worker *w, const struct hist_key_value *k,
		     const struct hist_sample *s)
{
	const struct hist_text *text;

	switch (k->key) {
	case KEY_NUMBER:
		return k->number(&w->h->conf, s);
	case KEY_IP:
		return s->ip;
	case KEY_COMM_KIND:
		return s->comm;
	case KEY_PARALLELISM:
		return s->parallelism;
	case KEY_CLASSES:
		return access_classes(s->sample->data_src);
	default:
		break;
	}
	if (key_is_addr(k->key))
		return key_addr_of(k->key, s);
	if (!key_is_text(k->key))
		return 0;
	text = &s->texts[HIST_TEXT(k->key)];
	return intern_id(&w->texts, text->text, text->len);
}

static u64 set_hash(const u64 *set, u32 nr)
{
	u64 hash = nr;

	for (u32 i = 0; i < nr; i++)
		hash = hash_u64(hash ^ set[i]);
	return hash;
}

/* Return the number of a set among those at *@sets; it is added when it is new. */
static u64 set_id(struct index *ix, u64 **sets, size_t *nr, size_t *cap, const u64 *set, u32 size)
{
	u64 hash = set_hash(set, size);
	size_t pos;

	index_reserve(ix);
	index_for_each(ix, hash, pos)
	{
		u32 i = index_at(ix, pos);

		if (!memcmp(*sets + (size_t)i * size, set, size * sizeof(*set)))
			return i;
	}
	VEC_GROW(*sets, (*nr + 1) * size, *cap);
	memcpy(*sets + *nr * size, set, size * sizeof(*set));
	index_put(ix, pos, hash, (u32)*nr);
	return (*nr)++;
}

void key_values_of(struct hist_worker *w, const struct hist_sample *s, u64 *values)
{
	const struct hist_columns *c = &w->h->conf.cols;

	for (u32 i = 0; i < c->nr_keys; i++)
		values[i] = key_value(w, &c->keys[i], s);
}

u32 key_kind_of(struct hist_worker *w, const u64 *kind)
{
	struct keyed *k = &w->keyed;

	if (!w->h->kind_size)
		return 0;
	return (u32)set_id(&k->by_kind, &k->kinds, &k->nr_kinds, &k->cap_kinds, kind,
			   w->h->kind_size);
}

u64 key_set_of(struct hist_worker *w, const struct hist_sample *s)
{
	const struct hist_columns *c = &w->h->conf.cols;
	struct key_owner owner = { s->epoch, s->kernel_epoch, s->pid, s->cpumode };
	u64 set[ARRAY_SIZE(c->keys)];
	struct key_at at;

	key_values_of(w, s, set);
	for (u32 i = 0; c->need & NEED_ADDRS && i < c->nr_keys; i++) {
		if (!key_is_addr(c->keys[i].key))
			continue;
		at = key_at_of(w->h, c->keys[i].key, set[i], &owner);
		set[i] = key_addr_id(w, &at);
	}
	return set_id(&w->by_key_set, &w->key_values, &w->nr_key_sets, &w->cap_key_values, set,
		      c->nr_keys);
}

u64 key_set_change(struct hist_worker *w, u64 set, u32 at, u64 value)
{
	u32 size = w->h->conf.cols.nr_keys;
	u64 changed[ARRAY_SIZE(w->h->conf.cols.keys)];

	memcpy(changed, w->key_values + set * size, size * sizeof(*changed));
	changed[at] = value;
	return set_id(&w->by_key_set, &w->key_values, &w->nr_key_sets, &w->cap_key_values, changed,
		      size);
}

/* Replace the worker's numbers of texts by those of the histogram. */
static void merge_texts(struct hist *h, struct hist_worker *w)
{
	const struct hist_columns *c = &h->conf.cols;
	u32 *ids = xcalloc(w->texts.nr + 1, sizeof(*ids));

	for (u32 i = 0; i < w->texts.nr; i++)
		ids[i] = intern_id(&h->texts, w->texts.strs[i], w->texts.lens[i]);
	for (u32 at = 0; at < c->nr_keys; at++)
		for (size_t i = 0; key_is_text(c->keys[at].key) && i < w->nr_key_sets; i++)
			*word_of(w, i, at) = ids[*word_of(w, i, at)];
	free(ids);
	intern_release(&w->texts);
}

/* Move parallelism into the bases. Sets keep it only where it tells rows apart. */
static void take_parallelism(const struct hist *h, struct hist_worker *w)
{
	const struct hist_columns *c = &h->conf.cols;
	u32 at = c->key_at[KEY_PARALLELISM] - 1;

	for (size_t k = 0; k < w->nr_bases; k++)
		w->bases[k].parallelism = (u32)*word_of(w, w->bases[k].key_set, at);
	for (size_t k = 0; k < w->nr_key_sets && !(c->need & NEED_PARALLELISM); k++)
		*word_of(w, k, at) = 0;
}

/* Move the classes of accesses into the bases. */
static void take_classes(const struct hist *h, struct hist_worker *w)
{
	const struct hist_columns *c = &h->conf.cols;
	u32 at = c->key_at[KEY_CLASSES] - 1;

	for (size_t k = 0; k < w->nr_bases; k++)
		w->bases[k].classes = (u32)*word_of(w, w->bases[k].key_set, at);
	for (size_t k = 0; k < w->nr_key_sets; k++)
		*word_of(w, k, at) = 0;
}

/* Append a name without its digits: "kworker/<N>:<N>" for "kworker/0:12". */
static void add_nodigit(const char *comm, struct strbuf *out)
{
	for (; *comm; comm += strspn(comm, "0123456789")) {
		size_t len = strcspn(comm, "0123456789");

		strbuf_add(out, comm, len);
		comm += len;
		if (*comm)
			strbuf_addstr(out, "<N>");
	}
}

/* Replace ids of thread names by texts without their digits. */
static void comms_to_kinds(struct hist *h)
{
	u32 nr = machine_nr_comms(h->machine), at = h->conf.cols.key_at[KEY_COMM_KIND] - 1U;
	u32 *kind = xcalloc(nr + 1, sizeof(*kind));
	struct strbuf sb = STRBUF_INIT;

	for (u32 i = 0; i < nr; i++) {
		strbuf_reset(&sb);
		add_nodigit(machine_comm_told(h->machine, i), &sb);
		kind[i] = intern_id(&h->texts, strbuf_str(&sb), sb.len);
	}
	strbuf_release(&sb);
	for (int i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		for (size_t k = 0; k < w->nr_key_sets; k++)
			*word_of(w, k, at) = kind[MIN(*word_of(w, k, at), (u64)nr)];
	}
	free(kind);
}

static void merge_sets(struct hist *h)
{
	u32 size = h->conf.cols.nr_keys;
	struct index ix = { 0 };
	size_t nr = 0;

	/* filtered samples make rows in a hierarchy only */
	for (int i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		for (size_t k = 0; k < w->nr_bases; k++)
			if (!(w->bases[k].flags & HIST_FILTERED) || h->conf.cols.hierarchy)
				w->bases[k].key_set =
					set_id(&ix, &h->key_values, &nr, &h->cap_key_values,
					       w->key_values + w->bases[k].key_set * size, size);
	}
	index_release(&ix);
}

void keyed_release(struct keyed *k)
{
	free(k->sets);
	free(k->kinds);
	index_release(&k->by_kind);
	free(k->owners);
	index_release(&k->by_owner);
	*k = (struct keyed){ 0 };
}

/* Make the kinds of all workers kinds of the histogram. */
static void merge_kinds(struct hist *h)
{
	struct index ix = { 0 };

	for (int i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		w->kind_ids = xcalloc(w->keyed.nr_kinds + 1, sizeof(*w->kind_ids));
		for (size_t k = 0; k < w->keyed.nr_kinds; k++)
			w->kind_ids[k] = (u32)set_id(&ix, &h->kinds, &h->nr_kinds, &h->cap_kinds,
						     w->keyed.kinds + k * h->kind_size,
						     h->kind_size);
		keyed_release(&w->keyed);
	}
	index_release(&ix);
}

void key_sets_merge(struct hist *h)
{
	if (!h->conf.cols.nr_keys)
		return;
	for (int i = 0; i < h->nr_workers; i++)
		merge_texts(h, h->workers[i]);
	for (int i = 0; i < h->nr_workers && !h->own_sets; i++) {
		if (h->conf.cols.key_at[KEY_PARALLELISM])
			take_parallelism(h, h->workers[i]);
		if (h->conf.cols.key_at[KEY_CLASSES])
			take_classes(h, h->workers[i]);
	}
	if (h->conf.cols.key_at[KEY_COMM_KIND])
		comms_to_kinds(h);
	if (h->conf.cols.need & NEED_ADDRS)
		key_addrs_merge(h);
	if (h->own_sets)
		merge_kinds(h);
	else
		merge_sets(h);
	h->text_rank = rank_texts(h, &h->texts);
}

/* ---- reading ---- */

static u64 value_at(const struct hist *h, const struct hist_row *row, u32 at)
{
	size_t number = h->own_sets ? row->base : h->bases[row->base].key_set;
	const u64 *set = &h->key_values[number * h->set_size];
	u32 word = h->key_word[at];

	if (word & KEY_OF_KIND)
		return h->kinds[(size_t)(u32)*set * h->kind_size + (word & ~KEY_OF_KIND)];
	return set[word];
}

size_t hist_nr_kinds(const struct hist *h)
{
	return h->own_sets && h->kind_size ? h->nr_kinds : 0;
}

u32 hist_row_kind(const struct hist *h, const struct hist_row *row)
{
	return (u32)h->key_values[(size_t)row->base * h->set_size];
}

u64 hist_value(const struct hist *h, const struct hist_row *row, const struct hist_column *col)
{
	const struct hist_columns *c = &h->conf.cols;
	u32 at = c->key_at[col->key] - 1U;

	if (col->key == KEY_NUMBER)
		for (at = 0; c->keys[at].number != col->number;)
			at++;
	return value_at(h, row, at);
}

const struct key_addr *hist_value_addr(const struct hist *h, const struct hist_row *row,
				       const struct hist_column *col)
{
	return &h->key_addrs[hist_value(h, row, col)];
}

const struct key_addr *hist_line_addr(const struct hist *h, const struct hist_row *row)
{
	return &h->key_addrs[h->lines[value_at(h, row, h->conf.cols.key_at[KEY_DATA_LINE] - 1U)]];
}

const char *hist_text(const struct hist *h, u64 value)
{
	return intern_str(&h->texts, (u32)value);
}

size_t hist_text_size(const struct hist *h, u64 value)
{
	return h->texts.lens[value];
}

u32 hist_text_rank(const struct hist *h, u64 value)
{
	return h->text_rank[value];
}
