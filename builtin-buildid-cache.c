// SPDX-License-Identifier: GPL-2.0-or-later
/* perf buildid-cache: add to, list and clean the cache of objects by build-id. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/pager.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "buildid/cache.h"
#include "buildid/kcore.h"
#include "cli/exec.h"
#include "file/reader.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <limits.h>

struct cache_opts {
	const char *add, *remove, *purge, *update, *missing, *kcore;
	bool list, purge_all, force;
	int verbose, target_ns;
	char *dir; /* owned */
};

static const char *const cache_usage[] = { "perf buildid-cache [<options>]", NULL };

/* A name on its way to a terminal; the caller frees. */
static char *shown(const char *name)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addname(&sb, name);
	return strbuf_detach(&sb);
}

static void __printf(2, 3) say(const struct cache_opts *o, const char *fmt, ...)
{
	va_list ap;

	if (!o->verbose)
		return;
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
}

/* "a,b,c", each once, sorted. */
static void split(const char *list, struct names *out)
{
	const char *p = list;
	size_t len;

	for (;; p += len + 1) {
		len = strcspn(p, ",");
		if (len) {
			char *word = xstrndup(p, len);

			names_add(out, word);
			free(word);
		}
		if (!p[len])
			break;
	}
	names_sort(out);
}

/* The object a name stands for; says why not. @verb: for the sentence, NULL: say it only when
 * verbose. */
static int open_object(const struct cache_opts *o, const char *name, const char *verb,
		       struct cache_object *obj)
{
	struct err e = { 0 };
	int ret = cache_object_open(obj, name, o->target_ns, &e);
	char *s;

	if (!ret)
		return 0;
	s = shown(name);
	say(o, "Couldn't read a build-id in %s\n", s);
	if (verb)
		fprintf(stderr, "Couldn't %s %s: %s\n", verb, s, e.msg);
	free(s);
	return ret;
}

static int add_object(const struct cache_opts *o, const char *name, const char *verb,
		      const char *doing, const struct cache_object *obj)
{
	char *s = shown(name), *linked = NULL;
	struct err e = { 0 };
	int ret = cache_add(o->dir, obj, CACHE_COPY, &linked, &e);

	if (linked)
		say(o, "build <%s> already linked to %s\n", obj->hex, linked);
	say(o, "%s %s %s: %s\n", doing, obj->hex, s, ret ? "FAIL" : "Ok");
	if (ret)
		fprintf(stderr, "Couldn't %s %s: %s\n", verb, s, e.msg);
	free(linked);
	free(s);
	return ret;
}

static void add_one(const struct cache_opts *o, const char *name)
{
	struct cache_object obj;

	if (!open_object(o, name, "add", &obj))
		add_object(o, name, "add", "Adding", &obj);
	cache_object_release(&obj);
}

static void update_one(const struct cache_opts *o, const char *name)
{
	struct cache_object obj;

	if (!open_object(o, name, "update", &obj)) {
		cache_remove(o->dir, obj.hex);
		cache_drop(o->dir, obj.name, obj.hex);
		add_object(o, name, "update", "Updating", &obj);
	}
	cache_object_release(&obj);
}

static void tell_absent(const struct cache_opts *o, const char *name, int ret)
{
	char *s = shown(name);

	if (ret == -ENOENT)
		say(o, "%s wasn't in the cache\n", s);
	else if (ret)
		fprintf(stderr, "Couldn't remove %s: %s\n", s, err_str(ret));
	free(s);
}

static void remove_one(const struct cache_opts *o, const char *name)
{
	struct cache_object obj;
	char *s = shown(name);
	int ret;

	if (!open_object(o, name, "remove", &obj)) {
		ret = cache_remove(o->dir, obj.hex);
		cache_drop(o->dir, obj.name, obj.hex);
		say(o, "Removing %s %s: %s\n", obj.hex, s, ret ? "FAIL" : "Ok");
		tell_absent(o, name, ret);
	}
	cache_object_release(&obj);
	free(s);
}

/* The object may be long gone: its name is enough. */
static void purge_one(const struct cache_opts *o, const char *name)
{
	char *real = realpath(name, NULL), *s = shown(name);
	struct cache_list ids;
	int ret = cache_ids(o->dir, real ? real : name, &ids);
	size_t i;

	for (i = 0; i < ids.nr; i++) {
		cache_drop(o->dir, ids.v[i].name, ids.v[i].hex);
		say(o, "Removing %s %s: Ok\n", ids.v[i].hex, s);
	}
	say(o, "Purging %s: %s\n", s, ret ? "FAIL" : "Ok");
	tell_absent(o, name, ret);
	cache_list_release(&ids);
	free(real);
	free(s);
}

static void each(const struct cache_opts *o, const char *list,
		 void (*one)(const struct cache_opts *o, const char *name))
{
	struct names names = { 0 };
	size_t i;

	if (!list)
		return;
	split(list, &names);
	for (i = 0; i < names.nr; i++)
		one(o, names.v[i]);
	names_release(&names);
}

static void purge_all(const struct cache_opts *o)
{
	struct cache_list l;
	size_t i;
	int bad = 0;

	cache_list(o->dir, NULL, &l);
	for (i = 0; i < l.nr; i++) {
		char *s = shown(l.v[i].name);
		int ret = cache_remove(o->dir, l.v[i].hex);

		say(o, "Removing %s (%s): %s\n", s, l.v[i].hex, ret ? "FAIL" : "Ok");
		if (ret && !bad)
			bad = ret;
		free(s);
	}
	if (bad)
		fprintf(stderr, "Couldn't remove some caches. Error: %s.\n", err_str(bad));
	else
		say(o, "Purged all: Ok\n");
	cache_list_release(&l);
}

static void list_all(const struct cache_opts *o)
{
	struct cache_list l;
	size_t i;

	cache_list(o->dir, NULL, &l);
	for (i = 0; i < l.nr; i++) {
		char *s = shown(l.v[i].name);

		/* What only has a vdso is not listed by other perfs either. */
		if (cache_has(o->dir, l.v[i].hex, "elf") ||
		    cache_has(o->dir, l.v[i].hex, "kallsyms"))
			printf("%s %s\n", l.v[i].hex, s);
		free(s);
	}
	cache_list_release(&l);
}

static void add_kcore(const struct cache_opts *o)
{
	char *at = NULL, *s = shown(o->kcore), *where;
	struct err e = { 0 };
	int ret = cache_add_kcore(o->dir, o->kcore, &at, &e);

	where = shown(at ? at : "");
	if (ret < 0)
		fprintf(stderr, "Couldn't add %s: %s\n", s, e.msg);
	else if (ret)
		say(o, "same kcore found in %s\n", where);
	else
		say(o, "kcore added to build-id cache directory %s\n", where);
	free(where);
	free(at);
	free(s);
}

/* What a recording names and the cache does not have. */
static int list_missing(const struct cache_opts *o)
{
	struct perf_file *f = NULL;
	struct diag diag = { 0 };
	struct err e = { 0 };
	size_t i;

	if (perf_file_open(o->missing, o->force, &f, &diag, &e)) {
		error_err(&e);
		return -1;
	}
	for (i = 0; i < f->env.nr_build_ids; i++) {
		const struct env_build_id *b = &f->env.build_ids[i];
		char hex[41], *s;

		build_id_hex(b->id, b->size, hex);
		if (!b->size || cache_has(o->dir, hex, NULL))
			continue;
		s = shown(b->filename);
		printf("%s %s\n", hex, s);
		free(s);
	}
	perf_file_close(f);
	return 0;
}

static int run(const struct cache_opts *o)
{
	int ret = 0;

	if (o->list)
		list_all(o);
	each(o, o->add, add_one);
	each(o, o->remove, remove_one);
	each(o, o->purge, purge_one);
	if (o->purge_all)
		purge_all(o);
	if (o->missing)
		ret = list_missing(o);
	each(o, o->update, update_one);
	if (o->kcore)
		add_kcore(o);
	return ret;
}

int cmd_buildid_cache(int argc, const char **argv)
{
	struct cache_opts o = { 0 };
	const struct option options[] = {
		OPT_STRING('a', "add", &o.add, "file list", "file(s) to add"),
		OPT_STRING('k', "kcore", &o.kcore, "file", "kcore file to add"),
		OPT_STRING('r', "remove", &o.remove, "file list", "file(s) to remove"),
		OPT_STRING('p', "purge", &o.purge, "file list",
			   "file(s) to remove (remove old caches too)"),
		OPT_BOOLEAN('P', "purge-all", &o.purge_all, "purge all cached files"),
		OPT_BOOLEAN('l', "list", &o.list, "list all cached files"),
		OPT_STRING('M', "missing", &o.missing, "file",
			   "to find missing build ids in the cache"),
		OPT_BOOLEAN('f', "force", &o.force, "don't complain, do it"),
		OPT_STRING('u', "update", &o.update, "file list", "file(s) to update"),
		OPT_INCR('v', "verbose", &o.verbose, "be more verbose"),
		OPT_INTEGER(0, "target-ns", &o.target_ns, "target pid for namespace context"),
		OPT_END(),
	};
	bool work;
	int ret;

	argc = parse_options(argc, argv, options, cache_usage, 0);
	work = o.add || o.remove || o.purge || o.purge_all || o.missing || o.update || o.kcore;
	if (o.list && work)
		usage_with_options_msg(cache_usage, options, "  Error: -l is exclusive.\n");
	if (argc || (!work && !o.list))
		usage_with_options(cache_usage, options);
	if (o.target_ns < 0)
		usage_with_options_msg(cache_usage, options, "  Error: --target-ns takes a pid.\n");
	o.dir = buildid_cache_dir();
	if (!o.dir) {
		fprintf(stderr, "no $HOME: say where the cache is with perf --buildid-dir\n");
		return -1;
	}
	if (o.list)
		setup_pager();
	ret = run(&o);
	free(o.dir);
	return ret;
}
