/// How to read a document. Nothing here turns a protection off.
package struct XMLOptions: Sendable, Hashable {
  package enum Tolerance: Sendable { case strict, recovering }

  /// What to do about bytes that are not what the document says they are.
  package enum EncodingFaults: Sendable { case refused, repaired }

  /// Entities that may be used without being declared.
  package enum Entities: Sendable {
    /// The five of XML.
    case xml
    /// Those of XHTML too (`&nbsp;`), which chapters use and whose DTD is never loaded.
    case xhtml
    /// The same, and whatever else begins like one is text: a name that nobody declared, a bare
    /// ampersand. No element is guessed at for it.
    case web
  }

  /// What is reported besides elements and text.
  package struct Reports: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let comments = Reports(rawValue: 1)
    package static let instructions = Reports(rawValue: 2)
  }

  package var limits = XMLLimits()
  package var tolerance = Tolerance.strict
  package var encodingFaults = EncodingFaults.refused
  package var entities = Entities.xml
  package var reports: Reports = []
  /// The `charset` the transport gave; it outranks what the document says (RFC 7303 §3).
  package var charset: String?

  package init() {}

  package static let strict = XMLOptions()

  /// For feeds in the wild: unescaped ampersands, entities of HTML, wrong encodings, tags that do
  /// not match. What had to be guessed is in the warnings.
  package static let recovering: XMLOptions = {
    var options = XMLOptions()
    (options.tolerance, options.encodingFaults, options.entities) = (.recovering, .repaired, .xhtml)
    return options
  }()

  /// For the chapters of a book.
  package static let chapter: XMLOptions = {
    var options = XMLOptions()
    options.entities = .xhtml
    return options
  }()
}
