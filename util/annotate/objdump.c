// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of a function as the program objdump writes them (GNU binutils, `objdump -l -d -S`):
 * headings, names of functions, positions as "file:line", lines of source, and instructions as
 * "  address:<tab>text".
 */
#include "base/compat.h"

#include "annotate/annotate-internal.h"

#include "arch/arch.h"
#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>

#define MOST_TEXT ((size_t)256 << 20) /* of one function */

extern char **environ;

/* ---- its text ---- */

/* Read "  address:<tab>"; addresses of the kernel have no blanks before them. Return: what follows
 * it in the expanded line; NULL: it is no instruction of the function. */
static const char *read_address(const struct annotation *a, const char *raw, size_t len,
				const char *line, u64 *addr)
{
	const char *colon = memchr(raw, ':', len);
	char *end;

	if (!colon || colon + 1 >= raw + len || colon[1] != '\t')
		return NULL;
	if (!isxdigit((unsigned char)*line))
		return NULL;
	*addr = strtoull(line, &end, 16);
	if (*end != ':' || *addr < a->start || *addr >= a->end)
		return NULL;
	return end + 1 + strspn(end + 1, " ");
}

/* Read "/path:line", with something behind it or nothing. Return: the line; 0: it is none. */
static u32 read_position(const char *line)
{
	const char *colon = *line == '/' ? strchr(line, ':') : NULL;

	if (!colon || colon == line + 1 || !isdigit((unsigned char)colon[1]))
		return 0;
	return (u32)strtoul(colon + 1, NULL, 10);
}

static void take_insn(struct annotation *a, const struct arch *arch, u64 addr, const char *text)
{
	struct flow flow = flow_of(arch->code, text);
	struct annotate_line *line =
		annotation_add(a, ANNOTATE_INSN, annotation_put(a, text, strlen(text)));

	line->addr = addr;
	line->flow = (u8)flow.kind;
	line->has_target = flow.has_target;
	line->target = flow.target;
}

/* Take over one line. @number: its number, which a position sets */
static void take_line(struct annotation *a, const struct arch *arch, const char *raw, size_t len,
		      struct strbuf *line, u32 *number)
{
	bool any = annotate_expand_line(raw, len, line);
	const char *text = strbuf_str(line), *insn;
	u32 position = any ? read_position(text) : 0;
	u64 addr;

	insn = any ? read_address(a, raw, len, text, &addr) : NULL;
	if (position) {
		*number = position;
		return;
	}
	if (insn && !*insn)
		return; /* bytes that did not fit into the line before */
	if (insn) {
		take_insn(a, arch, addr, insn);
	} else {
		annotation_add(a, ANNOTATE_TEXT, annotation_put(a, text, strlen(text)))->number =
			*number;
	}
	++*number;
}

/* Is it the line with the format of the file? */
static bool tells_format(const char *s, size_t len)
{
	static const char words[] = ":     file format ";

	return memmem(s, len, words, sizeof(words) - 1);
}

void annotate_objdump_parse(struct annotation *a, const struct arch *arch, const char *text,
			    size_t len)
{
	struct strbuf line = STRBUF_INIT;
	u32 number = 0;
	bool format = false;

	for (const char *s = text, *end = text + len; s < end;) {
		const char *stop = memchr(s, '\n', (size_t)(end - s));
		size_t n = (size_t)((stop ? stop : end) - s);

		if (!format && tells_format(s, n))
			format = true;
		else
			take_line(a, arch, s, n, &line, &number);
		s += n + 1;
	}
	strbuf_release(&line);
}

/* ---- the program ---- */

/* The arguments of one run; owned strings. */
struct args {
	char *v[16];
	size_t nr;
};

static void arg(struct args *args, char *s)
{
	args->v[args->nr++] = s;
	args->v[args->nr] = NULL;
}

static void make_args(const struct annotation *a, const struct annotate_conf *c, struct args *args,
		      const char *object)
{
	arg(args, xstrdup(c->objdump_path ? c->objdump_path : "objdump"));
	arg(args, xasprintf("--start-address=0x%016" PRIx64, a->start));
	arg(args, xasprintf("--stop-address=0x%016" PRIx64, a->end));
	arg(args, xstrdup("-l"));
	arg(args, xstrdup("-d"));
	if (!c->raw)
		arg(args, xstrdup("--no-show-raw-insn"));
	if (!c->no_source)
		arg(args, xstrdup("-S"));
	if (c->syntax)
		arg(args, xasprintf("-M%s", c->syntax));
	if (c->prefix)
		arg(args, xasprintf("--prefix=%s", c->prefix));
	if (c->prefix && c->prefix_strip)
		arg(args, xasprintf("--prefix-strip=%d", c->prefix_strip));
	if (!c->no_demangle)
		arg(args, xstrdup("-C"));
	arg(args, xstrdup(object));
}

static int spawn(char **argv, int out, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int ret;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	ret = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -ret;
}

/* Read all that a program writes, up to the limit. */
static void read_all(int fd, struct strbuf *text)
{
	char buf[65536];
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0 && text->len < MOST_TEXT)
			strbuf_add(text, buf, (size_t)n);
}

/* Run a program. Return: its status as of waitpid(), or a negative errno. */
static int run(char **argv, struct strbuf *text)
{
	int pipes[2], ret, status = 0;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC))
		return -errno;
	ret = spawn(argv, pipes[1], &pid);
	close(pipes[1]);
	if (!ret)
		read_all(pipes[0], text);
	close(pipes[0]);
	if (ret)
		return ret;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return status;
}

void annotate_objdump(struct annotation *a, struct annotate_tools *t)
{
	const struct location *l = &a->of->at;
	const char *object = symtab_object(l->symtab) ?: symtab_kcore(l->symtab);
	struct strbuf text = STRBUF_INIT;
	struct args args = { .nr = 0 };
	int ret;

	if (l->dso->kind == DSO_BPF)
		return annotation_fail(
			a,
			"the code of %s is in the recording, where objdump cannot read it: leave --objdump out",
			location_dso_long(l));
	if (!object || access(object, R_OK))
		return annotate_no_code(a);
	annotate_take_arch(a, t);
	a->start = code_virtual(t->files, l->dso, l->symtab, a->of->start);
	a->end = a->start + (a->of->end - a->of->start);
	make_args(a, t->conf, &args, object);
	ret = run(args.v, &text);
	if (ret < 0)
		annotation_fail(a, "cannot run %s: %s", args.v[0], err_str(ret));
	else if (ret || !text.len)
		annotation_fail(a, "%s wrote no instructions of %s", args.v[0], object);
	else
		annotate_objdump_parse(a, t->arch, text.buf, text.len);
	while (args.nr)
		free(args.v[--args.nr]);
	strbuf_release(&text);
}
