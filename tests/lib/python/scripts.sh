# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The scripts that come with perf, on recordings made up by tests/lib/python/standard-scripts.py. Source this.

STACKS_PID=$((2000000000 + $$))
export PYTHONDONTWRITEBYTECODE=1 STACKS_PID

# Both perfs take names of system calls from the package audit, when there is one; here it is this one.
mkdir names
cat >names/audit.py <<\END
def __getattr__(name):
    return hash(name)


def audit_detect_machine():
    return 1


def audit_syscall_to_name(nr, machine):
    return "call%d" % nr
END

# made NAME...: write these recordings
made() { PYTHONPATH=$SRC/tests/lib/python python3 "$SRC/tests/lib/python/standard-scripts.py" "$@"; }

# The perf that runs scripts in Python: ours, or the reference where ours was built without Python.
echo 'def trace_begin(): print("begun")' >begun.py
made calls
for RUNNER in "$PERF" "$REF" ""; do
	test -n "$RUNNER" && "$RUNNER" script -i calls.data -s begun.py 2>/dev/null | grep -q begun && break
done
test_lazy_prereq RUNNER 'no perf that runs scripts in Python, or no modules for them' '
	test -n "$RUNNER" && test -f "$SRC/scripts/python/Perf-Trace-Util/lib/Perf/Trace/Util.py"'
# The reference says itself where its scripts are.
REF_SCRIPTS=$("$REF" --exec-path 2>/dev/null)/scripts/python
test_lazy_prereq REF_SCRIPTS 'the reference has no scripts in Python' '
	"$REF" script -i "$TRASH/cwd/calls.data" -s "$REF_SCRIPTS/syscall-counts.py"'

# ours DATA SCRIPT ARGUMENT...
ours() {
	local data=$1 script=$2

	shift 2
	PYTHONPATH=$TRASH/cwd/names PERF_EXEC_PATH=$SRC "$RUNNER" script -i "$data.data" -s "$SRC/scripts/python/$script.py" -- "$@"
}

# theirs DATA SCRIPT ARGUMENT...: the reference's own script
theirs() {
	local data=$1 script=$2

	shift 2
	PYTHONPATH=$TRASH/cwd/names "$REF" script -i "$data.data" -s "$REF_SCRIPTS/$script.py" -- "$@"
}

# same DATA SCRIPT ARGUMENT...: both print the same
same() {
	theirs "$@" >theirs.out 2>theirs.err
	ours "$@" >ours.out 2>ours.err
	test -s ours.out && test_cmp theirs.out ours.out || { echo "$*"; cat ours.err; return 1; }
}
