// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the packets of Intel PT and Arm SPE: their lengths, what they say, and what is no packet. */
#include "base/compat.h"
#include "aux/aux-text.h"
#include "aux/pt.h"
#include "aux/spe.h"

#include <setjmp.h>
#include <cmocka.h>

#define BYTES(...) (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ })

struct packet {
	const u8 *bytes;
	size_t size;
	const char *text; /* NULL: no packet */
};

static const struct packet spe[] = {
	{ BYTES(0x00), "PAD" },
	{ BYTES(0x20, 0x00), "PAD" },
	{ BYTES(0x01), "END" },
	{ BYTES(0x71, 1, 2, 0, 0, 0, 0, 0, 0), "TS 513" },
	{ BYTES(0x42, 0x81), "EV EXCEPTION-GEN MISPRED" },
	{ BYTES(0x52, 0x00, 0x0f), "EV LLC-ACCESS LLC-REFILL REMOTE-ACCESS ALIGNMENT" },
	{ BYTES(0x62, 0, 0, 6, 0), "EV SVE-PARTIAL-PRED SVE-EMPTY-PRED" },
	{ BYTES(0x43, 9), "DATA-SOURCE 9" },
	{ BYTES(0x65, 0x34, 0x12, 0, 0), "CONTEXT 0x1234 el2" },
	{ BYTES(0x48, 0), "OTHER INSN-OTHER" },
	{ BYTES(0x48, 0x1e), "SVE-OTHER EVLEN 64 FP PRED" },
	{ BYTES(0x49, 0x00), "LD GP-REG" },
	{ BYTES(0x49, 0x1f), "ST AT EXCL AR" },
	{ BYTES(0x49, 0xfc), "LD EVLEN 4096 PRED SG" },
	{ BYTES(0x4a, 0x03), "B COND IND" },
	{ BYTES(0x4b, 0x02), "OP-TYPE 0x2 (3)" },
	{ BYTES(0xb0, 0x10, 0, 0x40, 0, 0, 0, 0, 0xa0), "PC 0x400010 el1 ns=1" },
	{ BYTES(0xb3, 0x10, 0, 0x40, 0, 0, 0, 0, 0x45), "PA 0x400010 ns=0 ch=1 pat=5" },
	{ BYTES(0x21, 0xb1, 5, 0, 0, 0, 0, 0, 0, 0), "ADDR 0x5 (9)" },
	{ BYTES(0x99, 0x34, 0x12), "LAT 4660 ISSUE" },
	{ BYTES(0x02), NULL },
	{ BYTES(0x71, 1, 2, 0, 0, 0, 0, 0), NULL },
	{ BYTES(0x21, 0x71), NULL },
	{ BYTES(0x20), NULL },
};

static const struct packet pt[] = {
	{ BYTES(0x00), "PAD" },
	{ BYTES(0x1c), "TNT TTN (3)" },
	{ BYTES(0x02, 0xa3, 5, 0, 0, 0, 0, 0), "TNT NT (2)" },
	{ BYTES(0x2d, 0x55, 0x44), "TIP 0x4455" },
	{ BYTES(0x11), "TIP.PGE no ip" },
	{ BYTES(0xc1, 1, 0, 0, 0, 0, 0, 0, 0x80), "TIP.PGD 0x8000000000000001" },
	{ BYTES(0x7d, 1, 2, 3, 4, 5, 0xff), "FUP 0xff0504030201" },
	{ BYTES(0x02, 0x43, 0x69, 0x24, 0, 0, 0, 0), "PIP 0x1234 (NR=1)" },
	{ BYTES(0x99, 0x01), "MODE.Exec IF:0 64" },
	{ BYTES(0x99, 0x22), "MODE.TSX TXAbort:1 InTX:0" },
	{ BYTES(0x02, 0x73, 0x34, 0x12, 0, 0x55, 1), "TMA CTC 0x1234 FC 0x155" },
	{ BYTES(0xff, 0x03, 0x06), "CYC 0x303f" },
	{ BYTES(0x02, 0xc2, 0x22, 0, 0, 0, 0x11, 0, 0, 0),
	  "MWAIT 0x1100000022 Hints 0x22 Extensions 0x1" },
	{ BYTES(0x02, 0x22, 0x81, 0xa3), "PWRE 0xa381 HW:1 CState:10 Sub-CState:3" },
	{ BYTES(0x02, 0x92, 4, 3, 2, 1), "PTWRITE 0x1020304 IP:1" },
	{ BYTES(0x02, 0x13, 0x85, 0x20), "CFE IP:1 Type 0x05 Vector 0x20" },
	{ BYTES(0x02, 0x53, 0x01, 1, 0, 0, 0, 0, 0, 0, 0), "EVD Type 0x01 Payload 0x1" },
	{ BYTES(0x02, 0xc3, 0x88, 1, 0, 0, 0, 0, 0, 0, 0), "MNT 0x1" },
	{ BYTES(0x02, 0xc3, 0x89, 1, 0, 0, 0, 0, 0, 0, 0), NULL },
	{ BYTES(0x02, 0xa3, 0, 0, 0, 0, 0, 0), NULL },
	{ BYTES(0x99, 0x03), NULL },
	{ BYTES(0xad, 1, 2, 3, 4, 5, 6, 7, 8), NULL },
	{ BYTES(0x02, 0xff), NULL },
	{ BYTES(0x02), NULL },
	{ BYTES(0x59), NULL },
};

/* Each packet has its text and its length, and no packet when a byte is missing. */
static void check(const struct packet *p, size_t nr, bool is_spe)
{
	struct strbuf out = STRBUF_INIT;
	struct pt_state state = { 0 };
	struct spe_packet s;
	struct pt_packet q;

	for (size_t i = 0; i < nr; i++) {
		size_t len = is_spe ? spe_packet_decode(p[i].bytes, 0, p[i].size, &s)
				    : pt_packet_decode(&state, p[i].bytes, p[i].size, &q);

		assert_int_equal(len, p[i].text ? p[i].size : 0);
		if (!p[i].text)
			continue;
		strbuf_reset(&out);
		if (is_spe)
			spe_packet_text(&s, &out);
		else
			pt_packet_text(&q, &out);
		assert_string_equal(strbuf_str(&out), p[i].text);
		len = is_spe ? spe_packet_decode(p[i].bytes, 0, p[i].size - 1, &s)
			     : pt_packet_decode(&state, p[i].bytes, p[i].size - 1, &q);
		assert_true(len < p[i].size);
	}
	strbuf_release(&out);
}

static void test_spe(void **state)
{
	check(spe, ARRAY_SIZE(spe), true);
}

static void test_pt(void **state)
{
	check(pt, ARRAY_SIZE(pt), false);
}

/* One byte stands for an item while a block is open, and for branches behind its end. */
static void test_block(void **state)
{
	static const u8 bytes[] = { 0x02, 0x63, 0x94, 0x03, 0xfc, 1, 2, 3, 4, 0x02, 0xb3, 0xfc };
	static const enum pt_kind kinds[] = { PT_BBP, PT_CYC, PT_BIP, PT_BEP, PT_TNT };
	struct pt_state block = { 0 };
	struct pt_packet p;
	size_t at = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		at += pt_packet_decode(&block, bytes + at, sizeof(bytes) - at, &p);
		assert_int_equal(p.kind, kinds[i]);
		if (p.kind == PT_BIP) {
			assert_int_equal(p.count, 0x1f);
			assert_int_equal(p.payload, 0x04030201);
		}
	}
	assert_int_equal(at, sizeof(bytes));
}

static void test_lines(void **state)
{
	static const u8 trace[] = { 0x01, 0x02, 0, 0, 0 };
	struct strbuf out = STRBUF_INIT;

	assert_true(aux_text_put(AUX_ARM_SPE, trace, sizeof(trace), &out));
	assert_string_equal(
		strbuf_str(&out),
		".  00000000:  01                                              END\n"
		".  00000001:  02                                              Bad packet!\n"
		".  00000002:  00 00 00                                        PAD\n");
	strbuf_reset(&out);
	assert_false(aux_text_put(AUX_CS_ETM, trace, sizeof(trace), &out));
	assert_int_equal(out.len, 0);
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spe),
		cmocka_unit_test(test_pt),
		cmocka_unit_test(test_block),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
