/// What a reader likes as lines of a file, a name and its value each.
extension ReaderModel.Taste {
  package var text: String {
    """
    colors \(theme.rawValue)
    width \(width)
    spacing \(spacing)
    edge \(edge == .justified ? "straight" : "ragged")
    manner \(manner == .scroll ? "scroll" : "pages")

    """
  }

  /// What is not understood stays as it is for everybody: an older or a newer program wrote it, or a
  /// person.
  package init(text: String) {
    self.init()
    for line in text.split(separator: "\n") {
      let name = line.prefix { $0 != " " }
      let value = String(line.dropFirst(name.count + 1))
      switch name {
      case "colors": theme = Theme(rawValue: value) ?? theme
      case "width": width = Int(value).flatMap { Self.widths.contains($0) ? $0 : nil } ?? width
      case "spacing": spacing = Int(value).flatMap { (0...2).contains($0) ? $0 : nil } ?? spacing
      case "edge": edge = value == "straight" ? .justified : .ragged
      case "manner": manner = value == "scroll" ? .scroll : .pages
      default: continue
      }
    }
  }
}
