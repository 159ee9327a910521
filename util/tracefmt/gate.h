/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The gate in front of libtraceevent, which trusts formats and records. No text of a file passes:
 * formats are written anew from our own tree, and what a plugin could follow past the end of a
 * record is refused. Private to the room and its tests.
 */
#ifndef PERF_TRACEFMT_GATE_H
#define PERF_TRACEFMT_GATE_H

#include "tracefmt/tracefmt-internal.h"

#define GATE_RECORD_MAX 65536  /* bytes of a record */
#define GATE_FIRST_CALL 0xf000 /* ids of calls; those of events are below */
#define GATE_MAX_ARGS 8
#define GATE_ARGS_AT 8 /* where the arguments of a call begin, 8 bytes each */

/**
 * gate_format - write the format of @ev as the library may see it, without its print fmt.
 * Return: false when it may not: the id is too large, a name is no identifier, or a field that a
 * plugin takes for a length has another size than the kernel gives it.
 */
bool gate_format(const struct tf_event *ev, struct strbuf *out);
/** gate_record - tell whether all fields of @ev, dynamic ones too, are inside the record. */
bool gate_record(const struct tf_event *ev, const u8 *raw, size_t size);

/* The forms in which an argument of a call is handed over. */
enum gate_arg {
	GATE_NUMBER,
	GATE_STRING, /* bytes up to the first zero byte */
	GATE_BYTES
};

/** gate_arg - return the form in which an argument is handed over. */
enum gate_arg gate_arg(const struct tf_expr *x);
/**
 * gate_call - tell whether the library may be asked to make this call (X_CALL). Functions of the
 * library's plugins are given numbers and pointers where they take them; others are called only for
 * formats of the running kernel (@trusted), as they may follow any number as a pointer.
 */
bool gate_call(const struct tf_expr *call, bool trusted);
/** gate_call_format - write the format of an event @id that makes the call, whose arguments are the
 * fields a0, a1, …, and prints its text, or (@text false) its value in hexadecimal. */
void gate_call_format(const struct tf_expr *call, u32 id, bool text, struct strbuf *out);

#endif
