/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write a perf_event_attr as text. */
#ifndef PERF_WIRE_ATTR_TEXT_H
#define PERF_WIRE_ATTR_TEXT_H

#include "base/strbuf.h"
#include "wire/event.h"

/**
 * attr_text - append the members of an attr that are not zero, and its config3.
 * @assign: the text between a name and its value; " = " yields "size = 128, config = 0x2"
 */
void attr_text(const struct perf_event_attr *attr, u64 config3, const char *assign,
	       struct strbuf *out);
/** attr_table - append the same members, one on each line, between two rules, as -vv shows them. */
void attr_table(const struct perf_event_attr *attr, u64 config3, struct strbuf *out);

#endif
