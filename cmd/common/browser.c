// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/browser.h"

#include "cmd/common/message.h"
#include "cmd/common/settings.h"

bool browser_wanted(const char *command, bool stdio, bool tui)
{
	bool wanted = true;
	char key[64];

	if (stdio || !term_usable())
		return false;
	snprintf(key, sizeof(key), "tui.%s", command);
	config_default_bool(key, &wanted);
	return tui || wanted;
}

bool browser_open(struct ui *ui, bool tui)
{
	struct err err = { 0 };
	struct term *t = term_open(perf_config(), &err);

	if (!t) {
		if (tui)
			error_err(&err);
		return false;
	}
	ui_init(ui, t, perf_config());
	return true;
}

void browser_close(struct ui *ui)
{
	term_close(ui->term);
	ui_release(ui);
}
