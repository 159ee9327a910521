// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "buildid/unpack.h"

#include "base/alloc.h"
#include "codec/untar.h"
#include "buildid/member.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

struct unpack {
	const char *dir, *archive;
	int fd;        /* the archive */
	int bytes;     /* the tar stream: @fd, or a pipe from the program that expands it */
	pid_t program; /* the process that expands the archive; 0: none */
	struct unpack_result *result;
};

/* ---- expanding ---- */

/* Return the program that expands a file with these first bytes; NULL: it is a plain archive. */
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

/* Start "PROGRAM -dc" between two descriptors. Return: 0, or negative errno and a sentence. */
static int start_program(const char *program, int in, int out, pid_t *pid, struct err *err)
{
	char *const args[] = { (char *)program, (char *)"-dc", NULL };
	posix_spawn_file_actions_t files;
	int ret;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	ret = -posix_spawnp(pid, program, &files, NULL, args, environ);
	posix_spawn_file_actions_destroy(&files);
	if (ret)
		err_set(err, ret, "cannot run %s: %s", program, err_str(ret));
	return ret;
}

static int start_reading(struct unpack *u, struct err *err)
{
	u8 magic[8];
	ssize_t n = pread(u->fd, magic, sizeof(magic), 0);
	const char *program = expander_of(magic, n > 0 ? (size_t)n : 0);
	int ends[2], ret;

	u->bytes = u->fd;
	u->program = 0;
	if (lseek(u->fd, 0, SEEK_SET) || (program && pipe2(ends, O_CLOEXEC)))
		return err_set(err, -errno, "%s", err_str(-errno));
	if (!program)
		return 0;
	ret = start_program(program, u->fd, ends[1], &u->program, err);
	close(ends[1]);
	if (ret)
		close(ends[0]);
	else
		u->bytes = ends[0];
	return ret;
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

/*
 * Wait for the program. @all: the archive was read to its end.
 * Return: 0, or -EINVAL when the program failed.
 */
static int stop_reading(struct unpack *u, bool all)
{
	int status = 0;
	char rest[4096];

	/* Read the padding behind the last member, or the program cannot write it and fails. */
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

/* Return the name without "./" in front and "/" behind. The caller frees it. */
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

	/* perf archive --all packs FILE into FILE.all.tar.bz2. */
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
		u->result->there++;
		return 0;
	}
	if (fd < 0)
		return fd;
	ret = m->kind == TAR_FILE ? copy_out(t, fd) : copy_link(u, m->target, fd);
	if (cache_member_finish(u->dir, name, fd, !ret) && !ret)
		ret = -EIO;
	if (ret)
		return ret;
	u->result->taken++;
	if (ends_with(name, "/elf") && !cache_member_right(u->dir, name)) {
		cache_member_remove(u->dir, name);
		u->result->wrong++;
	}
	return 0;
}

static int take_recording(struct unpack *u, struct untar *t, const char *name, struct err *err)
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
		strbuf_addstr(&u->result->recording, name);
	return ret;
}

static int take(struct unpack *u, const struct tar_member *m, struct untar *t, const char *name,
		struct err *err)
{
	int ret = 0;

	if (m->kind == TAR_SYMLINK)
		ret = cache_member_link(u->dir, name, m->target);
	else if (m->kind == TAR_FILE && cache_member(name) == CACHE_MEMBER_TOP)
		ret = take_recording(u, t, name, err);
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
	int ret = start_reading(u, err), more;

	if (ret)
		return ret;
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

int unpack_archive(const char *dir, const char *archive, struct unpack_result *r, struct err *err)
{
	struct unpack u = { .dir = dir, .archive = archive, .result = r };
	int ret;

	u.fd = open(archive, O_RDONLY | O_CLOEXEC);
	if (u.fd < 0)
		return err_set(err, -errno, "failed to open %s: %s", archive, err_str(-errno));
	ret = each_member(&u, check, err);
	if (!ret)
		ret = each_member(&u, take, err);
	close(u.fd);
	if (ret)
		err_prefix(err, "%s", archive);
	return ret;
}
