// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "profileexport/facts.h"

#include "base/alloc.h"

static void add_fact(struct export_facts *f, const char *key, char *value)
{
	if (!value || !*value || f->nr == ARRAY_SIZE(f->fact)) {
		free(value);
		return;
	}
	f->fact[f->nr++] = (struct export_fact){ key, value };
}

static void add_text(struct export_facts *f, const char *key, const char *value)
{
	if (value)
		add_fact(f, key, xstrdup(value));
}

static char *command_line(const struct env *env)
{
	struct strbuf sb = STRBUF_INIT;

	for (u32 i = 0; i < env->nr_cmdline; i++) {
		strbuf_addstr(&sb, i ? " " : "");
		strbuf_addstr(&sb, env->cmdline[i]);
	}
	return strbuf_detach(&sb);
}

/* Return the last part of a path, as far as the kernel keeps it as the name of a thread. */
static bool is_name_of(const char *comm, const char *arg)
{
	const char *slash = strrchr(arg, '/');

	return *comm && !strncmp(slash ? slash + 1 : arg, comm, 15) &&
	       (strlen(comm) == 15 || strlen(slash ? slash + 1 : arg) == strlen(comm));
}

static bool ran(const struct stacks *s, const char *arg)
{
	for (u32 i = 0; i < s->nr_threads; i++)
		if (is_name_of(stacks_text(s, s->threads[i].comm), arg))
			return true;
	return false;
}

/* Tell whether an option of perf record has the next argument as its value. */
static bool takes_next(const char *option)
{
	static const char *const values[] = {
		"-e",           "-F",       "-c",         "-o",           "-p",     "-t",
		"-u",           "-C",       "-m",         "-k",           "-j",     "-D",
		"-G",           "-r",       "-H",         "--event",      "--freq", "--count",
		"--output",     "--pid",    "--tid",      "--uid",        "--cpu",  "--delay",
		"--mmap-pages", "--filter", "--cgroup",   "--call-graph", "--html", "--clockid",
		"--realtime",   "--title",  "--duration", "--max-size"
	};

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (!strcmp(option, values[i]))
			return true;
	/* several in one word: -ge cycles */
	return option[0] == '-' && option[1] && option[1] != '-' &&
	       strspn(option + 1, "adgbqvsTPRWi") + 2 == strlen(option) &&
	       strchr("eFcoptuCm", option[strlen(option) - 1]);
}

/*
 * Return the argument with which the recorded command begins: that after "--", or the first one
 * that was the name of a thread or, as it may have been renamed, that is no option's value.
 * 0: no command was recorded.
 */
static u32 command_at(const struct env *env, const struct stacks *s)
{
	u32 word = 0;

	for (u32 i = 1; i < env->nr_cmdline; i++)
		if (!strcmp(env->cmdline[i], "--"))
			return i + 1 < env->nr_cmdline ? i + 1 : 0;
	for (u32 i = 2; i < env->nr_cmdline; i++) {
		if (env->cmdline[i][0] == '-' || takes_next(env->cmdline[i - 1]))
			continue;
		if (ran(s, env->cmdline[i]))
			return i;
		word = word ? word : i;
	}
	return word;
}

static bool has_option(const struct env *env, u32 end, const char *word, const char *letters)
{
	for (u32 i = 2; i < end; i++)
		if (!strcmp(env->cmdline[i], word) || !strcmp(env->cmdline[i], letters))
			return true;
	return false;
}

/* Return the argument behind an option; NULL: it was not given. */
static const char *option_value(const struct env *env, const char *word, const char *letters)
{
	for (u32 i = 2; i + 1 < env->nr_cmdline; i++)
		if (!strcmp(env->cmdline[i], word) || !strcmp(env->cmdline[i], letters))
			return env->cmdline[i + 1];
	return NULL;
}

static bool is_system_wide(const struct env *env, const struct stacks *s)
{
	u32 at = command_at(env, s);

	return has_option(env, at ? at : env->nr_cmdline, "--all-cpus", "-a");
}

/* Return what was profiled, without the command line of the recorder; NULL: not known. */
static char *profiled(const struct env *env, const struct stacks *s)
{
	struct strbuf sb = STRBUF_INIT;
	u32 at = command_at(env, s), end = at ? at : env->nr_cmdline;
	bool all = is_system_wide(env, s); /* the command says only how long */
	const char *pid = at ? NULL : option_value(env, "--pid", "-p");

	if (all)
		strbuf_addstr(&sb, at ? "whole system: " : "whole system");
	for (u32 i = end; i < env->nr_cmdline; i++) {
		strbuf_addstr(&sb, i > at ? " " : "");
		strbuf_addstr(&sb, env->cmdline[i]);
	}
	if (pid)
		strbuf_addf(&sb, "process %s", pid);
	return sb.len ? strbuf_detach(&sb) : NULL;
}

static void add_note(struct export_facts *f, char *text)
{
	if (f->nr_notes < ARRAY_SIZE(f->note))
		f->note[f->nr_notes++] = text;
	else
		free(text);
}

static void take_sentence(void *ctx, const char *sentence)
{
	add_note(ctx, xstrdup(sentence));
}

static void note_losses(struct export_facts *f, const struct session *s)
{
	const struct diag *d = &s->diag;

	if (d->count[DIAG_LOST_SAMPLES])
		add_note(f, xasprintf("%" PRIu64 " samples were lost while recording",
				      d->count[DIAG_LOST_SAMPLES]));
	if (d->count[DIAG_LOST])
		add_note(f, xasprintf("%" PRIu64 " events were lost while recording",
				      d->count[DIAG_LOST]));
}

/* Note the share of samples without symbol. */
static void note_unresolved(struct export_facts *f, const struct stacks *s)
{
	u64 all = 0;

	for (u32 i = 0; i < s->nr_events; i++)
		all += s->events[i].samples;
	if (s->no_symbol * 100 >= all && all)
		add_note(f, xasprintf("%.1f%% of the samples are without symbol",
				      100.0 * (double)s->no_symbol / (double)all));
}

void export_facts_fill(struct export_facts *f, const struct export_source *from,
		       const struct stacks *s, struct export_opts *opts)
{
	const struct session *session = from->session;
	const struct notices sentences = { take_sentence, f };
	const struct env *env = &session->file->env;

	add_text(f, "recording", session->file->path);
	add_fact(f, "command", profiled(env, s));
	add_fact(f, "command line", command_line(env));
	add_text(f, "hostname", env->hostname);
	add_text(f, "os release", env->os_release);
	add_text(f, "arch", env->arch);
	add_text(f, "cpu", env->cpu_desc);
	if (env->nr_cpus_online)
		add_fact(f, "cpus online", xasprintf("%u", env->nr_cpus_online));
	if (env->total_mem)
		add_fact(f, "memory", xasprintf("%" PRIu64 " kB", env->total_mem));
	add_text(f, "perf version", env->version);
	profile_tell_stacks(from->profile, &sentences);
	profile_tell_runtimes(from->profile, &sentences);
	note_losses(f, session);
	note_unresolved(f, s);
	opts->facts = f->fact;
	opts->nr_facts = f->nr;
	opts->notes = (const char *const *)f->note;
	opts->nr_notes = f->nr_notes;
	opts->arch = env->arch;
	opts->system_wide = is_system_wide(env, s);
	opts->wall_offset = env->clock_wall ? env->clock_wall - env->clock_time : 0;
}

void export_facts_release(struct export_facts *f)
{
	for (u32 i = 0; i < f->nr; i++)
		free((char *)f->fact[i].value);
	for (u32 i = 0; i < f->nr_notes; i++)
		free(f->note[i]);
	f->nr = f->nr_notes = 0;
}
