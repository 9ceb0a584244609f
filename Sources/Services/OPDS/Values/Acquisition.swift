package import Circulation
package import FoundationEssentials
package import HTTP

/// One way to get a publication: where, what it turns into step by step, and how it stands with
/// this reader.
package struct Acquisition: Sendable, Hashable {
  package var link: Link
  package var indirections: [Indirection]
  package var prices: [Price]
  package var availability: Availability?
  package var copies: Copies?
  package var holds: Holds?
  /// Whether a DELETE on its address takes the hold back (§4).
  package var isCancellable: Bool
  /// What opens the loan behind it without asking (§3).
  package var keys: LoanKeys?

  package init(_ link: Link) {
    self.link = link
    (indirections, prices, isCancellable) = ([], [], false)
  }

  package func has(_ relation: Relation) -> Bool { link.has(relation) }

  /// Every way from what the link brings to what is read in the end (§2.3).
  package var paths: [[MediaType]] {
    let first = link.type.map { [$0] } ?? []
    guard !indirections.isEmpty else { return [first] }
    return indirections.flatMap(\.paths).map { first + $0 }
  }

  package struct Indirection: Sendable, Hashable {
    package var type: MediaType
    package var children: [Indirection]

    package init(_ type: MediaType, _ children: [Indirection] = []) {
      (self.type, self.children) = (type, children)
    }

    fileprivate var paths: [[MediaType]] {
      children.isEmpty ? [[type]] : children.flatMap(\.paths).map { [type] + $0 }
    }
  }

  package struct Price: Sendable, Hashable {
    /// As written; money is not to be rounded by us.
    package var amount: String
    package var currency: String?

    package init(_ amount: String, currency: String?) {
      (self.amount, self.currency) = (amount, currency)
    }
  }

  /// `status` in Atom, `state` in JSON (§4).
  package struct Availability: Sendable, Hashable {
    package enum State: String, Sendable, Hashable {
      case available, unavailable, reserved, ready
    }

    package var state: State
    package var since: Date?
    package var until: Date?

    package init(_ state: State, since: Date? = nil, until: Date? = nil) {
      (self.state, self.since, self.until) = (state, since, until)
    }
  }

  package struct Copies: Sendable, Hashable {
    package var total: Int?
    package var available: Int?

    package init(total: Int?, available: Int?) { (self.total, self.available) = (total, available) }
  }

  package struct Holds: Sendable, Hashable {
    package var total: Int?
    package var position: Int?

    /// Counts and positions come from different moments; nobody stands behind the end (§3).
    package init(total: Int?, position: Int?) {
      self.position = position.flatMap { $0 > 0 ? $0 : nil }
      self.total = total.map { max($0, self.position ?? 0) }
    }
  }
}
