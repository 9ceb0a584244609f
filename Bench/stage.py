"""A mock and private homes with cards linked, for the benchmarks that run the real program."""
import json, os, shutil, subprocess, tempfile, urllib.request

CARD, PIN = "23000000000001", "1111"


class Stage:
    def __init__(self, programs):
        self.programs = os.path.abspath(programs)
        for name in ("carrel", "carrel-gateway", "carrel-mock"):
            if not os.access(os.path.join(self.programs, name), os.X_OK):
                raise SystemExit(f"build first: {name} is missing in {self.programs}")
        self.libraries = {}

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="carrel-bench-")
        self.mock = subprocess.Popen(
            [os.path.join(self.programs, "carrel-mock"), "serve", "--port", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.base = json.loads(self.mock.stdout.readline())["base"]
        return self

    def __exit__(self, *_):
        self.mock.terminate()
        self.mock.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def admin(self, tenant, method, path, body=None):
        request = urllib.request.Request(
            self.base + "/__admin" + path, method=method, headers={"X-Mock-Tenant": tenant},
            data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)

    def home(self, name, libraries):
        """A home whose settings name a library for each tenant of the mock."""
        home = os.path.join(self.folder, name)
        os.mkdir(home, 0o700)
        text = "libraries:\n"
        for library in libraries:
            with urllib.request.urlopen(f"{self.base}/__tenant/{library}/__admin/ready") as reply:
                told = json.load(reply)["libraries"][0]["endpoints"]
            text += f"  {library}:\n    provider: overdrive\n    endpoints:\n"
            for key in ("discovery", "patron", "oauth", "patron_oauth"):
                text += f"      {key}: {told[key]}\n"
            text += (f"    library_id: {told['library_id']}\n    website_id: {told['website_id']}\n"
                     f"    authorization_name: {told['ils_name']}\n")
            for key in ("client_key", "client_secret"):
                path = os.path.join(self.folder, f"{name}-{library}-{key}")
                with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
                    file.write(told[key])
                text += f"    {key}_file: {path}\n"
        with open(os.path.join(home, "config.yaml"), "w") as file:
            file.write(text)
        self.libraries[name] = libraries

    def database(self, name):
        return os.path.join(self.folder, name, "data", "carrel.sqlite")

    def command(self, home, *words):
        return [os.path.join(self.programs, "carrel"), "--home",
                os.path.join(self.folder, home), *words]

    def carrel(self, home, *words, given=""):
        return subprocess.run(
            self.command(home, *words), input=given, capture_output=True, text=True)

    def link(self, home, library):
        done = self.carrel(home, "link", "overdrive", "--library", library, "--name", library,
                           "--credentials-stdin", given=f"{CARD}\n{PIN}\n")
        if done.returncode:
            raise SystemExit(done.stderr)
