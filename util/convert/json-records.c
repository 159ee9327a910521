// SPDX-License-Identifier: GPL-2.0-or-later
/* Write records that are no samples as JSON objects. */
#include "base/compat.h"
#include "convert/json.h"

#include "convert/json-internal.h"
#include "convert/records.h"
#include "convert/rows.h"

static void put_member(struct strbuf *out, const struct convert_member *m, const union rec_any *rec)
{
	u64 n;

	switch ((enum convert_kind)m->kind) {
	case CONVERT_NUMBER:
		if (m->hex)
			json_hex(out, m->name, convert_member_value(m, rec));
		else
			json_number(out, m->name, convert_member_value(m, rec));
		break;
	case CONVERT_TEXT:
		json_member(out, m->name, convert_member_data(m, rec));
		break;
	case CONVERT_BYTES:
	case CONVERT_BLOB:
		n = convert_member_count(m, rec);
		if (n)
			json_bytes(out, m->name, convert_member_data(m, rec), n);
		break;
	case CONVERT_WORDS:
		json_words(out, m->name, convert_member_data(m, rec), convert_member_count(m, rec));
		break;
	}
}

/* pid and tid of most records are members of their own. */
static bool has_pid(const struct convert_record *cr)
{
	return cr->nr && !strcmp(cr->members[0].name, "pid");
}

/* Append the object of a record. @lead: before the object; @time: the key of its time */
static void put_record(const struct evsel *e, const wire_header *rec, const struct sample_id *id,
		       u64 time_offset, const char *lead, const char *time, struct strbuf *out)
{
	const struct convert_record *cr = convert_record(rec->type);
	union rec_any any = { 0 };

	if (!cr || rec_decode(e ? &e->layout : NULL, rec, rec->size, &any))
		return;
	strbuf_addstr(out, lead);
	strbuf_addstr(out, "{\"type\": ");
	json_string(out, record_name(rec->type));
	if (id->time != ~0ULL)
		json_number(out, time, id->time ? id->time + time_offset : 0);
	if (id->cpu != ~0U)
		json_number(out, "cpu", id->cpu);
	if (!has_pid(cr) && e && (e->layout.sample_type & PERF_SAMPLE_TID)) {
		json_signed(out, "pid", (s32)id->pid);
		json_signed(out, "tid", (s32)id->tid);
	}
	for (size_t i = 0; i < cr->nr; i++)
		put_member(out, &cr->members[i], &any);
	strbuf_addch(out, '}');
}

void json_record(const struct evsel *e, const wire_header *rec, const struct sample_id *id,
		 u64 time_offset, struct strbuf *out)
{
	put_record(e, rec, id, time_offset, ",\n\t\t", "timestamp", out);
}

void rows_record(const struct evsel *e, const wire_header *rec, const struct sample_id *id,
		 struct strbuf *out)
{
	size_t at = out->len;

	put_record(e, rec, id, 0, "", "time", out);
	if (out->len > at)
		strbuf_addch(out, '\n');
}
