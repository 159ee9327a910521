# SPDX-License-Identifier: GPL-2.0-or-later
"""The text of x86 instructions, by means of Intel's library libxed where it is installed.

	from libxed import Disassembler, Missing

	disassembler = Disassembler()                        # raises Missing, whose text says what is to be done
	disassembler.text(b"\\x48\\x89\\xd8", 0x401000)          # "mov rax, rbx"

PERF_LIBXED in the environment names the file of the library when it is at no usual place. The functions and numbers are
those of its public headers xed-interface.h, xed-decode.h, xed-decoded-inst-api.h and xed-state.h.
"""
import ctypes
import ctypes.util
import os

# Enumerations of the headers.
MODES = {64: (1, 8), 32: (2, 4)}  # bits -> (xed_machine_mode_enum_t, xed_address_width_enum_t)
ERROR_NONE = 0
SYNTAX_INTEL = 3
# An xed_decoded_inst_t has about 200 bytes; the headers do not promise how many.
DECODED_SIZE = 4096
TEXT_SIZE = 256
LONGEST = 15  # bytes of an instruction


class Missing(Exception):
    """There is no libxed that can be used."""


class State(ctypes.Structure):
    """An xed_state_t."""

    _fields_ = (("mode", ctypes.c_int), ("stack_width", ctypes.c_int))


def load():
    """Return the library with the types of the functions that are used; raises Missing."""
    path = os.environ.get("PERF_LIBXED") or ctypes.util.find_library("xed") or "libxed.so"
    try:
        xed = ctypes.CDLL(path)
        xed.xed_decoded_inst_zero_set_mode.argtypes = ctypes.c_void_p, ctypes.POINTER(State)
        xed.xed_decode.argtypes = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint
        xed.xed_format_context.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_uint64,
                                           ctypes.c_void_p, ctypes.c_void_p)
        xed.xed_tables_init()
    except (OSError, AttributeError) as e:
        raise Missing("cannot use libxed, which disassembles: %s; build it from github.com/intelxed/xed (\"mfile.py "
                      "--shared\"), and name its file in PERF_LIBXED" % e) from e
    return xed


class Disassembler:
    """Makes text of instructions."""

    def __init__(self):
        """Load the library; raises Missing."""
        self.xed = load()
        self.decoded = ctypes.create_string_buffer(DECODED_SIZE)
        self.line = ctypes.create_string_buffer(TEXT_SIZE)

    def text(self, code, address, bits=64):
        """Return the text of the instruction at the start of some bytes, or None when they are no instruction.

        address: where the instruction is, for the targets of branches. bits: 64 or 32, the mode of the processor
        """
        code = bytes(code[:LONGEST])
        self.xed.xed_decoded_inst_zero_set_mode(self.decoded, ctypes.byref(State(*MODES[bits])))
        if self.xed.xed_decode(self.decoded, code, len(code)) != ERROR_NONE:
            return None
        if not self.xed.xed_format_context(SYNTAX_INTEL, self.decoded, self.line, TEXT_SIZE, address, None, None):
            return None
        return self.line.value.decode("ascii", "replace")
