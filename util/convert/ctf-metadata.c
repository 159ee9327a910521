// SPDX-License-Identifier: GPL-2.0-or-later
/* Write the metadata file, which is TSDL text (Common Trace Format v1.8.3, appendix C). */
#include "base/compat.h"
#include "convert/ctf-internal.h"

static const char *byte_order(void)
{
	const u16 one = 1;

	return *(const u8 *)&one ? "le" : "be";
}

static void put_integer(struct strbuf *out, unsigned int size, bool sign, bool hex)
{
	strbuf_addf(out,
		    "integer { size = %u; align = 8; signed = %s; encoding = none; base = %s; "
		    "byte_order = %s; }",
		    8 * size, sign ? "true" : "false", hex ? "hexadecimal" : "decimal",
		    byte_order());
}

/* Append a member of a struct, alone on its line. */
static void put_line(struct strbuf *out, unsigned int size, const char *name)
{
	strbuf_addstr(out, "\t\t");
	put_integer(out, size, false, false);
	strbuf_addf(out, " %s;\n", name);
}

static void put_quoted(struct strbuf *out, const char *s)
{
	struct strbuf text = STRBUF_INIT;

	ctf_put_text(&text, s, strlen(s));
	strbuf_addch(out, '"');
	for (size_t i = 0; i + 1 < text.len; i++) {
		if (text.buf[i] == '"' || text.buf[i] == '\\')
			strbuf_addch(out, '\\');
		strbuf_addch(out, text.buf[i]);
	}
	strbuf_addch(out, '"');
	strbuf_release(&text);
}

static void put_uuid(struct strbuf *out, const u8 *uuid)
{
	strbuf_addstr(out, "\tuuid = \"");
	for (size_t i = 0; i < CTF_UUID_SIZE; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			strbuf_addch(out, '-');
		strbuf_hex(out, uuid[i], 2, 0);
	}
	strbuf_addstr(out, "\";\n");
}

static void put_trace(struct strbuf *out, const u8 *uuid)
{
	strbuf_addstr(out, "/* CTF 1.8 */\n\ntrace {\n\tmajor = 1;\n\tminor = 8;\n");
	put_uuid(out, uuid);
	strbuf_addf(out, "\tbyte_order = %s;\n\tpacket.header := struct {\n", byte_order());
	put_line(out, 4, "magic");
	put_line(out, 1, "uuid[16]");
	put_line(out, 4, "stream_id");
	strbuf_addstr(out, "\t} align(8);\n};\n\n");
}

static void put_env_text(struct strbuf *out, const char *key, const char *value)
{
	if (!value)
		return;
	strbuf_addf(out, "\t%s = ", key);
	put_quoted(out, value);
	strbuf_addstr(out, ";\n");
}

static void put_env(struct strbuf *out, const struct env *env)
{
	strbuf_addstr(out, "env {\n");
	put_env_text(out, "host", env->hostname);
	put_env_text(out, "sysname", "Linux");
	put_env_text(out, "release", env->os_release);
	put_env_text(out, "version", env->version);
	put_env_text(out, "machine", env->arch);
	put_env_text(out, "domain", "kernel");
	put_env_text(out, "tracer_name", "perf");
	strbuf_addstr(out, "};\n\n");
}

/* Times are nanoseconds of the recording's clock; the offset makes them those since 1970. */
static void put_clock(struct strbuf *out, const struct ctf_about *about, const u8 *uuid)
{
	const struct env *env = about->env;
	u64 offset = 0;

	if (about->wall_clock)
		offset = env->clock_wall - env->clock_time;
	strbuf_addstr(out, "clock {\n\tname = perf_clock;\n");
	put_uuid(out, uuid);
	strbuf_addf(out,
		    "\tdescription = \"%s\";\n\tfreq = 1000000000;\n\tprecision = 10;\n"
		    "\toffset_s = 0;\n\toffset = %" PRIi64 ";\n\tabsolute = FALSE;\n};\n\n",
		    about->wall_clock ? env_clock_name(env->clock) : "perf clock", (s64)offset);
}

static void put_stream(struct strbuf *out)
{
	static const char *const context[] = { "timestamp_begin", "timestamp_end", "content_size",
					       "packet_size", "events_discarded" };

	strbuf_addstr(out, "stream {\n\tid = 0;\n\tevent.header := struct {\n");
	put_line(out, 4, "id");
	strbuf_addf(out,
		    "\t\tinteger { size = 64; align = 8; signed = false; encoding = none; "
		    "base = decimal; byte_order = %s; map = clock.perf_clock.value; } "
		    "timestamp;\n\t} align(8);\n\n\tpacket.context := struct {\n",
		    byte_order());
	for (size_t i = 0; i < ARRAY_SIZE(context); i++) {
		if (i < 2)
			strbuf_addf(out,
				    "\t\tinteger { size = 64; align = 8; signed = false; "
				    "encoding = none; base = decimal; byte_order = %s; "
				    "map = clock.perf_clock.value; } %s;\n",
				    byte_order(), context[i]);
		else
			put_line(out, 8, context[i]);
	}
	put_line(out, 4, "cpu_id");
	strbuf_addstr(out, "\t} align(8);\n};\n\n");
}

static void put_field(struct strbuf *out, const struct ctf_field *f)
{
	if (f->len)
		put_line(out, 4, f->len);
	strbuf_addstr(out, "\t\t");
	switch ((enum ctf_type)f->type) {
	case CTF_STRING:
		strbuf_addf(out, "string { encoding = UTF8; } %s;\n", f->name);
		return;
	case CTF_BRANCHES:
		strbuf_addstr(out, "struct {\n\t");
		for (size_t i = 0; i < 3; i++) {
			static const char *const names[] = { "from", "to", "flags" };

			strbuf_addstr(out, "\t\t");
			put_integer(out, 8, false, true);
			strbuf_addf(out, " %s;\n\t", names[i]);
		}
		strbuf_addf(out, "\t} align(8) %s[%s];\n", f->name, f->len);
		return;
	default:
		put_integer(out, f->size, f->sign, f->hex);
		break;
	}
	strbuf_addf(out, " %s", f->name);
	if (f->type == CTF_ARRAY)
		strbuf_addf(out, "[%u]", f->count);
	else if (f->type == CTF_SEQUENCE)
		strbuf_addf(out, "[%s]", f->len);
	strbuf_addstr(out, ";\n");
}

void ctf_metadata(const struct ctf_shape *sh, const struct ctf_about *about, const u8 *trace_uuid,
		  const u8 *clock_uuid, struct strbuf *out)
{
	put_trace(out, trace_uuid);
	put_env(out, about->env);
	put_clock(out, about, clock_uuid);
	put_stream(out);
	for (size_t i = 0; i < sh->nr; i++) {
		const struct ctf_class *c = &sh->classes[i];

		strbuf_addf(out, "event {\n\tid = %zu;\n\tname = ", i);
		put_quoted(out, c->name);
		strbuf_addstr(out, ";\n\tstream_id = 0;\n\tfields := struct {\n");
		for (size_t k = 0; k < c->nr; k++)
			put_field(out, &c->fields[k]);
		strbuf_addstr(out, "\t} align(8);\n};\n\n");
	}
}
