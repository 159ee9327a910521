// SPDX-License-Identifier: GPL-2.0-or-later
/* Python 3.8 or later inside a program. */
#include <Python.h>

#if PY_VERSION_HEX < 0x03080000
#error "too old: PyConfig came with 3.8"
#endif

int main(void)
{
	PyConfig config;

	PyConfig_InitPythonConfig(&config);
	return !PyVectorcall_Call;
}
