#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 1 of 4
test_description='kvm stat: recordings of all machines and both byte orders, as the reference counts them'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON

kernel() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/kvm-kernels.py" "$@"; }
for k in x86 svm arm64 s390 powerpc riscv loongarch; do
	kernel $k.data $k && kernel $k.big.data $k big || exit 1
done
kernel lost.data x86 lost && kernel words.data x86 words bare || exit 1

rep() { local f=$1 && shift && perf kvm -i "$f" stat report "$@" >got 2>err; }
row() { test_grep "^ *$1 *$2 " got; }

test_expect_success 'exits of VMX, in the layout of the reference' '
	rep x86.data && sed -i "s/ \$//" got && cat >want <<-\EOT && test_cmp want got


	Analyze events for all VMs, all VCPUs:

	             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time

	      IO_INSTRUCTION         12    36.36%     0.82%      2.25us      8.25us      5.25us ( +-  12.84% )
	       EPT_VIOLATION          9    27.27%     0.82%      7.00us      7.00us      7.00us ( +-   0.00% )
	                 HLT          3     9.09%    98.08%   2500.00us   2500.00us   2500.00us ( +-   0.00% )
	               CPUID          3     9.09%     0.12%      3.00us      3.00us      3.00us ( +-   0.00% )
	           MSR_WRITE          3     9.09%     0.12%      3.00us      3.00us      3.00us ( +-   0.00% )
	       UNKNOWN:32766          3     9.09%     0.04%      1.00us      1.00us      1.00us ( +-   0.00% )

	Total Samples:33, Total events handled time:7647.00us.

	EOT
'
test_expect_success 'a heat map has the times of the rows' '
	rep x86.data --heatmap all.html && test "$(in_heatmap all.html)" = 33 && test_grep "Work of the host for guests" all.html &&
	rep x86.data --vcpu 1 --heatmap one.html && test "$(in_heatmap one.html)" = "$(sed -n "s/^Total Samples:\([0-9]*\),.*/\1/p" got)"
'
# It names no number that it does not know, and has no minimum of one vcpu.
test_expect_success REFERENCE 'as the reference counts them' '
	for o in "" "-k time" "-p 200" "--vcpu 1" "--event mmio" "--event ioport" "--event msr"; do
		for f in x86 svm; do
			"$REF" kvm -i $f.data stat report $o 2>&1 | sed "/^unknown/d; s/ *UNKNOWN/UNKNOWN/" | cut -c 1-51,64- | sort >want &&
			rep $f.data $o && sed "s/ *UNKNOWN:32766/UNKNOWN/" got | cut -c 1-51,64- | sort >rows && sed -i "s/^UNKNOWN.*/UNKNOWN/" want rows &&
			test_cmp want rows || return 1
		done
	done
'
test_expect_success 'each machine has its own reasons' '
	rep svm.data && row npf 9 && row hlt 3 && rep arm64.data && row DABT_LOW 2 && row IRQ 1 && row UNKNOWN:63 1 &&
	rep s390.data && row "Wait state" 1 && row "0xB2 SSKE" 1 && row "SIGP external call" 1 &&
	row "DIAG (0x44) time slice end" 1 && row "Prog Segment translation" 1 &&
	rep powerpc.data && row SYSCALL 2 && rep powerpc.data --event hcall && row H_CEDE 1 && row H_PUT_TERM_CHAR 1 &&
	rep riscv.data && row EXC_LOAD_GUEST_PAGE_FAULT 2 && row IRQ_S_TIMER 1 && rep loongarch.data && row Idle 1 && row CSR 1 && row "Mem Read" 1
'
test_expect_success 'the other byte order and pipes' '
	for f in x86 svm arm64 s390 powerpc riscv loongarch; do
		rep $f.data && mv got want && rep $f.big.data && test_cmp want got || return 1
	done && rep x86.data --event mmio && mv got want && perf kvm -i - stat report --event mmio <x86.big.data >got && test_cmp want got
'
test_expect_success 'a reason that only the recording can name' 'rep words.data && row NEW_REASON 3'
test_expect_success 'what is not complete' '
	rep lost.data -v && row CPUID 3 && test_grep "^exits before the first entry of their thread: 1, without an entry after them: 1, with lost events: 1$" err &&
	test_grep "lost events (17 out of" err
'
test_expect_success 'one vcpu, the sorting, and what is refused' '
	rep x86.data --vcpu 2 -k time && test_grep "VCPU 2:" got && row HLT 1 && sed -n 7p got | grep HLT &&
	test_expect_code 255 perf kvm -i arm64.data stat report --vcpu 1 2>err && grep "do not tell the vcpu" err &&
	test_expect_code 255 perf kvm -i x86.data stat report --vcpu x 2>err && grep "x. is no number" err &&
	test_expect_code 129 perf kvm stat report --event nonsense 2>err && grep "nonsense. There are: vmexit mmio" err &&
	test_expect_code 129 perf kvm stat report -k nonsense 2>err && grep "compare key:nonsense" err &&
	test_expect_code 255 perf kvm -i powerpc.data stat report --event mmio >got 2>err && test ! -s got && grep "has no kvm:kvm_mmio" err
'
test_expect_success 'recordings that are cut off end with what there is' '
	size=$(stat -c %s x86.data) && for part in 3 5 8; do
		head -c $((size * part / 9)) x86.data >cut.data && { rep cut.data || test -s err; } && ! grep -i "assert\|sanitizer" err || return 1
	done
'
test_done
