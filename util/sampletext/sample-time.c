// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "sampletext/sample-time.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void put_fraction(const struct sample_times *t, u64 ns, struct strbuf *out)
{
	char text[] = "000000000";

	for (int i = 8; i >= 0; i--, ns /= 10)
		text[i] = (char)('0' + ns % 10);
	strbuf_add(out, text, t->conf.nanosecs ? 9 : 6);
}

void sample_times_wall(struct sample_times *t, u64 ns, struct strbuf *out)
{
	u64 sec;

	if (t->conf.no_wall) {
		strbuf_addstr(out, "disabled ");
		return;
	}
	ns += t->conf.wall_offset;
	sec = ns / 1000000000;
	if (sec != t->wall_sec || !*t->wall_text) {
		time_t at = (time_t)sec;
		struct tm tm;

		if (!localtime_r(&at, &tm) ||
		    !strftime(t->wall_text, sizeof(t->wall_text), "%F %T.", &tm))
			memcpy(t->wall_text, "?.", 3);
		t->wall_sec = sec;
	}
	strbuf_addstr(out, t->wall_text);
	put_fraction(t, ns % 1000000000, out);
	strbuf_addch(out, ' ');
}

u64 sample_times_shown(struct sample_times *t, u64 ns)
{
	u64 base = t->base;

	if (likely(t->conf.form == TIMES_FULL))
		return ns;
	if (!base || t->conf.form == TIMES_DELTA)
		t->base = ns;
	return base ? ns - base : 0;
}

/* Consecutive times are often in the same second, whose text is kept. */
void sample_times_put(struct sample_times *t, u64 ns, struct strbuf *out)
{
	unsigned int digits = 9, i;
	u64 sec;
	u32 frac;
	char *p;

	ns = sample_times_shown(t, ns);
	sec = ns / 1000000000;
	frac = (u32)(ns - sec * 1000000000);
	if (unlikely(sec != t->sec || !t->sec_len)) {
		t->sec = sec;
		t->sec_len = (u32)snprintf(t->sec_text, sizeof(t->sec_text), "%5" PRIu64 ".", sec);
	}
	if (!t->conf.nanosecs) {
		digits = 6;
		frac /= 1000;
	}
	strbuf_grow(out, sizeof(t->sec_text) + digits + 2);
	p = out->buf + out->len;
	memcpy(p, t->sec_text, t->sec_len);
	p += t->sec_len + digits;
	memcpy(p, ": ", 3);
	out->len = (size_t)(p + 2 - out->buf);
	for (i = 0; i < digits; i += 3, frac /= 1000) {
		u32 three = frac % 1000;

		p -= 3;
		p[0] = (char)('0' + three / 100);
		p[1] = (char)('0' + three / 10 % 10);
		p[2] = (char)('0' + three % 10);
	}
}
