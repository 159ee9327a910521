/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages in the wire format of Protocol Buffers, written field by field: a key (number and wire
 * type), then a varint, eight bytes, or a length and so many bytes. As in proto3, numbers that are
 * 0 and texts that are empty are left out where nothing says otherwise.
 */
#ifndef PERF_CODEC_PROTOBUF_H
#define PERF_CODEC_PROTOBUF_H

#include "base/strbuf.h"

/** proto_varint - the number alone, without a key: what a packed field is made of. */
void proto_varint(struct strbuf *out, u64 v);
/** proto_u64 - a field of any whole type but sint and fixed; nothing when @v is 0. Negative numbers
 * are given as the u64 they convert to. */
void proto_u64(struct strbuf *out, u32 field, u64 v);
/** proto_number - the same, written even when it is 0: members of a oneof, repeated ones. */
void proto_number(struct strbuf *out, u32 field, u64 v);
/** proto_fixed64 - a fixed64 field, 0 too. */
void proto_fixed64(struct strbuf *out, u32 field, u64 v);
/** proto_bytes - a bytes field, empty ones too: @len bytes as they are. */
void proto_bytes(struct strbuf *out, u32 field, const void *data, size_t len);

/**
 * proto_begin - begin a field that has fields of its own, or packed numbers.
 * Return: where it began, for proto_end(), which ends the one begun last.
 */
size_t proto_begin(struct strbuf *out, u32 field);
/** proto_end - all of it has been written. */
void proto_end(struct strbuf *out, size_t begun);

#endif
