// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

int main(void)
{
	return 0;
}
