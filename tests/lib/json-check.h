/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Check whether a text is JSON. The code is separate from the code that makes it. */
#ifndef TESTS_JSON_CHECK_H
#define TESTS_JSON_CHECK_H

#include "base/compat.h"

/**
 * json_check - one value and nothing else but blanks, as RFC 8259 has it, in UTF-8.
 * Return: -1 when it is, else the offset of the first byte that makes it none.
 */
s64 json_check(const char *text, size_t len);

#endif
