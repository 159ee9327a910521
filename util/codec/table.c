// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "codec/table.h"

#include "codec/csv.h"
#include "codec/json.h"

#include <errno.h>

int table_form_choose(enum table_form *form, bool json, bool csv, struct err *err)
{
	if (json && csv)
		return err_set(err, -EINVAL, "--json and --csv are two forms: choose one of them");
	*form = json ? TABLE_JSON : csv ? TABLE_CSV : TABLE_TEXT;
	return 0;
}

static void put_value(enum table_form form, const struct row_value *v, struct strbuf *out)
{
	switch (v->kind) {
	case ROW_ABSENT:
		break;
	case ROW_NUMBER:
		strbuf_addf(out, "%" PRId64, v->number);
		break;
	case ROW_REAL:
		strbuf_addf(out, "%.3f", v->real);
		break;
	case ROW_WORD:
		if (form == TABLE_JSON)
			json_string(out, v->word);
		else
			csv_cell(out, v->word, strlen(v->word));
		break;
	case ROW_FLAG:
		strbuf_addstr(out, v->flag ? "true" : "false");
		break;
	}
}

void table_head(enum table_form form, const char *const *names, size_t nr, struct strbuf *out)
{
	if (form != TABLE_CSV)
		return;
	for (size_t i = 0; i < nr; i++)
		strbuf_addf(out, "%s%s", i ? "," : "", names[i]);
	strbuf_addch(out, '\n');
}

void table_put(enum table_form form, const char *const *names, const struct row_value *v, size_t nr,
	       struct strbuf *out)
{
	const char *between = "{";

	for (size_t i = 0; i < nr; i++) {
		if (form == TABLE_CSV && i)
			strbuf_addch(out, ',');
		if (form == TABLE_JSON && v[i].kind != ROW_ABSENT) {
			strbuf_addf(out, "%s\"%s\":", between, names[i]);
			between = ",";
		}
		put_value(form, &v[i], out);
	}
	strbuf_addstr(out, form == TABLE_JSON ? "}\n" : "\n");
}
