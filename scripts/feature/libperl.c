// SPDX-License-Identifier: GPL-2.0-or-later
/* Perl 5 inside a program. */
#include <stddef.h>

#include <EXTERN.h>
#include <perl.h>

#if UVSIZE < 8
#error "fields have 64 bits"
#endif

int main(void)
{
	PerlInterpreter *interpreter = perl_alloc();

	perl_construct(interpreter);
	return perl_parse(interpreter, NULL, 0, NULL, NULL);
}
