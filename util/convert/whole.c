// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "convert/convert.h"

#include "recording/recording.h"

#include <inttypes.h>

int convert_recording(struct recording *r, enum convert_format format,
		      const struct convert_options *o, struct convert_counts *n, struct err *err)
{
	int ret = recording_prepare(r, err);

	if (!ret && !recording_is_stream(r))
		ret = recording_settle_time(r, err);
	if (ret)
		return ret;
	return format == CONVERT_JSON ? convert_json(r, o, n, err) : convert_ctf(r, o, n, err);
}

void convert_text(const char *from, const char *format, const char *to,
		  const struct convert_counts *n, struct strbuf *out)
{
	if (n->late)
		strbuf_addf(out,
			    "Warning:\n%" PRIu64 " events came after later ones of their CPU, and "
			    "have the time of those\n",
			    n->late);
	strbuf_addf(out,
		    "[ perf data convert: Converted '%s' into %s data '%s' ]\n"
		    "[ perf data convert: Converted and wrote %.3f MB (%" PRIu64 " samples",
		    from, format, to, (double)n->bytes / 1024.0 / 1024.0, n->samples);
	if (n->others)
		strbuf_addf(out, ", %" PRIu64 " non-samples", n->others);
	strbuf_addstr(out, ") ]\n");
}
