/// What is measured under one name: how monitoring asks for it, and what people read of it. There is
/// one table of them; scrape, reference and tests come from it.
package struct MetricFamily: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case counter, gauge, histogram
  }

  /// A label and where its values come from. They are closed sets: no reader, no title, no address.
  package struct Label: Sendable, Hashable {
    package let name: String
    package let values: String

    package init(_ name: String, _ values: String) { (self.name, self.values) = (name, values) }
  }

  package let name: String
  package let kind: Kind
  package let help: String
  package let labels: [Label]

  package init(_ name: String, _ kind: Kind, _ help: String, labels: [Label] = []) {
    (self.name, self.kind, self.help, self.labels) = (name, kind, help, labels)
  }
}

/// One number of a family: the values of its labels, in their order, and what was measured.
package struct Sample: Sendable, Hashable {
  package let labels: [String]
  package let value: Double

  package init(_ labels: [String], _ value: Double) {
    (self.labels, self.value) = (labels, value)
  }

  package init(_ labels: [String], _ value: Int) { self.init(labels, Double(value)) }

  package init(_ value: Int) { self.init([], Double(value)) }
}
