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
#include <glob.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char symbols_name[] = "perf.symbols.tar.bz2";

static const char *const archive_usage[] = { "perf archive [<options>] [<file>]", NULL };

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

/* Run tar; 0 when it was content. @in, @out: its standard streams, -1: ours. Status 1 means that a
 * file changed meanwhile, and another hard link to an object is such a change. */
static int run_tar(const char *const *args, int in, int out)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if ((in >= 0 && dup2(in, STDIN_FILENO) < 0) ||
		    (out >= 0 && dup2(out, STDOUT_FILENO) < 0))
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
		ret = fd < 0 || run_tar(args, fd, -1) ? 1 : 0;
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

static char *scratch_dir(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = xasprintf("%s/perf-archive.XXXXXX", tmp && *tmp ? tmp : "/tmp");

	if (!mkdtemp(dir)) {
		error("cannot make %s: %s", dir, err_str(-errno));
		free(dir);
		return NULL;
	}
	return dir;
}

static void scratch_remove(char *dir, const char *file)
{
	if (file)
		unlink(file);
	rmdir(dir);
	free(dir);
}

static char *all_name(void)
{
	char host[65] = "", date[32];
	time_t now = time(NULL);
	struct tm tm;

	gethostname(host, sizeof(host) - 1);
	strftime(date, sizeof(date), "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
	return xasprintf("perf.all-%s-%s.tar.bz2", host, date);
}

/* The recording and its objects in one file. */
static int pack_all(const char *dir, const char *data)
{
	char *real = realpath(data, NULL), *tmp, *symbols, *out, *slash;
	int ret;

	if (!real) {
		fprintf(stderr, "failed to open %s: %s\n", data, err_str(-errno));
		return 1;
	}
	tmp = scratch_dir();
	if (!tmp) {
		free(real);
		return 1;
	}
	symbols = xasprintf("%s/%s", tmp, symbols_name);
	out = all_name();
	ret = pack_symbols(dir, real, symbols);
	slash = strrchr(real, '/');
	*slash = '\0';
	if (!ret) {
		const char *const args[] = {
			"tar", "--force-local",    "-cjf", out,       "-C", tmp, symbols_name,
			"-C",  *real ? real : "/", "--",   slash + 1, NULL
		};

		ret = run_tar(args, -1, -1) ? 1 : 0;
		if (ret)
			unlink(out);
		else
			printf("Packed into %s. Now please run:\n\n$ perf archive --unpack %s\n\n"
			       "wherever you need to run 'perf report' on.\n",
			       out, out);
	}
	scratch_remove(tmp, symbols);
	free(symbols);
	free(out);
	free(real);
	return ret;
}

/* The one archive in this folder; the caller frees. */
static char *find_archive(void)
{
	char *name = NULL;
	glob_t g = { 0 };
	size_t i;

	glob("perf*.tar.bz2", 0, NULL, &g);
	if (g.gl_pathc == 1)
		name = xstrdup(g.gl_pathv[0]);
	else
		fprintf(stderr, "%zu files here could be meant, name the one to unpack\n",
			(size_t)g.gl_pathc);
	for (i = 0; !name && i < g.gl_pathc; i++)
		fprintf(stderr, "\t%s\n", g.gl_pathv[i]);
	globfree(&g);
	return name;
}

/* Names of the members, or -1 when tar cannot read it. */
static int members(const char *archive, struct names *out)
{
	const char *const args[] = { "tar", "--force-local", "-tf", archive, NULL };
	int fd = memory_file("", 0), ret = -1;
	char line[4096];
	FILE *f;

	if (fd < 0)
		return -1;
	ret = run_tar(args, -1, fd);
	f = lseek(fd, 0, SEEK_SET) ? NULL : fdopen(fd, "r");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		names_add(out, line);
	}
	if (f)
		fclose(f);
	else
		close(fd);
	return ret;
}

static int unpack_symbols(const char *dir, const char *archive)
{
	const char *const args[] = { "tar",
				     "--force-local",
				     "-xf",
				     archive,
				     "-C",
				     dir,
				     "--skip-old-files",
				     "--no-same-owner",
				     NULL };

	return run_tar(args, -1, -1) ? 1 : 0;
}

/* What --all packed: the recording to here, its objects to the cache. */
static int unpack_all(const char *dir, const char *archive)
{
	const char *const here[] = { "tar",       "--force-local",    "-xf",
				     archive,     "--keep-old-files", "--no-same-owner",
				     "--exclude", symbols_name,       NULL };
	const char *there[] = { "tar", "--force-local", "-xf", archive, "-C",
				NULL,  symbols_name,    NULL };
	char *tmp = scratch_dir(), *symbols;
	int ret;

	if (!tmp)
		return 1;
	there[5] = tmp;
	symbols = xasprintf("%s/%s", tmp, symbols_name);
	ret = run_tar(here, -1, -1) || run_tar(there, -1, -1) || unpack_symbols(dir, symbols);
	scratch_remove(tmp, symbols);
	free(symbols);
	return ret;
}

static int unpack(const char *dir, const char *named)
{
	char *archive = named ? xstrdup(named) : find_archive();
	struct names in = { 0 };
	bool all = false;
	struct stat st;
	size_t i;
	int ret = !archive || members(archive, &in) ? 1 : 0;

	if (!ret && mkdir(dir, 0755) && errno != EEXIST) {
		error("cannot make %s: %s", dir, err_str(-errno));
		ret = 1;
	}
	for (i = 0; i < in.nr; i++)
		all |= !strcmp(in.v[i], symbols_name);
	for (i = 0; all && i < in.nr; i++) {
		if (strcmp(in.v[i], symbols_name) && !lstat(in.v[i], &st) && !S_ISDIR(st.st_mode)) {
			fprintf(stderr, "%s is here already: move it away first\n", in.v[i]);
			ret = 1;
		}
	}
	if (!ret)
		ret = all ? unpack_all(dir, archive) : unpack_symbols(dir, archive);
	names_release(&in);
	free(archive);
	return ret;
}

int cmd_archive(int argc, const char **argv)
{
	bool all = false, do_unpack = false;
	const struct option options[] = {
		OPT_BOOLEAN(0, "all", &all, "pack the recording and its objects into one file"),
		OPT_BOOLEAN(0, "unpack", &do_unpack,
			    "unpack: objects into the build-id cache, the recording to here"),
		OPT_END(),
	};
	char *dir;
	int ret;

	argc = parse_options(argc, argv, options, archive_usage, 0);
	if (argc > 1 || (all && do_unpack))
		usage_with_options(archive_usage, options);
	dir = buildid_cache_dir();
	if (!dir) {
		fprintf(stderr, "no $HOME: say where the cache is with perf --buildid-dir\n");
		return 1;
	}
	if (do_unpack)
		ret = unpack(dir, argc ? argv[0] : NULL);
	else
		ret = (all ? pack_all : pack)(dir, argc ? argv[0] : "perf.data");
	free(dir);
	return ret;
}
