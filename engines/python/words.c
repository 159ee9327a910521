// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Some fields are shown as words: flags, and numbers with names. The functions flag_str() and
 * symbol_str() of the module Core, which scripts use for them, learn the words from four others
 * that a script imports with them: these are called here before the first sample of an event.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "engines/python/python-internal.h"

struct words_call {
	struct python *py;
	PyObject *event; /* borrowed */
	bool failed;
};

/* Call one of the four functions, if the script has it. */
static void call(struct words_call *c, const char *name, PyObject *args)
{
	PyObject *function = args ? py_function(c->py, name) : NULL;
	PyObject *result = function ? PyObject_CallObject(function, args) : NULL;

	c->failed |= !args || (function && !result);
	Py_XDECREF(result);
	Py_XDECREF(function);
	Py_XDECREF(args);
}

static void define(void *ctx, const struct tf_words *w)
{
	struct words_call *c = ctx;
	const char *field = w->field->name;

	for (u32 i = 0; i < w->nr_syms && !c->failed; i++) {
		const struct tf_sym *s = &w->syms[i];

		call(c, w->flags ? "define_flag_value" : "define_symbolic_value",
		     Py_BuildValue("OsKN", c->event, field, (unsigned long long)s->value,
				   py_string(c->py, s->str, s->len)));
	}
	if (c->failed)
		return;
	if (w->flags)
		call(c, "define_flag_field",
		     Py_BuildValue("OsN", c->event, field,
				   py_string(c->py, w->delim ? w->delim : "",
					     w->delim ? w->delim_len : 0)));
	else
		call(c, "define_symbolic_field", Py_BuildValue("Os", c->event, field));
}

bool py_define_words(struct python *py, const struct tf_event *tf, PyObject *name)
{
	struct words_call c = { .py = py, .event = name };

	py->host->walk_words(tf, define, &c);
	return !c.failed;
}
