import EPUB
import Markup
import Styles

/// Rebuilds one document of a book.
struct ChapterMaking {
  private let book: Book
  private let addresses: BookAddresses
  /// What addresses in it begin from.
  private let base: String
  private let path: String
  let list: AllowList
  let styles: StyleList

  init(_ book: Book, _ path: String, base: String, _ addresses: BookAddresses) {
    (self.book, self.path, self.base, self.addresses) = (book, path, base, addresses)
    let styles = StyleList.own(book, from: base, addresses)
    self.styles = styles
    list = Self.list(book, path, base, addresses, styles)
  }

  static func chapter(
    of book: Book, _ path: String, isHTML: Bool, isFixed: Bool, _ addresses: BookAddresses
  ) throws(ResourceError) -> Chapter {
    let page = try PageElement(try book.bytes(of: path), isHTML: isHTML)
    let head = page.root.child(named: "head")
    var base = path
    if let written = head?.child(named: "base")?["href"],
      let own = Reference(written, from: path).path
    {
      base = own
    }
    let making = ChapterMaking(book, path, base: base, addresses)
    return making.chapter(page, head, isFixed)
  }

  /// A picture alone, on a page of its own.
  static func picture(_ path: String, _ addresses: BookAddresses) -> Chapter {
    let body = tag("body", .init("class", "carrel-picture")) {
      tag("img", .init("src", addresses.resource(path)), .init("alt", ""))
    }
    return Chapter(
      bytes: XMLWriter.document(document(addresses, title: "", attributes: [], [], body)))
  }

  // MARK: - The page

  private func chapter(_ page: PageElement, _ head: Element?, _ isFixed: Bool) -> Chapter {
    var before = 0
    var body: Element?
    for child in page.root.children where body == nil {
      switch child {
      case .text(let text): before += text.utf8.count
      case .element(let element) where Self.bodies.contains(element.name.local.lowercased()):
        body = element
      case .element(let element): before += element.text.utf8.count
      }
    }
    if body == nil { before = 0 }
    let content = body ?? Element(QualifiedName("body"), children: [.element(page.root)])
    let transcript = list.transcribe(
      [
        .element(
          Element(
            QualifiedName("body"), attributes: content.attributes,
            children: content.children))
      ],
      from: before)
    let shown =
      transcript.nodes.first ?? tag("body")
    let box = isFixed ? FixedBox(page.root, head) : nil
    let root = Self.document(
      addresses, title: head?.child(named: "title")?.text ?? "",
      attributes: Self.marked(rootAttributes(page.root), isFixed: box != nil),
      sheets(head, content), shown)
    return Chapter(
      bytes: XMLWriter.document(root, reserving: 64 << 10), length: transcript.length, box: box,
      pieces: transcript.pieces)
  }

  /// Pages that their author laid out are told by a class from those that readers may dress.
  private static func marked(_ attributes: [Attribute], isFixed: Bool) -> [Attribute] {
    guard isFixed else { return attributes }
    var classes = "carrel-fixed"
    for case .text(let own) in attributes.filter({ $0.name == "class" }).map(\.value) {
      classes += " " + own
    }
    return attributes.filter { $0.name != "class" } + [.init("class", classes)]
  }

  private static let bodies: Set<String> = ["body", "book"]

  private func rootAttributes(_ root: Element) -> [Attribute] {
    guard root.name.local.lowercased() == "html" else { return [] }
    let bare = Element(QualifiedName("html"), attributes: root.attributes)
    guard case .element(_, let attributes, _)? = list.transcribe([.element(bare)]).nodes.first
    else { return [] }
    return attributes
  }

  private static func document(
    _ addresses: BookAddresses, title: String, attributes: [Attribute], _ sheets: [Node],
    _ body: Node
  ) -> Node {
    let own: [Attribute] = [
      .init("xmlns", Namespaces.xhtml), .init("xmlns:epub", "http://www.idpf.org/2007/ops"),
    ]
    let head = tag("head") {
      tag("title") { String(title.prefix(1000)) }
      tag("link", .init("rel", "stylesheet"), .init("href", addresses.sheets.before))
      sheets
      tag("link", .init("rel", "stylesheet"), .init("href", addresses.sheets.taste))
      tag("link", .init("rel", "stylesheet"), .init("href", addresses.sheets.behind))
    }
    return tag("html", attributes: own + attributes, children: [head, body])
  }

  /// Those it names and those inside it, in its own order; then those of drawings.
  private func sheets(_ head: Element?, _ body: Element) -> [Node] {
    let all = (head?.elements ?? []) + body.descendants(named: "style")
    var room = StyleList.maximumText
    return all.prefix(1000).compactMap { element in
      switch element.name.local.lowercased() {
      case "style":
        guard let text = rebuilt(element, within: &room) else { return nil }
        return tag("style", .init("media", Self.media(element))) { text }
      case "link":
        let words = (element["rel"] ?? "").lowercased().split { $0.isWhitespace }
        guard words.contains("stylesheet"), !words.contains("alternate"),
          let href = element["href"], let own = styles.sheet(href)
        else { return nil }
        return tag(
          "link", .init("rel", "stylesheet"), .init("href", own),
          .init("media", Self.media(element)))
      default: return nil
      }
    }
  }

  /// All the sheets inside one page may be as long as one by itself: those that go beyond are left out.
  private func rebuilt(_ element: Element, within room: inout Int) -> String? {
    guard room > 0 else { return nil }
    let written = element.text
    room -= written.utf8.count
    guard room >= 0 else { return nil }
    let text = styles.rebuild(sheet: written)
    return text.isEmpty ? nil : text
  }

  private static func media(_ element: Element) -> String? {
    element["media"].flatMap { $0.utf8.count <= 500 ? $0 : nil }
  }

  // MARK: - What may stand in it

  private static func list(
    _ book: Book, _ path: String, _ base: String, _ addresses: BookAddresses, _ styles: StyleList
  ) -> AllowList {
    var list = AllowList.chapter
    for (name, rule) in documentRules { list.elements[.html]?[name] = rule }
    list.link = { address in
      let target = Reference(address.text, from: base)
      switch target.place {
      case .inside(let to):
        if to == path, let fragment = target.fragment { return .init("#" + encoded(fragment)) }
        if let spine = book.spine(ofPath: to) {
          return .init(addresses.section(spine, target.fragment), target: "_top")
        }
        guard book.isUsable(to), book.mediaType(of: to).isDocument else { return nil }
        return .init(addresses.resource(to) + (target.fragment.map { "#" + encoded($0) } ?? ""))
      case .remote(let text):
        return .init(addresses.outside(text), rel: "noopener noreferrer", target: "_top")
      case .blocked("mailto"):
        return .init(
          addresses.outside(address.text), rel: "noopener noreferrer", target: "_top")
      case .blocked, .data: return nil
      }
    }
    list.image = { address in
      let target = Reference(address.text, from: base)
      guard let to = target.path, book.isUsable(to) else { return nil }
      return addresses.resource(to)
    }
    list.style = { styles.rebuild(declarations: $0) }
    list.stand = { element in
      // A picture that is put in as a thing of any kind.
      guard element.name.local.lowercased() == "object", let source = element["data"],
        let to = Reference(source, from: base).path, book.isUsable(to),
        book.mediaType(of: to).isPicture
      else { return nil }
      let kept = element.attributes.filter {
        ["id", "class", "style", "width", "height"].contains($0.name.local)
      }
      return Element(
        QualifiedName("img"),
        attributes: kept + [
          .init(QualifiedName("src"), source),
          .init(QualifiedName("alt"), PlainText.of(element.children)),
        ])
    }
    return list
  }

  /// What only a whole page has, and what talking books call things.
  private static let documentRules: [String: AllowList.Rule] = [
    "html": .init("html"), "body": .init("body"), "level": .init("section"),
    "level1": .init("section"), "level2": .init("section"), "level3": .init("section"),
    "level4": .init("section"), "level5": .init("section"), "level6": .init("section"),
    "frontmatter": .init("section"), "bodymatter": .init("section"),
    "rearmatter": .init("section"), "doctitle": .init("h1"), "docauthor": .init("p"),
    "pagenum": .init("span"), "imggroup": .init("figure"), "prodnote": .init("aside"),
    "sent": .init("span"), "list": .init("ul"), "line": .init("div"), "linegroup": .init("div"),
    "poem": .init("div"), "note": .init("aside"), "noteref": .init("a", ["idref": .text]),
    "acronym": .init("abbr"), "font": .init("span"),
  ]
}

/// A fragment as it stands in an address.
func encoded(_ fragment: String) -> String {
  String(
    fragment.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x3A, 0x2F:
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined())
}

extension FixedBox {
  /// From the first word on it (DOC-9): `width=600, height=800`, or the drawing's own measures.
  fileprivate init?(_ root: Element, _ head: Element?) {
    if root.name.local == "svg" {
      let box = (root["viewBox"] ?? "").split { $0 == " " || $0 == "," }.compactMap { Double($0) }
      let sides = box.count == 4 ? (box[2], box[3]) : Self.measures(root)
      guard let sides else { return nil }
      self.init(sides.0, sides.1)
      return
    }
    let meta = (head?.children(named: "meta") ?? []).first {
      $0["name"]?.lowercased() == "viewport"
    }
    var found: [String: Double] = [:]
    for part in (meta?["content"] ?? "").split(whereSeparator: { ",;".contains($0) }) {
      let sides = part.split(separator: "=").map { $0.filter { !$0.isWhitespace } }
      guard sides.count == 2, found[sides[0]] == nil, let number = Self.number(sides[1]) else {
        continue
      }
      found[sides[0]] = number
    }
    guard let width = found["width"], let height = found["height"] else { return nil }
    self.init(width, height)
  }

  private static func measures(_ root: Element) -> (Double, Double)? {
    guard let width = root["width"].flatMap(number), let height = root["height"].flatMap(number)
    else { return nil }
    return (width, height)
  }

  private static func number(_ text: String) -> Double? {
    Double(text.prefix { $0.isNumber || $0 == "." })
  }
}

extension ChapterMaking {
  /// A drawing by itself, with the style inside it.
  func drawing(_ root: Element) -> Node? {
    guard root.name.local.lowercased() == "svg",
      case .element(let name, let attributes, let children)? = list.transcribe([.element(root)])
        .nodes.first
    else { return nil }
    var room = StyleList.maximumText
    let sheets = root.descendants(named: "style").compactMap { rebuilt($0, within: &room) }
      .map { text in tag("style") { text } }
    return .element(name, attributes, sheets + children)
  }
}
