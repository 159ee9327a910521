// SPDX-License-Identifier: GPL-2.0-or-later
/* Test Protocol Buffers on the wire: bytes of keys, numbers, texts and of messages in messages. */
#include "base/compat.h"
#include "codec/protobuf.h"

#include <setjmp.h>

#include <cmocka.h>

static void expect(struct strbuf *out, const void *bytes, size_t len)
{
	assert_int_equal(out->len, len);
	assert_memory_equal(out->buf, bytes, len);
	strbuf_reset(out);
}

#define EXPECT(out, text) expect(out, text, sizeof(text) - 1)

static void numbers(void **state)
{
	struct strbuf out = STRBUF_INIT;

	proto_varint(&out, 0);
	EXPECT(&out, "\0");
	proto_varint(&out, 127);
	EXPECT(&out, "\x7f");
	proto_varint(&out, 128);
	EXPECT(&out, "\x80\x01");
	proto_varint(&out, 300);
	EXPECT(&out, "\xac\x02");
	proto_varint(&out, UINT64_MAX);
	EXPECT(&out, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	proto_u64(&out, 1, 150);
	EXPECT(&out, "\x08\x96\x01");
	proto_u64(&out, 1, 0);
	assert_int_equal(out.len, 0);
	proto_number(&out, 1, 0);
	EXPECT(&out, "\x08\0");
	/* The number of a field takes two bytes from 16 on. */
	proto_number(&out, 16, 1);
	EXPECT(&out, "\x80\x01\x01");
	proto_u64(&out, 3, (u64)-2);
	EXPECT(&out, "\x18\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	proto_fixed64(&out, 3, 0x0807060504030201);
	EXPECT(&out, "\x19\x01\x02\x03\x04\x05\x06\x07\x08");
	strbuf_release(&out);
}

static void lengths(void **state)
{
	struct strbuf out = STRBUF_INIT;
	size_t begun;

	proto_bytes(&out, 2, "testing", 7);
	EXPECT(&out, "\x12\x07testing");
	proto_bytes(&out, 2, "\0", 1);
	EXPECT(&out, "\x12\x01\0");
	proto_bytes(&out, 2, NULL, 0);
	EXPECT(&out, "\x12\0");
	begun = proto_begin(&out, 4);
	for (u64 v = 3; v < 300000; v = v * 90 + 1)
		proto_varint(&out, v);
	proto_end(&out, begun);
	EXPECT(&out, "\x22\x06\x03\x8f\x02\xc7\xbe\x01");
	begun = proto_begin(&out, 3);
	proto_end(&out, begun);
	EXPECT(&out, "\x1a\0");
	strbuf_release(&out);
}

/* The content stays in place when the length in front of it takes more than one byte. */
static void nested(void **state)
{
	static const size_t sizes[] = { 0, 1, 124, 125, 126, 127, 128, 129, 16384, 20000, 2100000 };
	struct strbuf out = STRBUF_INIT, plain = STRBUF_INIT, inner = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		char *text = malloc(sizes[i] + 1);
		size_t first, second;

		assert_non_null(text);
		memset(text, 'x', sizes[i] + 1);
		strbuf_reset(&plain);
		strbuf_reset(&inner);
		proto_bytes(&inner, 2, text, sizes[i]);
		proto_bytes(&plain, 1, inner.buf, inner.len);
		proto_u64(&plain, 5, 7);
		first = proto_begin(&out, 1);
		second = proto_begin(&out, 2);
		strbuf_add(&out, text, sizes[i]);
		proto_end(&out, second);
		proto_end(&out, first);
		proto_u64(&out, 5, 7);
		expect(&out, plain.buf, plain.len);
		free(text);
	}
	strbuf_release(&out);
	strbuf_release(&plain);
	strbuf_release(&inner);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(lengths),
		cmocka_unit_test(nested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
