/// Yes when it is there. Saying it twice is saying it.
package struct Flag: Declared {
  package let parameter: Parameter

  package init(_ name: String, short: Character? = nil, _ help: String, common: Bool = false) {
    parameter = .switch(.flag, name, short, help, common)
  }

  package func value(of texts: [String]) -> Bool { !texts.isEmpty }
}

/// A flag that means more each time it is said: `-v`, `-vv`.
package struct Count: Declared {
  package let parameter: Parameter

  package init(_ name: String, short: Character? = nil, _ help: String, common: Bool = false) {
    parameter = .switch(.count, name, short, help, common)
  }

  package func value(of texts: [String]) -> Int { texts.count }
}

extension Parameter {
  fileprivate static func `switch`(
    _ role: Role, _ name: String, _ short: Character?, _ help: String, _ isCommon: Bool
  ) -> Parameter {
    Parameter(
      role: role, name: name, short: short, placeholder: "", help: help, presence: .optional,
      defaultText: nil, completion: .nothing, isCommon: isCommon, check: { _ in })
  }
}
