// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/units.h"

void page_size_text(u64 size, struct strbuf *out)
{
	static const char units[] = "BKMG";
	int unit = 0;

	if (!size) {
		strbuf_addstr(out, "N/A");
		return;
	}
	while (size / 1024 > 1 && units[unit + 1]) {
		size /= 1024;
		unit++;
	}
	strbuf_dec(out, size, 0);
	strbuf_addch(out, units[unit]);
}

const char *duration_unit(u64 ns, u64 *one)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	u32 unit = 0;

	for (*one = 1; unit < 3 && ns / *one >= 1000; unit++)
		*one *= 1000;
	return units[unit];
}

void duration_text(u64 ns, struct strbuf *out)
{
	u64 one;
	const char *unit = duration_unit(ns, &one);

	strbuf_dec(out, ns / one, 0);
	if (one > 1 && ns / one < 10)
		strbuf_addf(out, ".%02u", (u32)(ns % one / (one / 100)));
	else if (one > 1 && ns / one < 100)
		strbuf_addf(out, ".%u", (u32)(ns % one / (one / 10)));
	strbuf_addstr(out, unit);
}
