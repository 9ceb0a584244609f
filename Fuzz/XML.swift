// Feeds the XML reader whatever the fuzzer thinks of. What must hold: no crash; reading in pieces
// gives the events of reading at once; a tree that was read can be written and reads back equal.
//
//
//   Fuzz/build.sh XML && SWIFT_BACKTRACE=enable=no .build/fuzz/XML -max_len=4096 -max_total_time=60
import Markup
import XML

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzXML(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
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
      precondition(whole.reason != nil || whole.events == cut.events, "pieces make a difference")
    }
    if let root = try? XMLDocument(bytes, options).root { checkText(of: root) }
  }
  return 0
}

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
