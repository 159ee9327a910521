// SPDX-License-Identifier: GPL-2.0-or-later
/* Change one variable of a configuration file and leave the rest as it is. */
#include "base/compat.h"

#include "base/alloc.h"
#include "cli/config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

int config_check_key(const char *key, struct err *err)
{
	const char *dot = strrchr(key, '.'), *p;

	if (!dot || dot == key)
		return err_set(err, -EINVAL,
			       "The config variable does not contain a section name: %s", key);
	if (!dot[1])
		return err_set(err, -EINVAL,
			       "The config variable does not contain a variable name: %s", key);
	for (p = dot + 1; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_')
			break;
	if (*p || !isalpha((unsigned char)dot[1]))
		return err_set(err, -EINVAL,
			       "invalid config variable name: %s (letters, digits, - and _)",
			       dot + 1);
	for (p = key; p < dot; p++)
		if (!isprint((unsigned char)*p) ||
		    (p < key + strcspn(key, ".") && !isalnum((unsigned char)*p) && *p != '-' &&
		     *p != '_'))
			return err_set(err, -EINVAL, "invalid config section name: %s", key);
	return 0;
}

/* Tell whether [@name] can be written without quotes. */
static bool is_plain_section(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("-_.", name[i]))
			return false;
	return true;
}

static void add_section_line(struct strbuf *out, const char *name, size_t len)
{
	size_t first = strcspn(name, "."), i;

	if (is_plain_section(name, len)) {
		strbuf_addf(out, "[%.*s]\n", (int)len, name);
		return;
	}
	strbuf_addf(out, "[%.*s \"", (int)first, name);
	for (i = first + 1; i < len; i++) {
		if (name[i] == '"' || name[i] == '\\')
			strbuf_addch(out, '\\');
		strbuf_addch(out, name[i]);
	}
	strbuf_addstr(out, "\"]\n");
}

/* Append a value in a form that read_value() reads back. */
static void add_value(struct strbuf *out, const char *value)
{
	size_t len = strlen(value);
	bool quote = !len || value[0] == ' ' || value[len - 1] == ' ' ||
		     strpbrk(value, "#;\"\\\n\t\b\r");
	const char *p;

	if (!quote) {
		strbuf_addstr(out, value);
		return;
	}
	strbuf_addch(out, '"');
	for (p = value; *p; p++) {
		static const char plain[] = "\n\t\b\"\\", letter[] = "ntb\"\\";
		const char *e = strchr(plain, *p);

		if (e)
			strbuf_addf(out, "\\%c", letter[e - plain]);
		else
			strbuf_addch(out, *p);
	}
	strbuf_addch(out, '"');
}

static void add_item_text(struct strbuf *out, const char *name, const char *value)
{
	strbuf_addf(out, "%s = ", name);
	add_value(out, value);
}

/* Return the last section of that name to which a line can be added. */
static struct config_section *last_section(struct config *c, const char *name, size_t len)
{
	size_t i = c->nr_sections;

	while (i--) {
		struct config_section *s = &c->sections[i];

		if (s->end && strlen(s->name) == len && !strncasecmp(s->name, name, len))
			return s;
	}
	return NULL;
}

static const struct config_item *item_of(const struct config *c, const char *key)
{
	size_t i;

	for (i = 0; i < c->nr_items; i++)
		if (!strcasecmp(c->items[i].key, key))
			return &c->items[i];
	return NULL;
}

/* Make sure that appended text begins a line and does not continue another one. */
static void end_line(struct strbuf *out)
{
	size_t n = out->len;

	if (!n)
		return;
	if (out->buf[n - 1] != '\n') {
		strbuf_addch(out, '\n');
		return;
	}
	n--;
	if (n && out->buf[n - 1] == '\r')
		n--;
	if (n && out->buf[n - 1] == '\\')
		strbuf_addch(out, '\n');
}

int config_edit(const char *text, size_t len, const char *key, const char *value,
		struct strbuf *out, unsigned int *line, struct err *err)
{
	const char *name = strrchr(key, '.');
	const struct config_item *it;
	struct config_section *sec;
	struct config c;
	int r = config_check_key(key, err);

	if (r)
		return r;
	name++;
	config_init(&c);
	r = config_parse(&c, text, len, line);
	if (r) {
		config_release(&c);
		return err_set(err, r, "bad config file line %u", *line);
	}
	it = item_of(&c, key);
	sec = last_section(&c, key, (size_t)(name - 1 - key));
	if (it) {
		strbuf_add(out, text, it->name_start);
		add_item_text(out, name, value);
		strbuf_add(out, text + it->end, len - it->end);
	} else {
		size_t at = sec ? sec->end : len;

		strbuf_add(out, text, at);
		end_line(out);
		if (!sec)
			add_section_line(out, key, (size_t)(name - 1 - key));
		strbuf_addch(out, '\t');
		add_item_text(out, name, value);
		strbuf_addch(out, '\n');
		strbuf_add(out, text + at, len - at);
	}
	config_release(&c);
	return 0;
}

static int read_file(const char *path, struct strbuf *out, mode_t *mode, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n;

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0)
		return err_set(err, -errno, "cannot read %s: %s", path, err_str(-errno));
	if (!fstat(fd, &st))
		*mode = st.st_mode & 0777;
	do {
		strbuf_grow(out, 4096);
		n = read(fd, out->buf + out->len, 4096);
		if (n > 0)
			out->len += (size_t)n;
	} while (n > 0);
	if (n < 0)
		n = err_set(err, -errno, "cannot read %s: %s", path, err_str(-errno));
	close(fd);
	return (int)n;
}

/* Write a new file beside it and rename that, so that nobody ever sees an incomplete file. */
static int replace_file(const char *path, const struct strbuf *text, mode_t mode, struct err *err)
{
	char *tmp = xasprintf("%s.XXXXXX", path);
	int fd = mkostemp(tmp, O_CLOEXEC), r = 0;
	size_t done = 0;

	if (fd < 0) {
		r = err_set(err, -errno, "cannot write %s: %s", path, err_str(-errno));
		free(tmp);
		return r;
	}
	while (!r && done < text->len) {
		ssize_t n = write(fd, text->buf + done, text->len - done);

		if (n < 0)
			r = -errno;
		else
			done += (size_t)n;
	}
	if (!r && fchmod(fd, mode))
		r = -errno;
	if (close(fd) && !r)
		r = -errno;
	if (!r && rename(tmp, path))
		r = -errno;
	if (r) {
		unlink(tmp);
		err_set(err, r, "cannot write %s: %s", path, err_str(r));
	}
	free(tmp);
	return r;
}

int config_set(const char *path, const char *key, const char *value, struct err *err)
{
	struct strbuf old = STRBUF_INIT, new = STRBUF_INIT;
	char *real = realpath(path, NULL); /* a symbolic link to the file is preserved */
	unsigned int line = 0;
	mode_t mode = 0644;
	int r;

	r = read_file(real ? real : path, &old, &mode, err);
	if (!r) {
		r = config_edit(strbuf_str(&old), old.len, key, value, &new, &line, err);
		if (r && line)
			err_set(err, r, "bad config file line %u in %s", line, path);
	}
	if (!r)
		r = replace_file(real ? real : path, &new, mode, err);
	strbuf_release(&old);
	strbuf_release(&new);
	free(real);
	return r;
}
