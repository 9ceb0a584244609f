/// Which elements HTML ends without being told (HTML Living Standard §13.2.6). The parser of tag
/// soup and the rebuilding from an allow-list ask the same rules, so what is rebuilt reads back as
/// the same tree.
package struct Nesting: Sendable {
  private var open: [Role] = []
  private var names: [String] = []

  package init() {}

  package var depth: Int { names.count }

  package mutating func push(_ name: String) {
    names.append(name)
    open.append(Nesting.roles[name] ?? [])
  }

  /// For elements to which no rule of HTML applies: those of SVG and MathML.
  package mutating func pushForeign(_ name: String, endsScope: Bool) {
    names.append(name)
    open.append(endsScope ? .scope : [])
  }

  package mutating func pop(to depth: Int) {
    names.removeLast(names.count - depth)
    open.removeLast(open.count - depth)
  }

  /// How many of the open elements stay open when `name` begins.
  package func depth(beginning name: String) -> Int {
    let role = Nesting.roles[name] ?? []
    var depth = names.count
    if role.contains(.listItem) {
      depth = min(depth, item(.listItem))
    } else if role.contains(.description) {
      depth = min(depth, item(.description))
    } else if let ended = Nesting.ended(by: role) {
      depth = min(depth, outermost(ended))
    } else if role.contains(.link) {
      depth = min(depth, innermost(.link, within: .scope))
    }
    if role.contains(.endsParagraph) { depth = min(depth, innermost(.paragraph, within: .scope)) }
    while depth > 0, Nesting.isEnded(open[depth - 1], by: role) { depth -= 1 }
    return depth
  }

  /// How many stay open after the end tag of `name`; nil when there is nothing it could end.
  package func depth(ending name: String) -> Int? {
    let role = Nesting.roles[name] ?? []
    let barrier: Role =
      if role.contains(.listItem) {
        [.scope, .list]
      } else if !role.isDisjoint(with: .tableParts) || name == "table" {
        .table
      } else {
        .scope
      }
    for index in names.indices.reversed() {
      if names[index] == name || (role.contains(.heading) && open[index].contains(.heading)) {
        return index
      }
      if !open[index].isDisjoint(with: barrier) { return nil }
    }
    return nil
  }

  private func item(_ kind: Role) -> Int {
    for index in open.indices.reversed() {
      if open[index].contains(kind) { return index }
      if !open[index].isDisjoint(with: [.scope, .stopsItems]) { break }
    }
    return open.count
  }

  private func innermost(_ kind: Role, within barrier: Role) -> Int {
    for index in open.indices.reversed() {
      if open[index].contains(kind) { return index }
      if !open[index].isDisjoint(with: barrier) { break }
    }
    return open.count
  }

  /// The outermost open part of the innermost table.
  private func outermost(_ kinds: Role) -> Int {
    var depth = open.count
    for index in open.indices.reversed() {
      if open[index].contains(.table) { break }
      if !open[index].isDisjoint(with: kinds) { depth = index }
    }
    return depth
  }
}
