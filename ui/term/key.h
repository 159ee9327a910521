/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys and the mouse, as terminals send them: characters in UTF-8, sequences of xterm and its kin
 * (ECMA-48, the DEC VT220, mouse mode 1006), and nothing else. All functions are pure.
 */
#ifndef PERF_UI_TERM_KEY_H
#define PERF_UI_TERM_KEY_H

#include "base/compat.h"

/* A key is the Unicode character that it types, 1 to 26 with Ctrl, or one of these. */
enum key {
	K_NONE,
	K_TAB = '\t',
	K_ENTER = '\r',
	K_ESC = 27,
	K_BACKSPACE = 127,
	K_UP = 0x110000, /* above all characters */
	K_DOWN,
	K_LEFT,
	K_RIGHT,
	K_PGUP,
	K_PGDN,
	K_HOME,
	K_END,
	K_INSERT,
	K_DELETE,
	K_UNTAB,
	K_UNKNOWN, /* a sequence of no key that is named here */
	K_F0,
	K_F12 = K_F0 + 12,
};

#define K_CTRL(letter) ((u32)(letter)&0x1f)

enum term_event_type {
	TERM_KEY,
	TERM_MOUSE,
	TERM_RESIZED,
	TERM_TIMEOUT, /* nothing came in time */
	TERM_GONE,    /* the terminal was closed */
};

enum mouse_button { MOUSE_LEFT, MOUSE_MIDDLE, MOUSE_RIGHT, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct term_event {
	enum term_event_type type;
	u32 key;                  /* of TERM_KEY */
	enum mouse_button button; /* that was pressed; of TERM_MOUSE, as the position */
	u32 x, y;                 /* from 0 */
};

/**
 * key_decode - take one key or mouse event off the beginning of @bytes.
 * @final: no more bytes follow soon, so that a single ESC is the key
 * @ev: receives it; events without a meaning (a button that is let go) are K_NONE keys
 * Return: the bytes that it took; 0: there have to be more.
 */
size_t key_decode(const char *bytes, size_t len, bool final, struct term_event *ev);

/** KEY_NAME_SIZE - bytes that the name of a key needs. */
#define KEY_NAME_SIZE 16
/** key_name - write the name of a key as users know it: "a", "+", "PGUP", "CTRL+c". */
const char *key_name(u32 key, char name[KEY_NAME_SIZE]);
/** key_parse - return the key of a name; K_NONE: there is none. @len: bytes of the name */
u32 key_parse(const char *name, size_t len);

#endif
