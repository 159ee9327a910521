/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state, private to the room, that the tokens (lex.c) and the grammar (expr.c) of a print fmt
 * share. */
#ifndef PERF_TRACEFMT_PARSER_INTERNAL_H
#define PERF_TRACEFMT_PARSER_INTERNAL_H

#include "tracefmt/tracefmt-internal.h"

enum tok { T_END, T_IDENT, T_NUM, T_STR, T_OP, T_BAD };

struct parser {
	struct tracefmt *tf;
	const struct tf_event *ev;
	const char *p, *end;
	enum tok tok;
	u16 op;           /* of T_OP: the character, or OP_* */
	const char *text; /* of T_IDENT: start, of T_STR: unescaped, in the arena */
	size_t len;
	u64 num;
	bool num_unsigned; /* of T_NUM: it had a U suffix */
	unsigned int depth, nodes;
	struct tf_expr *calls; /* of unknown functions, so far */
	const char *why;       /* first error */
};

/** lex_next - read the next token into @ps; T_END at the end, T_BAD for an unterminated string. */
void lex_next(struct parser *ps);

#endif
