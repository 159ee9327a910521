// SPDX-License-Identifier: GPL-2.0-or-later
/* Readers of lines other than our own: which there are, what they answer, and the one that is a
 * program. */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/sysroot.h"
#include "dwarf/lines-internal.h"
#ifdef HAVE_LIBDW
#include "dwarf/libdw-internal.h"
#endif

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define USUAL "addr2line"

/* ---- answers ---- */

/* The functions at an address, the innermost first. Each has the line that is executed in it. */
struct line_answer {
	size_t nr;
	struct line_answer_frame {
		char *function, *file; /* owned; NULL: not known */
		u32 line;              /* 0: not known */
	} v[INLINED_MAX + 1];
};

/* A reader. One thread at a time uses it. */
struct line_reader {
	/* Open the debug information in a file. Return NULL: there is none, or the reader is not
	 * here. */
	void *(*open)(const char *program, const char *debug);
	/* Fill @out, which is empty, for an address of the headers. */
	void (*ask)(void *reader, u64 addr, struct line_answer *out);
	void (*close)(void *reader);
};

/* Append a frame, of copies of the strings. Frames that do not fit are left out. */
static void answer_add(struct line_answer *a, const char *function, const char *file, u32 line)
{
	if (a->nr == ARRAY_SIZE(a->v))
		return;
	a->v[a->nr++] = (struct line_answer_frame){ .function = function ? xstrdup(function) : NULL,
						    .file = file ? xstrdup(file) : NULL,
						    .line = line };
}

static void answer_clear(struct line_answer *a)
{
	for (size_t i = 0; i < a->nr; i++) {
		free(a->v[i].function);
		free(a->v[i].file);
	}
	a->nr = 0;
}

/* ---- libdw ---- */

#ifdef HAVE_LIBDW
struct dw_reader {
	struct libdw lib;
	Dwarf *dw;
	int fd;
};

static void dw_reader_close(void *ctx)
{
	struct dw_reader *r = ctx;

	if (r->dw)
		r->lib.dwarf_end(r->dw);
	libdw_unload(&r->lib);
	if (r->fd >= 0)
		close(r->fd);
	free(r);
}

static void *dw_reader_open(const char *program, const char *debug)
{
	struct dw_reader *r = xzalloc(sizeof(*r));

	(void)program;
	r->fd = open(debug, O_RDONLY | O_CLOEXEC);
	if (r->fd >= 0 && libdw_load(&r->lib))
		r->dw = r->lib.dwarf_begin(r->fd, DWARF_C_READ);
	if (r->dw)
		return r;
	dw_reader_close(r);
	return NULL;
}

/* Return the name of a function as linkers know it, or else as its source has it; NULL: none. */
static const char *function_name(const struct dw_reader *r, Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (r->lib.dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    r->lib.dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr) ||
	    r->lib.dwarf_attr_integrate(die, DW_AT_name, &attr))
		return r->lib.dwarf_formstring(&attr);
	return NULL;
}

static u64 number(const struct dw_reader *r, Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return r->lib.dwarf_attr(die, name, &attr) && !r->lib.dwarf_formudata(&attr, &value) ? value
											     : 0;
}

/* Add the functions that contain an address, of which @scopes has the innermost scope first. @file,
 * @line: what is executed */
static void add_functions(const struct dw_reader *r, Dwarf_Die *unit, Dwarf_Die *scopes, int nr,
			  const char *file, int line, struct line_answer *out)
{
	Dwarf_Files *files = NULL;
	size_t nr_files;

	if (r->lib.dwarf_getsrcfiles(unit, &files, &nr_files))
		files = NULL;
	for (int i = 0; i < nr; i++) {
		int tag = r->lib.dwarf_tag(&scopes[i]);

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		answer_add(out, function_name(r, &scopes[i]), file, (u32)MAX(line, 0));
		if (tag == DW_TAG_subprogram)
			break;
		file = files ? r->lib.dwarf_filesrc(files, number(r, &scopes[i], DW_AT_call_file),
						    NULL, NULL)
			     : NULL;
		line = (int)number(r, &scopes[i], DW_AT_call_line);
	}
}

static void dw_reader_ask(void *ctx, u64 addr, struct line_answer *out)
{
	struct dw_reader *r = ctx;
	Dwarf_Die unit, *at = NULL, *scopes = NULL;
	const char *file = NULL;
	Dwarf_Line *row;
	int line = 0, nr;

	if (!r->lib.dwarf_addrdie(r->dw, addr, &unit))
		return;
	row = r->lib.dwarf_getsrc_die(&unit, addr);
	if (row && !r->lib.dwarf_lineno(row, &line))
		file = r->lib.dwarf_linesrc(row, NULL, NULL);
	/* The scopes of an address lead to where an inlined function was defined. Those of the
	 * innermost of them lead to where it was inlined. */
	nr = r->lib.dwarf_getscopes(&unit, addr, &at);
	if (nr > 0)
		nr = r->lib.dwarf_getscopes_die(&at[0], &scopes);
	add_functions(r, &unit, scopes, MAX(nr, 0), file, line, out);
	if (!out->nr && file)
		answer_add(out, NULL, file, (u32)MAX(line, 0));
	free(scopes);
	free(at);
}

static const struct line_reader line_reader_libdw = { dw_reader_open, dw_reader_ask,
						      dw_reader_close };

#else

static void *open_none(const char *program, const char *debug)
{
	(void)program;
	(void)debug;
	return NULL;
}

static const struct line_reader line_reader_libdw = { .open = open_none };
#endif

/* ---- a program ----
 *
 * One process for an object is asked for one address after the other. "-a" has it say the
 * address before the answer, so that an address which is asked for behind each one tells where its
 * answer ends:
 *
 *	0x0000000000001139    the address
 *	leaf                  the innermost function, or ??
 *	/src/a.c:3            and its line; also "?", 0, and " (discriminator 2)" behind it
 *	main                  the function that it was inlined into
 *	/src/a.c:9
 *	0x0000000000000000    here the answer ends; this one's own is "??", "??:0"
 */

#define END_LINE "0x0000000000000000"
#define END_ANSWER 2    /* lines that are said of it */
#define ANSWER_MS 30000 /* a large object takes seconds to be read */
#define LINE_MAX_BYTES 65536

struct program {
	pid_t pid;
	int fd;    /* its standard input and output; -1: it has ended, or does not answer */
	char *buf; /* owned: what was read of it; @len bytes, the lines before @at were taken */
	size_t at, len, cap;
};

static void stop(struct program *p)
{
	if (p->fd < 0)
		return;
	close(p->fd);
	p->fd = -1;
	kill(p->pid, SIGKILL); /* it may be busy */
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static void close_program(void *ctx)
{
	struct program *p = ctx;

	stop(p);
	free(p->buf);
	free(p);
}

/* Start a program with one end of a socket as its input and output. */
static int start(struct program *p, const char *program, const char *debug, int end)
{
	const char *const argv[] = { program, "-a", "-i", "-f", "-e", debug, NULL };
	posix_spawn_file_actions_t io;
	int ret;

	posix_spawn_file_actions_init(&io);
	posix_spawn_file_actions_adddup2(&io, end, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&io, end, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&io, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	ret = posix_spawnp(&p->pid, program, &io, NULL, (char **)argv, environ);
	posix_spawn_file_actions_destroy(&io);
	return ret;
}

static void *open_program(const char *program, const char *debug)
{
	struct program *p;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return NULL;
	p = xzalloc(sizeof(*p));
	p->fd = ends[0];
	if (start(p, program, debug, ends[1])) {
		close(ends[0]);
		p->fd = -1;
	}
	close(ends[1]);
	if (p->fd >= 0)
		return p;
	close_program(p);
	return NULL;
}

/* Read more of the answer. Return: false when there is none. */
static bool read_more(struct program *p)
{
	struct pollfd wait = { .fd = p->fd, .events = POLLIN };
	ssize_t n;

	if (p->at)
		memmove(p->buf, p->buf + p->at, p->len - p->at);
	p->len -= p->at;
	p->at = 0;
	if (p->len >= LINE_MAX_BYTES || poll(&wait, 1, ANSWER_MS) <= 0)
		return false;
	VEC_GROW(p->buf, p->len + 4096, p->cap);
	do
		n = read(p->fd, p->buf + p->len, p->cap - p->len);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	p->len += (size_t)n;
	return true;
}

/* Return the next line, without its end; it is valid until the next call. NULL: there is none. */
static char *next_line(struct program *p)
{
	char *line, *end;

	do {
		end = p->len > p->at ? memchr(p->buf + p->at, '\n', p->len - p->at) : NULL;
	} while (!end && read_more(p));
	if (!end)
		return NULL;
	line = p->buf + p->at;
	*end = '\0';
	p->at = (size_t)(end + 1 - p->buf);
	return line;
}

/* Add a frame: a function, and "FILE:LINE" with what may be behind it. */
static void add_frame(struct line_answer *out, const char *function, char *place)
{
	char *colon = strrchr(place, ':');
	unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;
	bool known = colon && line && line <= UINT32_MAX && *place != '?';

	if (known)
		*colon = '\0';
	answer_add(out, strcmp(function, "??") ? function : NULL, known ? place : NULL,
		   known ? (u32)line : 0);
}

/* Read the answer, and the one of the address behind it. Return: whether both were there. */
static bool read_answer(struct program *p, struct line_answer *out)
{
	char *line = next_line(p), *function;
	int left = END_ANSWER;

	if (!line || strncmp(line, "0x", 2) != 0)
		return false;
	while ((line = next_line(p)) && strcmp(line, END_LINE) != 0) {
		function = xstrdup(line);
		line = next_line(p);
		if (line)
			add_frame(out, function, line);
		free(function);
		if (!line)
			return false;
	}
	while (line && left--)
		line = next_line(p);
	return line;
}

static bool send_all(struct program *p, const char *text, size_t len)
{
	while (len) {
		ssize_t n = send(p->fd, text, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		text += n;
		len -= (size_t)n;
	}
	return true;
}

static void program_ask(void *ctx, u64 addr, struct line_answer *out)
{
	struct program *p = ctx;
	char text[64];
	int len = snprintf(text, sizeof(text), "0x%" PRIx64 "\n0x0\n", addr);

	if (p->fd < 0 || !addr)
		return;
	if (!send_all(p, text, (size_t)len) || !read_answer(p, out))
		stop(p);
	/* Nothing is known of an address whose only function is unknown. */
	if (out->nr == 1 && !out->v[0].function && !out->v[0].file)
		out->nr = 0;
}

static const struct line_reader line_reader_program = { open_program, program_ask, close_program };

/* ---- the choice ---- */

static bool has_libdw(void)
{
#ifdef HAVE_LIBDW
	struct libdw lib;
	bool there = libdw_load(&lib);

	libdw_unload(&lib);
	return there;
#else
	return false;
#endif
}

static bool has_usual(void)
{
	return program_exists(NULL, NULL, USUAL);
}

static bool always(void)
{
	return true;
}

static bool never(void)
{
	return false;
}

static const struct {
	const char *name;
	enum line_style style;
	bool (*there)(void);
} sources[] = {
	{ "builtin", LINES_BUILTIN, always },
	{ "libdw", LINES_LIBDW, has_libdw },
	{ "llvm", LINES_ANY, never },
	{ "libbfd", LINES_ANY, never },
	{ "cmd:addr2line", LINES_PROGRAM, has_usual },
	{ "addr2line", LINES_PROGRAM, has_usual },
};

/* Return the number of a source by its name; -1: there is none. */
static int source_of(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		if (strlen(sources[i].name) == len && !memcmp(sources[i].name, name, len))
			return (int)i;
	return -1;
}

int line_source_parse(struct line_source *out, const char *list, struct err *err)
{
	const char *p = list;
	int first = -1;

	for (;;) {
		size_t len = strcspn(p, ",");
		int source = source_of(p, len);

		if (source < 0)
			return err_set(err, -EINVAL,
				       "--addr2line-style: '%.*s' is unknown: there are builtin, "
				       "libdw, llvm, libbfd and cmd:addr2line",
				       (int)len, p);
		if (first < 0 && sources[source].there())
			first = source;
		if (!p[len])
			break;
		p += len + 1;
	}
	if (first < 0)
		return err_set(
			err, -EINVAL,
			"--addr2line-style %s: this perf has none of them here: use builtin, "
			"which needs no library",
			list);
	*out = (struct line_source){ .style = sources[first].style };
	return 0;
}

int line_source_program(struct line_source *out, const char *program, struct err *err)
{
	if (!program_exists(NULL, NULL, program))
		return err_set(err, -ENOENT, "--addr2line: there is no program '%s'", program);
	*out = (struct line_source){ LINES_PROGRAM, program };
	return 0;
}

/* ---- the lines of an object ---- */

struct read_lines {
	const struct line_reader *by;
	void *reader;
	pthread_mutex_t lock;
	u64 addr;                  /* what was asked for last, */
	struct line_answer answer; /* and what was said */
	bool asked;
	struct intern strings; /* all that were handed out */
};

struct read_lines *read_lines_open(const struct line_source *by, const char *debug)
{
	const struct line_reader *reader = by->style == LINES_LIBDW ? &line_reader_libdw
								    : &line_reader_program;
	void *opened = reader->open(by->program ? by->program : USUAL, debug);
	struct read_lines *r;

	if (!opened)
		return NULL;
	r = xzalloc(sizeof(*r));
	r->by = reader;
	r->reader = opened;
	pthread_mutex_init(&r->lock, NULL);
	return r;
}

void read_lines_close(struct read_lines *r)
{
	if (!r)
		return;
	r->by->close(r->reader);
	answer_clear(&r->answer);
	intern_release(&r->strings);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

/* Ask for an address, unless that was done last. The lock is held. */
static const struct line_answer *ask(struct read_lines *r, u64 addr)
{
	if (r->asked && r->addr == addr)
		return &r->answer;
	answer_clear(&r->answer);
	r->by->ask(r->reader, addr, &r->answer);
	r->asked = true;
	r->addr = addr;
	return &r->answer;
}

static const char *keep(struct read_lines *r, const char *text)
{
	return text ? intern_str(&r->strings, intern_str_id(&r->strings, text)) : NULL;
}

u32 read_lines_find(struct read_lines *r, u64 addr, const char **file)
{
	const struct line_answer *a;
	u32 line = 0;

	*file = NULL;
	pthread_mutex_lock(&r->lock);
	a = ask(r, addr);
	if (a->nr && a->v[0].file && a->v[0].line) {
		*file = keep(r, a->v[0].file);
		line = a->v[0].line;
	}
	pthread_mutex_unlock(&r->lock);
	return line;
}

size_t read_lines_inlined(struct read_lines *r, u64 addr, struct inlined *out)
{
	const struct line_answer *a;
	size_t nr = 0;

	pthread_mutex_lock(&r->lock);
	a = ask(r, addr);
	for (; nr + 1 < a->nr; nr++) {
		const struct line_answer_frame *f = &a->v[nr], *caller = &a->v[nr + 1];

		out[nr] =
			(struct inlined){ .name = keep(r, f->function ? f->function : "[unknown]"),
					  .file = keep(r, caller->file),
					  .line = caller->file ? caller->line : 0 };
	}
	pthread_mutex_unlock(&r->lock);
	return nr;
}
