// SPDX-License-Identifier: GPL-2.0-or-later
/* perf archive: pack the objects a recording needs, for a report on another machine. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"
#include "buildid/unpack.h"
#include "codec/quote.h"
#include "objects/archive.h"

#include <unistd.h>

static const char *const archive_usage[] = { "perf archive [<options>] [<file>]", NULL };

/* Return: 0, or 1 with a message. */
static int write_archive(struct archive *a, const char *out)
{
	struct err err = { 0 };
	int ret;

	if (archive_find(a, &err))
		error_err(&err);
	if (!a->nr) {
		printf("perf archive: no build-ids found\n");
		return 1;
	}
	if (a->missing == a->nr && !a->all) {
		fprintf(stderr, "none of the objects is here: nothing to pack\n");
		return 1;
	}
	ret = archive_write(a, out, &err);
	if (ret < 0)
		error("%s", err.msg);
	return ret ? 1 : 0;
}

static int pack(const char *dir, const char *data, bool all)
{
	char *out = xasprintf(all ? "%s.all.tar.bz2" : "%s.tar.bz2", data);
	struct archive a = { .dir = dir, .data = data, .all = all, .notices = &stderr_notices };
	int ret = write_archive(&a, out);
	struct strbuf word = STRBUF_INIT;

	quote_shell(&word, out);
	if (!ret && all)
		printf("Now please run:\n\n$ perf archive --unpack %s\n\n"
		       "wherever you need to run 'perf report' on.\n",
		       strbuf_str(&word));
	else if (!ret)
		printf("Now please run:\n\n$ tar xvf %s -C ~/.debug\n\n"
		       "wherever you need to run 'perf report' on, or there with this perf:\n\n"
		       "$ perf archive --unpack %s\n",
		       strbuf_str(&word), strbuf_str(&word));
	strbuf_release(&word);
	archive_release(&a);
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

/* Return the name of the archive that perf archive makes by default, the one with the recording if
 * it exists. */
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
