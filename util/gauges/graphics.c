// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file reads what clients of graphics cards use. A client is an open file of /dev/dri; its
 * file in fdinfo has lines such as "drm-engine-render: 12345 ns". Descriptors of the same client
 * (drm-client-id of one device) tell the same, and count once.
 */
#include "base/compat.h"
#include "gauges/gauges-internal.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <ctype.h>
#include <dirent.h>
#include <unistd.h>

/* The keys with values, by their first words. */
static const struct key_kind {
	const char *prefix;
	const char *what, *unit;
	bool grows;
	bool most; /* it is a fact about the device: clients do not add up */
} kinds[] = {
	{ "drm-engine-capacity-", "Number of engines", NULL, false, true },
	{ "drm-engine-", "Time in engines", "ns", true, false },
	{ "drm-cycles-", "Cycles in engines", "cycles", true, false },
	{ "drm-maxfreq-", "Highest frequency of engines", "Hz", false, true },
	{ "drm-total-cycles-", NULL, NULL, false, false }, /* whoever used them */
	{ "drm-memory-", "Memory", "bytes", false, false },
	{ "drm-total-", "Memory", "bytes", false, false },
	{ "drm-shared-", "Memory that is shared", "bytes", false, false },
	{ "drm-resident-", "Memory that is resident", "bytes", false, false },
	{ "drm-purgeable-", "Memory that may be taken away", "bytes", false, false },
	{ "drm-active-", "Memory that engines work on", "bytes", false, false },
};

static const struct key_kind *kind_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(name, kinds[i].prefix, strlen(kinds[i].prefix)))
			return kinds[i].what ? &kinds[i] : NULL;
	return NULL;
}

/* --- one file ---------------------------------------------------------------------------- */

struct fdinfo {
	char driver[64], device[64];
	u64 client;
};

/* Copy the value of the line that begins with @key. Return: whether there is such a line. */
static bool line_of(const char *text, const char *key, char *out, size_t size)
{
	size_t len = strlen(key);
	const char *p = text;

	while (p && (strncmp(p, key, len) || p[len] != ':')) {
		p = strchr(p, '\n');
		p = p ? p + 1 : NULL;
	}
	if (!p)
		return false;
	p += len + 1;
	p += strspn(p, " \t");
	snprintf(out, size, "%.*s", (int)MIN(strcspn(p, "\n"), size - 1), p);
	return true;
}

/* Read who is the client. Return: false when the file is not one of a graphics card. */
static bool read_client(const char *text, struct fdinfo *f)
{
	char number[32];

	if (!line_of(text, "drm-driver", f->driver, sizeof(f->driver)) || !f->driver[0])
		return false;
	for (char *c = f->driver; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	if (!line_of(text, "drm-pdev", f->device, sizeof(f->device)))
		f->device[0] = 0;
	f->client = line_of(text, "drm-client-id", number, sizeof(number))
			    ? strtoull(number, NULL, 10)
			    : 0;
	return true;
}

static u64 factor_of(const char *unit)
{
	static const struct {
		const char *unit;
		u64 factor;
	} units[] = {
		{ "KiB", 1024 }, { "MiB", 1024 * 1024 }, { "GiB", 1024 * 1024 * 1024 },
		{ "KHz", 1000 }, { "MHz", 1000000 },     { "GHz", 1000000000 },
	};

	unit += strspn(unit, " \t");
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strncmp(unit, units[i].unit, strlen(units[i].unit)))
			return units[i].factor;
	return 1;
}

/* Tell whether the text has a line with the key of @line before that line. */
static bool is_repeated(const char *text, const char *line, size_t key)
{
	for (const char *p = text; p < line; p = strchr(p, '\n') + 1)
		if (!strncmp(p, line, key + 1))
			return true;
	return false;
}

/* Take the next line that is a value; of those with one key, the first. Return: false at the end.
 * @name: 64 bytes */
static bool next_value(const char *text, const char **p, char *name, u64 *value)
{
	while (**p) {
		const char *line = *p, *v;
		size_t len = strcspn(line, "\n"), key = strcspn(line, ":\n");
		char *end;

		*p += len + (line[len] == '\n');
		if (key >= 64 || line[key] != ':' || strncmp(line, "drm-", 4))
			continue;
		snprintf(name, 64, "%.*s", (int)key, line);
		v = line + key + 1 + strspn(line + key + 1, " \t");
		if (!isdigit((unsigned char)*v) || !kind_of(name) || is_repeated(text, line, key) ||
		    name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-_.")])
			continue;
		*value = strtoull(v, &end, 10) * factor_of(end);
		return true;
	}
	return false;
}

/* --- all of them ------------------------------------------------------------------------- */

typedef void client_fn(void *ctx, const struct fdinfo *f, const char *text);

struct walk {
	const struct sysroot *sr;
	struct map64 seen; /* clients, by their hashes */
	client_fn *fn;
	void *ctx;
};

static u64 client_key(const struct fdinfo *f)
{
	u64 key = hash_mix(hash_bytes(f->driver, strlen(f->driver)), f->client);

	return hash_mix(hash_bytes(f->device, strlen(f->device)), key);
}

static void look_at(struct walk *w, const char *pid, const char *fd)
{
	struct strbuf text = STRBUF_INIT;
	struct fdinfo f;
	u32 *slot;

	if (!sysroot_read(w->sr, &text, "/proc/%s/fdinfo/%s", pid, fd) &&
	    read_client(strbuf_str(&text), &f)) {
		slot = map64_slot(&w->seen, client_key(&f));
		if (*slot == MAP64_NONE)
			w->fn(w->ctx, &f, strbuf_str(&text));
		*slot = 0;
	}
	strbuf_release(&text);
}

/* Tell whether the descriptor is a file of a graphics card: few are, and reading fdinfo costs. */
static bool is_card(const struct walk *w, const char *pid, const char *fd)
{
	static const char cards[] = "/dev/dri/";
	char target[sizeof(cards)] = "";
	char *path = sysroot_path(w->sr, "/proc/%s/fd/%s", pid, fd);
	ssize_t len = readlink(path, target, sizeof(target) - 1);

	free(path);
	return len == sizeof(cards) - 1 && !strcmp(target, cards);
}

static void look_at_process(struct walk *w, const char *pid)
{
	char *path = sysroot_path(w->sr, "/proc/%s/fd", pid);
	DIR *dir = opendir(path);
	struct dirent *d;

	free(path);
	while (dir && (d = readdir(dir)))
		if (isdigit((unsigned char)d->d_name[0]) && is_card(w, pid, d->d_name))
			look_at(w, pid, d->d_name);
	if (dir)
		closedir(dir);
}

static void walk_all(struct walk *w)
{
	char *path = sysroot_path(w->sr, "/proc");
	DIR *dir = opendir(path);
	struct dirent *d;

	free(path);
	while (dir && (d = readdir(dir)))
		if (isdigit((unsigned char)d->d_name[0]))
			look_at_process(w, d->d_name);
	if (dir)
		closedir(dir);
}

/* Call @fn once for each client of the threads @tids, or of all. */
static void each_client(const struct sysroot *sr, const struct int_list *tids, client_fn *fn,
			void *ctx)
{
	struct walk w = { .sr = sr, .fn = fn, .ctx = ctx };
	char pid[16];

	for (size_t i = 0; tids && i < tids->nr; i++) {
		snprintf(pid, sizeof(pid), "%d", tids->v[i]);
		look_at_process(&w, pid);
	}
	if (!tids || !tids->nr)
		walk_all(&w);
	map64_release(&w.seen);
}

/* --- which there are ----------------------------------------------------------------------- */

static bool is_known(const struct gauges *g, size_t from, const char *pmu, const char *name)
{
	for (size_t i = from; i < g->nr; i++)
		if (!strcmp(g->v[i].pmu, pmu) && !strcmp(g->v[i].name, name))
			return true;
	return false;
}

struct list_ctx {
	struct gauges *g;
	size_t from;
};

static void list_client(void *ctx, const struct fdinfo *f, const char *text)
{
	struct list_ctx *c = ctx;
	char *pmu = xasprintf("drm_%s", f->driver), name[64];
	const char *at = text;
	u64 value;

	while (next_value(text, &at, name, &value)) {
		const struct key_kind *k = kind_of(name);
		struct gauge *n;

		if (is_known(c->g, c->from, pmu, name))
			continue;
		n = gauges_add(c->g, xstrdup(pmu), xstrdup(name));
		n->desc = xasprintf("%s, %s", k->what, name + strlen(k->prefix));
		n->unit = k->unit;
		n->state = !k->grows;
	}
	free(pmu);
}

static int by_name(const void *a, const void *b)
{
	const struct gauge *x = a, *y = b;
	int d = strcmp(x->pmu, y->pmu);

	return d ? d : strcmp(x->name, y->name);
}

void gauges_graphics(struct gauges *g, const struct sysroot *sr)
{
	struct list_ctx c = { g, g->nr };

	each_client(sr, NULL, list_client, &c);
	if (g->nr > c.from)
		qsort(g->v + c.from, g->nr - c.from, sizeof(*g->v), by_name);
}

/* --- their values -------------------------------------------------------------------------- */

/* Add what a client has used since it was seen last. Clients of the first reading begin there. */
static void add_growth(struct gauge_value *v, u64 key, u64 now, bool begun)
{
	struct gauge_client *c;
	size_t i = 0;

	while (i < v->nr_clients && v->clients[i].key != key)
		i++;
	if (i == v->nr_clients) {
		VEC_GROW(v->clients, i + 1, v->cap_clients);
		v->clients[v->nr_clients++] = (struct gauge_client){ key, begun ? 0 : now };
	}
	c = &v->clients[i];
	v->value += now > c->last ? now - c->last : 0;
	c->last = now;
}

static void take(struct gauge_value *v, const struct fdinfo *f, u64 now, bool begun)
{
	const struct key_kind *k = kind_of(v->name);

	v->there = true;
	if (k && k->grows)
		add_growth(v, client_key(f), now, begun);
	else if (k && k->most)
		v->value = MAX(v->value, now);
	else
		v->value += now;
}

static void read_values(void *ctx, const struct fdinfo *f, const char *text)
{
	struct gauge_values *all = ctx;
	const char *at = text;
	char name[64];
	u64 now;

	while (next_value(text, &at, name, &now))
		for (size_t i = 0; i < all->nr; i++)
			if (gauges_are_graphics(all->v[i].pmu, NULL) &&
			    !strcmp(all->v[i].pmu + strlen("drm_"), f->driver) &&
			    !strcmp(all->v[i].name, name))
				take(&all->v[i], f, now, all->begun);
}

void graphics_read(struct gauge_values *v, const struct sysroot *sr, const struct int_list *tids)
{
	for (size_t i = 0; i < v->nr; i++) {
		const struct key_kind *k = kind_of(v->v[i].name);

		if (k && gauges_are_graphics(v->v[i].pmu, NULL)) {
			/* a client that has ended leaves what it had used */
			v->v[i].there = k->grows && v->begun;
			v->v[i].value = k->grows ? v->v[i].value : 0;
		}
	}
	each_client(sr, tids, read_values, v);
}
