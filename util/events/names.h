/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The generic event names: hardware, software, hardware cache. Constant tables, both directions. */
#ifndef PERF_EVENTS_NAMES_H
#define PERF_EVENTS_NAMES_H

#include "base/strbuf.h"
#include "base/suggest.h"
#include "events/evlist.h"

struct event_symbol {
	const char *name, *alias; /* alias NULL when there is none */
	u32 type;                 /* PERF_TYPE_HARDWARE or _SOFTWARE */
	u64 config;
};

/** event_symbols - all generic hardware and software events. @nr: their number. */
const struct event_symbol *event_symbols(size_t *nr);
/** event_symbol_find - by name or alias, @len bytes; NULL when unknown. */
const struct event_symbol *event_symbol_find(const char *name, size_t len);
/** event_hw_name - "cycles", ... or NULL. */
const char *event_hw_name(u64 config);
/** event_sw_name - "cpu-clock", ... or NULL. */
const char *event_sw_name(u64 config);
/** event_cache_name - "L1-dcache-load-misses" of a PERF_TYPE_HW_CACHE config, appended. */
void event_cache_name(u64 config, struct strbuf *out);
/** event_cache_parse - the reverse, with all the spellings. Return: 0, -ENOENT when it is no cache
 * event, -EINVAL when that cache has no such operation. */
int event_cache_parse(const char *name, size_t len, u64 *config);
/** event_cache_known - how many bytes of @name are the parts of a cache event, "L1-dcache-load" of
 * "L1-dcache-load-foo"; 0 when it names no cache. */
size_t event_cache_known(const char *name);
/** event_cache_near - offer all names of cache events to @n. */
void event_cache_near(struct near *n);
/** event_tool_name - "duration_time", ...; NULL for TOOL_NONE. */
const char *event_tool_name(enum tool_event t);
/** event_tool_find - the reverse; TOOL_NONE when it is none. */
enum tool_event event_tool_find(const char *name);
/** event_cache_valid - does the (cache, operation) pair exist at all? */
bool event_cache_valid(u32 cache, u32 op);

#endif
