// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/widgets/ui.h"

void ui_init(struct ui *ui, struct term *t, const struct config *c)
{
	*ui = (struct ui){ .term = t, .config = c };
}

void ui_release(struct ui *ui)
{
	strbuf_release(&ui->message);
}

void ui_push(struct ui *ui, struct layer *l)
{
	l->below = ui->top;
	ui->top = l;
}

void ui_pop(struct ui *ui)
{
	ui->top = ui->top->below;
}

static void draw_from(struct layer *l, struct screen *s)
{
	if (!l)
		return;
	draw_from(l->below, s);
	l->draw(l->ctx, s);
}

void ui_put_last(struct screen *s, const char *text, size_t len)
{
	screen_fill(s, s->rows - 1, 0, s->cols, STYLE_NORMAL, " ");
	screen_put(s, s->rows - 1, 0, s->cols - 1, STYLE_NORMAL, text, len);
}

void ui_draw(struct ui *ui)
{
	screen_clear(&ui->term->screen);
	draw_from(ui->top, &ui->term->screen);
	if (ui->message.len)
		ui_put_last(&ui->term->screen, ui->message.buf, ui->message.len);
	term_show(ui->term, false);
}

/* Wait for an event. What is shown may change meanwhile. */
static void rest(struct ui *ui, int timeout, struct term_event *ev)
{
	if (ui->rest)
		ui->rest->begin(ui->rest->ctx);
	term_event(ui->term, timeout, ev);
	if (ui->rest)
		ui->rest->end(ui->rest->ctx);
}

void ui_event(struct ui *ui, int timeout, struct term_event *ev)
{
	/* While keys wait that were typed ahead, nobody would see the screen. */
	term_event(ui->term, 0, ev);
	while (ev->type == TERM_TIMEOUT || ev->type == TERM_RESIZED) {
		ui_draw(ui);
		rest(ui, timeout, ev);
		if (ev->type == TERM_TIMEOUT)
			return;
	}
	strbuf_reset(&ui->message);
}

void ui_say(struct ui *ui, const char *fmt, ...)
{
	va_list ap;

	strbuf_reset(&ui->message);
	va_start(ap, fmt);
	strbuf_vaddf(&ui->message, fmt, ap);
	va_end(ap);
}

void ui_busy(struct ui *ui, const char *fmt, ...)
{
	va_list ap;

	strbuf_reset(&ui->message);
	va_start(ap, fmt);
	strbuf_vaddf(&ui->message, fmt, ap);
	va_end(ap);
	ui_draw(ui);
	strbuf_reset(&ui->message);
}
