// SPDX-License-Identifier: GPL-2.0-or-later
/* perf buildid-cache: add to, list and clean the cache of objects by build-id. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/pager.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "buildid/verbs.h"
#include "cli/exec.h"
#include "objects/objects.h"

struct cache_opts {
	const char *add, *remove, *purge, *update, *missing, *kcore;
	const char *servers; /* of debuginfod; "system": those of the environment */
	bool list, purge_all, force;
	int verbose;
	struct buildid_cache cache;
};

typedef void cache_verb_fn(const struct buildid_cache *c, const char *name, struct cache_result *r);

static const char *const cache_usage[] = { "perf buildid-cache [<options>]", NULL };

static void do_verb(const struct cache_opts *o, cache_verb_fn *verb, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	struct cache_result r;

	verb(&o->cache, name, &r);
	cache_result_text(&r, o->verbose, &text);
	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
	cache_result_release(&r);
}

/* Do @verb for each name of an option's list. @list: NULL when the option was not given. */
static void do_each(const struct cache_opts *o, cache_verb_fn *verb, const char *list)
{
	struct names names = { 0 };

	if (list)
		names_split(&names, list);
	names_sort(&names);
	for (size_t i = 0; i < names.nr; i++)
		do_verb(o, verb, names.v[i]);
	names_release(&names);
}

static void print_list(struct cache_list *l)
{
	struct strbuf text = STRBUF_INIT;

	cache_list_text(l, &text);
	fputs(strbuf_str(&text), stdout);
	strbuf_release(&text);
	cache_list_release(l);
}

/* Results of work on objects go with the objects. */
static void purge_results(const struct cache_opts *o)
{
	struct recording_options source = { 0 };
	char *dir;

	source_defaults(&source);
	dir = objcache_folder(source.cache.dir, o->cache.dir);
	if (dir)
		objcache_purge(dir);
	free(dir);
}

static int run(const struct cache_opts *o)
{
	struct cache_list l = { 0 };
	struct err err = { 0 };
	int ret = 0;

	if (o->list) {
		cache_list_objects(&o->cache, &l);
		print_list(&l);
	}
	do_each(o, cache_add_object, o->add);
	do_each(o, cache_remove_object, o->remove);
	do_each(o, cache_purge_object, o->purge);
	if (o->purge_all) {
		do_verb(o, cache_purge_all, NULL);
		purge_results(o);
	}
	if (o->missing) {
		ret = objects_missing(o->missing, o->force, o->cache.dir, &l, &err);
		if (!ret && o->servers)
			ret = MIN(objects_fetch(&l, o->cache.dir, &err), 0);
		if (ret)
			error_err(&err);
		print_list(&l);
	}
	do_each(o, cache_update_object, o->update);
	if (o->kcore)
		do_verb(o, cache_kcore, o->kcore);
	return ret ? -1 : 0;
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
		OPT_STRING_OPTARG(0, "debuginfod", &o.servers, "debuginfod urls",
				  "with -M: fetch what is missing from DEBUGINFOD_URLS or these",
				  "system"),
		OPT_INTEGER(0, "target-ns", &o.cache.target_ns, "target pid for namespace context"),
		OPT_END(),
	};
	char *dir;
	bool work;
	int ret;

	argc = parse_options(argc, argv, options, cache_usage, 0);
	work = o.add || o.remove || o.purge || o.purge_all || o.missing || o.update || o.kcore;
	if (o.list && work)
		usage_with_options_msg(cache_usage, options, "  Error: -l is exclusive.\n");
	if (argc || (!work && !o.list))
		usage_with_options(cache_usage, options);
	if (o.servers && !o.missing)
		usage_with_options_msg(cache_usage, options,
				       "  Error: --debuginfod fetches what -M finds missing.\n");
	if (o.servers && strcmp(o.servers, "system"))
		setenv("DEBUGINFOD_URLS", o.servers, 1);
	if (o.cache.target_ns < 0)
		usage_with_options_msg(cache_usage, options, "  Error: --target-ns takes a pid.\n");
	o.cache.dir = dir = buildid_cache_dir();
	if (!dir) {
		fprintf(stderr, "no $HOME: say where the cache is with perf --buildid-dir\n");
		return -1;
	}
	if (o.list)
		setup_pager();
	ret = run(&o);
	free(dir);
	return ret;
}
