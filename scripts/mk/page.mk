# SPDX-License-Identifier: GPL-2.0-or-later
# Pages for a browser: the frame, the style and the scripts of each become bytes in the binary. The pages of
# `report --html` (util/export/page) and `timechart --html` (util/timechart/page) have some of them in common.

PAGE_SCRIPTS := bytes shared data who derive groups model tree timetree paint flame strip table views calltree transforms main
TIMELINE_SCRIPTS := model lane raster rows view list main

PAGE_PARTS := frame.inc style.inc script.inc
PAGE_INC :=

# $(1): room; $(2): the object that has the bytes; $(3): frame; $(4): styles; $(5): scripts
define page
$(O)/include/$(1)/page-frame.inc: $(3)
$(O)/include/$(1)/page-style.inc: $(4)
$(O)/include/$(1)/page-script.inc: $(5)
$(O)/util/$(1)/$(2).o: $(PAGE_PARTS:%=$(O)/include/$(1)/page-%)
PAGE_INC += $(PAGE_PARTS:%=$(O)/include/$(1)/page-%)
endef
$(eval $(call page,export,page-bytes,util/export/page/page.html,util/export/page/page.css,\
	$(PAGE_SCRIPTS:%=util/export/page/%.js)))
$(eval $(call page,timechart,page,util/timechart/page/page.html,util/export/page/page.css util/timechart/page/page.css,\
	$(patsubst %,util/export/page/%.js,bytes shared table) $(TIMELINE_SCRIPTS:%=util/timechart/page/%.js)))

$(PAGE_INC): scripts/mk/page.mk
	$(say) BYTES $@
	$(Q)mkdir -p $(@D)
	$(Q)cat $(filter-out %.mk,$^) | od -An -v -td1 | sed 's/[-0-9]\{1,\}/&,/g' >$@
