// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "buildid/verbs.h"

#include "base/escape.h"
#include "buildid/kcore.h"

#include <errno.h>

/* ---- what is done ---- */

static void start(struct cache_result *r, enum cache_verb verb, const char *name)
{
	*r = (struct cache_result){ .verb = verb, .name = name };
}

/* Open the object that the verb is about. Return: false when it has no build-id to read. */
static bool open_object(const struct buildid_cache *c, struct cache_result *r,
			struct cache_object *o)
{
	r->ret = cache_object_open(o, r->name, c->target_ns, &r->err);
	if (!r->ret)
		memcpy(r->hex, o->hex, sizeof(r->hex));
	return !r->ret;
}

/* Take out a build of an object, and the folder that an earlier link of its build-id has left. */
static int remove_object(const struct buildid_cache *c, const struct cache_object *o)
{
	int ret = cache_remove(c->dir, o->hex);

	cache_drop(c->dir, o->name, o->hex);
	return ret;
}

void cache_add_object(const struct buildid_cache *c, const char *name, struct cache_result *r)
{
	struct cache_object o;

	start(r, CACHE_ADD, name);
	if (open_object(c, r, &o))
		r->ret = cache_add(c->dir, &o, CACHE_COPY, &r->place, &r->err);
	cache_object_release(&o);
}

void cache_update_object(const struct buildid_cache *c, const char *name, struct cache_result *r)
{
	struct cache_object o;

	start(r, CACHE_UPDATE, name);
	if (open_object(c, r, &o)) {
		remove_object(c, &o);
		r->ret = cache_add(c->dir, &o, CACHE_COPY, &r->place, &r->err);
	}
	cache_object_release(&o);
}

void cache_remove_object(const struct buildid_cache *c, const char *name, struct cache_result *r)
{
	struct cache_object o;

	start(r, CACHE_REMOVE, name);
	if (open_object(c, r, &o))
		r->ret = remove_object(c, &o);
	cache_object_release(&o);
}

void cache_purge_object(const struct buildid_cache *c, const char *name, struct cache_result *r)
{
	char *real = realpath(name, NULL);

	start(r, CACHE_PURGE, name);
	r->ret = cache_ids(c->dir, real ? real : name, &r->removed);
	for (size_t i = 0; i < r->removed.nr; i++)
		cache_drop(c->dir, r->removed.v[i].name, r->removed.v[i].hex);
	free(real);
}

void cache_purge_all(const struct buildid_cache *c, const char *name, struct cache_result *r)
{
	start(r, CACHE_PURGE_ALL, name);
	cache_list(c->dir, NULL, &r->removed);
	for (size_t i = 0; i < r->removed.nr; i++) {
		struct cache_entry *e = &r->removed.v[i];

		e->ret = cache_remove(c->dir, e->hex);
		if (!r->ret)
			r->ret = e->ret;
	}
}

void cache_kcore(const struct buildid_cache *c, const char *name, struct cache_result *r)
{
	start(r, CACHE_KCORE, name);
	r->ret = cache_add_kcore(c->dir, name, &r->place, &r->err);
}

void cache_result_release(struct cache_result *r)
{
	cache_list_release(&r->removed);
	free(r->place);
	r->place = NULL;
}

void cache_list_objects(const struct buildid_cache *c, struct cache_list *out)
{
	size_t i, kept = 0;

	cache_list(c->dir, NULL, out);
	for (i = 0; i < out->nr; i++) {
		struct cache_entry e = out->v[i];

		if (cache_has(c->dir, e.hex, "elf") || cache_has(c->dir, e.hex, "kallsyms"))
			out->v[kept++] = e;
		else
			free(e.name);
	}
	out->nr = kept;
}

/* ---- messages ---- */

static const struct {
	const char *verb, *doing;
} words[CACHE_NR_VERBS] = {
	[CACHE_ADD] = { "add", "Adding" },         [CACHE_UPDATE] = { "update", "Updating" },
	[CACHE_REMOVE] = { "remove", "Removing" }, [CACHE_PURGE] = { "remove", "Purging" },
	[CACHE_KCORE] = { "add", "Adding" },
};

/* Append "Adding HEX NAME: Ok". */
static void put_step(const char *doing, const char *hex, const char *name, int ret,
		     struct strbuf *out)
{
	strbuf_addf(out, "%s ", doing);
	if (hex)
		strbuf_addf(out, "%s ", hex);
	strbuf_addname(out, name);
	strbuf_addstr(out, ret ? ": FAIL\n" : ": Ok\n");
}

/* Append "Couldn't add NAME: why". */
static void put_failure(const struct cache_result *r, const char *why, struct strbuf *out)
{
	strbuf_addf(out, "Couldn't %s ", words[r->verb].verb);
	strbuf_addname(out, r->name);
	strbuf_addf(out, ": %s\n", why);
}

/* Tell that an object could not be removed, or that the cache did not have it. */
static void put_absent(const struct cache_result *r, bool verbose, struct strbuf *out)
{
	if (r->ret && r->ret != -ENOENT) {
		put_failure(r, err_str(r->ret), out);
	} else if (r->ret && verbose) {
		strbuf_addname(out, r->name);
		strbuf_addstr(out, " wasn't in the cache\n");
	}
}

static void put_purged(const struct cache_result *r, bool verbose, struct strbuf *out)
{
	for (size_t i = 0; verbose && i < r->removed.nr; i++)
		put_step("Removing", r->removed.v[i].hex, r->name, 0, out);
	if (verbose)
		put_step(words[r->verb].doing, NULL, r->name, r->ret, out);
	put_absent(r, verbose, out);
}

static void put_purged_all(const struct cache_result *r, bool verbose, struct strbuf *out)
{
	for (size_t i = 0; verbose && i < r->removed.nr; i++) {
		const struct cache_entry *e = &r->removed.v[i];

		strbuf_addstr(out, "Removing ");
		strbuf_addname(out, e->name);
		strbuf_addf(out, " (%s): %s\n", e->hex, e->ret ? "FAIL" : "Ok");
	}
	if (r->ret)
		strbuf_addf(out, "Couldn't remove some caches. Error: %s.\n", err_str(r->ret));
	else if (verbose)
		strbuf_addstr(out, "Purged all: Ok\n");
}

static void put_kcore(const struct cache_result *r, bool verbose, struct strbuf *out)
{
	if (r->ret < 0) {
		put_failure(r, r->err.msg, out);
	} else if (verbose) {
		strbuf_addstr(out, r->ret ? "same kcore found in "
					  : "kcore added to build-id cache directory ");
		strbuf_addname(out, r->place ? r->place : "");
		strbuf_addch(out, '\n');
	}
}

/* Tell how it went with one object that was to be opened. */
static void put_object(const struct cache_result *r, bool verbose, struct strbuf *out)
{
	if (!*r->hex && verbose) {
		strbuf_addstr(out, "Couldn't read a build-id in ");
		strbuf_addname(out, r->name);
		strbuf_addch(out, '\n');
	}
	if (r->place && verbose)
		strbuf_addf(out, "build <%s> already linked to %s\n", r->hex, r->place);
	if (*r->hex && verbose)
		put_step(words[r->verb].doing, r->hex, r->name, r->ret, out);
	if (*r->hex && r->verb == CACHE_REMOVE)
		put_absent(r, verbose, out);
	else if (r->ret)
		put_failure(r, r->err.msg, out);
}

void cache_result_text(const struct cache_result *r, bool verbose, struct strbuf *out)
{
	if (r->verb == CACHE_PURGE)
		put_purged(r, verbose, out);
	else if (r->verb == CACHE_PURGE_ALL)
		put_purged_all(r, verbose, out);
	else if (r->verb == CACHE_KCORE)
		put_kcore(r, verbose, out);
	else
		put_object(r, verbose, out);
}

void cache_list_text(const struct cache_list *l, struct strbuf *out)
{
	for (size_t i = 0; i < l->nr; i++) {
		strbuf_addf(out, "%s ", l->v[i].hex);
		strbuf_addname(out, l->v[i].name);
		strbuf_addch(out, '\n');
	}
}
