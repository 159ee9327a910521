// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/term/slang.h"

#include <errno.h>

#ifdef HAVE_LIBSLANG
#include "base/alloc.h"
#include "base/library.h"

#include <slang.h>

#define LIBRARY "libslang.so.2"

/* These functions of the library are called. */
#define SLANG_CALLS(X)                                                                             \
	X(SLutf8_enable)                                                                           \
	X(SLtt_initialize)                                                                         \
	X(SLtt_get_screen_size)                                                                    \
	X(SLtt_set_color)                                                                          \
	X(SLtt_set_mono)                                                                           \
	X(SLtt_set_cursor_visibility)                                                              \
	X(SLtt_flush_output)                                                                       \
	X(SLsmg_init_smg)                                                                          \
	X(SLsmg_reinit_smg)                                                                        \
	X(SLsmg_reset_smg)                                                                         \
	X(SLsmg_touch_screen)                                                                      \
	X(SLsmg_gotorc)                                                                            \
	X(SLsmg_set_color)                                                                         \
	X(SLsmg_write_nchars)                                                                      \
	X(SLsmg_refresh)

struct slang {
	void *library;
#define MEMBER(name) __typeof__(&name) name;
	SLANG_CALLS(MEMBER)
#undef MEMBER
	int *colors; /* a variable of the library */
};

static bool find_calls(struct slang *l)
{
#define FIND(name)                                                                                 \
	l->name = (__typeof__(l->name))LIBRARY_FIND(l->library, name);                             \
	if (!l->name)                                                                              \
		return false;
	SLANG_CALLS(FIND)
#undef FIND
	l->colors = LIBRARY_VARIABLE(l->library, SLtt_Use_Ansi_Colors);
	return l->colors;
}

struct slang *slang_open(struct err *err)
{
	struct slang *l = xzalloc(sizeof(*l));

	l->library = LIBRARY_LOAD(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
	if (!l->library || !find_calls(l)) {
		err_set(err, -ENOENT,
			"the library " LIBRARY " cannot be loaded, which --tui needs: install "
			"S-Lang 2 (libslang2), or use --stdio");
	} else if (l->SLtt_initialize(NULL) < 0) {
		err_set(err, -ENOTTY,
			"terminfo does not know a terminal '%s' that can show screens: set TERM to "
			"what your terminal is, or use --stdio",
			getenv("TERM") ?: "");
	} else {
		return l;
	}
	slang_close(l);
	return NULL;
}

/* The library stays loaded: only its variables know the memory that it has. */
void slang_close(struct slang *l)
{
	free(l);
}

static void set_looks(struct slang *l, const struct looks *looks)
{
	if (!looks->colored)
		*l->colors = 0;
	for (int i = 0; i < NR_STYLES; i++) {
		SLtt_Char_Type mono = i == STYLE_NORMAL || i == STYLE_MEDIUM || i == STYLE_DIM ? 0
				      : i == STYLE_TOP || i == STYLE_JUMP_ARROWS || i == STYLE_ADDR
					      ? SLTT_BOLD_MASK
					      : SLTT_REV_MASK;

		l->SLtt_set_color(i, NULL, (char *)looks->of[i].fg, (char *)looks->of[i].bg);
		l->SLtt_set_mono(i, NULL, mono);
	}
}

int slang_start(struct slang *l, const struct looks *looks, bool utf8, struct err *err)
{
	l->SLutf8_enable(utf8);
	l->SLtt_get_screen_size(); /* it has buffers of that size */
	set_looks(l, looks);
	if (l->SLsmg_init_smg() < 0)
		return err_set(err, -ENOTTY, "S-Lang cannot use this terminal: use --stdio");
	l->SLtt_set_cursor_visibility(0);
	return 0;
}

void slang_stop(struct slang *l)
{
	l->SLtt_set_cursor_visibility(1);
	l->SLsmg_reset_smg();
	l->SLtt_flush_output();
}

void slang_resize(struct slang *l)
{
	l->SLtt_get_screen_size();
	l->SLsmg_reinit_smg();
}

/* Hand over one row, in pieces of one style. */
static void show_row(struct slang *l, const struct screen *s, u32 y, struct strbuf *text)
{
	const struct cell *c = s->cells + (size_t)y * s->cols;

	l->SLsmg_gotorc((int)y, 0);
	for (u32 x = 0, from; x < s->cols;) {
		strbuf_reset(text);
		for (from = x; x < s->cols && c[x].style == c[from].style; x++)
			strbuf_addstr(text, c[x].text);
		l->SLsmg_set_color(c[from].style);
		l->SLsmg_write_nchars(text->buf, (unsigned int)text->len);
	}
}

void slang_show(struct slang *l, const struct screen *s, bool all)
{
	struct strbuf text = STRBUF_INIT;

	if (all)
		l->SLsmg_touch_screen();
	for (u32 y = 0; y < s->rows; y++)
		show_row(l, s, y, &text);
	l->SLsmg_refresh();
	strbuf_release(&text);
}

#else /* without the library */

struct slang *slang_open(struct err *err)
{
	err_set(err, -ENOENT,
		"this perf was built without S-Lang, which --tui needs: build it with "
		"libslang2-dev (slang-devel), or use --stdio");
	return NULL;
}

void slang_close(struct slang *l)
{
}

int slang_start(struct slang *l, const struct looks *looks, bool utf8, struct err *err)
{
	return -ENOENT;
}

void slang_stop(struct slang *l)
{
}

void slang_resize(struct slang *l)
{
}

void slang_show(struct slang *l, const struct screen *s, bool all)
{
}

#endif
