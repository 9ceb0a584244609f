/// One attribute of a node we write. Absence is a state of the value, so that a feed can spell
/// `.init("until", until)` for a date it may not have, instead of branching around a tag.
package struct Attribute: Sendable, Hashable {
  package enum Value: Sendable, Hashable {
    case text(String)
    /// Present without a value: `disabled` in HTML, `disabled="disabled"` in XML.
    case bare
    /// Not written at all.
    case absent
  }

  package let name: Name
  package let value: Value

  package init(_ name: Name, _ text: String) { (self.name, value) = (name, .text(text)) }

  /// No text, no attribute.
  package init(_ name: Name, _ text: String?) {
    (self.name, value) = (name, text.map(Value.text) ?? .absent)
  }

  package init(_ name: Name, _ number: Int) { self.init(name, String(number)) }

  package init(_ name: Name, _ number: Int?) { self.init(name, number.map(String.init)) }

  /// A boolean attribute: there or not there.
  package init(_ name: Name, _ isPresent: Bool) {
    (self.name, value) = (name, isPresent ? .bare : .absent)
  }
}
