# SPDX-License-Identifier: GPL-2.0-or-later
"""The module perf: performance events of Linux. See perf-python(1)."""
from __future__ import annotations
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

_chosen = Union[None, int, str, Sequence[Union[int, str]]]

__version__: str

class cpu_map:
    def __init__(self, cpustr: Optional[str] = None) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> int: ...

class thread_map:
    def __init__(self, pid: int = -1, tid: int = -1, uid: int = -1) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> int: ...

class counts_values:
    val: int
    ena: int
    run: int

class evsel:
    name: str
    type: int
    config: int
    config1: int
    config2: int
    sample_freq: int
    sample_period: int
    sample_type: int
    read_format: int
    disabled: int
    inherit: int
    pinned: int
    exclusive: int
    exclude_user: int
    exclude_kernel: int
    exclude_hv: int
    exclude_idle: int
    mmap: int
    context_switch: int
    comm: int
    freq: int
    inherit_stat: int
    enable_on_exec: int
    task: int
    watermark: int
    precise_ip: int
    mmap_data: int
    sample_id_all: int
    wakeup_events: int
    bp_type: int
    bp_addr: int
    bp_len: int
    def __init__(self, **members: int) -> None: ...
    def open(self, cpus: Optional[cpu_map] = None, threads: Optional[thread_map] = None, inherit: int = -1) -> None: ...
    def cpus(self) -> cpu_map: ...
    def threads(self) -> thread_map: ...
    def read(self, cpu: int, thread: int) -> counts_values: ...

class evlist:
    def __init__(self, cpus: Optional[cpu_map] = None, threads: Optional[thread_map] = None) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> evsel: ...
    def add(self, event: evsel) -> int: ...
    def config(self, freq: int = 4000, period: int = 0, callgraph: bool = False) -> None: ...
    def open(self) -> None: ...
    def close(self) -> None: ...
    def enable(self) -> None: ...
    def disable(self) -> None: ...
    def mmap(self, pages: int = 128, overwrite: bool = False) -> None: ...
    def get_pollfd(self) -> List[int]: ...
    def poll(self, timeout: int = -1) -> int: ...
    def read_on_cpu(self, cpu: int) -> Optional[_record]: ...
    def metrics(self) -> List[str]: ...
    def compute_metric(self, metric: str, cpu: int, thread: int) -> float: ...

class _record:
    type: int
    misc: int
    sample_ip: int
    sample_pid: int
    sample_tid: int
    sample_time: int
    sample_addr: int
    sample_id: int
    sample_stream_id: int
    sample_period: int
    sample_cpu: int

class mmap_event(_record):
    pid: int
    tid: int
    start: int
    len: int
    pgoff: int
    filename: str

class task_event(_record):
    pid: int
    ppid: int
    tid: int
    ptid: int
    time: int

class comm_event(_record):
    pid: int
    tid: int
    comm: str

class throttle_event(_record):
    time: int
    id: int
    stream_id: int

class lost_event(_record):
    id: int
    lost: int

class read_event(_record):
    pid: int
    tid: int

class sample_event(_record):
    raw_buf: Optional[bytes]
    def __getattr__(self, field: str) -> Any: ...

class switch_event(_record):
    next_prev_pid: int
    next_prev_tid: int
    switch_out: bool

class pmu:
    type: int
    cpus: Optional[str]
    def name(self) -> str: ...
    def events(self) -> List[Dict[str, Any]]: ...

class data:
    events: List[str]
    problems: Dict[str, int]
    def __init__(self, path: str = "perf.data", force: bool = False, *, all: bool = False, srcline: bool = False,
                 time: Union[None, str, Tuple[Optional[float], Optional[float]]] = None, cpu: _chosen = None,
                 pid: _chosen = None, tid: _chosen = None, comm: _chosen = None, event: _chosen = None) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Any: ...
    def columns(self) -> Dict[str, Any]: ...

class data_sample:
    event: str
    time: int
    cpu: int
    pid: int
    tid: int
    comm: str
    ip: int
    addr: int
    period: int
    symbol: Optional[str]
    symoff: int
    dso: Optional[str]
    srcline: Optional[Tuple[str, int]]
    callchain: List[Tuple[int, Optional[str], int, Optional[str]]]
    raw_buf: bytes
    fields: Dict[str, Any]

class LiveSession:
    lost: int
    def __init__(self, events: evlist, timeout: Optional[float] = None, *, pages: int = 128, all: bool = False,
                 srcline: bool = False) -> None: ...
    def __enter__(self) -> LiveSession: ...
    def __exit__(self, *exception: Any) -> None: ...
    def __iter__(self) -> LiveSession: ...
    def __next__(self) -> Any: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...

def parse_events(events: str, cpus: Optional[cpu_map] = None, threads: Optional[thread_map] = None) -> evlist: ...
def tracepoint(sys: str, name: str) -> int: ...
def pmus() -> List[pmu]: ...
def metrics() -> List[Dict[str, Any]]: ...
def parse_metrics(metrics: str, pmu: Optional[str] = None, cpus: Optional[cpu_map] = None, threads: Optional[thread_map] = None) -> evlist: ...
def config_get(name: str) -> Optional[str]: ...
def syscall_name(id: int, *, elf_machine: int = 0) -> Optional[str]: ...
def syscall_id(name: str, *, elf_machine: int = 0) -> int: ...

TYPE_HARDWARE: int
TYPE_SOFTWARE: int
TYPE_TRACEPOINT: int
TYPE_HW_CACHE: int
TYPE_RAW: int
TYPE_BREAKPOINT: int
COUNT_HW_CPU_CYCLES: int
COUNT_HW_INSTRUCTIONS: int
COUNT_HW_CACHE_REFERENCES: int
COUNT_HW_CACHE_MISSES: int
COUNT_HW_BRANCH_INSTRUCTIONS: int
COUNT_HW_BRANCH_MISSES: int
COUNT_HW_BUS_CYCLES: int
COUNT_HW_STALLED_CYCLES_FRONTEND: int
COUNT_HW_STALLED_CYCLES_BACKEND: int
COUNT_HW_REF_CPU_CYCLES: int
COUNT_HW_CACHE_L1D: int
COUNT_HW_CACHE_L1I: int
COUNT_HW_CACHE_LL: int
COUNT_HW_CACHE_DTLB: int
COUNT_HW_CACHE_ITLB: int
COUNT_HW_CACHE_BPU: int
COUNT_HW_CACHE_NODE: int
COUNT_HW_CACHE_OP_READ: int
COUNT_HW_CACHE_OP_WRITE: int
COUNT_HW_CACHE_OP_PREFETCH: int
COUNT_HW_CACHE_RESULT_ACCESS: int
COUNT_HW_CACHE_RESULT_MISS: int
COUNT_SW_CPU_CLOCK: int
COUNT_SW_TASK_CLOCK: int
COUNT_SW_PAGE_FAULTS: int
COUNT_SW_CONTEXT_SWITCHES: int
COUNT_SW_CPU_MIGRATIONS: int
COUNT_SW_PAGE_FAULTS_MIN: int
COUNT_SW_PAGE_FAULTS_MAJ: int
COUNT_SW_ALIGNMENT_FAULTS: int
COUNT_SW_EMULATION_FAULTS: int
COUNT_SW_DUMMY: int
COUNT_SW_BPF_OUTPUT: int
COUNT_SW_CGROUP_SWITCHES: int
SAMPLE_IP: int
SAMPLE_TID: int
SAMPLE_TIME: int
SAMPLE_ADDR: int
SAMPLE_READ: int
SAMPLE_CALLCHAIN: int
SAMPLE_ID: int
SAMPLE_CPU: int
SAMPLE_PERIOD: int
SAMPLE_STREAM_ID: int
SAMPLE_RAW: int
SAMPLE_IDENTIFIER: int
FORMAT_TOTAL_TIME_ENABLED: int
FORMAT_TOTAL_TIME_RUNNING: int
FORMAT_ID: int
FORMAT_GROUP: int
RECORD_MMAP: int
RECORD_LOST: int
RECORD_COMM: int
RECORD_EXIT: int
RECORD_THROTTLE: int
RECORD_UNTHROTTLE: int
RECORD_FORK: int
RECORD_READ: int
RECORD_SAMPLE: int
RECORD_MMAP2: int
RECORD_AUX: int
RECORD_ITRACE_START: int
RECORD_LOST_SAMPLES: int
RECORD_SWITCH: int
RECORD_SWITCH_CPU_WIDE: int
RECORD_MISC_SWITCH_OUT: int
