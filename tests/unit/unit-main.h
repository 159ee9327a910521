/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tests of a room are linked into one program, which is started by the name of one of its
 * sources (tests/unit/choose.c). Each source is compiled with this header before it: its main()
 * gets local to it and tells its address when the program starts. All are compiled with the same
 * flags, so that one process of the compiler can take many of them.
 */
#ifndef TESTS_UNIT_MAIN_H
#define TESTS_UNIT_MAIN_H

/** struct unit_source - a source that has tests, and its main(). */
struct unit_source {
	const char *file;
	int (*run)(void);
	struct unit_source *next;
};

/** unit_sources - those that are linked, in no order; choose.c has it. */
extern struct unit_source *unit_sources;

int unit_declared(void);

/* "int" of "int main(void)" is before it. */
#define main(parameters)                                                                           \
	unit_declared(void);                                                                       \
	static int unit_main(void);                                                                \
	static void __attribute__((constructor)) unit_tell(void)                                   \
	{                                                                                          \
		static struct unit_source source = { .file = __FILE__, .run = unit_main };         \
                                                                                                   \
		source.next = unit_sources;                                                        \
		unit_sources = &source;                                                            \
	}                                                                                          \
	static int unit_main(void)

#endif
