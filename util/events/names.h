/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of generic events: hardware, software and hardware cache events. The tables are
 * constant and are searched in both directions.
 */
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

/** event_symbols - return all generic hardware and software events. @nr receives their number. */
const struct event_symbol *event_symbols(size_t *nr);
/**
 * event_symbol_find - find an event by its name or alias of @len bytes; NULL when it is unknown.
 */
const struct event_symbol *event_symbol_find(const char *name, size_t len);
/** event_hw_name - return the name of a hardware event, such as "cycles", or NULL. */
const char *event_hw_name(u64 config);
/** event_sw_name - return the name of a software event, such as "cpu-clock", or NULL. */
const char *event_sw_name(u64 config);
/**
 * event_cache_name - append the name of a PERF_TYPE_HW_CACHE config, such as
 * "L1-dcache-load-misses".
 */
void event_cache_name(u64 config, struct strbuf *out);
/**
 * event_cache_parse - convert the name of a cache event, in any of its spellings, to a config.
 * Return: 0; -ENOENT when it is not a cache event; -EINVAL when that cache has no such operation.
 */
int event_cache_parse(const char *name, size_t len, u64 *config);
/**
 * event_cache_known - return how many bytes of @name are parts of a cache event, such as
 * "L1-dcache-load" in "L1-dcache-load-foo"; 0 when it does not begin with a cache.
 */
size_t event_cache_known(const char *name);
/** event_cache_near - offer the names of all cache events to @n. */
void event_cache_near(struct near *n);
/**
 * event_tool_name - return the name of a tool event, such as "duration_time"; NULL for TOOL_NONE.
 */
const char *event_tool_name(enum tool_event t);
/** event_tool_find - find a tool event by name; TOOL_NONE when there is none. */
enum tool_event event_tool_find(const char *name);
/** event_cache_valid - tell whether the cache has that operation. */
bool event_cache_valid(u32 cache, u32 op);

#endif
