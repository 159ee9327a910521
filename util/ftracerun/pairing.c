// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracerun/pairing.h"

#include "base/alloc.h"

#include <errno.h>

/* One word of the key: a field, or the CPU. */
struct word {
	const struct tf_field *field[2]; /* NULL: the CPU */
};

struct pairing {
	const struct tf_event *event[2];
	struct word words[PAIR_MAX_KEYS];
	u32 nr;
	struct pairs *pairs; /* owned */
};

/* Find a field of an event by its name. Return: false when there is none. */
static bool find(const struct tf_event *e, const char *name, const struct tf_field **out)
{
	*out = tf_find_field(e, name);
	if (!*out && (!strcmp(name, "pid") || !strcmp(name, "tid")))
		*out = tf_find_field(e, "common_pid");
	return *out || !strcmp(name, "cpu");
}

static int add_word(struct pairing *p, char *text, struct err *err)
{
	char *equals = strchr(text, '=');
	const char *names[2] = { text, equals ? equals + 1 : text };

	if (equals)
		*equals = '\0';
	if (p->nr == PAIR_MAX_KEYS)
		return err_set(err, -E2BIG, "--key has more than %d fields", PAIR_MAX_KEYS);
	for (int i = 0; i < 2; i++)
		if (!find(p->event[i], names[i], &p->words[p->nr].field[i]))
			return err_set(err, -ENOENT, "--key: %s:%s has no field '%s'",
				       p->event[i]->system, p->event[i]->name, names[i]);
	p->nr++;
	return 0;
}

struct pairing *pairing_new(const struct tf_event *first, const struct tf_event *second,
			    const char *key, struct err *err)
{
	struct pairing *p = xzalloc(sizeof(*p));
	char *text = xstrdup(key ? key : "common_pid"), *rest = text, *word;
	int rc = 0;

	p->event[0] = first;
	p->event[1] = second;
	while (!rc && (word = strsep(&rest, ",")))
		rc = add_word(p, word, err);
	free(text);
	if (rc) {
		pairing_free(p);
		return NULL;
	}
	p->pairs = pairs_new(p->nr, 1, 0, 1);
	return p;
}

void pairing_free(struct pairing *p)
{
	if (p && p->pairs)
		pairs_free(p->pairs);
	free(p);
}

/* Values that are no numbers count by their bytes. */
static u64 word_of(const struct tf_event *e, const struct tf_field *f, const void *raw, size_t size)
{
	u64 v = 0xcbf29ce484222325ull;
	const u8 *data;
	size_t len;

	if (!(f->flags & (TF_ARRAY | TF_STRING | TF_DYNAMIC)) && tf_field_int(e, f, raw, size, &v))
		return v;
	data = tf_field_data(e, f, raw, size, &len);
	for (size_t i = 0; data && i < len && (data[i] || !(f->flags & TF_STRING)); i++)
		v = (v ^ data[i]) * 0x100000001b3ull;
	return v;
}

static void read_key(const struct pairing *p, int role, const void *raw, size_t size, u32 cpu,
		     u64 *key)
{
	for (u32 i = 0; i < p->nr; i++) {
		const struct tf_field *f = p->words[i].field[role];

		key[i] = f ? word_of(p->event[role], f, raw, size) : cpu;
	}
}

bool pairing_add(struct pairing *p, const void *raw, size_t size, u32 cpu, u64 time, u64 *ns)
{
	const struct pair_result *result;
	u64 key[PAIR_MAX_KEYS], before, sum;
	u16 type;

	if (size < sizeof(type))
		return false;
	memcpy(&type, raw, sizeof(type));
	if (type == p->event[1]->id) {
		result = pairs_result(p->pairs);
		before = result->pairs;
		sum = result->sum;
		read_key(p, 1, raw, size, cpu, key);
		pairs_end(p->pairs, key, time);
		result = pairs_result(p->pairs);
		*ns = result->sum - sum;
		sum = result->pairs - before;
	} else {
		sum = 0;
	}
	/* One event may end a pair and begin the next one. */
	if (type == p->event[0]->id) {
		read_key(p, 0, raw, size, cpu, key);
		pairs_start(p->pairs, key, time);
	}
	return sum;
}

u64 pairing_open(struct pairing *p)
{
	return pairs_result(p->pairs)->open;
}
