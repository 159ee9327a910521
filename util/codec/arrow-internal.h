/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of the Arrow writer share these functions, which are private to the room. */
#ifndef PERF_CODEC_ARROW_INTERNAL_H
#define PERF_CODEC_ARROW_INTERNAL_H

#include "codec/arrow.h"

/** arrow_value_size - return the bytes of a number; 0: the values are something else. */
size_t arrow_value_size(enum arrow_type type);
/** arrow_values_size - return the bytes of the values of @rows numbers or truth values. */
size_t arrow_values_size(enum arrow_type type, u64 rows);
/** arrow_column_finish - have the arrays of a column with any value reach to @rows. */
void arrow_column_finish(struct arrow_column *c, u64 rows);

/** arrow_schema - append the table that describes the columns. Return: its place. */
size_t arrow_schema(struct strbuf *b, const struct arrow_column *columns, u32 nr);

#define ARROW_VERSION 4 /* "V5" */

#endif
