// SPDX-License-Identifier: GPL-2.0-or-later
/* Look up single fields of a payload, and get their values, elements and text. */
#include "base/compat.h"
#include "tracefmt/tracefmt-internal.h"

const struct tf_field *tf_find_field(const struct tf_event *ev, const char *name)
{
	u32 i;

	for (i = 0; i < ev->nr_fields; i++)
		if (!strcmp(ev->fields[i].name, name))
			return &ev->fields[i];
	return NULL;
}

bool tf_field_int(const struct tf_event *ev, const struct tf_field *f, const void *raw, size_t size,
		  u64 *out)
{
	*out = 0;
	if (!f || (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8) ||
	    f->size > size || f->offset > size - f->size)
		return false;
	*out = tf_load(ev->tf, (const u8 *)raw + f->offset, f->size);
	if (f->flags & TF_SIGNED)
		*out = tf_narrow(*out, f->size, true);
	return true;
}

u64 tf_field_element(const struct tf_event *ev, const struct tf_field *f, const void *data,
		     size_t i)
{
	u64 v = tf_load(ev->tf, (const u8 *)data + i * f->elem_size, f->elem_size);

	return tf_narrow(v, f->elem_size, f->flags & TF_SIGNED);
}

void tf_field_elements(const struct tf_event *ev, const struct tf_field *f, const void *data,
		       size_t nr, u64 *out)
{
	if (f->elem_size == sizeof(*out) && !ev->tf->swap) /* most are the arguments of calls */
		memcpy(out, data, nr * sizeof(*out));
	else
		for (size_t i = 0; i < nr; i++)
			out[i] = tf_field_element(ev, f, data, i);
}

const void *tf_field_data(const struct tf_event *ev, const struct tf_field *f, const void *raw,
			  size_t size, size_t *len)
{
	const struct tf_expr x = { .kind = X_FIELD, .field = f };
	const struct tf_ctx c = { .ev = ev, .raw = raw, .size = size };

	return tf_bytes(&c, &x, len);
}

static bool printable(const u8 *p, size_t len)
{
	size_t i;

	for (i = 0; i < len && p[i]; i++)
		if ((p[i] < 0x20 || p[i] > 0x7e) && p[i] != '\n' && p[i] != '\t')
			return false;
	return true;
}

static void put_field_array(const struct tf_field *f, const u8 *p, size_t len, struct strbuf *out)
{
	static const char hex[] = "0123456789abcdef";
	char *text;
	size_t i;

	if ((f->flags & TF_STRING) && printable(p, len)) {
		if (len)
			strbuf_add(out, p, strnlen((const char *)p, len));
		return;
	}
	strbuf_addstr(out, "ARRAY[");
	strbuf_grow(out, 4 * len);
	text = out->buf + out->len;
	for (i = 0; i < len; i++) {
		memcpy(text, ", ", 2);
		text += i ? 2 : 0;
		*text++ = hex[p[i] >> 4];
		*text++ = hex[p[i] & 15];
	}
	out->len = (size_t)(text - out->buf);
	strbuf_addch(out, ']');
}

/* Append a number. @v: sign-extended when the field is signed */
static void put_number(const struct tf_field *f, u64 v, struct strbuf *out)
{
	if (f->flags & TF_POINTER || ((f->flags & TF_LONG) && !(f->flags & TF_SIGNED))) {
		strbuf_add(out, "0x", 2);
		strbuf_hex(out, tf_narrow(v, f->elem_size, false), 1, 0);
	} else if ((f->flags & TF_SIGNED) && (s64)v < 0) {
		strbuf_addch(out, '-');
		strbuf_dec(out, 0 - v, 0);
	} else {
		strbuf_dec(out, v, 0);
	}
}

void tf_print_field(const struct tf_event *ev, const struct tf_field *f, const void *raw,
		    size_t size, struct strbuf *out)
{
	size_t len = 0;
	const void *p;
	u64 v;

	if (f->flags & TF_ARRAY) {
		p = tf_field_data(ev, f, raw, size, &len);
		put_field_array(f, p, p ? len : 0, out);
		return;
	}
	tf_field_int(ev, f, raw, size, &v);
	put_number(f, v, out);
}

void tf_print_element(const struct tf_event *ev, const struct tf_field *f, const void *data,
		      size_t i, struct strbuf *out)
{
	put_number(f, tf_field_element(ev, f, data, i), out);
}

void tf_print_fields(const struct tf_event *ev, const void *raw, size_t size, struct strbuf *out)
{
	u32 i;

	for (i = ev->nr_common; i < ev->nr_fields; i++) {
		strbuf_addch(out, ' ');
		strbuf_addstr(out, ev->fields[i].name);
		strbuf_addch(out, '=');
		tf_print_field(ev, &ev->fields[i], raw, size, out);
	}
}
