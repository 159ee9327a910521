# SPDX-License-Identifier: GPL-2.0-or-later
# The page of `perf report --html`: its frame, style and script (util/export/page) become bytes in the binary.

PAGE_SCRIPTS := data who derive groups model tree timetree paint flame strip table views calltree transforms main
PAGE_INC := $(addprefix $(O)/include/export/page-,frame.inc style.inc script.inc)
$(O)/include/export/page-frame.inc: util/export/page/page.html
$(O)/include/export/page-style.inc: util/export/page/page.css
$(O)/include/export/page-script.inc: $(PAGE_SCRIPTS:%=util/export/page/%.js)
$(PAGE_INC): scripts/mk/page.mk
	$(say) BYTES $@
	$(Q)mkdir -p $(@D)
	$(Q)cat $(filter-out %.mk,$^) | od -An -v -td1 | sed 's/[-0-9]\{1,\}/&,/g' >$@
$(O)/util/export/page-bytes.o: $(PAGE_INC)
