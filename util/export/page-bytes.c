// SPDX-License-Identifier: GPL-2.0-or-later
/* Hold the parts of the page, which the build converts to bytes (scripts/mk/page.mk). */
#include "base/compat.h"

#include "export/page.h"

const char page_frame[] = {
#include "export/page-frame.inc"
	0
};

const char page_style[] = {
#include "export/page-style.inc"
	0
};

const char page_script[] = {
#include "export/page-script.inc"
	0
};
