/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Windows in the middle of the screen: text, a menu, a line to type. Each waits until it is
 * answered. */
#ifndef PERF_UI_WIDGETS_POPUP_H
#define PERF_UI_WIDGETS_POPUP_H

#include "ui/widgets/ui.h"

/** popup_text - show text that may have more lines than the screen, until a key is pressed that
 * does not scroll. */
void popup_text(struct ui *ui, const char *title, const char *text);
/**
 * popup_menu - let the user choose.
 * @items: borrowed; @at: the one that is selected first
 * Return: the number of the item, -1: none (ESC, q, the left arrow).
 */
int popup_menu(struct ui *ui, const char *title, const char *const *items, size_t nr, size_t at);
/**
 * popup_input - let the user change a line of text.
 * Return: true: ENTER ended it; false: ESC did, and @text is as it was.
 */
bool popup_input(struct ui *ui, const char *title, struct strbuf *text);
/** popup_edit - change a line of text by a key: characters, BACKSPACE, CTRL+u. Return: false: the
 * key changes no text. */
bool popup_edit(struct strbuf *text, u32 key);

#endif
