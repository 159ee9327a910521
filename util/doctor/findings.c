// SPDX-License-Identifier: GPL-2.0-or-later
/* Findings: made by checks, shown as text and as JSON. */
#include "base/compat.h"
#include "doctor/doctor-internal.h"

#include "base/alloc.h"
#include "codec/json.h"

#include <errno.h>
#include <unistd.h>

static const char *const words[DOCTOR_NR_VERDICTS] = { "ok", "limited", "missing" };

static char *format(const char *fmt, va_list ap)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_vaddf(&sb, fmt, ap);
	return strbuf_detach(&sb);
}

void finding_text(struct doctor_finding *f, enum doctor_verdict verdict, const char *fmt, ...)
{
	va_list ap;

	f->verdict = verdict;
	free(f->text);
	va_start(ap, fmt);
	f->text = format(fmt, ap);
	va_end(ap);
}

void finding_fix(struct doctor_finding *f, const char *fmt, ...)
{
	va_list ap;

	free(f->fix);
	va_start(ap, fmt);
	f->fix = format(fmt, ap);
	va_end(ap);
}

struct doctor_finding *finding_add(struct doctor_findings *f, const char *name)
{
	VEC_GROW(f->v, f->nr + 1, f->cap);
	f->v[f->nr] = (struct doctor_finding){ .name = name };
	return &f->v[f->nr++];
}

/* Return the length of @text without the full stop, colon and newlines at its end. */
static int without_stop(const char *text, size_t len)
{
	while (len && strchr(".:\n ", text[len - 1]))
		len--;
	return (int)len;
}

void finding_sentences(struct doctor_finding *f, enum doctor_verdict verdict, const char *what,
		       const char *sentences)
{
	const char *rest = strchrnul(sentences, '\n');
	struct strbuf fix = STRBUF_INIT;

	finding_text(f, verdict, "%s%.*s", what,
		     without_stop(sentences, (size_t)(rest - sentences)), sentences);
	while (*rest) {
		const char *from = rest + 1;
		int len;

		rest = strchrnul(from, '\n');
		len = without_stop(from, (size_t)(rest - from));
		strbuf_addf(&fix, len && fix.len ? "; %.*s" : "%.*s", len, from);
	}
	if (fix.len)
		finding_fix(f, "%s", strbuf_str(&fix));
	strbuf_release(&fix);
}

bool here_has(const struct doctor_here *h, const char *path)
{
	char *full = sysroot_path(h->sr, "%s", path);
	int rc = access(full, F_OK) ? errno : 0;

	free(full);
	errno = rc;
	return !rc;
}

bool here_part(const struct doctor_here *h, const char *name)
{
	const struct doctor_part *p;

	for (p = h->parts; p && p->name; p++)
		if (!strcmp(p->name, name))
			return p->on;
	return false;
}

void doctor_findings_release(struct doctor_findings *f)
{
	size_t i;

	for (i = 0; i < f->nr; i++) {
		free(f->v[i].text);
		free(f->v[i].fix);
	}
	free(f->v);
	memset(f, 0, sizeof(*f));
}

void doctor_text(const struct doctor_findings *f, const char *what, struct strbuf *out)
{
	size_t nr[DOCTOR_NR_VERDICTS] = { 0 }, i;

	for (i = 0; i < f->nr; i++) {
		const struct doctor_finding *d = &f->v[i];

		nr[d->verdict]++;
		strbuf_addf(out, "%-8s %-16s ", words[d->verdict], d->name);
		strbuf_addname(out, d->text);
		if (d->fix) {
			strbuf_addstr(out, ". Fix: ");
			strbuf_addname(out, d->fix);
		}
		strbuf_addch(out, '\n');
	}
	strbuf_addstr(out, "# ");
	strbuf_addname(out, what);
	strbuf_addf(out, ": %zu ok, %zu limited, %zu missing\n", nr[DOCTOR_OK], nr[DOCTOR_LIMITED],
		    nr[DOCTOR_MISSING]);
}

void doctor_json(const struct doctor_findings *f, struct strbuf *out)
{
	size_t i;

	strbuf_addstr(out, "{\"checks\":[");
	for (i = 0; i < f->nr; i++) {
		const struct doctor_finding *d = &f->v[i];

		strbuf_addstr(out, i ? ",\n{\"name\":" : "\n{\"name\":");
		json_string(out, d->name);
		json_text_member(out, "verdict", words[d->verdict]);
		json_text_member(out, "text", d->text);
		json_text_member(out, "fix", d->fix);
		strbuf_addch(out, '}');
	}
	strbuf_addstr(out, "\n]}\n");
}
