/// Which of the two engines answers. Code that must differ asks for this; most should use
/// `SQL.either` instead.
package enum Dialect: String, Sendable, Hashable, CaseIterable {
  case sqlite, postgres

  /// SQLite as Debian builds it takes 250,000; the protocol of PostgreSQL counts in 16 bits.
  var maximumBindings: Int {
    switch self {
    case .sqlite: 32_766
    case .postgres: 65_535
    }
  }

  fileprivate func name(of kind: Kind) -> String {
    switch (kind, self) {
    case (.integer, _): "BIGINT"
    case (.real, _): "DOUBLE PRECISION"
    case (.text, _): "TEXT"
    case (.blob, .sqlite): "BLOB"
    case (.blob, .postgres): "BYTEA"
    case (.boolean, _): "BOOLEAN"
    }
  }
}

/// A statement as one engine takes it.
struct RenderedSQL {
  var text = ""
  var bindings: [Binding] = []
  /// Not worth it where a list is long: of those each length would be a text of its own.
  var isWorthKeeping = true

  struct Binding {
    let value: Value
    let kind: Kind
  }
}

extension SQL {
  func rendered(for dialect: Dialect) throws(DatabaseError) -> RenderedSQL {
    var rendered = RenderedSQL()
    for part in parts {
      switch part {
      case .text(let text): rendered.text += text
      case .either(let sqlite, let postgres):
        rendered.text += dialect == .sqlite ? sqlite : postgres
      case .name(let name): rendered.text += try name.quoted()
      case .value(let value, let kind): try rendered.bind(value, kind)
      case .list(let values, let kind):
        if values.isEmpty {
          // `IN ()` is not valid everywhere, and `NOT IN (NULL)` would match nothing.
          rendered.text += "SELECT CAST(NULL AS \(dialect.name(of: kind))) WHERE FALSE"
        }
        for (index, value) in rendered.filled(values).enumerated() {
          if index > 0 { rendered.text += ", " }
          try rendered.bind(value, kind)
        }
      }
    }
    guard rendered.bindings.count <= dialect.maximumBindings else {
      throw DatabaseError(.unstorable(.tooManyBindings))
    }
    return rendered
  }
}

extension RenderedSQL {
  private static let longestKept = 32

  /// A short list gets its last value some times more, up to the next power of two: to be among them
  /// means the same, and few texts serve lists of every length.
  fileprivate mutating func filled(_ values: [Value]) -> [Value] {
    guard values.count <= Self.longestKept, let last = values.last else {
      isWorthKeeping = isWorthKeeping && values.isEmpty
      return values
    }
    var length = 1
    while length < values.count { length *= 2 }
    return values + Array(repeating: last, count: length - values.count)
  }

  fileprivate mutating func bind(_ value: Value, _ kind: Kind) throws(DatabaseError) {
    try value.checkStorable()
    bindings.append(Binding(value: value, kind: kind))
    text += "$\(bindings.count)"
  }
}
