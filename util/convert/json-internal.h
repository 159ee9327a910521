/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions write members of JSON objects; they are private to the room. */
#ifndef PERF_CONVERT_JSON_INTERNAL_H
#define PERF_CONVERT_JSON_INTERNAL_H

#include "codec/json.h"
#include "base/strbuf.h"
#include "wire/event.h"
#include "arch/arch.h"

/* Each function appends ",\n\t\t\t"key": value". */
void json_key(struct strbuf *out, const char *key);
void json_number(struct strbuf *out, const char *key, u64 v);
void json_signed(struct strbuf *out, const char *key, s64 v);
void json_hex(struct strbuf *out, const char *key, u64 v);
void json_member(struct strbuf *out, const char *key, const char *s);
/** hex_bytes - append two digits for each byte. */
void hex_bytes(struct strbuf *out, const void *p, size_t size);
/** json_bytes - append bytes as a string of hex digits. */
void json_bytes(struct strbuf *out, const char *key, const void *p, size_t size);
/** json_words - append an array of hex numbers. */
void json_words(struct strbuf *out, const char *key, const u64_una *v, u64 nr);

/** json_branch - append the members of one entry of a branch stack: {from, to, flags}. */
void json_branch(struct strbuf *out, const u64_una *b);
/** json_regs - append registers as an object. */
void json_regs(struct strbuf *out, const struct arch *arch, const struct wire_regs *r);

/**
 * json_rest - append the contents of a sample other than numbers, call chain and tracepoint data:
 * counts, branches, registers, stack, AUX data.
 */
void json_rest(struct strbuf *out, const struct wire_layout *l, const struct arch *arch,
	       const struct sample *s);

#endif
