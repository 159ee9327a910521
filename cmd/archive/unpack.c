// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf archive --unpack: an archive, of this perf or another, into the build-id cache.
 *
 * The archive is read twice: first everything in it is checked, and nothing is written when a
 * single member does not belong into a cache.
 */
#include "base/compat.h"

#include "cmd/archive/archive.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "file/untar.h"
#include "symbol/cache-unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct unpack {
	const char *dir, *archive;
	int fd;        /* of the archive */
	int bytes;     /* of the tar stream: @fd, or a pipe from the program that expands it */
	pid_t program; /* 0: none */
	size_t taken, there, wrong;
};

/* ---- the source of bytes ---- */

/* The program that expands a file which begins like this; NULL: it is a plain archive. */
static const char *expander_of(const u8 *magic, size_t len)
{
	static const struct {
		const char *magic;
		size_t len;
		const char *program;
	} known[] = {
		{ "BZh", 3, "bzip2" },
		{ "\x1f\x8b", 2, "gzip" },
		{ "\xfd\x37zXZ", 5, "xz" },
		{ "\x28\xb5\x2f\xfd", 4, "zstd" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (len >= known[i].len && !memcmp(magic, known[i].magic, known[i].len))
			return known[i].program;
	return NULL;
}

static void run_program(const char *program, int in, int out) __attribute__((noreturn));

static void run_program(const char *program, int in, int out)
{
	if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(126);
	execlp(program, program, "-dc", (char *)NULL);
	fprintf(stderr, "cannot run %s: %s\n", program, err_str(-errno));
	_exit(127);
}

static int start_reading(struct unpack *u)
{
	u8 magic[8];
	ssize_t n = pread(u->fd, magic, sizeof(magic), 0);
	const char *program = expander_of(magic, n > 0 ? (size_t)n : 0);
	int ends[2];

	if (lseek(u->fd, 0, SEEK_SET))
		return -errno;
	u->bytes = u->fd;
	u->program = 0;
	if (!program)
		return 0;
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	fflush(stdout);
	u->program = fork();
	if (!u->program)
		run_program(program, u->fd, ends[1]);
	close(ends[1]);
	u->bytes = ends[0];
	return u->program < 0 ? -errno : 0;
}

static ssize_t read_bytes(void *ctx, void *buf, size_t len)
{
	const struct unpack *u = ctx;
	ssize_t n;

	do
		n = read(u->bytes, buf, len);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/* Return: 0, or -EINVAL when the program was not content with the file. */
static int stop_reading(struct unpack *u, bool all)
{
	int status = 0;
	char rest[4096];

	/* Behind the last member there is padding, which the program wants to get rid of. */
	while (all && u->program > 0 && read_bytes(u, rest, sizeof(rest)) > 0)
		;
	if (u->bytes != u->fd)
		close(u->bytes);
	if (u->program <= 0)
		return 0;
	while (waitpid(u->program, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return all && status ? -EINVAL : 0;
}

/* ---- members ---- */

/* "./x" and "x/" are x. */
static char *plain_name(const char *name)
{
	size_t len;

	while (!strncmp(name, "./", 2))
		name += 2;
	len = strlen(name);
	while (len && name[len - 1] == '/')
		len--;
	return xstrndup(name, len);
}

static bool is_recording_name(const struct unpack *u, const char *name)
{
	const char *base = strrchr(u->archive, '/');
	size_t len = strlen(name);

	/* What perf archive --all makes of FILE is FILE.all.tar.bz2, with FILE in it. */
	base = base ? base + 1 : u->archive;
	return len && *name != '.' && !strncmp(base, name, len) && !strncmp(base + len, ".all.", 5);
}

static bool acceptable(const struct unpack *u, const struct tar_member *m, const char *name)
{
	char *target;
	bool ok;

	switch (m->kind) {
	case TAR_DIR:
		return !*name || !strcmp(name, ".") || cache_member(name) != CACHE_MEMBER_BAD ||
		       strncmp(name, "../", 3);
	case TAR_SYMLINK:
		return cache_member_target(name, m->target);
	case TAR_HARDLINK:
		target = plain_name(m->target);
		ok = cache_member(name) == CACHE_MEMBER_FILE &&
		     cache_member(target) == CACHE_MEMBER_FILE;
		free(target);
		return ok;
	case TAR_FILE:
		return cache_member(name) == CACHE_MEMBER_FILE ||
		       (cache_member(name) == CACHE_MEMBER_TOP && is_recording_name(u, name));
	default:
		return false;
	}
}

static int check(struct unpack *u, const struct tar_member *m, struct untar *t, const char *name,
		 struct err *err)
{
	struct strbuf shown = STRBUF_INIT;

	if (acceptable(u, m, name))
		return 0;
	strbuf_addname(&shown, m->name);
	if (*m->target) {
		strbuf_addstr(&shown, "' -> '");
		strbuf_addname(&shown, m->target);
	}
	err_set(err, -EPERM, "'%s' does not belong into a build-id cache: nothing was unpacked",
		strbuf_str(&shown));
	strbuf_release(&shown);
	return -EPERM;
}

static int copy_out(struct untar *t, int fd)
{
	char buf[1 << 16];
	ssize_t n;

	while ((n = untar_read(t, buf, sizeof(buf))) > 0)
		if (write(fd, buf, (size_t)n) != n)
			return errno ? -errno : -EIO;
	return (int)n;
}

static int copy_link(const struct unpack *u, const char *target, int fd)
{
	char *from = plain_name(target), buf[1 << 16];
	int in = cache_member_open(u->dir, from), ret = MIN(in, 0);
	ssize_t n = 0;

	free(from);
	while (!ret && (n = read(in, buf, sizeof(buf))) > 0)
		if (write(fd, buf, (size_t)n) != n)
			ret = errno ? -errno : -EIO;
	if (in >= 0)
		close(in);
	return ret ? ret : n < 0 ? -EIO : 0;
}

static bool ends_with(const char *s, const char *end)
{
	size_t a = strlen(s), b = strlen(end);

	return a >= b && !strcmp(s + a - b, end);
}

static int take_file(struct unpack *u, const struct tar_member *m, struct untar *t,
		     const char *name)
{
	int fd = cache_member_create(u->dir, name), ret;

	if (fd == -EEXIST) {
		u->there++;
		return 0;
	}
	if (fd < 0)
		return fd;
	ret = m->kind == TAR_FILE ? copy_out(t, fd) : copy_link(u, m->target, fd);
	if (cache_member_finish(u->dir, name, fd, !ret) && !ret)
		ret = -EIO;
	if (ret)
		return ret;
	u->taken++;
	if (ends_with(name, "/elf") && !cache_member_right(u->dir, name)) {
		cache_member_remove(u->dir, name);
		u->wrong++;
	}
	return 0;
}

static int take_recording(struct untar *t, const char *name, struct err *err)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600), ret;

	if (fd < 0)
		return err_set(err, -errno, "'%s' cannot be created here: %s", name,
			       err_str(-errno));
	ret = copy_out(t, fd);
	if (close(fd) && !ret)
		ret = -errno;
	if (ret)
		unlink(name);
	else
		printf("%s\n", name);
	return ret;
}

static int take(struct unpack *u, const struct tar_member *m, struct untar *t, const char *name,
		struct err *err)
{
	int ret = 0;

	if (m->kind == TAR_SYMLINK)
		ret = cache_member_link(u->dir, name, m->target);
	else if (m->kind == TAR_FILE && cache_member(name) == CACHE_MEMBER_TOP)
		ret = take_recording(t, name, err);
	else if (m->kind == TAR_FILE || m->kind == TAR_HARDLINK)
		ret = take_file(u, m, t, name);
	if (ret && !err->code)
		err_set(err, ret, "'%s': %s", name, err_str(ret));
	return ret;
}

static int each_member(struct unpack *u,
		       int (*fn)(struct unpack *u, const struct tar_member *m, struct untar *t,
				 const char *name, struct err *err),
		       struct err *err)
{
	struct tar_member m;
	struct untar t;
	int ret = start_reading(u), more;

	if (ret)
		return err_set(err, ret, "%s", err_str(ret));
	untar_init(&t, read_bytes, u);
	while (!ret && (more = untar_next(&t, &m, err)) != 0) {
		char *name = more > 0 ? plain_name(m.name) : NULL;

		ret = more < 0 ? more : fn(u, &m, &t, name, err);
		free(name);
	}
	untar_release(&t);
	more = stop_reading(u, !ret);
	return ret || !more ? ret : err_set(err, more, "it cannot be expanded");
}

int archive_unpack(const char *dir, const char *archive)
{
	struct unpack u = { .dir = dir, .archive = archive };
	struct err err = { 0 };
	int ret;

	u.fd = open(archive, O_RDONLY | O_CLOEXEC);
	if (u.fd < 0) {
		fprintf(stderr, "failed to open %s: %s\n", archive, err_str(-errno));
		return 1;
	}
	ret = each_member(&u, check, &err);
	if (!ret)
		ret = each_member(&u, take, &err);
	close(u.fd);
	if (ret)
		fprintf(stderr, "%s: %s\n", archive, err.msg);
	if (u.wrong)
		fprintf(stderr, "%zu objects had another build-id than their name says: left out\n",
			u.wrong);
	if (!ret)
		fprintf(stderr, "%zu files unpacked into %s, %zu were there\n", u.taken - u.wrong,
			dir, u.there);
	return ret || u.wrong ? 1 : 0;
}
