"""A gateway with one book on loan, and a browser before it that has signed in."""
import hashlib, html, io, json, os, re, socket, sqlite3, subprocess, time, zipfile
from chromium import Chromium
from stage import CARD, PIN, Stage


def book(chapters, paragraphs):
    """An EPUB of so many chapters, no two paragraphs of which are alike."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        file.writestr("META-INF/container.xml", (
            '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            '<rootfiles><rootfile full-path="o/b.opf" '
            'media-type="application/oebps-package+xml"/></rootfiles></container>'))
        names = [f"c{n}" for n in range(chapters)]
        items = "".join(f'<item id="{n}" href="{n}.xhtml" media-type="application/xhtml+xml"/>'
                        for n in names)
        file.writestr("o/b.opf", (
            '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u">'
            '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="u">bench'
            '</dc:identifier><dc:title>A Long Book</dc:title><dc:language>en</dc:language>'
            '<dc:creator>Ada Quill</dc:creator></metadata><manifest>'
            '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
            f'{items}</manifest><spine>' + "".join(f'<itemref idref="{n}"/>' for n in names)
            + '</spine></package>'))
        head = '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
        file.writestr("o/nav.xhtml", head + '<body><nav epub:type="toc"><ol>' + "".join(
            f'<li><a href="c{n}.xhtml">Chapter {n + 1}</a></li>' for n in range(chapters))
            + '</ol></nav></body></html>')
        for n in range(chapters):
            text = "".join(
                f'<p id="p{k}">Paragraph {k} of chapter {n + 1}: the <i>{"whale" if k % 7 else "sea"}</i> '
                f'was {k * n % 97} fathoms down, and nobody on board, from the mate to the cook, said '
                'what all of them had thought since the evening before, when the wind had turned.</p>'
                for k in range(paragraphs))
            file.writestr(f"o/c{n}.xhtml", f'{head}<head><title>{n + 1}</title></head><body>'
                          f'<h1>Chapter {n + 1}</h1>{text}</body></html>')
    return out.getvalue()


class WebReader:
    def __init__(self, programs, epub, width=1280, height=900):
        self.programs, self.epub, self.window = programs, epub, (width, height)

    def __enter__(self):
        self.stage = Stage(self.programs).__enter__()
        self.server = self.browser = None
        try:
            self.prepare()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.browser:
            self.browser.__exit__()
        if self.server:
            self.server.terminate()
            self.server.wait()
        self.stage.__exit__()

    def prepare(self):
        stage = self.stage
        stage.service("m")
        stage.home("h", ["m"])
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        with open(os.path.join(stage.folder, "h", "config.yaml"), "a") as file:
            file.write(f"server:\n  port: {port}\n")
        stage.link("h")
        stage.carrel("h", "harvest")
        works = json.loads(stage.carrel("h", "search", "the", "--json").stdout)["items"]
        for work in works:
            offer = work["offers"][0]
            if offer["availability"]["status"] != "available":
                continue
            if any(f["format"] == "epub" and f["readable_here"] for f in offer["formats"]):
                break
        else:
            raise SystemExit("no book that could be read")
        done = stage.carrel("h", "borrow", offer["id"])
        if done.returncode:
            raise SystemExit(done.stderr)
        self.library, self.item, self.work = "m", offer["item"], work["id"]
        self.shelve()
        self.server = subprocess.Popen(
            stage.command("h", "serve"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.site = f"http://127.0.0.1:{port}"
        for _ in range(400):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        self.browser = Chromium(*self.window).__enter__()
        self.sign_in()

    def shelve(self):
        """As if the file had been fetched."""
        digest = hashlib.sha256(self.epub).hexdigest()
        folder = os.path.join(self.stage.folder, "h", "data", "books", "files", digest[:2])
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(os.path.join(folder, digest), "wb") as file:
            file.write(self.epub)
        with sqlite3.connect(self.stage.database("h")) as base:
            patron, account = base.execute("SELECT patron, id FROM account").fetchone()
            base.execute(
                "INSERT INTO book_file (digest, size, kind, open_access, stored_at) "
                "VALUES (?, ?, 'epub', 0, 1)", (digest, len(self.epub)))
            base.execute(
                "INSERT INTO book_holder (patron, account, item, digest, title, authors, stored_at) "
                "VALUES (?, ?, ?, ?, 'A Long Book', '', 1)", (patron, account, self.item, digest))

    def sign_in(self):
        self.browser.open(self.site + "/sign-in")
        self.browser.evaluate(
            f"document.querySelector('#card').value = '{CARD}';"
            f"document.querySelector('#pin').value = '{PIN}';"
            "document.querySelector('main form').submit()")
        for _ in range(200):
            time.sleep(0.05)
            if self.browser.evaluate("location.pathname") != "/sign-in":
                return
        raise SystemExit("nobody was let in")

    def address(self, section, query=""):
        return f"{self.site}/read/{self.library}/{self.item}/{section}{query}"
