"""Plays the service manager: supervise.py FOLDER PROGRAM ARGUMENTS… prints what it is told, a line each,
asks for settings to be read anew and then for the end, and prints how the program ended and the first
letters of its log."""

import os
import signal
import socket
import subprocess
import sys

folder, words = sys.argv[1], sys.argv[2:]
path = os.path.join(folder, "notify")
ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
ear.bind(path)
ear.settimeout(30)
reading, writing = os.pipe()
pipe = os.fstat(writing)
told = dict(
    os.environ,
    NOTIFY_SOCKET=path,
    WATCHDOG_USEC="400000",
    JOURNAL_STREAM=f"{pipe.st_dev}:{pipe.st_ino}",
)
program = subprocess.Popen(words, env=told, stdout=subprocess.DEVNULL, stderr=writing)
os.close(writing)


def hear(wanted):
    while True:
        news = ear.recv(4096).decode().split("\n")
        if news[0].startswith(wanted):
            print(news[0], flush=True)
            return


hear("READY=1")
hear("STATUS=")
hear("WATCHDOG=1")
hear("WATCHDOG=1")
program.send_signal(signal.SIGHUP)
hear("RELOADING=1")
hear("READY=1")
program.send_signal(signal.SIGTERM)
hear("STOPPING=1")
print(f"exit {program.wait(30)}")
log = os.read(reading, 1 << 16).decode()
print("log " + " ".join(sorted({line[:3] for line in log.splitlines() if "msg=" in line})))
