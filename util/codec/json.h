/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write text as JSON strings (RFC 8259). The text may consist of any bytes. */
#ifndef PERF_CODEC_JSON_H
#define PERF_CODEC_JSON_H

#include "base/strbuf.h"

/**
 * json_text - append @len bytes as the inside of a JSON string: quotes, backslashes and control
 * characters are escaped. Bytes that are not valid UTF-8 become the four characters \xNN, as in
 * other output.
 */
void json_text(struct strbuf *out, const char *s, size_t len);

/** json_plain - tell whether json_text() would append these @len bytes unchanged. */
bool json_plain(const char *s, size_t len);

/** json_string - append a zero-terminated string, escaped and with its quotes. */
void json_string(struct strbuf *out, const char *s);
/** json_text_member - append a member behind another one, whose value is a text: ,"name":"text".
 * Nothing is appended if @text is NULL. */
void json_text_member(struct strbuf *out, const char *name, const char *text);

#endif
