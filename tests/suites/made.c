// SPDX-License-Identifier: GPL-2.0-or-later
/* Make the recordings of suites: events, records, and the file. */
#include "base/compat.h"

#include "base/alloc.h"
#include "file/feature.h"
#include "file/writer.h"
#include "made.h"
#include "suites.h"
#include "wire/encode.h"

#include <sys/mman.h>
#include <unistd.h>

#define FIRST_ID 300
#define ALWAYS (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

void made_init(struct made *m, u64 sample_type)
{
	memset(m, 0, sizeof(*m));
	m->sample_type = sample_type | ALWAYS;
	layout_init(&m->layout,
		    &(struct perf_event_attr){ .sample_type = m->sample_type, .sample_id_all = 1 });
}

void made_release(struct made *m)
{
	for (size_t i = 0; i < m->nr_events; i++) {
		strbuf_release(&m->events[i].name);
		strbuf_release(&m->events[i].format);
	}
	strbuf_release(&m->records);
}

u64 made_event(struct made *m, u32 type, u64 config, const char *name)
{
	struct made_event *e = &m->events[m->nr_events++];

	e->attr = (struct perf_event_attr){
		.type = type,
		.size = sizeof(e->attr),
		.config = config,
		.sample_period = 1,
		.sample_type = m->sample_type,
		.sample_id_all = 1,
	};
	strbuf_addstr(&e->name, name);
	return FIRST_ID + m->nr_events - 1;
}

struct made_event *made_event_of(struct made *m, u64 id)
{
	return &m->events[id - FIRST_ID];
}

/* The trailer of records about a process from before the first sample. */
static struct sample_id before(u32 pid, u32 tid)
{
	return (struct sample_id){ .pid = pid, .tid = tid, .id = FIRST_ID };
}

void made_task(struct made *m, u32 pid, u32 tid, const char *comm)
{
	const struct rec_comm rec = { .pid = pid, .tid = tid, .comm = comm };
	const struct sample_id id = before(pid, tid);

	enc_comm(&m->records, 0, &rec, &m->layout, &id);
}

void made_mmap(struct made *m, const struct rec_mmap *map)
{
	const struct sample_id id = before(map->pid, map->tid);

	u16 data = map->prot & PROT_EXEC ? 0 : PERF_RECORD_MISC_MMAP_DATA;

	enc_mmap2(&m->records, PERF_RECORD_MISC_USER | data, map, &m->layout, &id);
}

void made_sample(struct made *m, const struct sample *s)
{
	enc_sample(&m->records, &m->layout, s);
}

/* --- the file ------------------------------------------------------------------------------ */

static void put_u32(struct strbuf *out, u32 v)
{
	strbuf_add(out, &v, sizeof(v));
}

/* A text with its length before it. */
static void put_text(struct strbuf *out, const char *text)
{
	u64 len = strlen(text);

	strbuf_add(out, &len, sizeof(len));
	strbuf_add(out, text, len);
}

/* The formats of all tracepoints, each as a system of its own. Readers want no more of it. */
static void put_formats(struct strbuf *out, const struct made *m)
{
	const u64 none = 0;
	u32 nr = 0;

	strbuf_add(out, "\027\010\104tracing0.6", 14);
	strbuf_addch(out, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	strbuf_addch(out, 8); /* bytes of a long */
	put_u32(out, 4096);
	strbuf_add(out, "header_page", 12);
	put_text(out, "");
	strbuf_add(out, "header_event", 13);
	put_text(out, "");
	put_u32(out, 0); /* formats of ftrace */
	for (size_t i = 0; i < m->nr_events; i++)
		nr += m->events[i].format.len > 0;
	put_u32(out, nr);
	for (size_t i = 0; i < m->nr_events; i++) {
		const struct made_event *e = &m->events[i];

		if (!e->format.len)
			continue;
		strbuf_add(out, e->name.buf, strcspn(e->name.buf, ":"));
		strbuf_addch(out, 0);
		put_u32(out, 1);
		put_text(out, strbuf_str(&e->format));
	}
	put_u32(out, 0); /* addresses of functions */
	put_u32(out, 0); /* texts of printk */
	strbuf_add(out, &none, sizeof(none));
}

/* The machine of all made recordings, whatever machine this is. */
static const struct {
	enum header_feature bit;
	const char *text;
} machine[] = {
	{ HEADER_OSRELEASE, "6.1.0" },
	{ HEADER_ARCH, "x86_64" },
	{ HEADER_CPUID, "GenuineIntel,6,85,7" },
};

static int write_to(struct file_writer *w, const struct made *m, struct err *err)
{
	enum { FORMATS, MACHINE, NAMES = MACHINE + ARRAY_SIZE(machine), NR }; /* in order of bits */
	struct writer_feature features[NR] = { 0 };
	struct writer_attr attrs[MADE_EVENTS];
	u64 ids[MADE_EVENTS];
	int ret;

	for (size_t i = 0; i < m->nr_events; i++) {
		ids[i] = FIRST_ID + i;
		attrs[i] = (struct writer_attr){ .attr = &m->events[i].attr,
						 .ids = &ids[i],
						 .nr_ids = 1,
						 .name = m->events[i].name.buf };
	}
	for (size_t i = 0; i < ARRAY_SIZE(machine); i++) {
		features[MACHINE + i].bit = machine[i].bit;
		feature_string(&features[MACHINE + i].body, machine[i].text);
	}
	features[FORMATS].bit = HEADER_TRACING_DATA;
	put_formats(&features[FORMATS].body, m);
	features[NAMES].bit = HEADER_EVENT_DESC;
	feature_event_desc(&features[NAMES].body, attrs, m->nr_events);
	ret = file_writer_start(w, attrs, m->nr_events, err);
	if (!ret)
		ret = file_writer_write(w, m->records.buf, m->records.len, err);
	if (!ret)
		ret = file_writer_finish(w, features, NR, err);
	for (size_t i = 0; i < NR; i++)
		strbuf_release(&features[i].body);
	return ret;
}

int made_enter(const struct made *m, char **dir)
{
	struct file_writer w = { 0 };
	struct err err = { 0 };
	int ret;

	*dir = test_tmpdir();
	TEST_CHECK(*dir, "no temporary folder");
	ret = chdir(*dir) ? -1 : file_writer_open(&w, "perf.data", &err);
	if (!ret) {
		ret = write_to(&w, m, &err);
		file_writer_close(&w, NULL);
	}
	if (!ret)
		return TEST_OK;
	test_say("%s: %s", *dir, err.msg);
	made_leave(*dir);
	return TEST_FAIL;
}

void made_leave(char *dir)
{
	test_rmdir(dir);
}

/* --- what is printed of it ----------------------------------------------------------------- */

/* Copy a line with one blank between two words, and without any at its ends. */
static void squeeze(struct strbuf *out, const char *line, size_t len)
{
	strbuf_reset(out);
	for (size_t i = 0; i < len; i++) {
		if (line[i] != ' ' && line[i] != '\t')
			strbuf_addch(out, line[i]);
		else if (out->len && out->buf[out->len - 1] != ' ')
			strbuf_addch(out, ' ');
	}
	while (out->len && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = 0;
}

/* Find a line in a text. Return: what is behind it, or NULL. */
static const char *find_line(const char *text, const char *line)
{
	struct strbuf got = STRBUF_INIT;
	bool found = false;

	while (*text && !found) {
		size_t len = strcspn(text, "\n");

		squeeze(&got, text, len);
		found = !strcmp(strbuf_str(&got), line);
		text += len + (text[len] == '\n');
	}
	strbuf_release(&got);
	return found ? text : NULL;
}

int made_shows(const char *lines, const char *const *argv)
{
	struct strbuf want = STRBUF_INIT;
	struct test_run run;
	const char *at;
	int ret;

	setenv("PERF_CONFIG", "/dev/null", 1);
	ret = test_perf(&run, NULL, 0, argv);
	at = strbuf_str(&run.out);
	while (!ret && *lines) {
		size_t len = strcspn(lines, "\n");

		squeeze(&want, lines, len);
		lines += len + (lines[len] == '\n');
		at = find_line(at, strbuf_str(&want));
		if (at)
			continue;
		test_say("perf %s %s ended with status %d; the line\n%s\nis not, or not in order, "
			 "in:\n%.4000s",
			 argv[0], argv[1] ?: "", run.status, strbuf_str(&want),
			 strbuf_str(&run.out));
		ret = TEST_FAIL;
	}
	if (!ret && run.status) {
		test_say("perf %s %s ended with status %d", argv[0], argv[1] ?: "", run.status);
		ret = TEST_FAIL;
	}
	strbuf_release(&want);
	strbuf_release(&run.out);
	return ret;
}

int made_tells(struct made *m, const char *lines, const char *const *argv)
{
	char *dir;
	int ret = made_enter(m, &dir);

	made_release(m);
	if (ret)
		return ret;
	ret = made_shows(lines, argv);
	made_leave(dir);
	return ret;
}

int made_prints(const char *text, const char *lines, const char *const *argv)
{
	struct made m;
	int ret;

	made_init(&m, PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW);
	ret = made_lines(&m, text);
	if (!ret)
		return made_tells(&m, lines, argv);
	made_release(&m);
	return ret;
}
