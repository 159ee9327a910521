/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of text that the two halves of the parser share. */
#ifndef PERF_PROBE_DEFINITION_INTERNAL_H
#define PERF_PROBE_DEFINITION_INTERNAL_H

#include "base/compat.h"

/** probe_find - return the first of @chars in [@p, @end) that no backslash stands before; @end:
 * none. */
const char *probe_find(const char *p, const char *end, const char *chars);
/** probe_unescape - return [@p, @end) without its backslashes; the caller frees it. */
char *probe_unescape(const char *p, const char *end);
/** probe_is_name - tell whether the kernel takes @len bytes as a name: letters, digits, _. */
bool probe_is_name(const char *p, size_t len);

#endif
