import CXML2
import Markup

/// What libxml2 calls back into while it parses one piece: it turns what it is told into events,
/// and remembers the first reason not to go on.
struct Collector {
  let options: XMLOptions
  var fault: XMLError?
  var warnings: [XMLError] = []
  /// Where the start tags began that libxml2 has yet to report.
  private var starts: [XMLPosition] = []
  private var started = 0
  private var depth = 0
  private var events: [XMLEvent] = []
  private var next = 0
  private var text: [UInt8] = []
  private var names = NameCache()
  /// The elements not ended yet; names cost no copy.
  private var open: [QualifiedName] = []
  /// Namespaces declared by each of them, and in all.
  private var declared: [Int] = []
  private var declarations = 0

  init(_ options: XMLOptions) { self.options = options }

  mutating func take() -> XMLEvent? {
    guard next < events.count else {
      events.removeAll(keepingCapacity: true)
      next = 0
      return nil
    }
    defer { next += 1 }
    return events[next]
  }

  /// Start tags to come.
  mutating func expect(_ positions: [XMLPosition]) {
    starts.removeFirst(min(started, starts.count))
    started = 0
    // They run ahead only where libxml2 saw fewer tags in a broken document.
    if starts.count > 1 << 16 { starts.removeAll() }
    starts += positions
  }

  /// Makes an event of the text collected so far.
  mutating func flush() {
    guard !text.isEmpty else { return }
    events.append(.text(String(decoding: text, as: UTF8.self)))
    text.removeAll(keepingCapacity: text.capacity < 1 << 16)
  }

  /// Ends the elements a recovered document left open.
  mutating func close() {
    guard isOpen else { return }
    flush()
    while let name = open.popLast() {
      events.append(.end(name))
      depth -= 1
    }
  }

  /// Whether events are still wanted.
  var isOpen: Bool { fault == nil }

  mutating func fail(
    _ reason: XMLError.Reason, line: Int = 0, column: Int = 0, _ sentence: String? = nil
  ) {
    if fault == nil { fault = XMLError(reason, line: line, column: column, sentence) }
  }

  mutating func start(
    _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?, namespaces: Int,
    _ attributes: UnsafeBufferPointer<UnsafePointer<xmlChar>?>
  ) {
    guard isOpen else { return }
    flush()
    depth += 1
    let position = started < starts.count ? starts[started] : XMLPosition(line: 0, column: 0)
    started += 1
    declared.append(namespaces)
    declarations += namespaces
    if depth > options.limits.depth {
      fail(.tooDeep(limit: options.limits.depth), line: position.line, column: position.column)
    } else if declarations > XMLLimits.namespaces {
      fail(
        .tooLarge(.namespaces, limit: XMLLimits.namespaces), line: position.line,
        column: position.column)
    }
    let element = unsafe name(local, prefix, uri)
    var kept: [Element.Attribute] = []
    kept.reserveCapacity(attributes.count / 5)
    for index in stride(from: 0, to: attributes.count, by: 5) {
      guard let from = unsafe attributes[index + 3], let to = unsafe attributes[index + 4] else {
        continue
      }
      let name = unsafe name(attributes[index], attributes[index + 1], attributes[index + 2])
      // In recovering mode libxml2 reports both of two; the first one counts.
      if options.tolerance == .recovering, kept.contains(where: { $0.name == name }) { continue }
      let value = unsafe UnsafeBufferPointer(start: from, count: to - from)
      kept.append(Element.Attribute(name, unsafe String(decoding: value, as: UTF8.self)))
    }
    guard isOpen else { return }
    open.append(element)
    events.append(.start(XMLStart(name: element, attributes: kept, position: position)))
  }

  mutating func end() {
    guard isOpen, depth > 0 else { return }
    flush()
    depth -= 1
    declarations -= declared.popLast() ?? 0
    // The name of the element it ends, whatever a recovered end tag says.
    if let name = open.popLast() { events.append(.end(name)) }
  }

  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard isOpen, depth > 0 else { return }
    unsafe text.append(contentsOf: bytes)
    if text.count > options.limits.text {
      fail(.tooLarge(.text, limit: options.limits.text))
    }
  }

  mutating func comment(_ text: UnsafePointer<xmlChar>?) {
    guard isOpen, options.reports.contains(.comments) else { return }
    flush()
    unsafe events.append(.comment(Collector.string(text)))
  }

  mutating func instruction(_ target: UnsafePointer<xmlChar>?, _ content: UnsafePointer<xmlChar>?) {
    guard isOpen, options.reports.contains(.instructions) else { return }
    flush()
    unsafe events.append(
      .instruction(target: Collector.string(target), content: Collector.string(content)))
  }

  /// A reference libxml2 could not resolve. All that may be used unresolved were replaced before.
  mutating func reference(_ name: UnsafePointer<xmlChar>?) {
    if options.tolerance == .strict {
      unsafe fail(.undefinedEntity(String(Collector.string(name).prefix(64))))
    }
  }

  mutating func complain(
    _ code: UInt32, isWarning: Bool, line: Int, column: Int, about name: String?
  ) {
    let isUndefined = [XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY].contains {
      $0.rawValue == code
    }
    guard !isWarning || isUndefined else { return }
    let reason: XMLError.Reason =
      isUndefined ? .undefinedEntity(name ?? "") : Library.reason(of: code)
    if options.tolerance == .strict {
      fail(reason, line: line, column: column, Library.sentence(of: code))
    } else if warnings.count < Screen.mostWarnings {
      warnings.append(
        XMLError(reason, line: line, column: column, Library.sentence(of: code)))
    }
  }

  private mutating func name(
    _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?
  ) -> QualifiedName {
    var text = unsafe names.string(at: local)
    if text.utf8.count > options.limits.name {
      fail(.tooLarge(.name, limit: options.limits.name))
      text = ""
    }
    guard let uri = unsafe uri else {
      guard let prefix = unsafe prefix else { return QualifiedName(text) }
      // Only in recovering mode: a prefix nobody declared stays part of the name.
      return unsafe QualifiedName(names.string(at: prefix) + ":" + text)
    }
    return unsafe QualifiedName(text, in: names.string(at: uri))
  }

  private static func string(_ bytes: UnsafePointer<xmlChar>?) -> String {
    unsafe bytes.map { unsafe String(cString: $0) } ?? ""
  }
}

/// The collector at a fixed address, for libxml2 to hand back. It lives as long as its reader,
/// which is its only user; nothing in it is touched from two threads.
final class CollectorBox {
  var collector: Collector

  init(_ options: XMLOptions) { collector = Collector(options) }
}

/// Names libxml2 keeps in its dictionary, which gives equal names one address for as long as the
/// parser lives: most names of a document need no new string.
@safe struct NameCache {
  private static let size = 256
  private var keys = [UInt](repeating: 0, count: size)
  private var strings = [String](repeating: "", count: size)

  mutating func string(at address: UnsafePointer<xmlChar>?) -> String {
    guard let address = unsafe address else { return "" }
    let key = UInt(bitPattern: address)
    let slot = Int((key >> 2 ^ key >> 10) % UInt(NameCache.size))
    if keys[slot] != key {
      keys[slot] = key
      strings[slot] = unsafe String(cString: address)
    }
    return strings[slot]
  }
}
