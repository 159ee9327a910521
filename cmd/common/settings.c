// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the configuration once, and answer from it. */
#include "base/compat.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "dwarf/lines.h"
#include "perf-paths.h"
#include "recording/recording.h"

#include <unistd.h>

#define CACHE_SIZE (1ULL << 30) /* bytes, unless cache.size says otherwise */

const char *exec_path(void)
{
	const char *env = getenv("PERF_EXEC_PATH");

	return env && *env ? env : PERF_EXEC_PATH;
}

const char *lib_path(void)
{
	return PERF_LIB_PATH;
}

char *program_folder(void)
{
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (n <= 0)
		return xstrdup(".");
	exe[n] = '\0';
	return xstrndup(exe, (size_t)(strrchr(exe, '/') - exe));
}

const char *system_config(void)
{
	return PERF_SYSCONFDIR "/perfconfig";
}

const char *buildid_dir(void)
{
	const char *dir = getenv("PERF_BUILDID_DIR");

	return dir && *dir ? dir : config_get(perf_config(), "buildid.dir");
}

char *buildid_cache_dir(void)
{
	const char *dir = buildid_dir(), *home = getenv("HOME");

	if (dir && *dir)
		return xstrdup(dir);
	return home && *home ? xasprintf("%s/.debug", home) : NULL;
}

const struct config *perf_config(void)
{
	static struct config config;
	static bool loaded;

	if (!loaded) {
		loaded = true;
		config_load(&config, CONFIG_ALL, system_config());
		fputs(strbuf_str(&config.problems), stderr);
	}
	return &config;
}

/* A value that makes no sense is told, and the built-in default stands. */
static void told(int r, const struct err *e)
{
	if (r < 0)
		fprintf(stderr, "%s, ignoring...\n", e->msg);
}

void config_default_bool(const char *key, bool *v)
{
	struct err e = { 0 };

	told(config_bool(perf_config(), key, v, &e), &e);
}

void config_default_u64(const char *key, u64 *v)
{
	struct err e = { 0 };

	told(config_u64(perf_config(), key, v, &e), &e);
}

void config_default_str(const char *key, const char **v)
{
	const char *s = config_get(perf_config(), key);

	if (s)
		*v = s;
}

/* A list that makes no sense is told, and our own reader stays. */
static void line_defaults(struct line_source *by)
{
	const char *styles = NULL;
	struct err err = { 0 };

	config_default_str("addr2line.style", &styles);
	if (styles && line_source_parse(by, styles, &err))
		fprintf(stderr, "addr2line.style: %s, ignoring...\n", err.msg);
}

/* Tell whether results may be kept beside the build-id cache. A report makes ~/.debug, but neither
 * a home nor a folder that the user has named. */
static bool may_keep(void)
{
	const char *dir = buildid_dir(), *home = getenv("HOME");

	if (!dir || !*dir)
		dir = home;
	return dir && *dir && !access(dir, F_OK);
}

static void cache_defaults(struct objcache_conf *c)
{
	c->size = CACHE_SIZE;
	for (int i = 0; i < OBJCACHE_KINDS; i++)
		c->on[i] = true;
	config_default_bool("cache.lines", &c->on[OBJCACHE_LINES]);
	config_default_bool("cache.symbols", &c->on[OBJCACHE_SYMBOLS]);
	c->on[OBJCACHE_KERNEL] = c->on[OBJCACHE_SYMBOLS];
	config_default_bool("cache.source", &c->on[OBJCACHE_SOURCE]);
	if (!may_keep())
		c->dir = "";
	config_default_str("cache.dir", &c->dir);
	config_default_u64("cache.size", &c->size);
}

struct objcache *open_object_cache(void)
{
	struct objcache_conf conf = { .dir = NULL };
	char *copies = buildid_cache_dir(), *dir;
	struct objcache *c;

	cache_defaults(&conf);
	dir = objcache_folder(conf.dir, copies);
	conf.dir = dir;
	c = objcache_new(&conf);
	free(dir);
	free(copies);
	return c;
}

void source_defaults(struct recording_options *o)
{
	if (o->lines.style == LINES_ANY)
		line_defaults(&o->lines);
	o->buildid_dir = buildid_dir();
	cache_defaults(&o->cache);
	if (!o->debuginfod)
		config_default_str("buildid-cache.debuginfod", &o->debuginfod);
	if (!o->unwind_styles)
		config_default_str("core.unwind-style", &o->unwind_styles);
}

static void palette_entry(const char *key, char *seq, size_t size)
{
	const char *spec = config_get(perf_config(), key);

	if (spec && color_parse(spec, seq, size))
		fprintf(stderr, "bad config value for '%s', ignoring...\n", key);
}

void config_palette(struct palette *p)
{
	palette_init(p);
	palette_entry("colors.top", p->top, sizeof(p->top));
	palette_entry("colors.medium", p->medium, sizeof(p->medium));
	palette_entry("colors.normal", p->normal, sizeof(p->normal));
}

enum color_when config_color(void)
{
	const char *ui = config_get(perf_config(), "color.ui");
	enum color_when when = COLOR_AUTO;

	if (ui && color_parse_when(ui, &when))
		fprintf(stderr, "bad config value for 'color.ui', ignoring...\n");
	return when;
}

static int debug_verbose;

bool debug_set(const char *arg)
{
	size_t len = strcspn(arg, "=");

	if (len != strlen("verbose") || strncmp(arg, "verbose", len))
		return false;
	debug_verbose = arg[len] ? (int)strtol(arg + len + 1, NULL, 10) : 1;
	return true;
}

int debug_level(const char *name)
{
	return strcmp(name, "verbose") ? 0 : debug_verbose;
}
