// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of /proc/PID/maps: whatever they hold, the name stays inside the line. */
#include "base/compat.h"
#include "kernel/synth.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf line = STRBUF_INIT;
	struct maps_line m;

	strbuf_add(&line, data, size);
	if (line.buf && !maps_parse(line.buf, &m))
		if (m.name < line.buf || m.name > line.buf + line.len || m.end < m.start)
			abort();
	strbuf_release(&line);
	return 0;
}
