/// Why a document was not read, where, and a sentence for the log. The sentence is ours: a
/// parser's own message may quote the document, and a document may hold what no log should.
package struct XMLError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Reason: Sendable, Hashable {
    case malformed
    /// Ended in the middle.
    case truncated
    /// Holds no element at all.
    case empty
    case tooDeep(limit: Int)
    case tooLarge(XMLLimits.Measure, limit: Int)
    /// Declares entities of its own, which no feed and no chapter needs and every XML bomb does.
    case entityDeclared
    case undefinedEntity(String)
    case encoding(EncodingFault)
    /// The source of the bytes failed; the text is its own.
    case unreadable(String)
  }

  package enum EncodingFault: Sendable, Hashable {
    case unknown(String)
    /// These bytes are not in the encoding they are said to be in.
    case invalidBytes(TextEncoding)
    /// The document says one thing and its first bytes another.
    case contradiction(declared: TextEncoding)
  }

  package let reason: Reason
  /// From 1; 0 where the place is unknown.
  package let line: Int
  /// In characters, from 1.
  package let column: Int
  package let sentence: String

  package init(_ reason: Reason, line: Int = 0, column: Int = 0, _ sentence: String? = nil) {
    (self.reason, self.line, self.column) = (reason, line, column)
    self.sentence = sentence ?? reason.sentence
  }

  package var description: String {
    line > 0 ? "line \(line), column \(column): \(sentence)" : sentence
  }
}

extension XMLError.Reason {
  var sentence: String {
    switch self {
    case .malformed: "The document is not well-formed XML."
    case .truncated: "The document ends before its elements do."
    case .empty: "The document holds no element."
    case .tooDeep(let limit): "Elements are nested deeper than \(limit)."
    case .tooLarge(let measure, let limit): "\(measure.phrase) \(limit)."
    case .entityDeclared: "The document declares entities, which is refused."
    case .undefinedEntity(let name): "The entity “\(name)” is not defined."
    case .encoding(.unknown(let name)): "The encoding “\(name)” is not known."
    case .encoding(.invalidBytes(let encoding)): "The bytes are not \(encoding.name)."
    case .encoding(.contradiction(let declared)):
      "The document declares \(declared.name), and its bytes are not."
    case .unreadable(let cause): "The document could not be read: \(cause)"
    }
  }
}

extension XMLLimits.Measure {
  var phrase: String {
    switch self {
    case .bytes: "The document has more bytes than"
    case .attributes: "An element has more attributes than"
    case .tag: "A tag is longer in bytes than"
    case .name: "A name is longer in bytes than"
    case .text: "A run of text is longer in bytes than"
    case .namespaces: "More namespaces are declared at once than"
    case .doctype: "The document type is longer in bytes than"
    case .nodes: "The document has more nodes than"
    case .vocabulary: "The names of the document take more bytes than"
    }
  }
}
