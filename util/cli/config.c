// SPDX-License-Identifier: GPL-2.0-or-later
/* Read configuration files and the values in them; config-edit.c writes. */
#include "base/compat.h"

#include "cli/config.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILE = 1 << 20 }; /* no real configuration is so large */

void config_init(struct config *c)
{
	memset(c, 0, sizeof(*c));
}

void config_release(struct config *c)
{
	size_t i;

	for (i = 0; i < c->nr_items; i++) {
		free(c->items[i].key);
		free(c->items[i].value);
	}
	for (i = 0; i < c->nr_sections; i++)
		free(c->sections[i].name);
	free(c->items);
	free(c->sections);
	strbuf_release(&c->problems);
	memset(c, 0, sizeof(*c));
}

/* A text that is being read. */
struct text {
	const char *s;
	size_t len, pos;
	unsigned int line;
};

/* Return the next byte, with CRLF as a newline; -1 at the end. */
static int peek(const struct text *t)
{
	if (t->pos >= t->len)
		return -1;
	if (t->s[t->pos] == '\r' && t->pos + 1 < t->len && t->s[t->pos + 1] == '\n')
		return '\n';
	return (unsigned char)t->s[t->pos];
}

static int next(struct text *t)
{
	int c = peek(t);

	if (c < 0)
		return c;
	t->pos += t->s[t->pos] == '\r' && c == '\n' ? 2 : 1;
	if (c == '\n')
		t->line++;
	return c;
}

static void skip_line(struct text *t)
{
	while (peek(t) >= 0 && peek(t) != '\n')
		next(t);
}

static void skip_blanks(struct text *t)
{
	while (peek(t) == ' ' || peek(t) == '\t')
		next(t);
}

static bool is_name_char(int c)
{
	return c >= 0 && (isalnum(c) || c == '-' || c == '_');
}

/* Parse [section], [a.b] or [section "Sub"], which is section.Sub. */
static int read_section(struct text *t, struct strbuf *name)
{
	int c;

	next(t);
	while (is_name_char(peek(t)) || peek(t) == '.')
		strbuf_addch(name, (char)tolower(next(t)));
	if (peek(t) == ' ' || peek(t) == '\t') {
		skip_blanks(t);
		if (next(t) != '"')
			return -EINVAL;
		strbuf_addch(name, '.');
		for (c = next(t); c != '"'; c = next(t)) {
			if (c == '\\')
				c = next(t);
			if (c < 0 || c == '\n' || !c)
				return -EINVAL;
			strbuf_addch(name, (char)c);
		}
	}
	return next(t) == ']' && name->len ? 0 : -EINVAL;
}

/* Return the character that an escape in a value stands for, or -1 when it is not valid. */
static int unescape(int c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'b':
		return '\b';
	case '\\':
	case '"':
		return c;
	default:
		return -1;
	}
}

/* Read a value up to the end of its line. *end receives the end of its last significant byte. */
static int read_value(struct text *t, struct strbuf *value, size_t *end)
{
	bool quoted = false;
	size_t keep = 0; /* length without trailing blanks */
	int c;

	skip_blanks(t);
	*end = t->pos;
	while ((c = peek(t)) >= 0 && c != '\n') {
		if (!quoted && (c == '#' || c == ';')) {
			skip_line(t);
			break;
		}
		next(t);
		if (!c)
			return -EINVAL;
		if (c == '"') {
			quoted = !quoted;
			*end = t->pos;
			keep = value->len;
			continue;
		}
		if (!quoted && (c == ' ' || c == '\t')) {
			strbuf_addch(value, ' ');
			continue;
		}
		if (c == '\\') {
			c = next(t);
			if (c == '\n')
				continue;
			c = unescape(c);
			if (c < 0)
				return -EINVAL;
		}
		strbuf_addch(value, (char)c);
		*end = t->pos;
		keep = value->len;
	}
	if (quoted)
		return -EINVAL;
	if (value->buf) {
		value->len = keep;
		value->buf[keep] = 0;
	}
	return 0;
}

static struct config_item *find_item(const struct config *c, const char *key)
{
	size_t i;

	for (i = 0; i < c->nr_items; i++)
		if (!strcasecmp(c->items[i].key, key))
			return &c->items[i];
	return NULL;
}

static void add_item(struct config *c, const char *key, const char *value, size_t start, size_t end)
{
	struct config_item *it = find_item(c, key);

	if (!it) {
		VEC_GROW(c->items, c->nr_items + 1, c->cap_items);
		it = &c->items[c->nr_items++];
		it->key = xstrdup(key);
		it->value = NULL;
	}
	free(it->value);
	it->value = xstrdup(value);
	it->name_start = start;
	it->end = end;
}

static void add_section(struct config *c, const char *name, size_t start)
{
	/* Items on the line of a header belong to the last section that the line opens. */
	if (c->nr_sections && c->sections[c->nr_sections - 1].end > start)
		c->sections[c->nr_sections - 1].end = 0;
	VEC_GROW(c->sections, c->nr_sections + 1, c->cap_sections);
	c->sections[c->nr_sections].name = xstrdup(name);
	c->sections[c->nr_sections].end = 0;
	c->nr_sections++;
}

/* Read one "name = value" of the current section. */
static int read_item(struct config *c, struct text *t, struct strbuf *section, struct strbuf *value)
{
	size_t section_len = section->len, start = t->pos, end = 0;
	int r = -EINVAL;

	if (!section_len || !isalpha(peek(t)))
		return -EINVAL;
	strbuf_addch(section, '.');
	while (is_name_char(peek(t)))
		strbuf_addch(section, (char)tolower(next(t)));
	skip_blanks(t);
	strbuf_reset(value);
	if (peek(t) == '=') {
		next(t);
		r = read_value(t, value, &end);
	}
	if (!r)
		add_item(c, section->buf, strbuf_str(value), start, end);
	section->len = section_len;
	section->buf[section_len] = 0;
	return r;
}

/* Return the position after the line that @t is on. */
static size_t line_end(const struct text *t)
{
	struct text u = *t;

	skip_line(&u);
	next(&u);
	return u.pos;
}

int config_parse(struct config *c, const char *text, size_t len, unsigned int *line)
{
	struct text t = { .s = text, .len = len, .line = 1 };
	struct strbuf section = STRBUF_INIT, value = STRBUF_INIT;
	unsigned int at = 1;
	size_t start;
	int ch, r = 0;

	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) /* a byte order mark */
		t.pos = 3;
	while (!r && (ch = peek(&t)) >= 0) {
		at = t.line;
		start = t.pos;
		if (ch == '\n' || isspace(ch)) {
			next(&t);
		} else if (ch == '#' || ch == ';') {
			skip_line(&t);
		} else if (ch == '[') {
			strbuf_reset(&section);
			r = read_section(&t, &section);
			if (!r)
				add_section(c, section.buf, start);
		} else {
			r = read_item(c, &t, &section, &value);
		}
		if (!r && ch != '\n' && !isspace(ch) && ch != '#' && ch != ';')
			c->sections[c->nr_sections - 1].end = line_end(&t);
	}
	strbuf_release(&section);
	strbuf_release(&value);
	c->cut |= r != 0;
	if (r && line)
		*line = at;
	return r;
}

/* Tell whether a file belongs to the user; files of other users are ignored. */
static bool is_trusted(const struct stat *st)
{
	return st->st_uid == 0 || st->st_uid == geteuid();
}

static void load_file(struct config *c, const char *path, bool check_owner)
{
	struct strbuf text = STRBUF_INIT;
	struct stat st;
	unsigned int line;
	ssize_t n = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0 || fstat(fd, &st)) {
		if (errno != ENOENT && errno != ENOTDIR)
			strbuf_addf(&c->problems, "cannot read %s: %s\n", path, err_str(-errno));
		if (fd >= 0)
			close(fd);
		return;
	}
	if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode)) {
		strbuf_addf(&c->problems, "%s is not a file, ignoring it.\n", path);
	} else if (check_owner && !is_trusted(&st)) {
		strbuf_addf(&c->problems,
			    "File %s not owned by current user or root, ignoring it.\n", path);
	} else {
		do {
			strbuf_grow(&text, 4096);
			n = read(fd, text.buf + text.len, 4096);
			if (n > 0)
				text.len += (size_t)n;
		} while (n > 0 && text.len < MAX_FILE);
		if (n < 0)
			strbuf_addf(&c->problems, "cannot read %s: %s\n", path, err_str(-errno));
		else if (config_parse(c, text.buf, text.len, &line))
			strbuf_addf(&c->problems, "bad config file line %u in %s\n", line, path);
	}
	close(fd);
	strbuf_release(&text);
}

static bool env_true(const char *name)
{
	const char *v = getenv(name);

	return v && *v && strcmp(v, "0") && strcasecmp(v, "false") && strcasecmp(v, "no");
}

static char *user_path(void)
{
	const char *home = getenv("HOME");

	return home && *home ? xasprintf("%s/.perfconfig", home) : NULL;
}

char *config_path(enum config_files which, const char *system)
{
	const char *only = getenv("PERF_CONFIG");

	if (which == CONFIG_SYSTEM)
		return xstrdup(system);
	if (which == CONFIG_ALL && only && *only)
		return xstrdup(only);
	return user_path();
}

void config_load(struct config *c, enum config_files which, const char *system)
{
	const char *only = getenv("PERF_CONFIG");
	char *user = NULL;

	if (which == CONFIG_ALL && only && *only) {
		load_file(c, only, false);
		return;
	}
	if (which == CONFIG_SYSTEM || (which == CONFIG_ALL && !env_true("PERF_CONFIG_NOSYSTEM")))
		load_file(c, system, false);
	if (which == CONFIG_USER || (which == CONFIG_ALL && !env_true("PERF_CONFIG_NOGLOBAL")))
		user = user_path();
	if (user)
		load_file(c, user, true);
	free(user);
}

const char *config_get(const struct config *c, const char *key)
{
	const struct config_item *it = find_item(c, key);

	return it ? it->value : NULL;
}

static int bad_value(const char *key, const char *v, const char *what, struct err *err)
{
	return err_set(err, -EINVAL, "bad config value for '%s': \"%s\" is not %s", key, v, what);
}

int config_bool(const struct config *c, const char *key, bool *v, struct err *err)
{
	const char *s = config_get(c, key);
	char *end;
	long n;

	if (!s)
		return 0;
	if (!strcasecmp(s, "true") || !strcasecmp(s, "yes") || !strcasecmp(s, "on")) {
		*v = true;
		return 1;
	}
	if (!*s || !strcasecmp(s, "false") || !strcasecmp(s, "no") || !strcasecmp(s, "off")) {
		*v = false;
		return 1;
	}
	n = strtol(s, &end, 0);
	if (*end)
		return bad_value(key, s, "true or false", err);
	*v = n != 0;
	return 1;
}

/* Return the number of bits by which a unit letter shifts a number, or -1 for an unknown unit. */
static int unit_shift(const char *s)
{
	if (!*s)
		return 0;
	if (s[1])
		return -1;
	switch (tolower((unsigned char)*s)) {
	case 'k':
		return 10;
	case 'm':
		return 20;
	case 'g':
		return 30;
	default:
		return -1;
	}
}

int config_u64(const struct config *c, const char *key, u64 *v, struct err *err)
{
	const char *s = config_get(c, key);
	unsigned long long n;
	char *end;
	int shift;

	if (!s)
		return 0;
	errno = 0;
	n = strtoull(s, &end, 0);
	shift = unit_shift(end);
	if (!isdigit((unsigned char)s[0]) || shift < 0 || errno || n << shift >> shift != n)
		return bad_value(key, s, "a number", err);
	*v = n << shift;
	return 1;
}
