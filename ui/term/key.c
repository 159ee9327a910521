// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/term/key.h"

#include "base/escape.h"

#include <strings.h>

enum { LONGEST = 32 }; /* bytes of a sequence: what is longer is none */

/* ---- sequences ---- */

/* Keys whose sequence ends in a letter: "\033[A" or "\033OA". */
static const struct {
	char end;
	u32 key;
} by_letter[] = {
	{ 'A', K_UP },     { 'B', K_DOWN },   { 'C', K_RIGHT },  { 'D', K_LEFT },
	{ 'H', K_HOME },   { 'F', K_END },    { 'Z', K_UNTAB },  { 'P', K_F0 + 1 },
	{ 'Q', K_F0 + 2 }, { 'R', K_F0 + 3 }, { 'S', K_F0 + 4 }, { 'M', K_ENTER },
	{ 'I', K_TAB },
};

/* Keys whose sequence is a number: "\033[5~". */
static const u32 by_number[] = {
	[1] = K_HOME,    [2] = K_INSERT,  [3] = K_DELETE,   [4] = K_END,      [5] = K_PGUP,
	[6] = K_PGDN,    [7] = K_HOME,    [8] = K_END,      [11] = K_F0 + 1,  [12] = K_F0 + 2,
	[13] = K_F0 + 3, [14] = K_F0 + 4, [15] = K_F0 + 5,  [17] = K_F0 + 6,  [18] = K_F0 + 7,
	[19] = K_F0 + 8, [20] = K_F0 + 9, [21] = K_F0 + 10, [23] = K_F0 + 11, [24] = K_F0 + 12,
};

static u32 key_of_letter(char end)
{
	for (size_t i = 0; i < ARRAY_SIZE(by_letter); i++)
		if (by_letter[i].end == end)
			return by_letter[i].key;
	return K_UNKNOWN;
}

static u32 key_of_number(unsigned long n)
{
	return n < ARRAY_SIZE(by_number) && by_number[n] ? by_number[n] : K_UNKNOWN;
}

/* Decode "\033[<BUTTON;X;YM" of a press; 'm' at the end is its release. Buttons above 3 have bits
 * for Shift (4), Alt (8), Ctrl (16), movement (32) and the wheel (64). */
static void decode_mouse(const char *args, char end, struct term_event *ev)
{
	char *next;
	unsigned long button = strtoul(args, &next, 10);
	unsigned long x = *next == ';' ? strtoul(next + 1, &next, 10) : 0;
	unsigned long y = *next == ';' ? strtoul(next + 1, &next, 10) : 0;

	if (end != 'M' || button & 32 || (button & 3) > 2 || !x || !y)
		return;
	ev->type = TERM_MOUSE;
	ev->x = (u32)x - 1;
	ev->y = (u32)y - 1;
	if (button & 64)
		ev->button = button & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP;
	else
		ev->button = (enum mouse_button)(button & 3);
}

/* Decode "\033[" with what follows it: parameters, and a byte from 0x40 on that ends them. */
static size_t decode_csi(const char *s, size_t len, bool final, struct term_event *ev)
{
	char args[LONGEST] = "";
	size_t i = 2;

	if (len > 3 && s[2] == '[') { /* the console of Linux: "\033[[A" is F1 */
		ev->key = s[3] >= 'A' && s[3] <= 'E' ? K_F0 + 1 + (u32)(s[3] - 'A') : K_UNKNOWN;
		return 4;
	}
	for (; i < len && i < LONGEST && (unsigned char)s[i] < 0x40; i++)
		args[i - 2] = s[i];
	if (i == LONGEST || (i == len && final)) {
		ev->key = K_UNKNOWN;
		return i;
	}
	if (i == len || (s[i] == '[' && i == 2))
		return 0;
	if (*args == '<')
		decode_mouse(args + 1, s[i], ev);
	else if (s[i] == '~')
		ev->key = key_of_number(strtoul(args, NULL, 10));
	else
		ev->key = key_of_letter(s[i]);
	return i + 1;
}

static size_t decode_escape(const char *s, size_t len, bool final, struct term_event *ev)
{
	if (len == 1) {
		ev->key = K_ESC;
		return final;
	}
	if (s[1] == '[') {
		if (len == 2 && !final)
			return 0;
		return decode_csi(s, len, final, ev);
	}
	if (s[1] == 'O') {
		if (len == 2 && !final)
			return 0;
		ev->key = len > 2 ? key_of_letter(s[2]) : K_UNKNOWN;
		return MIN(len, (size_t)3);
	}
	ev->key = K_ESC; /* and another key behind it */
	return 1;
}

/* Return the character of @n bytes of UTF-8. */
static u32 character_of(const char *s, size_t n)
{
	u32 c = (unsigned char)s[0] & (0x7f >> n);

	for (size_t i = 1; i < n; i++)
		c = c << 6 | ((unsigned char)s[i] & 0x3f);
	return c;
}

size_t key_decode(const char *bytes, size_t len, bool final, struct term_event *ev)
{
	unsigned char first;
	size_t n;

	*ev = (struct term_event){ .type = TERM_KEY };
	if (!len)
		return 0;
	first = (unsigned char)*bytes;
	if (first == 27)
		return decode_escape(bytes, len, final, ev);
	if (first < 0x80) {
		ev->key = first == '\n' ? K_ENTER : first == '\b' ? K_BACKSPACE : first;
		return 1;
	}
	n = utf8_length(bytes, len);
	if (!n && len < 4 && !final && first >= 0xc2 && first <= 0xf4)
		return 0;
	ev->key = n ? character_of(bytes, n) : K_UNKNOWN;
	return MAX(n, (size_t)1);
}

/* ---- names ---- */

static const struct {
	const char *name;
	u32 key;
} names[] = {
	{ "TAB", K_TAB },     { "ENTER", K_ENTER },         { "ESC", K_ESC },
	{ "SPACE", ' ' },     { "BACKSPACE", K_BACKSPACE }, { "UP", K_UP },
	{ "DOWN", K_DOWN },   { "LEFT", K_LEFT },           { "RIGHT", K_RIGHT },
	{ "PGUP", K_PGUP },   { "PGDN", K_PGDN },           { "HOME", K_HOME },
	{ "END", K_END },     { "INSERT", K_INSERT },       { "DELETE", K_DELETE },
	{ "UNTAB", K_UNTAB },
};

/* Write a character in UTF-8. */
static void put_character(u32 c, char name[KEY_NAME_SIZE])
{
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	name[n] = 0;
	if (n == 1) {
		name[0] = (char)c;
		return;
	}
	for (size_t i = n; --i; c >>= 6)
		name[i] = (char)(0x80 | (c & 0x3f));
	name[0] = (char)(0xf00 >> n | c);
}

const char *key_name(u32 key, char name[KEY_NAME_SIZE])
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (names[i].key == key) {
			snprintf(name, KEY_NAME_SIZE, "%s", names[i].name);
			return name;
		}
	}
	if (key > K_F0 && key <= K_F12)
		snprintf(name, KEY_NAME_SIZE, "F%u", key - K_F0);
	else if (key > 0 && key < ' ')
		snprintf(name, KEY_NAME_SIZE, "CTRL+%c", (char)(key + 0x60));
	else if (key >= ' ' && key < K_UP)
		put_character(key, name);
	else
		*name = 0;
	return name;
}

u32 key_parse(const char *name, size_t len)
{
	unsigned long n;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == len && !strncasecmp(name, names[i].name, len))
			return names[i].key;
	if (len > 1 && (*name == 'F' || *name == 'f')) {
		n = strtoul(name + 1, NULL, 10);
		return n >= 1 && n <= 12 ? K_F0 + (u32)n : K_NONE;
	}
	if (len == 6 && !strncasecmp(name, "CTRL+", 5))
		return K_CTRL(name[5]);
	if (!len || utf8_length(name, len) != len)
		return K_NONE;
	return len == 1 ? (unsigned char)*name : character_of(name, len);
}
