/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The documents of `perf probe --json`, see Documentation/format/probe.json.md. */
#ifndef PERF_PROBE_JSON_INTERNAL_H
#define PERF_PROBE_JSON_INTERNAL_H

#include "codec/json.h"
#include "probe/object.h"

#define PROBE_JSON_VERSION 1

/* Append the beginning of a document. @o: NULL: it is about several objects */
static inline void json_begin(const char *what, const struct probe_object *o, struct strbuf *out)
{
	strbuf_addf(out, "{\"format\":\"perf-probe-%s\",\"version\":%d", what, PROBE_JSON_VERSION);
	if (o) {
		strbuf_addstr(out, ",\"object\":");
		json_string(out, probe_object_name(o));
	}
}

/* Append a member behind others; nothing if it has no value. */
static inline void json_add_text(const char *name, const char *value, struct strbuf *out)
{
	if (!value)
		return;
	strbuf_addf(out, ",\"%s\":", name);
	json_string(out, value);
}

/* Append an address as text: numbers of JSON need not have 64 bits. */
static inline void json_add_address(const char *name, u64 value, struct strbuf *out)
{
	strbuf_addf(out, ",\"%s\":\"0x%" PRIx64 "\"", name, value);
}

#endif
