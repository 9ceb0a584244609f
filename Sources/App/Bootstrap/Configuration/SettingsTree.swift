/// A settings file after its syntax and before its meaning: every part knows its place.
package struct SettingsTree: Sendable {
  package struct Entry: Sendable {
    let name: String
    let place: Place
    let value: SettingsTree

    package init(_ name: String, at place: Place, _ value: SettingsTree) {
      (self.name, self.place, self.value) = (name, place, value)
    }
  }

  package struct Place: Sendable, Hashable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
  }

  package indirect enum Content: Sendable {
    /// Nothing, `null` or `~`.
    case empty
    case text(String)
    case list([SettingsTree])
    case mapping([Entry])
  }

  package let content: Content
  package let place: Place

  package init(_ content: Content, at place: Place) {
    (self.content, self.place) = (content, place)
  }

  var kind: String {
    switch content {
    case .empty: "nothing"
    case .text: "a single value"
    case .list: "a list"
    case .mapping: "a group of settings"
    }
  }
}
