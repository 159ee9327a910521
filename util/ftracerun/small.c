// SPDX-License-Identifier: GPL-2.0-or-later
/* These verbs read or write single files of the tracing folder, without a run. */
#include "base/compat.h"
#include "ftracerun/ftracerun.h"

#include "base/alloc.h"
#include "codec/json.h"
#include "events/parse.h"
#include "kernel/tracing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <unistd.h>

/* Read a file of the tracing folder, for a verb. */
static int read_file(const struct sysroot *sr, const char *file, const char *why,
		     struct strbuf *out, struct err *err)
{
	const char *root;
	int rc;

	tracefs_mount(sr);
	root = tracefs_path(sr);
	rc = sysroot_read(sr, out, "%s/%s", root, file);
	if (rc == -ENOENT)
		return err_set(err, rc, "%s needs %s/%s, which this kernel does not have", why,
			       root, file);
	return rc ? err_set(err, rc, "%s needs %s/%s, which cannot be read: %s", why, root, file,
			    err_str(rc))
		  : 0;
}

int ftrace_functions(const struct sysroot *sr, const char *pattern, struct strbuf *out,
		     struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc = read_file(sr, "available_filter_functions", "-F", &text, err);
	char *rest = text.buf, *line;

	while (!rc && rest && (line = strsep(&rest, "\n"))) {
		const size_t name = strcspn(line, " \t");
		const char end = line[name];
		bool match;

		line[name] = '\0';
		match = *line && (!pattern || !fnmatch(pattern, line, 0));
		line[name] = end;
		if (match)
			strbuf_addf(out, "%s\n", line);
	}
	strbuf_release(&text);
	return rc;
}

static int write_marker(const char *path, const char *text)
{
	const size_t len = strlen(text);
	int fd = open(path, O_WRONLY | O_CLOEXEC), rc = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, len) != (ssize_t)len)
		rc = -errno;
	close(fd);
	return rc;
}

/* Write to the rings of running perf ftrace. Return: whether one has taken the text. */
static bool mark_instances(const struct sysroot *sr, const char *text)
{
	char *dir = sysroot_path(sr, "%s/instances", tracefs_path(sr)), *path;
	DIR *d = opendir(dir);
	struct dirent *e;
	bool taken = false;

	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, "perf-ftrace-", 12)) {
			path = xasprintf("%s/%s/trace_marker", dir, e->d_name);
			taken |= !write_marker(path, text);
			free(path);
		}
	if (d)
		closedir(d);
	free(dir);
	return taken;
}

int ftrace_mark(const struct sysroot *sr, const char *text, struct err *err)
{
	char *path;
	int rc;

	tracefs_mount(sr);
	path = sysroot_path(sr, "%s/trace_marker", tracefs_path(sr));
	rc = write_marker(path, text);
	if (mark_instances(sr, text))
		rc = 0;
	/* This is how the kernel says that the ring is off. */
	if (rc == -EBADF)
		err_set(err, rc, "cannot write to %s: the ring is switched off (tracing_on)", path);
	else if (rc)
		err_set(err, rc, "cannot write to %s: %s", path, err_str(rc));
	free(path);
	return rc;
}

/* A line of the kernel's files: [PATH:]NAME HITS [MISSES] */
static bool put_probe(char *line, bool user, bool json, bool first, struct strbuf *out)
{
	char *word[4] = { NULL }, *rest = line, *p;
	size_t nr = 0;
	u64 hits, misses;
	const char *name;

	while ((p = strsep(&rest, " \t")))
		if (*p && nr < ARRAY_SIZE(word))
			word[nr++] = p;
	if (nr < 2)
		return false;
	/* The file of uprobes begins with the path, and older kernels do not count its misses. */
	name = word[user && nr > 2 ? 1 : 0];
	hits = strtoull(word[user && nr > 2 ? 2 : 1], NULL, 10);
	misses = !user && nr > 2  ? strtoull(word[2], NULL, 10)
		 : user && nr > 3 ? strtoull(word[3], NULL, 10)
				  : 0;
	if (json) {
		strbuf_addstr(out, first ? "{\"probe\":" : ",\n{\"probe\":");
		json_string(out, name);
		strbuf_addf(out, ",\"kind\":\"%s\",\"hits\":%" PRIu64 ",\"misses\":%" PRIu64 "}",
			    user ? "uprobe" : "kprobe", hits, misses);
	} else {
		strbuf_addf(out, "  %-40s %-7s %12" PRIu64 " %12" PRIu64 "\n", name,
			    user ? "uprobe" : "kprobe", hits, misses);
	}
	return true;
}

int ftrace_probes(const struct sysroot *sr, bool json, struct strbuf *out, struct err *err)
{
	static const char *const files[2] = { "kprobe_profile", "uprobe_profile" };
	struct err why = { 0 };
	bool first = true;
	int rc[2];

	if (json)
		strbuf_addch(out, '[');
	else
		strbuf_addf(out, "# %-40s %-7s %12s %12s\n", "probe", "kind", "hits", "misses");
	for (int i = 0; i < 2; i++) {
		struct strbuf text = STRBUF_INIT;
		char *rest, *line;

		rc[i] = read_file(sr, files[i], "probes", &text, &why);
		rest = text.buf;
		while (!rc[i] && rest && (line = strsep(&rest, "\n")))
			if (put_probe(line, i, json, first, out))
				first = false;
		strbuf_release(&text);
	}
	if (json)
		strbuf_addstr(out, "]\n");
	/* A kernel may be built with probes of one kind only. */
	return rc[0] && rc[1] ? err_set(err, rc[0], "%s", why.msg) : 0;
}

/* Read a file of words, and append them as member @key; the chosen one, which stands in brackets,
 * is member @chosen. */
static void put_words(const struct sysroot *sr, const char *file, const char *key,
		      const char *chosen, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	const char *usual = NULL, *comma = "";
	char *rest, *word;

	sysroot_read(sr, &text, "%s/%s", tracefs_path(sr), file);
	rest = text.buf;
	strbuf_addf(out, "\"%s\":[", key);
	while (rest && (word = strsep(&rest, " \n"))) {
		if (*word == '[') {
			usual = ++word;
			word[strcspn(word, "]")] = '\0';
		}
		if (!*word)
			continue;
		strbuf_addstr(out, comma);
		json_string(out, word);
		comma = ",";
	}
	strbuf_addch(out, ']');
	if (usual)
		json_text_member(out, chosen, usual);
	strbuf_release(&text);
}

static void put_options(const struct sysroot *sr, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	char *rest, *line;

	strbuf_addstr(out, "Options (no in front of a name: it is off):\n ");
	sysroot_read(sr, &text, "%s/trace_options", tracefs_path(sr));
	rest = text.buf;
	for (size_t from = out->len; rest && (line = strsep(&rest, "\n"));) {
		if (out->len - from + strlen(line) > 90) {
			strbuf_addstr(out, "\n ");
			from = out->len;
		}
		strbuf_addf(out, " %s", line);
	}
	strbuf_addch(out, '\n');
	strbuf_release(&text);
}

/* Append the words of a file; the one that is chosen stands in brackets there. */
static void add_words(const char *file, struct strbuf *out)
{
	static const struct sysroot here = { 0 };
	struct strbuf text = STRBUF_INIT;

	if (!sysroot_read(&here, &text, "%s/%s", tracefs_path(&here), file))
		for (const char *p = strbuf_str(&text); *p; p++)
			if (!strchr("[]\n", *p))
				strbuf_addch(out, *p);
	strbuf_release(&text);
}

void ftrace_tracer_words(struct strbuf *out)
{
	add_words("available_tracers", out);
}

void ftrace_clock_words(struct strbuf *out)
{
	add_words("trace_clock", out);
}

int ftrace_list(const struct sysroot *sr, bool json, struct strbuf *out, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc = read_file(sr, "available_tracers", "list", &text, err);

	if (!rc && json) {
		strbuf_addch(out, '{');
		put_words(sr, "available_tracers", "tracers", NULL, out);
		strbuf_addch(out, ',');
		put_words(sr, "trace_clock", "clocks", "clock", out);
		strbuf_addch(out, ',');
		put_words(sr, "trace_options", "options", NULL, out);
		strbuf_addstr(out, "}\n");
	} else if (!rc) {
		strbuf_addf(out, "Tracers:\n  %s", strbuf_str(&text));
		strbuf_reset(&text);
		if (!sysroot_read(sr, &text, "%s/trace_clock", tracefs_path(sr)))
			strbuf_addf(out, "Clocks (the usual one in brackets):\n  %s",
				    strbuf_str(&text));
		put_options(sr, out);
	}
	strbuf_release(&text);
	return rc;
}

/* Append the lines "  0)     4208     16   function+0x3/0x10" of a stack as JSON; other lines are
 * headings. */
static void put_frames(char *rest, struct strbuf *out)
{
	const char *comma = "";
	unsigned int depth, size;
	char *line;

	strbuf_addch(out, '[');
	while (rest && (line = strsep(&rest, "\n"))) {
		int at = 0;

		if (sscanf(line, " %*u) %u %u %n", &depth, &size, &at) != 2 || !at)
			continue;
		strbuf_addf(out, "%s{\"depth\":%u,\"size\":%u", comma, depth, size);
		json_text_member(out, "function", line + at);
		strbuf_addch(out, '}');
		comma = ",\n";
	}
	strbuf_addstr(out, "]\n");
}

int ftrace_stack(const struct sysroot *sr, bool json, struct strbuf *out, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc = read_file(sr, "stack_trace", "stack", &text, err);

	if (!rc && json)
		put_frames(text.buf, out);
	else if (!rc)
		strbuf_addstr(out, strbuf_str(&text));
	strbuf_release(&text);
	return rc;
}
