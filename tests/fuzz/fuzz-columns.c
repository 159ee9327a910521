// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What perf script is asked for on the command line: columns, names, addresses, times, processors.
 * The first byte is the option. Parsing ends, and what came of it can be used.
 */
#include "base/compat.h"
#include "sampletext/place-filter.h"
#include "sampletext/sample-fields.h"
#include "recording/sample-filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void columns(const char *text)
{
	struct strbuf notices = STRBUF_INIT;
	struct sample_fields sf;
	struct err err = { 0 };

	sample_fields_init(&sf);
	if (sample_fields_parse(&sf, text, &notices, &err) && !err.msg[0])
		abort();
	for (int k = 0; k < SK_NR; k++)
		if (sf.kind[k].fields & sf.kind[k].invalid || sf.kind[k].fields >> SF_NR)
			abort();
	strbuf_release(&notices);
}

static void places(const char *text)
{
	struct place_filter f = { .range = strlen(text) };
	struct err err = { 0 };
	size_t i;

	if (strstr(text, "file:")) /* nothing of this machine */
		return;
	if (place_filter_symbols(&f, text, &err))
		abort();
	for (i = 0; i < f.symbols.nr; i++)
		if (!name_list_has(&f.symbols, f.symbols.names[i]))
			abort();
	for (i = 0; i < f.nr_addrs; i++)
		if (!place_filter_addr(&f, f.addrs[i]))
			abort();
	place_filter_release(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sample_filter f = { 0 };
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };

	if (!size)
		return 0;
	strbuf_add(&text, data + 1, size - 1);
	switch (data[0]) {
	case 'S':
		places(strbuf_str(&text));
		break;
	case 't':
		sample_filter_time(&f, strbuf_str(&text), 1000, 1ULL << 60, &err);
		break;
	case 'C':
		sample_filter_cpus(&f, strbuf_str(&text), &err);
		break;
	case 'p':
		sample_filter_pids(&f, strbuf_str(&text), &err);
		break;
	default:
		columns(strbuf_str(&text));
	}
	sample_filter_match(&f, 1, 1, 1, 1 << 20, "");
	sample_filter_release(&f);
	strbuf_release(&text);
	return 0;
}
