import CXML2

/// What concerns libxml2 as a whole.
enum Library {
  /// Its one-time setup; Swift runs it once, whoever asks first.
  static let isReady: Bool = {
    carrel_xml_init()
    return true
  }()

  static func reason(of code: UInt32) -> XMLError.Reason {
    switch xmlParserErrors(code) {
    case XML_ERR_DOCUMENT_EMPTY: .empty
    case XML_ERR_NO_MEMORY, XML_ERR_NAME_TOO_LONG:
      .tooLarge(.vocabulary, limit: XMLLimits.vocabulary)
    default: .malformed
    }
  }

  /// Our words for what people get wrong most.
  static func sentence(of code: UInt32) -> String? {
    switch xmlParserErrors(code) {
    case XML_ERR_TAG_NAME_MISMATCH: "An end tag does not match the element it should end."
    case XML_ERR_ATTRIBUTE_REDEFINED: "An element has the same attribute twice."
    case XML_ERR_ATTRIBUTE_NOT_STARTED: "The value of an attribute is not in quotes."
    case XML_ERR_ATTRIBUTE_WITHOUT_VALUE: "An attribute has no value."
    case XML_ERR_LT_IN_ATTRIBUTE: "The value of an attribute contains “<”."
    case XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_NAME_REQUIRED:
      "An “&” begins no reference, or a name is missing."
    case XML_ERR_INVALID_CHAR, XML_ERR_INVALID_CHARREF:
      "There is a character that XML forbids."
    case XML_ERR_DOCUMENT_END: "There is something after the end of the document."
    case XML_ERR_RESERVED_XML_NAME:
      "The XML declaration is not at the very beginning."
    case XML_ERR_HYPHEN_IN_COMMENT: "A comment contains “--”."
    case XML_ERR_MISPLACED_CDATA_END: "There is a “]]>” in text."
    case XML_NS_ERR_UNDEFINED_NAMESPACE: "A prefix is used and not declared."
    default: nil
    }
  }
}
