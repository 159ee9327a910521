# SPDX-License-Identifier: GPL-2.0-or-later
# make install [prefix=/usr/local] [DESTDIR=dir]; make uninstall takes the same and removes the same.
# BINARY=file MODULE=file: a perf, and a module for Python, that were built already, for that prefix
# (scripts/mk/deb.mk).

prefix ?= /usr/local
bindir ?= $(prefix)/bin
libdir ?= $(prefix)/lib
libexecdir ?= $(prefix)/libexec
mandir ?= $(prefix)/share/man
bash_completion_dir ?= $(prefix)/share/bash-completion/completions
zsh_completion_dir ?= $(prefix)/share/zsh/site-functions
fish_completion_dir ?= $(prefix)/share/fish/vendor_completions.d
docdir ?= $(prefix)/share/doc/perf
systemddir ?= $(prefix)/lib/systemd/system
perfexecdir = $(libexecdir)/perf-core
perflibdir = $(libdir)/perf

INSTALL ?= install
SCRIPT_FILES := $(wildcard scripts/python/*.py scripts/python/bin/* scripts/perl/*.pl scripts/perl/bin/* \
	scripts/python/Perf-Trace-Util/lib/Perf/Trace/*.py scripts/perl/Perf-Trace-Util/lib/Perf/Trace/*.pm \
	scripts/strace/groups/*)
DOC_FILES := $(wildcard README.md COPYING Documentation/*.md)

# The module is a package of one file: a folder goes before another perf's module beside it, and stubs
# for type checkers belong in one.
install_module = $(INSTALL) -d '$(DESTDIR)$(pythondir)/perf' && \
	$(INSTALL) -m 644 $(1) '$(DESTDIR)$(pythondir)/perf/__init__.abi3.so' && \
	$(INSTALL) -m 644 python/perf.pyi '$(DESTDIR)$(pythondir)/perf/__init__.pyi' && \
	$(INSTALL) -m 644 /dev/null '$(DESTDIR)$(pythondir)/perf/py.typed'

install: $(or $(BINARY),all python) engines agents man completion
	$(Q)$(INSTALL) -d '$(DESTDIR)$(bindir)' '$(DESTDIR)$(perfexecdir)' '$(DESTDIR)$(docdir)' \
		'$(DESTDIR)$(bash_completion_dir)' '$(DESTDIR)$(zsh_completion_dir)' \
		'$(DESTDIR)$(fish_completion_dir)' '$(DESTDIR)$(systemddir)'
	$(Q)$(INSTALL) -m 755 $(or $(BINARY),$(O)/perf) '$(DESTDIR)$(bindir)/perf'
	$(Q)$(if $(ENGINES)$(AGENTS),$(INSTALL) -d '$(DESTDIR)$(perflibdir)' && \
		$(INSTALL) -m 644 $(ENGINES) $(AGENTS) '$(DESTDIR)$(perflibdir)/')
	$(Q)$(INSTALL) -m 644 $(O)/completion/perf.bash '$(DESTDIR)$(bash_completion_dir)/perf'
	$(Q)$(INSTALL) -m 644 $(O)/completion/_perf '$(DESTDIR)$(zsh_completion_dir)/_perf'
	$(Q)$(INSTALL) -m 644 $(O)/completion/perf.fish '$(DESTDIR)$(fish_completion_dir)/perf.fish'
	$(Q)sed 's|@bindir@|$(bindir)|' scripts/systemd/perf-daemon.service >'$(DESTDIR)$(systemddir)/perf-daemon.service'
	$(Q)$(foreach f,$(SCRIPT_FILES),$(INSTALL) -D -m $(if $(findstring /bin/,$(f)),755,644) $(f) \
		'$(DESTDIR)$(perfexecdir)/$(f)' &&) :
	$(Q)$(INSTALL) -m 644 $(DOC_FILES) '$(DESTDIR)$(docdir)/'
	$(Q)$(if $(MAN_PAGES),$(INSTALL) -d '$(DESTDIR)$(mandir)/man1' && \
		$(INSTALL) -m 644 $(MAN_PAGES) '$(DESTDIR)$(mandir)/man1/')
	$(Q)$(if $(PYTHON_MODULE),$(call install_module,$(if $(BINARY),$(MODULE),$(PYTHON_MODULE))))
	$(say) INSTALL '$(DESTDIR)$(bindir)/perf'

# What install wrote, and the folders that are then empty.
uninstall:
	$(Q)rm -f '$(DESTDIR)$(bindir)/perf' '$(DESTDIR)$(bash_completion_dir)/perf' \
		'$(DESTDIR)$(zsh_completion_dir)/_perf' '$(DESTDIR)$(fish_completion_dir)/perf.fish' \
		'$(DESTDIR)$(systemddir)/perf-daemon.service' \
		$(foreach f,$(MAN_SRC),'$(DESTDIR)$(mandir)/man1/$(basename $(notdir $(f))).1')
	$(Q)rm -rf '$(DESTDIR)$(pythondir)/perf' '$(DESTDIR)$(perfexecdir)' '$(DESTDIR)$(perflibdir)' '$(DESTDIR)$(docdir)'

.PHONY: install uninstall
