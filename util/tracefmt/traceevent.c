// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "tracefmt/traceevent-internal.h"

#ifdef HAVE_LIBTRACEEVENT
#include "base/alloc.h"
#include "tracefmt/gate.h"

#include <dlfcn.h>
#include <pthread.h>
#include <traceevent/event-parse.h>

#define LIBRARY "libtraceevent.so.1"

#define CALLS(X)                                                                                   \
	X(tep_alloc)                                                                               \
	X(tep_free)                                                                                \
	X(tep_load_plugins)                                                                        \
	X(tep_unload_plugins)                                                                      \
	X(tep_parse_format)                                                                        \
	X(tep_print_event)                                                                         \
	X(tep_set_file_bigendian)                                                                  \
	X(tep_set_local_bigendian)                                                                 \
	X(tep_set_long_size)                                                                       \
	X(tep_set_function_resolver)                                                               \
	X(tep_set_loglevel)                                                                        \
	X(trace_seq_init)                                                                          \
	X(trace_seq_reset)                                                                         \
	X(trace_seq_destroy)

/* Zero bytes behind a record: what a dynamic field can reach, and a string without an end. */
#define PADDING (3 * GATE_RECORD_MAX)
/* The longest argument of a call, and the zero bytes behind it. */
#define ARG_MAX_BYTES 1024
#define ARG_PADDING 256
#define CPU_MAX 65536

struct te_call {
	const struct tf_expr *x;
	bool text;
	u32 id; /* of the event that makes it; 0: the library does not know the function */
};

struct te {
	pthread_mutex_t lock; /* the library is asked by one thread at a time */
	bool tried;
	void *library;
#define MEMBER(name) __typeof__(&name) name;
	CALLS(MEMBER)
#undef MEMBER
	struct tep_handle *tep; /* NULL: the library is not there */
	struct tep_plugin_list *plugins;
	struct trace_seq seq;
	u8 *record; /* owned: GATE_RECORD_MAX + PADDING bytes, zero from @used on */
	size_t used;
	struct tf_printer *pr; /* of the call under way */
	struct te_call *calls; /* owned */
	size_t nr, cap;
};

struct te *te_new(void)
{
	struct te *te = xzalloc(sizeof(*te));

	pthread_mutex_init(&te->lock, NULL);
	return te;
}

void te_free(struct te *te)
{
	if (te->tep) {
		te->tep_unload_plugins(te->plugins, te->tep);
		te->tep_free(te->tep);
		te->trace_seq_destroy(&te->seq);
	}
	pthread_mutex_destroy(&te->lock);
	free(te->record);
	free(te->calls);
	free(te);
}

/* ------------------------------------------------------------------ loading */

/* Plugins take the library's functions from the process, so they are made global; and the library
 * stays, as plugins may be used by another set of formats. */
static bool load_functions(struct te *te)
{
	te->library = dlopen(LIBRARY, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
	if (!te->library)
		return false;
#define FIND(name)                                                                                 \
	te->name = (__typeof__(te->name))dlsym(te->library, #name);                                \
	if (!te->name)                                                                             \
		return false;
	CALLS(FIND)
#undef FIND
	return true;
}

/* Answer plugins that ask for names of functions; a tep_func_resolver_t. */
static char *resolve(void *ctx, unsigned long long *addr, char **module)
{
	const struct te *te = ctx;
	u64 start = *addr;
	const char *name = te->pr && te->pr->ksym ? te->pr->ksym(te->pr->ksym_ctx, *addr, &start)
						  : NULL;

	*module = NULL;
	*addr = start;
	return (char *)name;
}

static bool load(struct te *te, const struct tracefmt *tf)
{
	enum tep_endian file = tf->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN;
	enum tep_endian other = tf->big_endian ? TEP_LITTLE_ENDIAN : TEP_BIG_ENDIAN;

	if (te->tried)
		return te->tep;
	te->tried = true;
	if (!load_functions(te))
		return false;
	te->tep_set_loglevel(TEP_LOG_NONE);
	te->tep = te->tep_alloc();
	if (!te->tep)
		return false;
	te->tep_set_file_bigendian(te->tep, file);
	te->tep_set_local_bigendian(te->tep, tf->swap ? other : file);
	te->tep_set_long_size(te->tep, (int)tf->long_size);
	te->tep_set_function_resolver(te->tep, resolve, te);
	te->plugins = te->tep_load_plugins(te->tep);
	te->trace_seq_init(&te->seq);
	te->record = xzalloc(GATE_RECORD_MAX + PADDING);
	return true;
}

/* ------------------------------------------------------------------ what it does */

static struct tep_event *parse(struct te *te, const char *system, const struct strbuf *text)
{
	struct tep_event *event = NULL;

	if (te->tep_parse_format(te->tep, &event, strbuf_str(text), text->len, system) || !event ||
	    event->flags & TEP_EVENT_FL_FAILED)
		return NULL;
	return event;
}

/* The event that makes a call. Return: its id, 0 when the library does not know the function. */
static u32 call_id(struct te *te, const struct tf_expr *x, bool text)
{
	u32 id = GATE_FIRST_CALL + (u32)te->nr;
	struct strbuf format = STRBUF_INIT;

	for (size_t i = 0; i < te->nr; i++)
		if (te->calls[i].x == x && te->calls[i].text == text)
			return te->calls[i].id;
	if (id > UINT16_MAX)
		return 0;
	gate_call_format(x, id, text, &format);
	if (!parse(te, "calls", &format))
		id = 0;
	strbuf_release(&format);
	VEC_GROW(te->calls, te->nr + 1, te->cap);
	te->calls[te->nr++] = (struct te_call){ x, text, id };
	return id;
}

/* Tell whether the format is one of the running kernel, which knows what its functions take. */
static bool is_running(const struct tf_event *ev)
{
	struct strbuf text = STRBUF_INIT;
	bool same = !format_read_running(NULL, ev->system, ev->name, &text) &&
		    text.len == ev->text_len && !memcmp(strbuf_str(&text), ev->text, text.len);

	strbuf_release(&text);
	return same;
}

static bool knows_calls(struct te *te, const struct tf_event *ev)
{
	for (const struct tf_expr *x = ev->calls; x; x = x->next)
		if (!(gate_call(x, false) || (gate_call(x, true) && is_running(ev))) ||
		    !call_id(te, x, true))
			return false;
	return ev->calls;
}

u8 te_ask(const struct tf_event *ev)
{
	struct te *te = ev->tf->te;
	struct strbuf format = STRBUF_INIT;
	u8 does = TE_ASKED;

	pthread_mutex_lock(&te->lock);
	if (!atomic_load(&ev->te->does)) {
		if (load(te, ev->tf) && gate_format(ev, &format))
			ev->te->tep = parse(te, ev->system, &format);
		if (ev->te->tep && ev->te->tep->handler)
			does |= TE_OVERRIDES;
		if (te->tep && knows_calls(te, ev))
			does |= TE_CALLS;
		atomic_store_explicit(&ev->te->does, does, memory_order_release);
	}
	pthread_mutex_unlock(&te->lock);
	strbuf_release(&format);
	return atomic_load(&ev->te->does);
}

/* ------------------------------------------------------------------ printing */

/* Append what the library printed; the characters of a plugin may be zero bytes. */
static void put_printed(const struct te *te, struct strbuf *out)
{
	if (te->seq.state == TRACE_SEQ__GOOD)
		put_foreign(out, (const u8 *)te->seq.buffer, strnlen(te->seq.buffer, te->seq.len));
}

bool te_print(const struct tf_ctx *c, struct strbuf *out)
{
	struct te *te = c->ev->tf->te;
	struct tep_event *event = c->ev->te->tep;
	struct tep_record record = { .size = (int)c->size, .record_size = (int)c->size };
	bool more;

	if (!gate_record(c->ev, c->raw, c->size))
		return false;
	pthread_mutex_lock(&te->lock);
	memcpy(te->record, c->raw, c->size);
	if (te->used > c->size)
		memset(te->record + c->size, 0, te->used - c->size);
	te->used = c->size;
	record.data = te->record;
	record.cpu = c->pr->cpu < CPU_MAX ? (int)c->pr->cpu : 0;
	te->pr = c->pr;
	te->trace_seq_reset(&te->seq);
	more = event->handler(&te->seq, &record, event, event->context);
	te->pr = NULL;
	put_printed(te, out);
	pthread_mutex_unlock(&te->lock);
	return !more;
}

static void store(const struct tracefmt *tf, u8 *p, u64 v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		p[tf->big_endian ? size - 1 - i : i] = (u8)(v >> 8 * i);
}

/* The bytes of an argument behind what is at @end. Return: the new end. */
static size_t store_bytes(const struct tf_ctx *c, const struct tf_expr *x, u8 *data, u8 *loc,
			  size_t end)
{
	size_t len = 0;
	const u8 *p;

	while (x->kind == X_CAST)
		x = x->a;
	p = x->kind == X_STR ? (const u8 *)x->str : tf_bytes(c, x, &len);
	len = MIN(x->kind == X_STR ? x->len : len, (size_t)ARG_MAX_BYTES);
	if (p)
		memcpy(data + end, p, len);
	store(c->ev->tf, loc, end | len << 16, 4);
	return end + len + ARG_PADDING;
}

/* Have the library make a call; its text is in te->seq. te->lock is held when it returns. */
static void call(const struct tf_ctx *c, const struct tf_expr *x, bool text)
{
	u8 data[GATE_ARGS_AT + GATE_MAX_ARGS * (8 + ARG_MAX_BYTES + ARG_PADDING)] = { 0 };
	size_t end = GATE_ARGS_AT + 8 * (size_t)x->nr_args;
	struct tep_record record = { .data = data };
	struct te *te = c->ev->tf->te;
	u32 id;

	for (u32 i = 0; i < x->nr_args; i++) {
		u8 *arg = data + GATE_ARGS_AT + 8 * i;

		if (gate_arg(x->args[i]) == GATE_NUMBER)
			store(c->ev->tf, arg, tf_eval(c, x->args[i]), 8);
		else
			end = store_bytes(c, x->args[i], data, arg, end);
	}
	record.size = record.record_size = (int)end;
	pthread_mutex_lock(&te->lock);
	id = call_id(te, x, text);
	store(c->ev->tf, data, id, 2);
	te->pr = c->pr;
	te->trace_seq_reset(&te->seq);
	if (id)
		te->tep_print_event(te->tep, &te->seq, &record, "%s", TEP_PRINT_INFO);
	te->pr = NULL;
}

u64 te_call_value(const struct tf_ctx *c, const struct tf_expr *x)
{
	struct te *te = c->ev->tf->te;
	char digits[20] = "";

	call(c, x, false);
	memcpy(digits, te->seq.buffer, MIN((size_t)te->seq.len, sizeof(digits) - 1));
	pthread_mutex_unlock(&te->lock);
	return strtoull(digits, NULL, 16);
}

void te_call_text(const struct tf_ctx *c, const struct tf_expr *x, struct strbuf *out)
{
	struct te *te = c->ev->tf->te;

	call(c, x, true);
	put_printed(te, out);
	pthread_mutex_unlock(&te->lock);
}

#else

struct te *te_new(void)
{
	return NULL;
}

void te_free(struct te *te)
{
}

u8 te_ask(const struct tf_event *ev)
{
	atomic_store(&ev->te->does, TE_ASKED);
	return TE_ASKED;
}

bool te_print(const struct tf_ctx *c, struct strbuf *out)
{
	return false;
}

u64 te_call_value(const struct tf_ctx *c, const struct tf_expr *x)
{
	return 0;
}

void te_call_text(const struct tf_ctx *c, const struct tf_expr *x, struct strbuf *out)
{
}

#endif
