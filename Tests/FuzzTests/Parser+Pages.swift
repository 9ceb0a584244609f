import Markup
import XML

extension Parser {
  static let pages = [
    Parser("xml") { bytes in
      for options in [XMLOptions.strict, .chapter, .recovering] {
        let whole = outcome(XMLReader(bytes, options))
        let size = max(1, Int(bytes.first ?? 1) % 7)
        var rest = bytes[...]
        let pieces = XMLReader(options) {
          defer { rest = rest.dropFirst(size) }
          return Array(rest.prefix(size))
        }
        let cut = outcome(pieces)
        // How libxml2 goes on after an error depends on how much it has; in sound documents nothing does.
        if options.tolerance == .strict {
          precondition(whole.reason == nil || cut.reason != nil, "pieces were accepted")
          precondition(
            whole.reason != nil || whole.events == cut.events, "pieces make a difference")
        }
        if let root = try? XMLDocument(bytes, options).root { checkText(of: root) }
        _ = try? FlatDocument(bytes, options)
      }
    },
    Parser("html") { bytes in
      _ = PlainText.of(blurb: String(decoding: bytes, as: UTF8.self))
      guard let soup = try? HTMLDocument(bytes) else { return }
      _ = PlainText.of(soup.content)
      for list in [AllowList.blurb, .chapter, small] { check(list, soup.content) }
    },
  ]
}

/// Rebuilding what was rebuilt changes nothing, and nothing is written that the list does not know.
private func check(_ list: AllowList, _ content: [Content]) {
  let once = list.rebuild(content)
  let written = HTMLWriter.fragment(once)
  guard let document = try? HTMLDocument(written, charset: "utf-8") else {
    preconditionFailure("what was rebuilt does not parse")
  }
  precondition(list.rebuild(document.content) == once, "rebuilding twice is not once")
  let names = Set(list.elements.values.flatMap(\.values).map { "\($0.name)".lowercased() })
  for element in document.root.descendants(where: { _ in true }) {
    precondition(names.contains(element.name.local), "an element got through")
    for attribute in element.attributes {
      let name = attribute.name.local
      precondition(!name.hasPrefix("on") && name != "style", "an attribute got through")
      precondition(
        !["href", "src"].contains(name) || !Address.runsScript(attribute.value),
        "an address got through")
    }
  }
  let page = tag(
    "div", attributes: [.init("xmlns:epub", "http://www.idpf.org/2007/ops")], children: once)
  precondition((try? XMLDocument(XMLWriter.document(page))) != nil, "it is no XML")
}

private let small: AllowList = {
  var list = AllowList.chapter
  (list.maximumDepth, list.maximumNodes, list.maximumText) = (4, 40, 200)
  return list
}()

private func outcome(_ reader: consuming XMLReader) -> (
  events: [XMLEvent], reason: XMLError.Reason?
) {
  var events: [XMLEvent] = []
  do throws(XMLError) {
    while let event = try reader.next() { events.append(event) }
    return (events, nil)
  } catch {
    return (events, error.reason)
  }
}

/// All text there is in a document survives being written.
private func checkText(of root: Element) {
  let text = root.text
  let page = tag("a", .init("b", text)) { text }
  guard let again = try? XMLDocument(XMLWriter.document(page), large).root else {
    preconditionFailure("what was written does not read back")
  }
  precondition(again.text == text && again["b"] == text, "text was changed on the way")
}

private let large: XMLOptions = {
  var options = XMLOptions.strict
  options.limits = XMLLimits(tag: .max)
  return options
}()
