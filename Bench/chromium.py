"""Chromium without a window, over its own protocol on two pipes: for benchmarks of what a browser does."""
import json, os, shutil, subprocess, tempfile


class Chromium:
    def __init__(self, width=1280, height=900):
        self.size = width, height

    def __enter__(self):
        program = next((p for p in ("chromium-headless-shell", "chromium") if shutil.which(p)), None)
        if program is None:
            raise SystemExit("chromium is missing: scripts/setup test")
        self.folder = tempfile.mkdtemp(prefix="carrel-chromium-")
        told, self.write = os.pipe()
        self.read, tell = os.pipe()
        command = [program, "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--headless",
                   "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run", "--mute-audio",
                   "--autoplay-policy=no-user-gesture-required",
                   "--user-data-dir=" + self.folder, "about:blank"]
        shell = f'exec "$@" 3<&{told} 4>&{tell}'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "sh", *command], pass_fds=(told, tell),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(told)
        os.close(tell)
        self.count, self.rest, self.heard, self.session = 0, b"", [], None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(domain + ".enable")
        self.resize(*self.size)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def resize(self, width, height):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=width < 1000)

    def message(self):
        while b"\0" not in self.rest:
            piece = os.read(self.read, 1 << 16)
            if not piece:
                raise SystemExit("chromium has ended")
            self.rest += piece
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def ask(self, method, **parameters):
        self.count += 1
        number = self.count
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]
            self.hear(answer)

    def hear(self, event):
        self.heard.append(event)

    def open(self, address):
        self.heard = []
        self.ask("Page.navigate", url=address)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.heard):
            self.hear(self.message())

    def evaluate(self, expression):
        answer = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True,
                          returnByValue=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"{expression[:200]}: {json.dumps(answer['exceptionDetails'])[:800]}")
        return answer["result"].get("value")
