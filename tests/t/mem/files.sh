# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Recordings of memory accesses, which tests/lib/python/mem-files.py makes. Source this.

# mem_file FILE KIND [WORD...]: see there
mem_file() {
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/mem-files.py" "$@"
}

# mem_program: a program whose code and data the accesses are of. Sets writer, reader, shared10, phys10: addresses of two
# functions, of the variable that is contended, at 16 bytes, and of these in memory.
mem_program() {
	cat >prog.c <<-\EOF
		struct pair { long a, b, c, d; long rest[4]; };
		struct pair shared __attribute__((aligned(64)));
		long other[16] __attribute__((aligned(64)));
		__attribute__((noinline)) int writer(int n)
		{
			shared.c += n;
			return n + 1;
		}
		__attribute__((noinline)) int reader(int n)
		{
			return (int)shared.d * n + (int)other[n];
		}
		int main(void)
		{
			return writer(2) + reader(3);
		}
	EOF
	"${CC:-cc}" -g -O1 -no-pie -o prog prog.c || return 1
	writer=0x$(nm prog | sed -n 's/^0*\([^ ]*\) T writer$/\1/p')
	reader=0x$(nm prog | sed -n 's/^0*\([^ ]*\) T reader$/\1/p')
	shared10=$(printf '%#x' $((0x$(nm prog | sed -n 's/ B shared$//p') + 16)))
	# shellcheck disable=SC2034 # for those who source this
	phys10=$(printf '0x%016x' $((shared10 % 0x100000 + 0x40000000)))
}
