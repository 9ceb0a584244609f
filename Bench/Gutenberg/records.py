"""An archive like the nightly one, of books that nobody wrote: as many files, roles and subjects a
record as the real ones have, random node ids included, since those are what packs badly."""
import io, random, subprocess, tarfile

WORDS = """harbor orchard lantern winter bridge archive ferry garden clock signal river mirror tide
window compass feather kitchen violin letter border engine summer ladder mountain key salt""".split()
NAMES = "Rowe Quist Ibsen Eklund Abbot Marchetti Pereira Nakamura Young Hollis Brandt Fairweather".split()
TYPES = ["html.images", "epub3.images", "epub.images", "epub.noimages", "kf8.images",
         "kindle.images", "kindle.noimages", "txt.utf-8", "rdf"]
MIME = {"html": "text/html", "epub": "application/epub+zip", "epub3": "application/epub+zip",
        "kf8": "application/x-mobipocket-ebook", "kindle": "application/x-mobipocket-ebook",
        "txt": "text/plain; charset=us-ascii", "rdf": "application/rdf+xml"}
XSD = "http://www.w3.org/2001/XMLSchema#"


def described(name, scheme, value, chance):
    return (f'    <{name}>\n      <rdf:Description rdf:nodeID="N{chance.getrandbits(128):032x}">\n'
            f'        <dcam:memberOf rdf:resource="{scheme}"/>\n'
            f'        <rdf:value>{value}</rdf:value>\n      </rdf:Description>\n    </{name}>\n')


def file(number, address, kinds, chance):
    formats = "".join(
        described("dcterms:format", "http://purl.org/dc/terms/IMT", kind, chance) for kind in kinds)
    when = f"2025-0{chance.randint(1, 9)}-{chance.randint(10, 28)}T0{chance.randint(1, 9)}:25:19.127619"
    return (f'    <dcterms:hasFormat>\n      <pgterms:file rdf:about="https://www.gutenberg.org/{address}">\n'
            f'        <dcterms:isFormatOf rdf:resource="ebooks/{number}"/>\n'
            f'        <dcterms:extent rdf:datatype="{XSD}integer">{chance.randint(999, 999999)}</dcterms:extent>\n'
            f'        <dcterms:modified rdf:datatype="{XSD}dateTime">{when}</dcterms:modified>\n'
            f'{formats}      </pgterms:file>\n    </dcterms:hasFormat>\n')


def record(number, chance):
    words = lambda count: " ".join(chance.choices(WORDS, k=count))
    name = f"{chance.choice(NAMES)}, {words(1).title()} {chance.choice('ABCDEF')}."
    parts = [f'''<?xml version="1.0" encoding="utf-8"?>
<rdf:RDF xml:base="http://www.gutenberg.org/"
  xmlns:pgterms="http://www.gutenberg.org/2009/pgterms/"
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:dcterms="http://purl.org/dc/terms/" xmlns:dcam="http://purl.org/dc/dcam/"
  xmlns:cc="http://web.resource.org/cc/" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
>
  <pgterms:ebook rdf:about="ebooks/{number}">
    <dcterms:publisher>Project Gutenberg</dcterms:publisher>
    <dcterms:issued rdf:datatype="{XSD}date">2005-05-11</dcterms:issued>
    <dcterms:rights>Public domain in the USA.</dcterms:rights>
    <pgterms:downloads rdf:datatype="{XSD}integer">{chance.randint(0, 5000)}</pgterms:downloads>
    <dcterms:creator>
      <pgterms:agent rdf:about="2009/agents/{chance.randint(1, 30000)}">
        <pgterms:name>{name}</pgterms:name>
        <pgterms:birthdate rdf:datatype="{XSD}integer">{chance.randint(1700, 1900)}</pgterms:birthdate>
      </pgterms:agent>
    </dcterms:creator>
    <dcterms:title>The {words(3).title()}</dcterms:title>
    <pgterms:marc520>{words(150)} (This is an automatically generated summary.)</pgterms:marc520>
''']
    parts.append(described("dcterms:language", "http://purl.org/dc/terms/RFC4646", "en", chance))
    for _ in range(4):
        parts.append(described("dcterms:subject", "http://purl.org/dc/terms/LCSH",
                               f"{words(1).title()}s -- Fiction", chance))
    parts.append(described("dcterms:subject", "http://purl.org/dc/terms/LCC", "PR", chance))
    for kind in TYPES:
        parts.append(file(number, f"ebooks/{number}.{kind}", [MIME[kind.split('.')[0]]], chance))
    for size in ("small", "medium"):
        parts.append(file(number, f"cache/epub/{number}/pg{number}.cover.{size}.jpg", ["image/jpeg"], chance))
    for end in ("8.zip", "h.zip"):
        parts.append(file(number, f"files/{number}/{number}-{end}",
                          ["application/octet-stream", "application/zip"], chance))
    parts.append(file(number, f"files/{number}/{number}-8.txt", ["text/plain; charset=us-ascii"], chance))
    parts.append("  </pgterms:ebook>\n  <cc:Work rdf:about=\"\"/>\n</rdf:RDF>\n")
    return "".join(parts).encode()


def archive(path, count):
    chance = random.Random(1)
    with open(path, "wb") as out:
        packer = subprocess.Popen(["lbzip2"], stdin=subprocess.PIPE, stdout=out)
        with tarfile.open(fileobj=packer.stdin, mode="w|") as tar:
            for number in range(1, count + 1):
                content = record(number, chance)
                member = tarfile.TarInfo(f"cache/epub/{number}/pg{number}.rdf")
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
        packer.stdin.close()
        packer.wait()
