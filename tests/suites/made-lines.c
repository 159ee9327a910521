// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the lines that say what a made recording has: events with their fields, tasks, samples. */
#include "base/compat.h"

#include "base/alloc.h"
#include "made.h"
#include "suites.h"

#define COMMON_SIZE 8 /* the fields that all tracepoints have */

static const char common_fields[] =
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

/* --- fields -------------------------------------------------------------------------------- */

/* The types of fields. */
static const struct {
	const char *word;
	u32 width;
	bool is_unsigned;
} types[] = {
	{ "char", 1, true },     { "bool", 1, true },  { "u8", 1, true },  { "short", 2, false },
	{ "u16", 2, true },      { "int", 4, false },  { "u32", 4, true }, { "pid_t", 4, false },
	{ "dev_t", 4, true },    { "long", 8, false }, { "u64", 8, true }, { "size_t", 8, true },
	{ "sector_t", 8, true },
};

static bool has_word(const char *text, size_t len, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= len; i++)
		if (!memcmp(text + i, word, n) && (!i || text[i - 1] == ' ') &&
		    (i + n == len || strchr(" [*", text[i + n])))
			return true;
	return false;
}

/* Add the field of one declaration, "unsigned long args[6]". */
static void add_field(struct made_event *e, const char *text, size_t len)
{
	struct made_field *f = &e->fields[e->nr_fields++];
	const char *bracket = memchr(text, '[', len), *last = memrchr(text, ' ', len);
	size_t type_len = last ? (size_t)(last - text) : len;
	bool is_unsigned = has_word(text, type_len, "unsigned");
	u32 count = 1;

	f->width = 8;
	f->dynamic = has_word(text, type_len, "__data_loc");
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (!has_word(text, type_len, types[i].word))
			continue;
		f->width = types[i].width;
		is_unsigned |= types[i].is_unsigned;
	}
	if (memchr(text, '*', len))
		f->width = 8;
	else if (f->dynamic)
		f->width = 4;
	else if (bracket)
		count = (u32)strtoul(bracket + 1, NULL, 10);
	f->at = ALIGN_UP(e->raw_size, f->width);
	f->text_size = f->width == 1 && count > 1 ? count : 0;
	f->values = f->text_size ? 1 : count;
	e->raw_size = f->at + f->width * count;
	strbuf_addf(&e->format, "\tfield:%.*s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", (int)len, text,
		    f->at, f->width * count, !is_unsigned);
}

/* An event: "sched:sched_waking char comm[16]; pid_t pid". */
static void add_event(struct made *m, const char *line)
{
	size_t len = strcspn(line, " ");
	char *name = xstrndup(line, len);
	u64 id = made_event(m, PERF_TYPE_TRACEPOINT, 0, name);
	struct made_event *e = made_event_of(m, id);

	e->attr.config = id;
	e->raw_size = COMMON_SIZE;
	strbuf_addf(&e->format, "name: %s\nID: %llu\n%s", strchr(name, ':') + 1,
		    (unsigned long long)id, common_fields);
	for (line += len; *line;) {
		line += strspn(line, " ;");
		len = strcspn(line, ";");
		if (len)
			add_field(e, line, len);
		line += len;
	}
	strbuf_addstr(&e->format, "\nprint fmt: \"\"\n");
	free(name);
}

/* --- samples ------------------------------------------------------------------------------- */

/* Take the next word of a line. It is "" at the end. */
static char *next_word(char **line)
{
	char *word = *line + strspn(*line, " ");
	size_t len = strcspn(word, " ");

	*line = word + len + (word[len] == ' ');
	word[len] = 0;
	return word;
}

static void put_value(struct strbuf *raw, size_t at, const char *word, u32 width)
{
	s64 v = *word == '-' ? strtoll(word, NULL, 0) : (s64)strtoull(word, NULL, 0);
	u16 v16 = (u16)v;
	u32 v32 = (u32)v;
	u8 v8 = (u8)v;
	const void *p = width == 8   ? &v
			: width == 4 ? (void *)&v32
			: width == 2 ? &v16
				     : (void *)&v8;

	memcpy(raw->buf + at, p, width);
}

static void put_field(struct strbuf *raw, const struct made_field *f, char **values)
{
	for (u32 i = 0; i < f->values; i++) {
		const char *word = next_word(values);
		size_t len = strlen(word);

		if (f->dynamic) {
			u32 place = (u32)(raw->len | (len + 1) << 16);

			memcpy(raw->buf + f->at, &place, sizeof(place));
			strbuf_add(raw, word, len + 1);
		} else if (f->text_size) {
			memcpy(raw->buf + f->at, word, MIN(len, (size_t)f->text_size - 1));
		} else {
			put_value(raw, f->at + i * f->width, word, f->width);
		}
	}
}

static u64 id_of(struct made *m, const char *name)
{
	for (size_t i = 0; i < m->nr_events; i++)
		if (!strcmp(strbuf_str(&m->events[i].name), name))
			return m->events[i].attr.config;
	return 0;
}

/* An event that happens: "500 1 100/101 sched:sched_waking other 102 0". */
static int add_sample(struct made *m, char *line)
{
	struct sample s = { .misc = PERF_RECORD_MISC_KERNEL, .period = 1 };
	struct strbuf raw = STRBUF_INIT;
	const struct made_event *e;
	char *who;
	u16 type;

	s.time = strtoull(next_word(&line), NULL, 10) * 1000;
	s.cpu = (u32)strtoul(next_word(&line), NULL, 10);
	who = next_word(&line);
	s.pid = (u32)strtoul(who, &who, 10);
	s.tid = *who == '/' ? (u32)strtoul(who + 1, NULL, 10) : s.pid;
	who = next_word(&line);
	s.id = id_of(m, who);
	TEST_CHECK(s.id, "no event is called '%s'", who);
	e = made_event_of(m, s.id);
	type = (u16)s.id;
	strbuf_grow(&raw, e->raw_size);
	memset(raw.buf, 0, e->raw_size + 1);
	raw.len = e->raw_size;
	memcpy(raw.buf, &type, sizeof(type));
	memcpy(raw.buf + 4, &s.tid, sizeof(s.tid));
	for (size_t i = 0; i < e->nr_fields; i++)
		put_field(&raw, &e->fields[i], &line);
	s.raw = raw.buf;
	s.raw_size = (u32)raw.len;
	made_sample(m, &s);
	strbuf_release(&raw);
	TEST_CHECK(!*line, "%s has no field for '%s'", who, line);
	return 0;
}

int made_lines(struct made *m, const char *text)
{
	int ret = 0;

	while (*text && !ret) {
		size_t len = strcspn(text, "\n");
		char *copy = xstrndup(text, len), *line = copy;

		text += len + (text[len] == '\n');
		if (!strncmp(line, "event ", 6)) {
			add_event(m, line + 6);
		} else if (!strncmp(line, "task ", 5)) {
			char *pid, *tid;

			line += 5;
			pid = next_word(&line);
			tid = next_word(&line);
			made_task(m, (u32)strtoul(pid, NULL, 10), (u32)strtoul(tid, NULL, 10),
				  next_word(&line));
		} else if (len && *line != '#') {
			ret = add_sample(m, line);
		}
		free(copy);
	}
	return ret;
}
