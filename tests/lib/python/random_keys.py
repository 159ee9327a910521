# SPDX-License-Identifier: GPL-2.0-or-later
"""Press random keys in a program that shows a screen, which must neither crash nor hang, and has to end when it is left.

	random_keys.py SEED SECONDS COMMAND...

When the program ends by itself it is started again, with other sizes of the terminal. What was pressed since then is printed
when something goes wrong; the same seed presses the same keys. Exit status: 0, or 1 with a report.
"""
import fcntl, glob, os, pty, random, re, select, signal, struct, sys, termios, time

NAMED = ["\033[A", "\033[B", "\033[C", "\033[D", "\033[5~", "\033[6~", "\033[H", "\033[F", "\r", "\r", "\033", "\t", "\033[Z",
         "\x7f", "\033[3~", "\033OP", "\x0c", "\x15", " ", "\033[B", "\033[B", "\033[C"]
ODD = ["\u00e9", "\u6f22", "\033[999999999999;1~", "\033[<", "\x00", "\033[200~", "\x1a"]
TYPED = [chr(c) for c in range(33, 127) if chr(c) != "q"]
SIZES = [(24, 80), (40, 132), (10, 40), (60, 200), (4, 20), (1, 1), (25, 300)]
PATIENCE = 90  # seconds in which a program on a busy machine answers a key


def pick(rng):
    chance = rng.random()
    if chance < 0.003:
        return "q"
    if chance < 0.02:
        return rng.choice(ODD)
    if chance < 0.06:
        return "\033[<%d;%d;%dM" % (rng.choice([0, 0, 1, 2, 64, 65]), rng.randrange(1, 140), rng.randrange(1, 45))
    return rng.choice(NAMED if chance < 0.5 else TYPED)


class Screen:
    def __init__(self, command, rng):
        self.keys, self.output, self.answered = [], b"", time.monotonic()
        self.count, self.rng = None, rng
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.execvp(command[0], command)
        os.set_blocking(self.fd, False)
        self.resize()

    def resize(self):
        rows, columns = self.rng.choice(SIZES)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.keys.append("size %dx%d" % (columns, rows))

    def send(self, key):
        try:
            os.write(self.fd, key.encode())
            self.keys.append(key)
        except (BlockingIOError, OSError):
            pass
        if key == "\x1a":  # it has suspended itself, or does so soon
            self.read(0.1)
            os.kill(self.pid, signal.SIGCONT)

    def read(self, seconds):
        """Take what it draws, until nothing comes for so long."""
        while select.select([self.fd], [], [], seconds)[0]:
            try:
                self.output = (self.output + os.read(self.fd, 65536))[-20000:]
            except OSError:
                return

    def hangs(self):
        try:
            with open(os.environ["PERF_UI_SCREEN"]) as f:
                count = f.readline()
        except (FileNotFoundError, UnicodeDecodeError):
            count = None
        now = time.monotonic()
        if count != self.count:
            self.count, self.answered = count, now
        return now - self.answered > PATIENCE

    def ended(self):
        """Return None while it runs, else its exit status, negative for signals."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if not pid:
            return None
        self.read(0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)

    def leave(self):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for key in "\033", "q", "q":
                status = self.ended()
                if status is not None:
                    return status
                self.send(key)
                self.read(0.1)
        return None

    def report(self, what):
        print("%s after these keys: %s" % (what, " ".join(k if k.startswith("size") else ascii(k)[1:-1] for k in self.keys)))
        print(re.sub(r"\033[^a-zA-Z]*[a-zA-Z]|[\000-\010\016-\037]", "", self.output.decode(errors="replace"))[-4000:])
        for name in glob.glob("sanitizer.*"):
            with open(name) as f:
                print(f.read())


def run(screen, until):
    """Return what is wrong; None: nothing."""
    rng = screen.rng
    while time.monotonic() < until:
        if rng.random() < 0.01:
            screen.resize()
        for _ in range(rng.choice([1, 1, 1, 2, 6])):
            screen.send(pick(rng))
        screen.read(rng.choice([0.002, 0.002, 0.01, 0.06]))
        status = screen.ended()
        if status is not None:
            return "It ended with status %d" % status if status else None
        if screen.hangs():
            os.kill(screen.pid, signal.SIGKILL)
            return "It has answered nothing for %d seconds" % PATIENCE
    status = screen.leave()
    if status is None:
        os.kill(screen.pid, signal.SIGKILL)
        return "It cannot be left"
    return "It ended with status %d" % status if status else None


def main():
    seed, seconds, command = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
    rng, until, starts, keys = random.Random(seed), time.monotonic() + seconds, 0, 0
    os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8", PERF_UI_SCREEN=os.path.abspath("shown"))
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":log_path=sanitizer"
    os.environ["UBSAN_OPTIONS"] = os.environ.get("UBSAN_OPTIONS", "") + ":log_path=sanitizer"
    os.environ["LSAN_OPTIONS"] = os.environ.get("LSAN_OPTIONS", "") + ":log_path=sanitizer"
    while not starts or time.monotonic() < until:
        screen = Screen(command, rng)
        starts += 1
        # A new program every minute, so that its exit is tried often.
        wrong = run(screen, min(until, time.monotonic() + 60))
        keys += len(screen.keys)
        if wrong:
            print("seed %d, start %d" % (seed, starts))
            screen.report(wrong)
            return 1
    print("%d keys, %d starts" % (keys, starts))
    return 0


sys.exit(main())
