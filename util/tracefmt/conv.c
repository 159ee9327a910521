// SPDX-License-Identifier: GPL-2.0-or-later
/* Print numbers and strings by the conversions of a format string, with width, precision and
 * flags. */
#include "base/compat.h"
#include "tracefmt/tracefmt-internal.h"

#include "base/escape.h"

/* The base is a constant where this is used, so that it is not divided by. */
static inline unsigned int put_in_base(char *end, u64 v, unsigned int base, const char *set)
{
	unsigned int n = 0;

	do {
		*--end = set[v % base];
		v /= base;
		n++;
	} while (v);
	return n;
}

static unsigned int put_digits(char *end, u64 v, unsigned int base, bool upper)
{
	static const char lo[] = "0123456789abcdef", up[] = "0123456789ABCDEF";

	if (base == 10)
		return put_in_base(end, v, 10, lo);
	return base == 8 ? put_in_base(end, v, 8, lo) : put_in_base(end, v, 16, upper ? up : lo);
}

void put_padded(struct strbuf *out, const struct tf_spec *spec, const char *s, size_t len)
{
	size_t start = out->len, width = spec->width > 0 ? (size_t)spec->width : 0;

	if (!spec->left && len < width)
		strbuf_pad(out, start + width - len);
	strbuf_add(out, s, len);
	if (spec->left)
		strbuf_pad(out, start + width);
}

void put_num(struct strbuf *out, const struct tf_spec *spec, u64 v)
{
	char buf[2 * TF_MAX_WIDTH + 32], *end = buf + sizeof(buf), *p = end;
	bool sign = spec->conv == 'd', neg;
	unsigned int base = spec->conv == 'x' || spec->conv == 'X' ? 16
			    : spec->conv == 'o'                    ? 8
								   : 10;
	int digits = spec->prec, prefix = 0;

	if (spec->conv == 'c') {
		buf[0] = (char)v;
		put_padded(out, spec, buf, 1);
		return;
	}
	v = tf_narrow(v, spec->len, sign);
	neg = sign && (s64)v < 0;
	if (neg)
		v = 0 - v;
	p -= put_digits(p, v, base, spec->conv == 'X');
	if (!v && spec->prec == 0)
		p = end;
	prefix = neg || (sign && (spec->plus || spec->space)) ? 1
		 : spec->alt && base == 16 && v               ? 2
							      : 0;
	if (spec->zero && !spec->left && spec->prec < 0)
		digits = spec->width - prefix;
	while (end - p < MIN(digits, TF_MAX_WIDTH))
		*--p = '0';
	if (spec->alt && base == 8 && (p == end || *p != '0'))
		*--p = '0';
	if (prefix == 2) {
		*--p = spec->conv;
		*--p = '0';
	} else if (prefix == 1) {
		*--p = neg ? '-' : spec->plus ? '+' : ' ';
	}
	put_padded(out, spec, p, (size_t)(end - p));
}

void put_str(struct strbuf *out, const struct tf_spec *spec, const char *s, size_t len)
{
	if (spec->prec >= 0)
		len = strnlen(s, MIN(len, (size_t)spec->prec));
	put_padded(out, spec, s, len);
}

void put_foreign(struct strbuf *out, const u8 *p, size_t len)
{
	size_t i, from = 0;

	if (likely(!escape_needed_in((const char *)p, len))) {
		strbuf_add(out, p, len);
		return;
	}
	for (i = 0; i < len; i++) {
		if (likely(p[i] >= 0x20 && p[i] != 0x7f) || p[i] == '\n' || p[i] == '\t')
			continue;
		strbuf_add(out, p + from, i - from);
		strbuf_add(out, "\\x", 2);
		strbuf_hex(out, p[i], 2, 0);
		from = i + 1;
	}
	strbuf_add(out, p + from, len - from);
}
