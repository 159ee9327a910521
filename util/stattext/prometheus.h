/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts as monitoring systems collect them: the text exposition format of Prometheus, version
 * 0.0.4. */
#ifndef PERF_STATTEXT_PROMETHEUS_H
#define PERF_STATTEXT_PROMETHEUS_H

#include "stattext/stattext.h"

#define PROMETHEUS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/** prometheus_name - append @s as a part of a metric's name: letters, digits and _. */
void prometheus_name(const char *s, struct strbuf *out);

/** prometheus_label - append @s as it stands between the quotes of a label. Bytes that are no UTF-8
 * and control bytes are shown as \xNN. */
void prometheus_label(const char *s, struct strbuf *out);

/**
 * prometheus_text - append all of it.
 * @r: totals since the start; duration is the time since then
 */
void prometheus_text(const struct stat_view *v, const struct stat_result *r, struct strbuf *out);

#endif
