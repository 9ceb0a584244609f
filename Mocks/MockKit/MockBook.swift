package import Crypto
package import JSON

/// The files behind a title: short, but such as a reading program opens.
package struct MockBook {
  private let title: Title
  private let name: String
  private let author: String

  package init(_ title: Title) {
    self.title = title
    name = Self.escaped(title.name)
    author = Self.escaped(title.authors.first ?? "Anonymous")
  }

  package var epub: [UInt8] {
    var zip = StoredZip()
    for part in parts(MockStory(of: title).chapters) { zip.add(part.name, part.text) }
    return zip.finished()
  }

  /// The same with its chapters locked for this key of 32 bytes; with the licence inside, if one is
  /// given.
  package func locked(
    with key: [UInt8], license: JSONObject? = nil
  ) throws(CryptoError) -> [UInt8] {
    var zip = StoredZip()
    var notes: [String] = []
    for part in parts(MockStory.brief) {
      guard part.isChapter else {
        zip.add(part.name, part.text)
        continue
      }
      let plain = Array(part.text.utf8)
      zip.add(part.name, try LicensePress.sealedPacked(plain, with: key))
      notes.append(LicensePress.note(part.name, isPacked: true, length: plain.count))
    }
    zip.add("META-INF/encryption.xml", LicensePress.encryption(notes))
    if let license { zip.add("META-INF/license.lcpl", JSONValue.object(license).text()) }
    return zip.finished()
  }

  private typealias Part = (name: String, text: String, isChapter: Bool)

  private func parts(_ chapters: [MockStory.Chapter]) -> [Part] {
    // First and uncompressed, as EPUB OCF 4.2 has it.
    var parts: [Part] = [("mimetype", "application/epub+zip", false)]
    func add(_ name: String, _ text: String, isChapter: Bool = false) {
      parts.append((name, text, isChapter))
    }
    add(
      "META-INF/container.xml",
      """
      <?xml version="1.0"?><container version="1.0" \
      xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>\
      <rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>\
      </rootfiles></container>
      """)
    let files = chapters.indices.map { "c\($0 + 1).xhtml" }
    let items = files.map {
      "<item id=\"\($0.dropLast(6))\" href=\"\($0)\" media-type=\"application/xhtml+xml\"/>"
    }
    let order = files.map { "<itemref idref=\"\($0.dropLast(6))\"/>" }
    add(
      "EPUB/package.opf",
      """
      <?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" \
      unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\
      <dc:identifier id="id">urn:uuid:\(title.id)</dc:identifier><dc:title>\(name)</dc:title>\
      <dc:creator>\(author)</dc:creator><dc:language>\(title.language)</dc:language>\
      <meta property="dcterms:modified">\(title.added.text)</meta></metadata><manifest>\
      <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\
      <item id="picture" href="picture.svg" media-type="image/svg+xml"/>\
      <item id="front" href="front.xhtml" media-type="application/xhtml+xml"/>\(items.joined())\
      </manifest><spine><itemref idref="front"/>\(order.joined())</spine></package>
      """)
    let list = [("front.xhtml", name)] + zip(files, chapters).map { ($0, $1.heading) }
    let lines = list.map { "<li><a href=\"\($0.0)\">\($0.1)</a></li>" }.joined()
    add(
      "EPUB/nav.xhtml",
      document(
        "Contents",
        "<nav xmlns:epub=\"http://www.idpf.org/2007/ops\" epub:type=\"toc\"><ol>\(lines)</ol></nav>"
      ))
    add("EPUB/picture.svg", MockStory.picture)
    add(
      "EPUB/front.xhtml",
      document(
        name,
        """
        <h1>\(name)</h1><p>By \(author).</p>\
        <figure><img src="picture.svg" alt="A small boat before hills, at evening"/></figure>
        """))
    for (file, chapter) in zip(files, chapters) {
      let text = chapter.paragraphs.map { "<p>\($0)</p>" }.joined(separator: "\n")
      add(
        "EPUB/\(file)", document(chapter.heading, "<h1>\(chapter.heading)</h1>\n\(text)"),
        isChapter: true)
    }
    return parts
  }

  private func document(_ heading: String, _ body: String) -> String {
    """
    <?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head>\
    <title>\(heading)</title></head><body>\(body)</body></html>
    """
  }

  /// The request document that Adobe's programs take to a fulfilment server.
  package func acsm(_ loan: Loan, _ base: String) -> [UInt8] {
    let text = """
      <?xml version="1.0"?><fulfillmentToken fulfillmentType="loan" auth="user" \
      xmlns="http://ns.adobe.com/adept"><distributor>urn:uuid:\(title.id)</distributor>\
      <operatorURL>\(base)/fulfillment</operatorURL><expiration>\(loan.until.text)</expiration>\
      <resourceItemInfo><resource>urn:uuid:\(title.id)</resource><metadata>\
      <dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">\(name)</dc:title>\
      <dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">\(author)</dc:creator></metadata>\
      </resourceItemInfo></fulfillmentToken>
      """
    return Array(text.utf8)
  }

  package var pdf: [UInt8] {
    let objects = [
      "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>",
    ]
    var (text, offsets) = ("%PDF-1.4\n", [Int]())
    for (index, object) in objects.enumerated() {
      offsets.append(text.utf8.count)
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = text.utf8.count
    text += "xref\n0 4\n0000000000 65535 f \n"
    for offset in offsets {
      let digits = String(offset)
      text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
    }
    return Array((text + "trailer<</Size 4/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n").utf8)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
