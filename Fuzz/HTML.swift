// Feeds tag soup through the allow-lists. What must hold: no crash; rebuilding what was rebuilt
// changes nothing; nothing is written that the lists do not know.
//
//   Fuzz/build.sh HTML && SWIFT_BACKTRACE=enable=no .build/fuzz/HTML -max_len=4096 -max_total_time=60
import Markup
import XML

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTML(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let soup = try? HTMLDocument(bytes) else { return 0 }
  _ = PlainText.of(soup.content)
  for list in [AllowList.blurb, .chapter, small] {
    let once = list.rebuild(soup.content)
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
  return 0
}

private let small: AllowList = {
  var list = AllowList.chapter
  (list.maximumDepth, list.maximumNodes, list.maximumText) = (4, 40, 200)
  return list
}()
