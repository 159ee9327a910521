/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private to the room: libtraceevent for its plugins, which print some events in a way of their own
 * and know functions that print formats call.
 *
 * The library trusts formats, so it never sees one from a file. It is given texts that are written
 * here from what our own parser understood: names that are identifiers, types of our choice, and
 * fields that are known to be inside the record. Payloads are given to it as copies with enough
 * zero bytes behind them for every offset and length that a dynamic field can hold.
 */
#ifndef PERF_TRACEFMT_TRACEEVENT_INTERNAL_H
#define PERF_TRACEFMT_TRACEEVENT_INTERNAL_H

#include "tracefmt/tracefmt-internal.h"

#include <stdatomic.h>

/* The ways in which the library prints an event. */
enum te_does {
	TE_ASKED = 1,     /* the other bits are known */
	TE_OVERRIDES = 2, /* a plugin prints it */
	TE_CALLS = 4,     /* plugins know all functions that its print format calls */
};

struct te_event {
	atomic_uchar does;     /* enum te_does */
	struct tep_event *tep; /* when a plugin prints it */
};

/** te_new - make the state of the library for one set of formats. It is loaded when it is first
 * asked. Free with te_free(). */
struct te *te_new(void);
void te_free(struct te *te);

/** te_ask - find out what the library does for @ev (te_does() is the fast way). Return: enum
 * te_does. */
u8 te_ask(const struct tf_event *ev);

/** te_does - return what the library does for @ev; nothing where it is not there. */
static inline u8 te_does(const struct tf_event *ev)
{
	u8 does = atomic_load_explicit(&ev->te->does, memory_order_acquire);

	return does ? does : te_ask(ev);
}

/**
 * te_print - have the plugin that overrides the event print a payload.
 * Return: true when that is all; false when our own text follows, also when the payload is not one
 * that a plugin may see.
 */
bool te_print(const struct tf_ctx *c, struct strbuf *out);

/** te_call_value, te_call_text - return, and print, the result of a function that a plugin
 * knows. */
u64 te_call_value(const struct tf_ctx *c, const struct tf_expr *x);
void te_call_text(const struct tf_ctx *c, const struct tf_expr *x, struct strbuf *out);

#endif
