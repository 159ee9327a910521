# SPDX-License-Identifier: GPL-2.0-or-later
# The script of the picture of `perf report --flamegraph` becomes bytes in the binary.

SVG_INC := $(O)/include/export/flamegraph-script.inc
$(SVG_INC): util/export/flamegraph.js scripts/mk/svg.mk
	$(say) BYTES $@
	$(Q)mkdir -p $(@D)
	$(Q)cat $< | od -An -v -td1 | sed 's/[-0-9]\{1,\}/&,/g' >$@
$(O)/util/export/svg.o: $(SVG_INC)
