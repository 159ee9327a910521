/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON text (RFC 8259) as a tree in an arena. Strict, bounded in depth, and it says where it fails.
 */
#ifndef PERF_CODEC_JSON_READ_H
#define PERF_CODEC_JSON_READ_H

#include "base/arena.h"
#include "base/err.h"

#define JSON_DEPTH_MAX 64

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* Owned by the arena, strings too. */
struct json_value {
	enum json_type type;
	bool truth;      /* of a JSON_BOOL */
	u32 line;        /* where it starts, from 1 */
	const char *key; /* inside an object, else NULL */
	const char *str; /* of a string, as UTF-8; of a number, as it was written; else NULL */
	struct json_value *first; /* members of an array or object, in order */
	struct json_value *next;  /* after this one in there */
};

/**
 * json_parse - read one value and nothing behind it. A byte-order mark in front is skipped.
 * @what: name of the text, for the error
 * Strings with a zero byte in them are refused: they would end there.
 * Return: the value; NULL with @err saying what is wrong in which line.
 */
struct json_value *json_parse(struct arena *a, const char *text, size_t len, const char *what,
			      struct err *err);

/** json_get - the first member of @object called @key; NULL when there is none. */
const struct json_value *json_get(const struct json_value *object, const char *key);

/** json_get_str - the text of a member that is a string or a number; NULL otherwise. */
const char *json_get_str(const struct json_value *object, const char *key);

#endif
