// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start and end of the interpreter, and calls of functions of the script. A script ends the run
 * when it calls exit(), or dies and nothing catches that: Perl has then told why, and jumps to the
 * innermost place that was prepared for it (JMPENV_PUSH).
 */
#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>

#include <XSUB.h>

#include "engines/perl/perl-internal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define OURS "perf::engine" /* functions that Perl calls find the engine there */
#define EXIT_STATUS(rc) ((rc)&0xff)

EXTERN_C void boot_DynaLoader(pTHX_ CV *cv);

/* ---- start ---- */

/* Modules are not taken from the current folder, which is the last one to look into for Perl before
 * 5.26, or when PERL_USE_UNSAFE_INC is set. */
static void drop_current_folder(pTHX)
{
	AV *folders = get_av("INC", GV_ADD);
	SV **last = av_fetch(folders, av_len(folders), 0);

	if (last && !strcmp(SvPV_nolen(*last), "."))
		SvREFCNT_dec(av_pop(folders));
}

/* Perl calls this when it knows where modules are, and has not yet read the script. */
static void prepare(pTHX)
{
	SV **ours = hv_fetchs(PL_modglobal, OURS, 0);

	newXS("DynaLoader::boot_DynaLoader", boot_DynaLoader, __FILE__);
	pl_context_functions(INT2PTR(struct perl *, SvIV(*ours)));
	drop_current_folder(aTHX);
}

/* Make the command line of the script; its words may be changed, as by "$0 = ...". Return: their
 * number; 0 when there is no memory. */
static int make_command_line(struct perl *pl, const struct script_start *start)
{
	int nr = 0;

	pl->argv = calloc((size_t)start->nr_args + 4, sizeof(*pl->argv));
	if (!pl->argv)
		return 0;
	pl->argv[nr++] = strdup("perl");
	pl->argv[nr++] = strdup("--"); /* no options of Perl's follow */
	pl->argv[nr++] = strdup(start->file);
	for (int i = 0; i < start->nr_args; i++)
		pl->argv[nr++] = strdup(start->args[i]);
	for (int i = 0; i < nr; i++)
		if (!pl->argv[i])
			return 0;
	return nr;
}

static void free_command_line(struct perl *pl)
{
	for (int i = 0; pl->argv && pl->argv[i]; i++)
		free(pl->argv[i]);
	free(pl->argv);
}

int pl_begin(struct perl *pl, const struct script_start *start, struct err *err)
{
	FILE *f = engine_open_script("Perl", start->file, err);
	int nr = f ? make_command_line(pl, start) : 0;

	if (!f)
		return err->code;
	fclose(f);
	if (nr)
		PERL_SYS_INIT3(&nr, &pl->argv, &environ);
	pl->interpreter = nr ? perl_alloc() : NULL;
	if (!pl->interpreter) {
		free_command_line(pl);
		return engine_fail(err, -ENOMEM, "no memory for Perl");
	}
	PERL_SET_CONTEXT(pl->interpreter);
	perl_construct(pl->interpreter);
	engine_catch_interrupts(NULL);
	return 0;
}

int pl_run(struct perl *pl, const struct script_start *start)
{
	dTHXa(pl->interpreter);
	int rc;

	PL_exit_flags |= PERL_EXIT_DESTRUCT_END; /* END blocks are for the end of the run */
	(void)hv_stores(PL_modglobal, OURS, newSViv(PTR2IV(pl)));
	rc = perl_parse(pl->interpreter, prepare, start->nr_args + 3, pl->argv, NULL);
	if (!rc)
		rc = perl_run(pl->interpreter);
	pl->status = EXIT_STATUS(rc);
	return rc || PL_exit_flags & PERL_EXIT_EXPECTED ? SCRIPT_OVER : SCRIPT_GO_ON;
}

void pl_end(struct perl *pl)
{
	perl_destruct(pl->interpreter);
	perl_free(pl->interpreter);
	free_command_line(pl);
}

/* ---- calls ---- */

SV *pl_function(const struct perl *pl, const char *name)
{
	dTHXa(pl->interpreter);
	CV *function = get_cv(name, 0);

	return SvREFCNT_inc((SV *)function);
}

/* The script has ended the run in a call: leave what was begun in it. @scope: how much was open
 * before */
static int over(struct perl *pl, I32 scope)
{
	dTHXa(pl->interpreter);

	while (PL_scopestack_ix > scope)
		LEAVE;
	FREETMPS;
	pl->status = EXIT_STATUS(STATUS_EXIT);
	return SCRIPT_OVER;
}

int pl_call(struct perl *pl, SV *function, SV *const *args, size_t nr)
{
	dTHXa(pl->interpreter);
	const I32 scope = PL_scopestack_ix;
	int jump;
	dJMPENV;

	errno = 0; /* or die() would take what is there for the status */
	JMPENV_PUSH(jump);
	if (!jump) {
		dSP;
		const SSize_t bottom = SP - PL_stack_base;

		PUSHMARK(SP);
		EXTEND(SP, (SSize_t)nr);
		for (size_t i = 0; i < nr; i++)
			PUSHs(args[i]);
		PUTBACK;
		/* With G_DISCARD it would drop what is returned, but make a scope for that. */
		call_sv(function, G_VOID);
		PL_stack_sp = PL_stack_base + bottom;
		FREETMPS;
	}
	JMPENV_POP;
	return jump ? over(pl, scope) : SCRIPT_GO_ON;
}

int pl_call_named(struct perl *pl, const char *name, SV *const *args, size_t nr)
{
	dTHXa(pl->interpreter);
	SV *function = (SV *)get_cv(name, 0);

	return function ? pl_call(pl, function, args, nr) : SCRIPT_GO_ON;
}

int pl_flush(struct perl *pl, struct err *err)
{
	dTHXa(pl->interpreter);
	PerlIO *out = PerlIO_stdout();

	errno = 0;
	if (!PerlIO_flush(out) && !PerlIO_error(out))
		return SCRIPT_GO_ON;
	if (engine_pipe_is_closed())
		return engine_fail(err, -EPIPE, "nobody reads what the script prints");
	PerlIO_printf(PerlIO_stderr(), "write failure on standard output: %s\n",
		      strerror(errno ? errno : EIO));
	PerlIO_clearerr(out);
	pl->status = STATUS_UNWRITTEN;
	return SCRIPT_OVER;
}
