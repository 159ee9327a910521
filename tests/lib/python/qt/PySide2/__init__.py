# SPDX-License-Identifier: GPL-2.0-or-later
"""The part of the library Qt that writes databases, for scripts that ask for it, where it is not installed."""
