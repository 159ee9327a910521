// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is a configuration of a daemon, and a request that its socket gets. */
#include "base/compat.h"
#include "daemon/config.h"
#include "daemon/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_config(const char *text, size_t size)
{
	struct daemon_config d;
	struct config c;
	unsigned int line;

	config_init(&c);
	config_parse(&c, text, size, &line);
	daemon_config_read(&d, &c);
	for (u32 i = 0; i < d.nr_sessions; i++) {
		struct names words = { 0 };

		if (strpbrk(d.sessions[i].name, "/.") ||
		    daemon_words(d.sessions[i].run, &words, NULL))
			abort();
		names_release(&words);
	}
	daemon_config_release(&d);
	config_release(&c);
}

/* A request that is understood, written again, says the same. */
static void read_request(const char *line, size_t size)
{
	struct daemon_request r, back;
	struct strbuf out = STRBUF_INIT;

	if (!request_parse(&r, line, size) && !request_put(&r, &out) &&
	    (request_parse(&back, strbuf_str(&out), out.len - 1) || back.verb != r.verb ||
	     strcmp(back.session, r.session) || strcmp(back.separator, r.separator)))
		abort();
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_config((const char *)data, size);
	read_request((const char *)data, size);
	return 0;
}
