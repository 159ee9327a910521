// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Packs the formats of tracefs. Sizes of files are u64, except for printk formats, where it is u32.
 */
#include "base/compat.h"
#include "kernel/tracing.h"

#include "events/parse.h"

#include <errno.h>
#include <sys/mount.h>
#include <unistd.h>

#define LOCKED_DOWN                                                                                \
	"\nThe kernel is locked down: /sys/kernel/security/lockdown is confidentiality, which "    \
	"keeps tracefs from everybody, root too.\nOnly the boot command line can make it "         \
	"less (lockdown=); events that are no tracepoints can be recorded."

static void put_u32(struct strbuf *sb, u32 v)
{
	strbuf_add(sb, &v, sizeof(v));
}

static void put_u64(struct strbuf *sb, u64 v)
{
	strbuf_add(sb, &v, sizeof(v));
}

static void put_str(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s) + 1);
}

/*
 * Append the size (u64) and the contents of a tracefs file. An unreadable file counts as empty
 * unless there is @err.
 */
static int put_file(const struct sysroot *sr, struct strbuf *out, const char *file, struct err *err)
{
	const char *root = tracefs_path(sr);
	struct strbuf sb = STRBUF_INIT;
	int rc = sysroot_read(sr, &sb, "%s/%s", root, file);

	put_u64(out, rc ? 0 : sb.len);
	if (!rc)
		strbuf_add(out, sb.buf, sb.len);
	strbuf_release(&sb);
	if (rc && err)
		return err_set(err, rc, "cannot read %s/%s: %s%s", root, file, err_str(rc),
			       rc == -EPERM && sysroot_lockdown(sr) == LOCKDOWN_CONFIDENTIALITY
				       ? LOCKED_DOWN
				       : "");
	return 0;
}

static const char *tp_name(const struct evsel *e)
{
	return e->tp_name ? e->tp_name : e->name;
}

/* Return the length of the system in "sched:sched_switch"; 0 when the event is not a tracepoint. */
static size_t system_len(const struct evsel *e)
{
	const char *colon = strchr(tp_name(e), ':');

	return evsel_is_tracepoint(e) && colon ? (size_t)(colon - tp_name(e)) : 0;
}

static bool same_system(const struct evsel *a, const struct evsel *b)
{
	size_t len = system_len(a);

	return len && len == system_len(b) && !memcmp(tp_name(a), tp_name(b), len);
}

/* Tell whether this is the first event of its system, or with its id, in the list. */
static bool first_of_system(const struct evlist *l, size_t idx)
{
	for (size_t i = 0; i < idx; i++)
		if (same_system(l->evsels[i], l->evsels[idx]))
			return false;
	return system_len(l->evsels[idx]) > 0;
}

static bool first_of_id(const struct evlist *l, size_t idx)
{
	for (size_t i = 0; i < idx; i++)
		if (evsel_is_tracepoint(l->evsels[i]) &&
		    l->evsels[i]->attr.config == l->evsels[idx]->attr.config)
			return false;
	return true;
}

static int put_system(const struct sysroot *sr, const struct evlist *l, size_t idx,
		      struct strbuf *out, struct err *err)
{
	const struct evsel *first = l->evsels[idx];
	size_t len = system_len(first), at;
	u32 nr = 0;

	strbuf_add(out, tp_name(first), len);
	strbuf_addch(out, 0);
	at = out->len;
	put_u32(out, 0);
	for (size_t i = idx; i < l->nr; i++) {
		char file[600];
		int rc;

		if (!same_system(l->evsels[i], first) || !first_of_id(l, i))
			continue;
		/* a modifier after the name is not part of it */
		snprintf(file, sizeof(file), "events/%.*s/%.*s/format", (int)len, tp_name(first),
			 (int)strcspn(tp_name(l->evsels[i]) + len + 1, ":"),
			 tp_name(l->evsels[i]) + len + 1);
		rc = put_file(sr, out, file, err);
		if (rc)
			return rc;
		nr++;
	}
	memcpy(out->buf + at, &nr, sizeof(nr));
	return 0;
}

static void put_intro(struct strbuf *out)
{
	static const u8 magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	u16 one = 1;
	u8 big_endian = *(const u8 *)&one != 1;

	strbuf_add(out, magic, sizeof(magic));
	put_str(out, "0.6");
	strbuf_addch(out, (char)big_endian);
	strbuf_addch(out, sizeof(long));
	put_u32(out, (u32)sysconf(_SC_PAGESIZE));
}

int tracing_data(const struct sysroot *sr, const struct evlist *l, struct strbuf *out,
		 struct err *err)
{
	struct strbuf printk = STRBUF_INIT;
	u32 nr_systems = 0;
	int rc;

	put_intro(out);
	put_str(out, "header_page");
	rc = put_file(sr, out, "events/header_page", err);
	put_str(out, "header_event");
	if (!rc)
		rc = put_file(sr, out, "events/header_event", err);
	put_u32(out, 0); /* ftrace's own events are not recorded through perf */
	for (size_t i = 0; i < l->nr; i++)
		nr_systems += first_of_system(l, i);
	put_u32(out, nr_systems);
	for (size_t i = 0; !rc && i < l->nr; i++)
		if (first_of_system(l, i))
			rc = put_system(sr, l, i, out, err);
	put_u32(out, 0); /* kallsyms: every reader has a better source */
	(void)sysroot_read(sr, &printk, "%s/printk_formats", tracefs_path(sr));
	put_u32(out, (u32)printk.len);
	strbuf_add(out, printk.buf, printk.len);
	strbuf_release(&printk);
	put_file(sr, out, "saved_cmdlines", NULL);
	return rc;
}

int tracefs_mount(const struct sysroot *sr)
{
	char *events = sysroot_path(sr, "%s/events", tracefs_path(sr));
	/* nothing is mounted over the files of another root */
	bool there = sr->prefix || !access(events, F_OK) || errno == EACCES;
	char *dir = sysroot_path(sr, "/sys/kernel/tracing");
	int rc = there || !mount("nodev", dir, "tracefs", 0, NULL) ? 0 : -errno;

	free(events);
	free(dir);
	return rc;
}
