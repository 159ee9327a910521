// SPDX-License-Identifier: GPL-2.0-or-later
/* perf archive: pack the objects a recording needs, for a report on another machine. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"
#include "buildid/cache.h"
#include "buildid/unpack.h"
#include "cli/exec.h"
#include "recording/hit-objects.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const archive_usage[] = { "perf archive [<options>] [<file>]", NULL };

struct archive {
	const char *dir, *data;
	bool all;
	/* running */
	struct recording rec;
	struct hits *hits;  /* objects with samples */
	struct strbuf list; /* names, each ends with a zero byte */
	struct intern done; /* build-ids in the list */
	size_t nr, missing;
};

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

/* One object: its link, then its folder. */
static void add_object(struct archive *a, const char *name, const u8 *id, u8 size)
{
	char hex[41], *entry;

	if (size < 4)
		return;
	build_id_hex(id, size, hex);
	if (intern_find(&a->done, hex, strlen(hex)) != UINT32_MAX)
		return;
	intern_str_id(&a->done, hex);
	/* What is not there yet may still be on this machine. */
	cache_fill(a->dir, name, 0, id, size, CACHE_COPY);
	entry = cache_has(a->dir, hex, NULL) ? cache_entry_path(a->dir, hex) : NULL;
	a->nr++;
	if (entry) {
		strbuf_addf(&a->list, ".build-id/%.2s/%s", hex, hex + 2);
		strbuf_addch(&a->list, '\0');
		strbuf_addstr(&a->list, entry);
		strbuf_addch(&a->list, '\0');
	} else {
		struct strbuf shown = STRBUF_INIT;

		strbuf_addname(&shown, name);
		fprintf(stderr, "not in the build-id cache: %s %s\n", hex, strbuf_str(&shown));
		strbuf_release(&shown);
		a->missing++;
	}
	free(entry);
}

/* Objects of that path have samples. */
static bool is_hit(const struct archive *a, const char *path)
{
	struct dso *const *dsos;
	size_t nr, i;

	dsos = machine_dsos(a->rec.machine, &nr);
	for (i = 0; i < nr; i++)
		if (hits_has(a->hits, dsos[i]->id) && !strcmp(dsos[i]->path, path))
			return true;
	return false;
}

/* Those of the table in its order, then those whose mappings carry the build-id. */
static void add_objects(struct archive *a)
{
	const struct env *env = &a->rec.session.file->env;
	struct dso *const *dsos;
	size_t nr, i;

	for (i = 0; i < env->nr_build_ids; i++) {
		const struct env_build_id *b = &env->build_ids[i];

		if (a->all || is_hit(a, b->filename))
			add_object(a, b->filename, b->id, b->size);
	}
	dsos = machine_dsos(a->rec.machine, &nr);
	for (i = 0; i < nr; i++)
		if (a->all || hits_has(a->hits, dsos[i]->id))
			add_object(a, dsos[i]->path, dsos[i]->build_id, dsos[i]->build_id_size);
	if (a->missing)
		fprintf(stderr, "%zu of %zu objects are left out\n", a->missing, a->nr);
}

static int read_recording(struct archive *a)
{
	struct err err = { 0 };
	const struct recording_options o = { .input = a->data, .force = true };
	int ret = recording_open(&a->rec, &o, &stderr_notices, &err);

	if (ret)
		return error_err(&err);
	ret = hit_objects_find(&a->rec, true, &a->hits, &err);
	if (ret)
		error_err(&err);
	else
		add_objects(a);
	hits_free(a->hits);
	recording_close(&a->rec);
	return ret;
}

/* "DIR/FILE" -> "DIR" and "FILE"; the caller frees the first. */
static char *split_path(const char *path, const char **base)
{
	const char *slash = strrchr(path, '/');

	*base = slash ? slash + 1 : path;
	return slash ? xstrndup(path, (size_t)(slash + 1 - path)) : xstrdup(".");
}

static int make_archive(const struct archive *a, const char *out)
{
	const char *base, *args[20];
	char *from = split_path(a->data, &base), *cache = realpath(a->dir, NULL);
	char *whole = xasprintf("--add-file=%s", base);
	int fd = memory_file(a->list.buf, a->list.len), n = 0, ret;

	args[n++] = "tar";
	args[n++] = "--force-local";
	args[n++] = "--warning=no-file-changed";
	args[n++] = "-cjf";
	args[n++] = out;
	if (a->all) {
		args[n++] = "-C";
		args[n++] = from;
		args[n++] = whole;
	}
	args[n++] = "-C";
	args[n++] = cache ? cache : a->dir;
	args[n++] = "--null";
	args[n++] = "-T";
	args[n++] = "-";
	args[n] = NULL;
	ret = fd < 0 || run_tar(args, fd) ? 1 : 0;
	if (ret && fd >= 0) {
		unlink(out);
		fprintf(stderr, "%s could not be made\n", out);
	}
	if (fd >= 0)
		close(fd);
	free(cache);
	free(whole);
	free(from);
	return ret;
}

/* Return: 0 or 1, having said why. */
static int pack_symbols(struct archive *a, const char *out)
{
	int ret = 1;

	read_recording(a);
	if (!a->nr)
		printf("perf archive: no build-ids found\n");
	else if (!a->list.len && !a->all)
		fprintf(stderr, "none of the objects is here: nothing to pack\n");
	else
		ret = make_archive(a, out);
	return ret;
}

static int pack(const char *dir, const char *data, bool all)
{
	char *out = xasprintf(all ? "%s.all.tar.bz2" : "%s.tar.bz2", data);
	struct archive a = { .dir = dir, .data = data, .all = all };
	int ret = pack_symbols(&a, out);

	if (!ret && all)
		printf("Now please run:\n\n$ perf archive --unpack %s\n\n"
		       "wherever you need to run 'perf report' on.\n",
		       out);
	else if (!ret)
		printf("Now please run:\n\n$ tar xvf %s -C ~/.debug\n\n"
		       "wherever you need to run 'perf report' on.\n",
		       out);
	strbuf_release(&a.list);
	intern_release(&a.done);
	free(out);
	return ret;
}

/* Return: 0, or 1 with a message on stderr. */
static int unpack(const char *dir, const char *archive)
{
	struct unpack_result r = { .recording = STRBUF_INIT };
	struct err err = { 0 };
	int ret = unpack_archive(dir, archive, &r, &err);

	if (r.recording.len)
		printf("%s\n", strbuf_str(&r.recording));
	if (ret)
		error_err(&err);
	if (r.wrong)
		fprintf(stderr, "%zu objects had another build-id than their name says: left out\n",
			r.wrong);
	if (!ret)
		fprintf(stderr, "%zu files unpacked into %s, %zu were there\n", r.taken - r.wrong,
			dir, r.there);
	strbuf_release(&r.recording);
	return ret || r.wrong ? 1 : 0;
}

/* The archive of the usual recording: with it, else without. */
static const char *usual_archive(void)
{
	static const char whole[] = "perf.data.all.tar.bz2";

	return access(whole, F_OK) ? "perf.data.tar.bz2" : whole;
}

int cmd_archive(int argc, const char **argv)
{
	bool all = false, unpacks = false;
	const struct option options[] = {
		OPT_BOOLEAN(0, "all", &all, "pack the recording too, and all objects it names"),
		OPT_BOOLEAN(0, "unpack", &unpacks, "unpack an archive into the build-id cache"),
		OPT_END(),
	};
	char *dir;
	int ret;

	argc = parse_options(argc, argv, options, archive_usage, 0);
	if (argc > 1 || (all && unpacks))
		usage_with_options(archive_usage, options);
	dir = buildid_cache_dir();
	if (!dir) {
		fprintf(stderr, "no $HOME: say where the cache is with perf --buildid-dir\n");
		return 1;
	}
	if (unpacks)
		ret = unpack(dir, argc ? argv[0] : usual_archive());
	else
		ret = pack(dir, argc ? argv[0] : "perf.data", all);
	free(dir);
	return ret;
}
