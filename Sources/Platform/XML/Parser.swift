import CXML2

/// libxml2's push parser, set up so that it reads nothing but the bytes it is given: no network,
/// no DTD, no entities, no encoding but the UTF-8 it gets, nothing printed. One owner, freed once.
@safe struct Parser: ~Copyable {
  let box: CollectorBox
  private let context: xmlParserCtxtPtr

  init(_ options: XMLOptions) {
    precondition(Library.isReady)
    let box = CollectorBox(options)
    var handler = unsafe Parser.handler()
    guard
      let context = unsafe xmlCreatePushParserCtxt(
        &handler, Unmanaged.passUnretained(box).toOpaque(), nil, 0, nil)
    else {
      // No memory for a few hundred bytes: Swift's own allocations stop here too.
      fatalError("out of memory")
    }
    // NOENT is about the five entities of XML, all there are here: without it `&amp;` in a value
    // stays a reference.
    var flags =
      XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOENT.rawValue
    if options.tolerance == .recovering { flags |= XML_PARSE_RECOVER.rawValue }
    _ = unsafe xmlCtxtUseOptions(context, Int32(flags))
    _ = unsafe xmlSwitchEncoding(context, XML_CHAR_ENCODING_UTF8)
    self.box = box
    unsafe self.context = context
  }

  deinit { unsafe xmlFreeParserCtxt(context) }

  func parse(_ bytes: [UInt8], isLast: Bool) {
    unsafe bytes.withUnsafeBytes { buffer in
      _ = unsafe xmlParseChunk(
        context, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count),
        isLast ? 1 : 0)
    }
  }

  /// Every field that is not set here stays null, and libxml2 does nothing for it: the internal
  /// and external subsets among them.
  private static func handler() -> xmlSAXHandler {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = carrel_xml_sax2_magic()
    unsafe handler.startElementNs = {
      context, local, prefix, uri, namespaces, _, count, defaulted, attributes in
      unsafe Parser.box(context)?.collector.start(
        local, prefix, uri, namespaces: Int(namespaces),
        UnsafeBufferPointer(start: attributes, count: 5 * Int(count - defaulted)))
    }
    unsafe handler.endElementNs = { context, _, _, _ in
      unsafe Parser.box(context)?.collector.end()
    }
    unsafe handler.characters = { context, bytes, count in
      unsafe Parser.box(context)?.collector.characters(
        UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
    // The same function for both, or libxml2 looks at every blank to tell them apart.
    unsafe handler.ignorableWhitespace = handler.characters
    unsafe handler.cdataBlock = handler.characters
    unsafe handler.comment = { context, text in
      unsafe Parser.box(context)?.collector.comment(text)
    }
    unsafe handler.processingInstruction = { context, target, content in
      unsafe Parser.box(context)?.collector.instruction(target, content)
    }
    unsafe handler.reference = { context, name in
      unsafe Parser.box(context)?.collector.reference(name)
    }
    unsafe handler.entityDecl = { context, _, _, _, _, _ in
      unsafe Parser.box(context)?.collector.fail(.entityDeclared)
    }
    unsafe handler.serror = { context, error in
      guard let error = unsafe error else { return }
      let name = unsafe error.pointee.str1.map { unsafe String(String(cString: $0).prefix(64)) }
      unsafe Parser.box(context)?.collector.complain(
        UInt32(bitPattern: error.pointee.code), isWarning: error.pointee.level == XML_ERR_WARNING,
        line: Int(error.pointee.line), column: Int(error.pointee.int2), about: name)
    }
    return unsafe handler
  }

  private static func box(_ context: UnsafeMutableRawPointer?) -> CollectorBox? {
    unsafe context.map { unsafe Unmanaged<CollectorBox>.fromOpaque($0).takeUnretainedValue() }
  }
}
