import Markup
import XML

/// A document of a book: read strictly, and where that fails as well as can be.
struct BookXML {
  let root: Element
  /// Nil where it is well-formed.
  let fault: XMLError?

  init(_ bytes: [UInt8]) throws(XMLError) {
    // White space before the declaration is an error that everybody tolerates.
    let bytes = bytes.withoutLeadingBlanks
    do throws(XMLError) {
      root = try XMLDocument(bytes, Self.options(.chapter)).root
      fault = nil
    } catch {
      switch error.reason {
      case .tooDeep, .tooLarge, .entityDeclared, .empty: throw error
      default: break
      }
      root = try XMLDocument(bytes, Self.options(.recovering)).root
      fault = error
    }
  }

  private static func options(_ options: XMLOptions) -> XMLOptions {
    var options = options
    options.limits = XMLLimits(depth: 512, attributes: 1000)
    return options
  }
}

extension [UInt8] {
  /// Nearly all have none, and are not copied for that.
  var withoutLeadingBlanks: [UInt8] {
    guard let first, first <= 0x20, first != 0 else { return self }
    return Array(drop { $0 <= 0x20 && $0 != 0 })
  }
}
