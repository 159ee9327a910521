// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording is read, and what is wrong with its programs is said. */
#include "base/compat.h"

#include "triagetext/triagetext-internal.h"

#include "base/alloc.h"
#include "codec/quote.h"

/* Return the recorded command as a line for the shell; NULL: there is none. The caller frees it. */
static char *command_of(const struct env *env)
{
	struct strbuf line = STRBUF_INIT;
	u32 from = env->nr_cmdline;

	for (u32 i = 0; i < env->nr_cmdline && from == env->nr_cmdline; i++)
		if (!strcmp(env->cmdline[i], "--"))
			from = i + 1;
	for (u32 i = from; i < env->nr_cmdline; i++) {
		strbuf_addstr(&line, i > from ? " " : "");
		quote_shell(&line, env->cmdline[i]);
	}
	return line.len ? strbuf_detach(&line) : NULL;
}

static void put_result(const struct triage_show *show, struct analysis *a, struct triage_facts *f,
		       struct strbuf *out)
{
	char *command = show->all || show->pids
				? NULL
				: command_of(&analysis_recording(a)->session.file->env);
	struct triage_judgement j = triage_judge(f);
	struct triage_result r = { .show = show, .facts = f, .judgement = &j, .command = command };

	triage_blind(f, !show->unprivileged, &r.blind);
	if (show->form == TRIAGE_AS_JSON)
		triage_put_json(&r, out);
	else if (show->form == TRIAGE_AS_PAGE)
		triage_put_page(&r, out);
	else
		triage_put_text(&r, out);
	strbuf_release(&r.blind);
	triage_judgement_release(&j);
	free(command);
}

int triage_run(const struct triage_show *show, struct analysis *a, struct strbuf *out,
	       struct err *err)
{
	struct triage_pass p;
	struct triage_facts f;
	int ret = triage_pass_run(&p, a, err);

	if (!ret) {
		triage_facts_make(&p, show, &f);
		put_result(show, a, &f, out);
		triage_facts_release(&f);
	}
	triage_pass_release(&p);
	return ret;
}
