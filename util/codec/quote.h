/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names from recordings in the syntax of other programs. Whatever bytes they are made of, what is
 * appended is one text there, never markup, script or the end of a field: bytes that are no UTF-8
 * become \xNN, and so do control characters.
 */
#ifndef PERF_CODEC_QUOTE_H
#define PERF_CODEC_QUOTE_H

#include "base/strbuf.h"

/** quote_xml - for XML and HTML, inside an element or of an attribute in either quotes. */
void quote_xml(struct strbuf *out, const char *s);
/** quote_json - with its quotes; safe inside a <script> of a page too. */
void quote_json(struct strbuf *out, const char *s);
/** quote_dot - with its quotes, for graphviz; a newline is its \n. */
void quote_dot(struct strbuf *out, const char *s);
/** quote_callgrind - a name of a callgrind file, which is one line. */
void quote_callgrind(struct strbuf *out, const char *s);
/** quote_folded - a frame of folded stacks: ';' becomes ':', blanks stay. */
void quote_folded(struct strbuf *out, const char *s);
/** quote_folded_comm - the same for what stands first: blanks become '_'. */
void quote_folded_comm(struct strbuf *out, const char *s);
/** quote_utf8 - as it is, for formats that count bytes: only what is no UTF-8 becomes \xNN. */
void quote_utf8(struct strbuf *out, const char *s);

#endif
