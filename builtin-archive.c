// SPDX-License-Identifier: GPL-2.0-or-later
/* perf archive: pack the objects a recording names, for a report on another machine. */
#include "base/compat.h"

#include "builtin.h"

#include "base/alloc.h"
#include "cli/exec.h"
#include "file/reader.h"
#include "symbol/cache.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const archive_usage[] = { "perf archive [<file>]", NULL };

/* A file in memory with @len bytes of @text, read from its start; -1 and a message. */
static int memory_file(const char *text, size_t len)
{
	int fd = memfd_create("perf-archive", MFD_CLOEXEC);

	if (fd < 0 || (len && write(fd, text, len) != (ssize_t)len) || lseek(fd, 0, SEEK_SET)) {
		error("no memory for the list of files: %s", err_str(-errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

/* Run tar; 0 when it was content. @in: its standard input. Status 1 means that a
 * file changed meanwhile, and another hard link to an object is such a change. */
static int run_tar(const char *const *args, int in)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (dup2(in, STDIN_FILENO) < 0)
			_exit(126);
		execvp("tar", (char *const *)args);
		fprintf(stderr, "cannot run tar: %s\n", err_str(-errno));
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) <= 1 ? 0 : -1;
}

/* What goes into the archive: for each build-id its link, then its folder; names end with a zero
 * byte. Return: how many build-ids. */
static size_t manifest(const char *dir, const struct env *env, struct strbuf *out)
{
	size_t i, nr = 0, missing = 0;

	for (i = 0; i < env->nr_build_ids; i++) {
		const struct env_build_id *b = &env->build_ids[i];
		char hex[41], *entry;

		if (b->size < 4)
			continue;
		build_id_hex(b->id, b->size, hex);
		/* What is not there yet may still be on this machine. */
		cache_fill(dir, b->filename, b->id, b->size, CACHE_COPY);
		entry = cache_has(dir, hex, NULL) ? cache_entry_path(dir, hex) : NULL;
		nr++;
		if (entry) {
			strbuf_addf(out, ".build-id/%.2s/%s", hex, hex + 2);
			strbuf_addch(out, '\0');
			strbuf_addstr(out, entry);
			strbuf_addch(out, '\0');
		} else {
			struct strbuf name = STRBUF_INIT;

			strbuf_addname(&name, b->filename);
			fprintf(stderr, "not in the build-id cache: %s %s\n", hex,
				strbuf_str(&name));
			strbuf_release(&name);
			missing++;
		}
		free(entry);
	}
	if (missing)
		fprintf(stderr, "%zu of %zu objects are left out\n", missing, nr);
	return nr;
}

/* @out gets the objects of the recording @data. Return: 0 or 1, having said why. */
static int pack_symbols(const char *dir, const char *data, const char *out)
{
	const char *const args[] = { "tar",
				     "--force-local",
				     "--warning=no-file-changed",
				     "-cjf",
				     out,
				     "-C",
				     dir,
				     "--null",
				     "-T",
				     "-",
				     NULL };
	struct strbuf list = STRBUF_INIT;
	struct perf_file *f = NULL;
	struct diag diag = { 0 };
	struct err e = { 0 };
	size_t nr = 0;
	int fd, ret = 1;

	if (perf_file_open(data, true, &f, &diag, &e))
		error_err(&e);
	else
		nr = manifest(dir, &f->env, &list);
	perf_file_close(f);
	if (!nr) {
		printf("perf archive: no build-ids found\n");
	} else if (!list.len) {
		fprintf(stderr, "none of the objects is here: nothing to pack\n");
	} else {
		fd = memory_file(strbuf_str(&list), list.len);
		ret = fd < 0 || run_tar(args, fd) ? 1 : 0;
		if (ret && fd >= 0) {
			unlink(out);
			fprintf(stderr, "%s could not be made\n", out);
		}
		if (fd >= 0)
			close(fd);
	}
	strbuf_release(&list);
	return ret;
}

static int pack(const char *dir, const char *data)
{
	char *out = xasprintf("%s.tar.bz2", data);
	int ret = pack_symbols(dir, data, out);

	if (!ret)
		printf("Now please run:\n\n$ tar xvf %s -C ~/.debug\n\n"
		       "wherever you need to run 'perf report' on.\n",
		       out);
	free(out);
	return ret;
}

int cmd_archive(int argc, const char **argv)
{
	const struct option options[] = { OPT_END() };
	char *dir;
	int ret;

	argc = parse_options(argc, argv, options, archive_usage, 0);
	if (argc > 1)
		usage_with_options(archive_usage, options);
	dir = buildid_cache_dir();
	if (!dir) {
		fprintf(stderr, "no $HOME: say where the cache is with perf --buildid-dir\n");
		return 1;
	}
	ret = pack(dir, argc ? argv[0] : "perf.data");
	free(dir);
	return ret;
}
