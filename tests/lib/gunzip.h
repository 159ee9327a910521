/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpack compressed bytes with the system's gzip. */
#ifndef TESTS_GUNZIP_H
#define TESTS_GUNZIP_H

#include "base/strbuf.h"

/** gunzip - append what @sb expands to to @out. Return: gzip took all of it. */
bool gunzip(const struct strbuf *sb, struct strbuf *out);

#endif
