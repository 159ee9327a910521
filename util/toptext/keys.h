/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of perf top --stdio: one table, which the help shows and keys are looked up in. */
#ifndef PERF_TOPTEXT_KEYS_H
#define PERF_TOPTEXT_KEYS_H

#include "toptext/toptext.h"

/* Asks users for a line of text. Return: the caller frees it; NULL: nothing was entered. */
typedef char *toptext_ask_fn(void *ctx, const char *question);

enum toptext_did {
	TOPTEXT_UNKNOWN, /* the key stands for nothing */
	TOPTEXT_DONE,
	TOPTEXT_QUIT, /* it is time to end */
};

/** toptext_key - do what a key stands for. @ask: is called for keys that need a value */
enum toptext_did toptext_key(struct toptext *t, char key, toptext_ask_fn *ask, void *ctx);
/** toptext_keys - append a line for each key, with the present value of what it changes. */
void toptext_keys(const struct toptext *t, struct strbuf *out);

#endif
