/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filters of the report browser as what is asked of a profile, and as options of commands. */
#ifndef PERF_BROWSE_FILTERS_H
#define PERF_BROWSE_FILTERS_H

#include "profile/profile.h"
#include "ui/views/report.h"

/** browse_filter - ask for what passes filters. Filters of symbols choose rows, not samples, so
 * they ask for nothing. @f: @asked borrows its texts */
void browse_filter(struct profile_options *asked, const struct report_filters *f);
/** browse_filter_text - append the options that have the effect of filters. @tid: the option that
 * names threads: "--tid=" */
void browse_filter_text(const struct report_filters *f, const char *tid, struct strbuf *out);
/** browse_option - append an option and its value, quoted; NULL: nothing. */
void browse_option(struct strbuf *out, const char *name, const char *value);

#endif
