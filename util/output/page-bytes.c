// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of the page as the build makes them (scripts/mk/page.mk). */
#include "base/compat.h"

#include "output/page.h"

const char page_frame[] = {
#include "output/page-frame.inc"
	0
};

const char page_style[] = {
#include "output/page-style.inc"
	0
};

const char page_script[] = {
#include "output/page-script.inc"
	0
};
