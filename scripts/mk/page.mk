# SPDX-License-Identifier: GPL-2.0-or-later
# The page of `perf report --html`: its frame, style and script (util/output/page) become bytes in the binary.

PAGE_SCRIPTS := data model tree paint flame strip table views main
PAGE_INC := $(addprefix $(O)/include/output/page-,frame.inc style.inc script.inc)
$(O)/include/output/page-frame.inc: util/output/page/page.html
$(O)/include/output/page-style.inc: util/output/page/page.css
$(O)/include/output/page-script.inc: $(PAGE_SCRIPTS:%=util/output/page/%.js)
$(PAGE_INC): scripts/mk/page.mk
	$(say) BYTES $@
	$(Q)mkdir -p $(@D)
	$(Q)cat $(filter-out %.mk,$^) | od -An -v -td1 | sed 's/[-0-9]\{1,\}/&,/g' >$@
$(O)/util/output/page-bytes.o: $(PAGE_INC)
