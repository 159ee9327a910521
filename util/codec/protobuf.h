/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A writer for the wire format of Protocol Buffers. Messages are written field by field: a key
 * (number and wire type), then a varint, eight bytes, or a length and that many bytes. As in
 * proto3, numbers that are 0 and strings that are empty are left out unless a function says
 * otherwise.
 */
#ifndef PERF_CODEC_PROTOBUF_H
#define PERF_CODEC_PROTOBUF_H

#include "base/strbuf.h"

/** proto_varint - append a number without a key; packed fields consist of these. */
void proto_varint(struct strbuf *out, u64 v);
/**
 * proto_u64 - append a field of any integer type except sint and fixed, or nothing when @v is 0.
 * Negative numbers are passed as the u64 they convert to.
 */
void proto_u64(struct strbuf *out, u32 field, u64 v);
/**
 * proto_number - append as proto_u64() does, but add the field even when @v is 0, as members of a
 * oneof and repeated fields need it.
 */
void proto_number(struct strbuf *out, u32 field, u64 v);
/** proto_fixed64 - append a fixed64 field, also when @v is 0. */
void proto_fixed64(struct strbuf *out, u32 field, u64 v);
/** proto_bytes - append a bytes field of @len bytes, also when it is empty. */
void proto_bytes(struct strbuf *out, u32 field, const void *data, size_t len);
/** proto_name - append a string field with a name from a recording, also when it is empty. */
void proto_name(struct strbuf *out, u32 field, const char *s);

/**
 * proto_begin - begin a field that contains other fields or packed numbers. Such fields nest.
 * Return: a position for proto_end(), which ends the field that was begun last.
 */
size_t proto_begin(struct strbuf *out, u32 field);
/** proto_end - end the field that began at @begun, after its contents were appended. */
void proto_end(struct strbuf *out, size_t begun);

#endif
