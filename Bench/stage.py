"""Mocks and private homes with cards linked, for the benchmarks that run the real program."""
import json, os, shutil, subprocess, tempfile, urllib.request

CARD, PIN = "23000000000001", "1111"


class Stage:
    def __init__(self, programs):
        self.programs = os.path.abspath(programs)
        for name in ("carrel", "carrel-book", "carrel-gateway", "carrel-mock", "carrel-picture"):
            if not os.access(os.path.join(self.programs, name), os.X_OK):
                raise SystemExit(f"build first: {name} is missing in {self.programs}")
        self.libraries = {}

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="carrel-bench-")
        self.mocks = {}
        return self

    def __exit__(self, *_):
        for mock, _ in self.mocks.values():
            mock.terminate()
        for mock, _ in self.mocks.values():
            mock.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def service(self, name):
        """A service of its own, at an address of its own, for the libraries it is named for."""
        mock = subprocess.Popen(
            [os.path.join(self.programs, "carrel-mock"), "serve", "--port", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.mocks[name] = mock, json.loads(mock.stdout.readline())["base"]

    def base(self, library):
        """`service/library` is one of several libraries at a service."""
        service, _, tenant = library.partition("/")
        base = self.mocks[service][1]
        return f"{base}/__tenant/{tenant}" if tenant else base

    def admin(self, library, method, path, body=None):
        request = urllib.request.Request(
            self.base(library) + "/__admin" + path, method=method,
            data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)

    def home(self, name, libraries):
        """A home whose settings name these libraries."""
        home = os.path.join(self.folder, name)
        os.mkdir(home, 0o700)
        text = "libraries:\n"
        for library in libraries:
            told = self.admin(library, "GET", "/ready")["libraries"][0]["endpoints"]
            key_name = library.replace("/", "-")
            text += f"  {key_name}:\n    provider: overdrive\n    endpoints:\n"
            for key in ("discovery", "patron", "oauth", "patron_oauth"):
                text += f"      {key}: {told[key]}\n"
            text += (f"    library_id: {told['library_id']}\n    website_id: {told['website_id']}\n"
                     f"    authorization_name: {told['ils_name']}\n")
            for key in ("client_key", "client_secret"):
                path = os.path.join(self.folder, f"{name}-{key_name}-{key}")
                with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
                    file.write(told[key])
                text += f"    {key}_file: {path}\n"
        with open(os.path.join(home, "config.yaml"), "w") as file:
            file.write(text)
        self.libraries[name] = [library.replace("/", "-") for library in libraries]

    def database(self, name):
        return os.path.join(self.folder, name, "data", "carrel.sqlite")

    def command(self, home, *words):
        return [os.path.join(self.programs, "carrel"), "--home",
                os.path.join(self.folder, home), *words]

    def carrel(self, home, *words, given=""):
        return subprocess.run(
            self.command(home, *words), input=given, capture_output=True, text=True)

    def link(self, home):
        """A card at each of its libraries."""
        for library in self.libraries[home]:
            done = self.carrel(home, "link", "overdrive", "--library", library, "--name", library,
                               "--credentials-stdin", given=f"{CARD}\n{PIN}\n")
            if done.returncode:
                raise SystemExit(done.stderr)
