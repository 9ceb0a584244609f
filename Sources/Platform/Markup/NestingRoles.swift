// The table behind `Nesting`: what each element of HTML is to the elements around it.
extension Nesting {
  struct Role: OptionSet, Sendable {
    let rawValue: UInt32

    static let paragraph = Role(rawValue: 1 << 0)
    static let endsParagraph = Role(rawValue: 1 << 1)
    static let heading = Role(rawValue: 1 << 2)
    static let listItem = Role(rawValue: 1 << 3)
    static let description = Role(rawValue: 1 << 4)
    static let list = Role(rawValue: 1 << 5)
    static let link = Role(rawValue: 1 << 6)
    /// Rules do not look past these.
    static let scope = Role(rawValue: 1 << 7)
    static let table = Role(rawValue: 1 << 8)
    static let cell = Role(rawValue: 1 << 9)
    static let row = Role(rawValue: 1 << 10)
    static let rowGroup = Role(rawValue: 1 << 11)
    static let caption = Role(rawValue: 1 << 12)
    static let columnGroup = Role(rawValue: 1 << 13)
    static let column = Role(rawValue: 1 << 14)
    static let ruby = Role(rawValue: 1 << 15)
    static let option = Role(rawValue: 1 << 16)
    static let optionGroup = Role(rawValue: 1 << 17)
    /// A new list item ends an earlier one through anything but these.
    static let stopsItems = Role(rawValue: 1 << 18)

    static let tableParts: Role = [.cell, .row, .rowGroup, .caption, .columnGroup, .column]
  }

  /// The parts of a table that end where a part with this role begins.
  static func ended(by role: Role) -> Role? {
    if role.contains(.cell) { return [.cell, .caption, .columnGroup] }
    if role.contains(.row) { return [.row, .cell, .caption, .columnGroup] }
    if role.contains(.column) { return [.rowGroup, .row, .cell, .caption] }
    if !role.isDisjoint(with: [.rowGroup, .caption, .columnGroup]) { return .tableParts }
    return nil
  }

  /// Whether the innermost open element ends at once: headings, ruby parts and options.
  static func isEnded(_ innermost: Role, by role: Role) -> Bool {
    if role.contains(.heading) { return innermost.contains(.heading) }
    if role.contains(.ruby) { return innermost.contains(.ruby) }
    if role.contains(.option) { return innermost.contains(.option) }
    if role.contains(.optionGroup) {
      return !innermost.isDisjoint(with: [.option, .optionGroup])
    }
    return false
  }

  static let roles: [String: Role] = {
    var roles: [String: Role] = [:]
    func add(_ role: Role, _ names: String) {
      for name in names.split(separator: " ") { roles[String(name), default: []].formUnion(role) }
    }
    add(
      [.endsParagraph, .stopsItems],
      """
      article aside blockquote center details dialog dir dl fieldset figcaption figure footer form \
      header hgroup hr listing main menu nav ol plaintext pre search section summary table ul xmp
      """)
    add(.endsParagraph, "address div p li dd dt h1 h2 h3 h4 h5 h6")
    add(.stopsItems, "h1 h2 h3 h4 h5 h6 body html button td th caption")
    add(.paragraph, "p")
    add(.heading, "h1 h2 h3 h4 h5 h6")
    add(.listItem, "li")
    add(.description, "dd dt")
    add(.list, "ol ul menu dir")
    add(.link, "a")
    add(.scope, "applet caption html table td th marquee object template button")
    add(.table, "table template")
    add(.cell, "td th")
    add(.row, "tr")
    add(.rowGroup, "tbody thead tfoot")
    add(.caption, "caption")
    add(.columnGroup, "colgroup")
    add(.column, "col")
    add(.ruby, "rb rp rt rtc")
    add(.option, "option")
    add(.optionGroup, "optgroup")
    return roles
  }()
}
