/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names from recordings in the syntax of other programs. Whatever bytes a name consists of, it
 * becomes a single piece of text there, never markup, script or the end of a field. Control
 * characters and bytes that are not valid UTF-8 become \xNN.
 */
#ifndef PERF_CODEC_QUOTE_H
#define PERF_CODEC_QUOTE_H

#include "base/strbuf.h"

/**
 * quote_xml - append @s for XML and HTML, as text of an element or of an attribute in either kind
 * of quotes.
 */
void quote_xml(struct strbuf *out, const char *s);
/**
 * quote_json - append @s as a JSON string with its quotes. It is safe inside a <script> element as
 * well.
 */
void quote_json(struct strbuf *out, const char *s);
/** quote_dot - append @s as a Graphviz string with its quotes; a newline becomes \n. */
void quote_dot(struct strbuf *out, const char *s);
/** quote_callgrind - append @s as a name in a callgrind file, which ends at the end of the line. */
void quote_callgrind(struct strbuf *out, const char *s);
/** quote_folded - append @s as a frame of a folded stack: ';' becomes ':', blanks stay. */
void quote_folded(struct strbuf *out, const char *s);
/**
 * quote_folded_comm - append @s as the first element of a folded stack: as quote_folded(), and
 * blanks become '_'.
 */
void quote_folded_comm(struct strbuf *out, const char *s);
/**
 * quote_utf8 - append @s for formats that count bytes: only bytes that are not valid UTF-8 become
 * \xNN.
 */
void quote_utf8(struct strbuf *out, const char *s);
/** quote_utf8_bytes - do what quote_utf8() does, with @len bytes. */
void quote_utf8_bytes(struct strbuf *out, const char *s, size_t len);
/** quote_shell - append @s as one word of a shell's command line; in quotes where it needs them. */
void quote_shell(struct strbuf *out, const char *s);

#endif
