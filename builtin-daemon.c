// SPDX-License-Identifier: GPL-2.0-or-later
/* perf daemon: start the daemon that keeps recordings running, and ask it. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/commands.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"

#include "base/alloc.h"
#include "daemon/client.h"
#include "daemon/server.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const usage[] = {
	"perf daemon {start|signal|ping|status|stop} [<options>]",
	"perf daemon [<options>]",
	NULL,
};

/* The command line says this. */
struct command_line {
	const char *base, *config, *session, *separator;
	int verbose;
	bool foreground, json;
};

#define COMMON_OPTIONS(c)                                                                          \
	OPT_INCR('v', "verbose", &(c)->verbose, "be more verbose"),                                \
		OPT_STRING_OPTARG('x', "field-separator", &(c)->separator, "field separator",      \
				  "print counts with custom separator", ","),                      \
		OPT_STRING(0, "base", &(c)->base, "directory", "base directory"),                  \
		OPT_STRING(0, "config", &(c)->config, "config file", "config file path")

/* Print what failed as other versions do. */
static int failed(const struct err *err)
{
	fprintf(stderr, "failed: %s\n", err->msg);
	return EXIT_FAILED;
}

/* ---- the configuration ---- */

/* It is a daemon_server_opts.load(). */
static int load(void *ctx, struct daemon_config *out, struct err *err)
{
	const struct command_line *c = ctx;

	return daemon_config_load(out, c->config, system_config(), true, err);
}

static char *absolute(const char *path)
{
	char *dir = *path == '/' ? NULL : realpath(".", NULL), *out;

	out = dir ? xasprintf("%s/%s", dir, path) : xstrdup(path);
	free(dir);
	return out;
}

/* Return the base directory that was named, or the configuration's; the caller frees it. */
static char *find_base(struct command_line *c, struct err *err)
{
	struct daemon_config config = { 0 };
	char *base = NULL;

	if (c->base)
		return absolute(c->base);
	if (daemon_config_load(&config, c->config, system_config(), false, err))
		return NULL;
	if (config.base && *config.base)
		base = absolute(config.base);
	else
		err_set(err, -ENOENT,
			"no base directory: config not found, or it has no daemon.base; give one "
			"with --base DIR");
	daemon_config_release(&config);
	return base;
}

/* ---- verbs ---- */

static int serve(struct command_line *c, const struct daemon_server_opts *o)
{
	struct daemon_server *d = NULL;
	struct err err = { 0 };
	int rc = daemon_server_open(&d, o, &err);

	if (!rc && !c->foreground)
		rc = daemon_server_detach(d, &err);
	if (!rc)
		rc = daemon_server_run(d, &err);
	daemon_server_close(d);
	return rc < 0 ? failed(&err) : EXIT_OK;
}

static int run_start(struct command_line *c)
{
	struct err err = { 0 };
	struct daemon_config config = { 0 };
	char *file = c->config ? absolute(c->config) : NULL;
	char *user = config_path(CONFIG_ALL, system_config());
	const char *const files[] = { file ?: user ?: system_config(), system_config() };
	const struct sysroot here = { 0 };
	struct daemon_server_opts o = {
		.sysroot = &here, .files = files, .nr_files = file ? 1 : 2, .load = load, .ctx = c
	};
	char *base = NULL;
	int ret;

	c->config = file;
	if (!c->foreground)
		close_range(STDERR_FILENO + 1, ~0U, 0); /* a daemon keeps nothing of the caller's */
	if (!load(c, &config, &err) && (base = find_base(c, &err))) {
		o.base = base;
		ret = serve(c, &o);
	} else {
		ret = failed(&err);
	}
	daemon_config_release(&config);
	free(base);
	free(user);
	free(file);
	return ret;
}

static int ask(struct command_line *c, struct daemon_request *r)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	char *base = find_base(c, &err);
	int rc = base ? 0 : -ENOENT;

	if (c->session && strlen(c->session) >= sizeof(r->session))
		rc = err_set(&err, -EINVAL, "the name of the session is too long");
	snprintf(r->session, sizeof(r->session), "%s", c->session ?: "");
	rc = rc ?: daemon_ask(base, r, &text, &err);
	free(base);
	print_text(&text);
	return rc < 0 ? failed(&err) : rc ? EXIT_FAILED : EXIT_OK;
}

static int run_list(struct command_line *c)
{
	struct daemon_request r = { .verb = REQUEST_LIST, .verbose = c->verbose };

	snprintf(r.separator, sizeof(r.separator), "%s", c->separator ?: "");
	return ask(c, &r);
}

static int run_status(struct command_line *c)
{
	struct daemon_request r = { .verb = REQUEST_STATUS };

	snprintf(r.separator, sizeof(r.separator), "%s", c->json ? "json" : "");
	return ask(c, &r);
}

static int run_signal(struct command_line *c)
{
	return ask(c, &(struct daemon_request){ .verb = REQUEST_SIGNAL });
}

static int run_ping(struct command_line *c)
{
	return ask(c, &(struct daemon_request){ .verb = REQUEST_PING });
}

static int run_stop(struct command_line *c)
{
	return ask(c, &(struct daemon_request){ .verb = REQUEST_STOP });
}

int cmd_daemon(int argc, const char **argv)
{
	static const char *const subcommands[] = {
		"start", "signal", "ping", "status", "stop", NULL
	};
	struct command_line c = { 0 };
	const struct option common[] = { COMMON_OPTIONS(&c), OPT_END() };
	const struct option start[] = {
		OPT_BOOLEAN('f', "foreground", &c.foreground, "stay on console"), OPT_PARENT(common)
	};
	const struct option session[] = { OPT_STRING(0, "session", &c.session, "session",
						     "ask only this session"),
					  OPT_PARENT(common) };
	const struct option status[] = { OPT_BOOLEAN('j', "json", &c.json, "print a JSON object"),
					 OPT_PARENT(common) };
	const struct {
		const char *name;
		const struct option *options;
		int (*run)(struct command_line *c);
	} verbs[] = {
		{ "start", start, run_start }, { "signal", session, run_signal },
		{ "ping", session, run_ping }, { "status", status, run_status },
		{ "stop", common, run_stop },
	};

	argc = parse_options_subcommand(argc, argv, common, subcommands, usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	if (!argc)
		return run_list(&c);
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(argv[0], verbs[i].name))
			continue;
		if (parse_options(argc, argv, verbs[i].options, usage, 0))
			usage_with_options(usage, verbs[i].options);
		return verbs[i].run(&c);
	}
	fprintf(stderr, "failed: unknown command '%s'\n", argv[0]);
	return EXIT_FAILED;
}
