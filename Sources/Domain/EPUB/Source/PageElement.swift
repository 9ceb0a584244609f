package import Markup
import XML

/// A page with everything its author wrote in it, to be rebuilt for a browser. Its texts, one behind
/// the other, are those of its `SourceTree`.
package struct PageElement: Sendable {
  package let root: Element
  /// What was wrong with it, where it had to be mended.
  package let fault: String?

  package init(_ bytes: [UInt8], isHTML: Bool = false) throws(ResourceError) {
    do throws(XMLError) { try self.init(reading: bytes.withoutLeadingBlanks, isHTML) } catch {
      if case .tooLarge = error.reason { throw .tooLarge }
      throw .unreadable
    }
  }

  /// In the steps of `SourceTree`: strictly, else mended, else as HTML.
  private init(reading bytes: [UInt8], _ isHTML: Bool) throws(XMLError) {
    if isHTML {
      (root, fault) = (try Self.html(bytes), nil)
      return
    }
    let trouble: XMLError
    do throws(XMLError) {
      (root, fault) = (try XMLDocument(bytes, SourceTree.options(.chapter)).root, nil)
      return
    } catch { trouble = error }
    switch trouble.reason {
    case .tooLarge, .entityDeclared: throw trouble
    case .tooDeep: root = try Self.html(bytes)
    default:
      do throws(XMLError) {
        root = try XMLDocument(bytes, SourceTree.options(.recovering)).root
      } catch { root = try Self.html(bytes) }
    }
    fault = trouble.description
  }

  private static func html(_ bytes: [UInt8]) throws(XMLError) -> Element {
    let limits = XMLLimits(bytes: Limits.chapter, depth: 256, nodes: 1_000_000)
    let content = try HTMLDocument(bytes, limits: limits).content
    for case .element(let element) in content where element.name.local == "html" {
      // What stands around it is blank, or it would stand in it.
      return element
    }
    return Element(QualifiedName("html"), children: content)
  }
}
