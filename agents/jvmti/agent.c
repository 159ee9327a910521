// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An agent for Java: java -agentpath:/usr/lib/libperf-jvmti.so PROGRAM. It writes a jitdump file
 * (util/jit/jitdump.h has the format) of what the compilers of the virtual machine make, so that
 * perf inject --jit can name functions and their lines. Source of the interface: the specification
 * of the JVM Tool Interface, and jvmticmlr.h for inlined methods.
 *
 * The file is mapped executable for a moment, because that is what a recording has of it.
 */
#include "base/compat.h"
#include "dump.h"

#include <jvmti.h>
#include <jvmticmlr.h>

/* A copy of an address of the virtual machine's code, and the line that it is of. */
struct lines {
	struct dump_line *v;
	size_t nr, cap;
};

/* The lines of one method. All of it is owned, and given back by method_release(). */
struct method {
	jmethodID id;
	char *file; /* "org/foo/Bar.java" */
	jvmtiLineNumberEntry *table;
	jint nr;
};

static struct dump dump = DUMP_INIT;

static void give_back(jvmtiEnv *env, void *p)
{
	if (p)
		(*env)->Deallocate(env, p);
}

/* --- names ----------------------------------------------------------------------------- */

/* Return "org/foo/" of "Lorg/foo/Bar;" and the name of the source file, or NULL. */
static char *source_path(jvmtiEnv *env, jclass class)
{
	char *sign = NULL, *file = NULL, *path = NULL, *slash;

	if (!(*env)->GetClassSignature(env, class, &sign, NULL) &&
	    !(*env)->GetSourceFileName(env, class, &file)) {
		slash = strrchr(sign, '/');
		if (asprintf(&path, "%.*s%s", slash ? (int)(slash - sign) : 0, sign + 1, file) < 0)
			path = NULL;
	}
	give_back(env, sign);
	give_back(env, file);
	return path;
}

/* Return the name in the form "Lorg/foo/Bar;method(I)V", which perf demangles; NULL: unknown. */
static char *full_name(jvmtiEnv *env, jmethodID id)
{
	char *class_sign = NULL, *name = NULL, *sign = NULL, *full = NULL;
	jclass class;

	if (!(*env)->GetMethodDeclaringClass(env, id, &class) &&
	    !(*env)->GetClassSignature(env, class, &class_sign, NULL) &&
	    !(*env)->GetMethodName(env, id, &name, &sign, NULL) &&
	    asprintf(&full, "%s%s%s", class_sign, name, sign) < 0)
		full = NULL;
	give_back(env, class_sign);
	give_back(env, name);
	give_back(env, sign);
	return full;
}

/* --- lines ----------------------------------------------------------------------------- */

static void method_release(jvmtiEnv *env, struct method *m)
{
	free(m->file);
	give_back(env, m->table);
	*m = (struct method){ .id = NULL };
}

/* Get the lines of a method, unless @m has them already. Return: false when it has none. */
static bool method_load(jvmtiEnv *env, struct method *m, jmethodID id)
{
	jclass class;

	if (m->id == id)
		return m->file && m->nr;
	method_release(env, m);
	m->id = id;
	if ((*env)->GetMethodDeclaringClass(env, id, &class) ||
	    (*env)->GetLineNumberTable(env, id, &m->nr, &m->table)) {
		m->nr = 0;
		return false;
	}
	m->file = source_path(env, class);
	return m->file && m->nr;
}

/* Return the line of a bytecode: that of the last entry which begins before or at it. The table
 * need not be sorted. */
static jint line_of(const struct method *m, jlocation at)
{
	const jvmtiLineNumberEntry *best = NULL;

	for (jint i = 0; i < m->nr; i++)
		if (m->table[i].start_location <= at &&
		    (!best || m->table[i].start_location > best->start_location))
			best = &m->table[i];
	return best ? best->line_number : 0;
}

static void add_line(jvmtiEnv *env, struct lines *l, struct method *m, jmethodID id, const void *pc,
		     jlocation at)
{
	struct dump_line line = { .addr = (u64)(uintptr_t)pc };
	struct dump_line *more;

	if (at < 0 || !method_load(env, m, id))
		return;
	line.line = (u32)line_of(m, at);
	line.file = line.line ? strdup(m->file) : NULL;
	if (l->nr == l->cap) {
		more = reallocarray(l->v, l->cap * 2 + 16, sizeof(*more));
		if (!more) {
			free(line.file);
			return;
		}
		l->v = more;
		l->cap = l->cap * 2 + 16;
	}
	if (line.file)
		l->v[l->nr++] = line;
}

/* Take the lines of the innermost methods of what was inlined. Return: false when nothing is told
 * of that. */
static bool inlined_lines(jvmtiEnv *env, struct lines *l, const void *info)
{
	const jvmtiCompiledMethodLoadRecordHeader *r = info;
	struct method m = { .id = NULL };
	bool any = false;

	for (; r; r = r->next) {
		const jvmtiCompiledMethodLoadInlineRecord *in = (const void *)r;

		if (r->kind != JVMTI_CMLR_INLINE_INFO)
			continue;
		any |= in->numpcs > 0;
		for (jint i = 0; i < in->numpcs; i++)
			if (in->pcinfo[i].numstackframes > 0)
				add_line(env, l, &m, in->pcinfo[i].methods[0], in->pcinfo[i].pc,
					 in->pcinfo[i].bcis[0]);
	}
	method_release(env, &m);
	return any;
}

static void plain_lines(jvmtiEnv *env, struct lines *l, jmethodID id,
			const jvmtiAddrLocationMap *map, jint nr)
{
	struct method m = { .id = NULL };

	for (jint i = 0; map && i < nr; i++)
		add_line(env, l, &m, id, map[i].start_address, map[i].location);
	method_release(env, &m);
}

/* The virtual machine tells no line of the code in front of its first address, which sets up the
 * frame: that is of the line where the method begins. */
static void first_line(jvmtiEnv *env, struct lines *l, jmethodID id, const void *code)
{
	struct method m = { .id = NULL };

	add_line(env, l, &m, id, code, 0);
	method_release(env, &m);
}

static void lines_release(struct lines *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free(l->v[i].file);
	free(l->v);
}

/* --- what the virtual machine tells ---------------------------------------------------- */

static void JNICALL on_method(jvmtiEnv *env, jmethodID id, jint size, const void *code, jint nr_map,
			      const jvmtiAddrLocationMap *map, const void *info)
{
	struct lines l = { .v = NULL };
	char *name = full_name(env, id);

	first_line(env, &l, id, code);
	if (!inlined_lines(env, &l, info))
		plain_lines(env, &l, id, map, nr_map);
	dump_code(&dump, name ? name : "unknown method", code, (u64)size, l.v, l.nr);
	lines_release(&l);
	free(name);
}

/* This is called for stubs, the interpreter, and the like. */
static void JNICALL on_code(jvmtiEnv *env __unused, const char *name, const void *code, jint size)
{
	dump_code(&dump, name, code, (u64)size, NULL, 0);
}

static jint start(JavaVM *vm, const char *options, bool running)
{
	const jvmtiCapabilities wanted = { .can_generate_compiled_method_load_events = 1,
					   .can_get_line_numbers = 1,
					   .can_get_source_file_name = 1 };
	const jvmtiEventCallbacks callbacks = { .CompiledMethodLoad = on_method,
						.DynamicCodeGenerated = on_code };
	static const jvmtiEvent events[] = { JVMTI_EVENT_COMPILED_METHOD_LOAD,
					     JVMTI_EVENT_DYNAMIC_CODE_GENERATED };
	void *got = NULL;
	jvmtiEnv *env;

	if ((*vm)->GetEnv(vm, &got, JVMTI_VERSION_1_1) != JNI_OK) {
		fprintf(stderr, "perf's agent: this virtual machine has no JVMTI 1.1\n");
		return JNI_ERR;
	}
	env = got;
	if ((*env)->AddCapabilities(env, &wanted) ||
	    (*env)->SetEventCallbacks(env, &callbacks, sizeof(callbacks))) {
		fprintf(stderr,
			"perf's agent: this virtual machine does not tell of compiled code\n");
		return JNI_ERR;
	}
	if (!dump_open(&dump, options))
		return JNI_ERR;
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		(*env)->SetEventNotificationMode(env, JVMTI_ENABLE, events[i], NULL);
		/* it has told of some code before we came */
		if (running)
			(*env)->GenerateEvents(env, events[i]);
	}
	return JNI_OK;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved __unused)
{
	return start(vm, options, false);
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved __unused)
{
	return start(vm, options, true);
}

JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm __unused)
{
	dump_close(&dump);
}
