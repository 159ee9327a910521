// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tracepoint formats. The first byte chooses: 0 a whole TRACING_DATA section, 1 one format
 * description, 2 a print fmt over a fixed set of fields. Each event found then prints the end of
 * the input as its payload.
 */
#include "base/compat.h"
#include "tracefmt/tracefmt.h"

#define FIELDS                                                                                     \
	"name: f\nID: 1\nformat:\n\tfield:int num;\toffset:0;\tsize:4;\tsigned:1;\n\n"             \
	"\tfield:__data_loc char[] str;\toffset:4;\tsize:4;\tsigned:0;\n"                          \
	"\tfield:u8 arr[16];\toffset:8;\tsize:16;\tsigned:0;\n"                                    \
	"\tfield:__data_loc u64[] dyn;\toffset:24;\tsize:4;\tsigned:0;\n"                          \
	"\tfield:const char * ptr;\toffset:32;\tsize:8;\tsigned:0;\n"                              \
	"\tfield:s16 half;\toffset:40;\tsize:2;\tsigned:1;\n\nprint fmt: "

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *ksym(void *ctx, u64 addr, u64 *start)
{
	*start = addr & ~0xffULL;
	return addr & 1 ? "sym" : NULL;
}

static void print_all(const struct tracefmt *tf, const uint8_t *data, size_t size)
{
	struct tf_printer pr = { .ksym = ksym };
	struct strbuf out = STRBUF_INIT;
	size_t i, n = MIN(size, (size_t)64);

	for (i = 0; i < tracefmt_nr(tf) && i < 64; i++) {
		tf_print(tracefmt_at(tf, i), &pr, data + size - n, n, &out);
		tf_print_fields(tracefmt_at(tf, i), data + size - n, n, &out);
		strbuf_reset(&out);
	}
	strbuf_release(&out);
	strbuf_release(&pr.tmp);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf text = STRBUF_INIT;
	struct tracefmt *tf = NULL;
	struct err err;

	if (!size)
		return 0;
	if (data[0] % 3 == 0) {
		tracefmt_read_section(data + 1, size - 1, &tf, &err);
	} else {
		tf = tracefmt_new(data[0] & 4, data[0] & 8 ? 4 : 8);
		if (data[0] % 3 == 2)
			strbuf_addstr(&text, FIELDS);
		strbuf_add(&text, data + 1, size - 1);
		tracefmt_add(tf, "sys", strbuf_str(&text), text.len, &err);
	}
	if (tf)
		print_all(tf, data, size);
	tracefmt_free(tf);
	strbuf_release(&text);
	return 0;
}
