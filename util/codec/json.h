/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that JSON readers take, whatever bytes it was made of (RFC 8259). */
#ifndef PERF_CODEC_JSON_H
#define PERF_CODEC_JSON_H

#include "base/strbuf.h"

/**
 * json_text - append @len bytes as the inside of a JSON string: quotes, backslashes and control
 * characters escaped. Bytes that are no UTF-8 are shown as the four characters \xNN, as other
 * output shows bytes it cannot print.
 */
void json_text(struct strbuf *out, const char *s, size_t len);

/** json_plain - nothing in there is escaped. */
bool json_plain(const char *s, size_t len);

/** json_string - the same of a string up to its zero byte, between quotes. */
void json_string(struct strbuf *out, const char *s);

#endif
