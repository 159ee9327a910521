/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A strict JSON reader (RFC 8259). It makes a tree in an arena, limits the depth of nesting, and
 * reports the line of an error.
 */
#ifndef PERF_CODEC_JSON_READ_H
#define PERF_CODEC_JSON_READ_H

#include "base/arena.h"
#include "base/err.h"

#define JSON_DEPTH_MAX 64

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* A value. The arena owns it and its strings. */
struct json_value {
	enum json_type type;
	bool truth;               /* the value of a JSON_BOOL */
	u32 line;                 /* the line where the value starts, from 1 */
	const char *key;          /* its key when it is a member of an object, else NULL */
	const char *str;          /* a string as UTF-8, or a number as it was written; else NULL */
	struct json_value *first; /* the first member of an array or object */
	struct json_value *next;  /* the next member of the same array or object */
};

/**
 * json_parse - parse a text that consists of one value. A byte-order mark at its start is skipped.
 * Strings that contain a zero byte are refused, because they would end there.
 * @what: the name of the text, for error messages
 * Return: the value, or NULL, and then @err names the fault and its line.
 */
struct json_value *json_parse(struct arena *a, const char *text, size_t len, const char *what,
			      struct err *err);

/** json_get - return the first member of @object whose key is @key, or NULL when there is none. */
const struct json_value *json_get(const struct json_value *object, const char *key);

/** json_get_str - return the text of a member that is a string or a number, NULL otherwise. */
const char *json_get_str(const struct json_value *object, const char *key);

#endif
