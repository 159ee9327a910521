// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/units.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>

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

/* ---- digits ---- */

static const char two_digits[] = "0001020304050607080910111213141516171819"
				 "2021222324252627282930313233343536373839"
				 "4041424344454647484950515253545556575859"
				 "6061626364656667686970717273747576777879"
				 "8081828384858687888990919293949596979899";

static const u64 powers[] = {
	1ULL,
	10ULL,
	100ULL,
	1000ULL,
	10000ULL,
	100000ULL,
	1000000ULL,
	10000000ULL,
	100000000ULL,
	1000000000ULL,
	10000000000ULL,
	100000000000ULL,
	1000000000000ULL,
	10000000000000ULL,
	100000000000000ULL,
	1000000000000000ULL,
	10000000000000000ULL,
	100000000000000000ULL,
	1000000000000000000ULL,
	10000000000000000000ULL,
};

/*
 * 1233 / 4096 is slightly more than log10(2): the result is at most one too large, never too small.
 */
static unsigned int dec_length(u64 v)
{
	unsigned int bits = 64 - (unsigned int)__builtin_clzll(v | 1);
	unsigned int n = bits * 1233 >> 12;

	return n + ((v | 1) >= powers[n]);
}

char *digits_dec(char *p, u64 v)
{
	char *end = p + dec_length(v), *q = end;

	while (v >= 100) {
		q -= 2;
		memcpy(q, two_digits + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(p, two_digits + v * 2, 2);
	else
		*p = (char)('0' + v);
	return end;
}

/* Write eight digits, the highest first in memory, by working on all nibbles at once. */
static void hex_eight(char *p, u64 v)
{
	u64 letters;

	v = (v | v << 16) & 0x0000ffff0000ffffULL;
	v = (v | v << 8) & 0x00ff00ff00ff00ffULL;
	v = (v | v << 4) & 0x0f0f0f0f0f0f0f0fULL;
	letters = (v + 0x0606060606060606ULL) >> 4 & 0x0101010101010101ULL;
	v = htobe64(v + 0x3030303030303030ULL + letters * ('a' - '0' - 10));
	memcpy(p, &v, sizeof(v));
}

char *digits_hex(char *p, u64 v)
{
	unsigned int blanks = (unsigned int)__builtin_clzll(v | 1) / 4;

	v <<= 4 * blanks;
	hex_eight(p, v >> 32);
	hex_eight(p + 8, (u32)v);
	return p + DIGITS_HEX - blanks;
}

#define BLANKS 16 /* are written at once, which is cheaper than as many as are needed */

/* Write a number right-aligned in at least one column, from its end, because most are short. */
static char *write_aligned(char *p, u64 v, unsigned int width)
{
	char *at = p + width;
	u64 left = v;

	memset(p, ' ', BLANKS);
	if (unlikely(width > BLANKS))
		memset(p + BLANKS, ' ', width - BLANKS);
	do {
		*--at = (char)('0' + left % 10);
		left /= 10;
	} while (left && at > p);
	return likely(!left) ? p + width : digits_dec(p, v);
}

char *digits_three(char *p, u32 part)
{
	p[0] = (char)('0' + part / 100);
	memcpy(p + 1, two_digits + part % 100 * 2, 2);
	return p + 3;
}

char *digits_thousandths(char *p, u64 value, u32 part, unsigned int width)
{
	p = write_aligned(p, value, width);
	*p++ = '.';
	return digits_three(p, part);
}

/* ---- amounts in options ---- */

struct unit {
	char letter;
	u64 factor;
};

static const struct unit size_units[] = {
	{ 'B', 1 }, { 'K', 1 << 10 }, { 'M', 1 << 20 }, { 'G', 1 << 30 }, { 0, 0 }
};
static const struct unit time_units[] = {
	{ 's', 1000 }, { 'm', 60 * 1000 }, { 'h', 3600 * 1000 }, { 'd', 86400 * 1000 }, { 0, 0 }
};
static const struct unit no_unit[] = { { 0, 1 }, { 0, 0 } };

/* Parse "NUMBER UNIT" with nothing behind it. Return: whether it is that. */
static bool parse_amount(const char *text, const struct unit *units, u64 *out)
{
	unsigned long long v;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	v = strtoull(text, &end, 10);
	for (; units->factor; units++) {
		if (*end != units->letter || (*end && end[1]))
			continue;
		if (errno || v > UINT64_MAX / 2 / units->factor)
			return false;
		*out = v * units->factor;
		return true;
	}
	return false;
}

bool size_parse(const char *text, u64 *out)
{
	return parse_amount(text, size_units, out);
}

bool bytes_parse(const char *text, u64 *out)
{
	return size_parse(text, out) || parse_amount(text, no_unit, out);
}

bool span_parse(const char *text, u64 *ms)
{
	return parse_amount(text, time_units, ms);
}

bool duration_parse(const char *text, u64 *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "", 1e6 }, { "s", 1e9 } };
	char *end;
	double n;

	if (!isdigit((unsigned char)*text))
		return false;
	n = strtod(text, &end);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(end, units[i].name) || !(n * units[i].ns < 1e18))
			continue;
		*ns = (u64)(n * units[i].ns + 0.5);
		return true;
	}
	return false;
}

bool seconds_parse(const char *text, double least, double most, double *out)
{
	char *end;

	*out = strtod(text, &end);
	return end != text && !*end && *out >= least && *out <= most;
}
