// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the names that symbols are shown by: demangled, and without what compilers append. */
#include "base/compat.h"
#include "base/alloc.h"
#include "symbol/symbol-internal.h"
#include "symbol/symbol.h"

#include <setjmp.h>
#include <cmocka.h>

static void test_demangle(void **state)
{
	static const char *const table[][2] = {
		{ "_ZN3foo3barEv", "foo::bar" },
		{ "_ZdlPv", "operator delete" },
		{ "_ZdlPv@plt", "operator delete@plt" },
		{ "_ZNK4llvm5Value7getNameEv", "llvm::Value::getName" },
		{ "_ZN1A3fooEv.cold", "A::foo [clone .cold]" },
		{ "_Z3foov.isra.0.cold", "foo [clone .isra.0] [clone .cold]" },
		{ "_Z3foov.part.0@plt", "foo [clone .part.0]@plt" },
		{ "main", NULL },
		{ "", NULL },
		{ "_Z", NULL },
		{ "_Z@plt", NULL },
	};
	char *probe = symbol_demangle("_ZN3foo3barEv"), *text, *big;
	size_t i;

	(void)state;
	if (!probe) { /* built without libiberty */
		skip();
		return;
	}
	free(probe);
	for (i = 0; i < ARRAY_SIZE(table); i++) {
		text = symbol_demangle(table[i][0]);
		if (table[i][1])
			assert_string_equal(text, table[i][1]);
		else
			assert_null(text);
		free(text);
	}
	big = xmalloc(100001);
	memset(big, 'N', 100000);
	memcpy(big, "_ZN", 3);
	big[100000] = '\0';
	assert_null(symbol_demangle(big));
	free(big);
}

static void check_shown(const char *const table[][2], size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		char *text = symbol_demangle(table[i][0]);

		if (table[i][1])
			assert_string_equal(text, table[i][1]);
		else
			assert_null(text);
		free(text);
	}
}

static void test_demangle_ocaml(void **state)
{
	static const char *const table[][2] = {
		{ "camlStdlib__array__map_154", "Stdlib.array.map_154" },
		{ "camlStdlib__bytes__$2b$2b_2205", "Stdlib.bytes.++_2205" },
		{ "camlStdlib__anon_fn$5bstdlib$2eml$3a334$2c0$2d$2d54$5d_1453",
		  "Stdlib.anon_fn[stdlib.ml:334,0--54]_1453" },
		{ "camlStdlib.List.map_12", "Stdlib.List.map_12" },
		{ "camlFoo.my__own$3d_12", "Foo.my__own=_12" },
		{ "camlFoo$bar_12", "Foo.bar_12" },
		{ "camlFoo$$$2b_12", "Foo.+_12" },
		{ "camlFoo$add$$2b_12", "Foo.add+_12" },
		{ "camlFoo__bad$", "Foo.bad$" },
		{ "camlFoo__bad$0", "Foo.bad$0" },
		{ "camlFoo__bad$00", "Foo.bad$00" },
		{ "camlFoo__bad$zz", "Foo.bad$zz" },
		{ "caml_alloc_small", NULL },
		{ "caml", NULL },
		{ "camel", NULL },
	};

	(void)state;
	check_shown(table, ARRAY_SIZE(table));
	assert_true(sym_text_is_mangled("camlFoo__x"));
	assert_false(sym_text_is_mangled("camlfoo"));
	assert_false(sym_text_is_mangled("caml"));
}

static void test_demangle_java(void **state)
{
	static const char *const table[][2] = {
		{ "Ljava/lang/String;hashCode()I", "java.lang.String.hashCode()" },
		{ "Lpkg/Foo;.bar(I)V", "pkg.Foo.bar(int)" },
		{ "Lpkg/Foo;::bar(I)V", "pkg.Foo::bar(int)" },
		{ "Lpkg/Foo;<init>()V", "pkg.Foo<init>()" },
		{ "Lpkg/Foo;lambda$0([[ILx/Y;)V", "pkg.Foo.lambda$0(int[][], x.Y)" },
		{ "Lpkg/Foo;bar", NULL },
	};

	(void)state;
	check_shown(table, ARRAY_SIZE(table));
}

static void test_bare_names(void **state)
{
	static const char *const table[][2] = {
		{ "A::foo [clone .isra.0] [clone .cold]", "A::foo" },
		{ "plain.cold", "plain" },
		{ "plain.part.0.cold", "plain" },
		{ "plain.llvm.123", "plain" },
		{ "core::fmt::write", "core::fmt::write" },
		{ "a.colder", "a.colder" },
		{ ".cold", ".cold" },
		{ "x.y.constprop.2", "x.y" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		char *name = xstrdup(table[i][0]);

		bare_name(name);
		assert_string_equal(name, table[i][1]);
		free(name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_demangle),
		cmocka_unit_test(test_demangle_ocaml),
		cmocka_unit_test(test_demangle_java),
		cmocka_unit_test(test_bare_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
