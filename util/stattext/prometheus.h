/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts for monitoring systems, in the text exposition format of Prometheus, version 0.0.4. */
#ifndef PERF_STATTEXT_PROMETHEUS_H
#define PERF_STATTEXT_PROMETHEUS_H

#include "stattext/stattext.h"

#define PROMETHEUS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/**
 * prometheus_name - append @s as a part of the name of a metric, which consists of letters, digits
 * and underscores.
 */
void prometheus_name(const char *s, struct strbuf *out);

/**
 * prometheus_label - append @s as the inside of a quoted label. Control bytes and bytes that are
 * not valid UTF-8 are written as \xNN.
 */
void prometheus_label(const char *s, struct strbuf *out);

/**
 * prometheus_text - append the complete text.
 * @r: totals since the start; its duration is the time since then
 */
void prometheus_text(const struct stat_view *v, const struct stat_result *r, struct strbuf *out);

#endif
