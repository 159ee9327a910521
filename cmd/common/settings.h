/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions give the configuration, and tell where the parts of an installation are. */
#ifndef PERF_CMD_COMMON_SETTINGS_H
#define PERF_CMD_COMMON_SETTINGS_H

#include "base/color.h"
#include "cli/config.h"
#include "recording/recording.h"

/** exec_path - return where programs that are commands live: $PERF_EXEC_PATH or as built.
 * Borrowed. */
const char *exec_path(void);

/** lib_path - return where engines of scripts are, as built. Borrowed. */
const char *lib_path(void);

/** program_folder - return the folder of the running perf; "." when it is unknown. The caller
 * frees. */
char *program_folder(void);

/** buildid_dir - return --buildid-dir, $PERF_BUILDID_DIR or buildid.dir; NULL: the usual folder.
 * Borrowed. */
const char *buildid_dir(void);

/** source_defaults - set, after options were parsed, what the configuration says of recordings and
 * no option has: where copies of objects are, where results of work on them are kept, servers of
 * what is missing, and who unwinds stacks. */
void source_defaults(struct recording_options *o);

/** open_object_cache - open what is kept on disk of objects, as the configuration says. NULL:
 * nothing is. objcache_free() closes it. */
struct objcache *open_object_cache(void);

/** buildid_cache_dir - return the folder of the build-id cache, usual or not; NULL without $HOME.
 * The caller frees. */
char *buildid_cache_dir(void);

/** system_config - return the path of the configuration file for all users. Borrowed. */
const char *system_config(void);

/**
 * perf_config - return the configuration, which is read when first asked for; what is wrong with
 * the files is told on stderr then. Borrowed. A command reads its defaults from it before it parses
 * options.
 */
const struct config *perf_config(void);

/** config_default_bool - set *@v from the configuration where the variable is there; warns when it
 * makes no sense. */
void config_default_bool(const char *key, bool *v);

/** config_default_u64, config_default_str - do what config_default_bool() does, for other types. */
void config_default_u64(const char *key, u64 *v);

void config_default_str(const char *key, const char **v);

/** config_palette - return the colours of percentages, with colors.top, colors.medium and
 * colors.normal of the configuration. */
void config_palette(struct palette *p);

/** config_color - return color.ui of the configuration: true/auto, always, never; COLOR_AUTO when
 * it is not there. */
enum color_when config_color(void);

/** debug_level - return the value `perf --debug verbose[=N]` gave to "verbose"; 0 when none, and
 * for other names. */
int debug_level(const char *name);

/** debug_set - take "NAME[=VALUE]"; false when there is no such name. */
bool debug_set(const char *arg);

#endif
