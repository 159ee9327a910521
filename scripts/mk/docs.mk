# SPDX-License-Identifier: GPL-2.0-or-later
# Man pages: Documentation/perf*.txt (asciidoc) to $(O)/man/perf*.1, where asciidoctor is installed.

MAN_SRC := $(wildcard Documentation/perf*.txt)
ASCIIDOCTOR ?= $(if $(NO_BUILD),,$(firstword $(foreach d,$(subst :, ,$(PATH)),$(wildcard $(d)/asciidoctor))))
ifneq ($(ASCIIDOCTOR),)
MAN_PAGES := $(patsubst Documentation/%.txt,$(O)/man/%.1,$(MAN_SRC))
endif

# One run for all of them: starting the converter costs more than a page does.
$(O)/man/.done: $(MAN_SRC)
	$(say) MAN $(O)/man
	$(Q)mkdir -p $(@D)
	$(Q)$(ASCIIDOCTOR) -b manpage -a reproducible -a 'manmanual=perf' -a 'mansource=perf $(VERSION)' \
		--failure-level WARN -D $(@D) $(MAN_SRC)
	$(Q)touch $@

man: $(if $(MAN_PAGES),$(O)/man/.done)
	$(Q)$(if $(MAN_PAGES),:,echo 'no asciidoctor: man pages are not made')

.PHONY: man
