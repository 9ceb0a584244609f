package import Machine

/// A fact in plain words.
package struct Wording: Sendable, Hashable {
  /// Without a title of a book, whatever is chosen.
  package let title: String
  package let body: String

  package init(_ fact: Fact, tellsTitles: Bool, _ east: Clockwork) {
    let matter = fact.matter
    let book = tellsTitles ? matter.title.map { "\u{201C}\(Self.line($0))\u{201D}" } : nil
    let place = matter.library.map(Self.line) ?? "your library"
    let when = fact.until.map { Self.day($0, east) }
    let until = when.map { " until \($0)" } ?? ""
    let how = Self.details(matter)
    switch fact.kind {
    case .wishAvailable:
      let wish = book ?? "A book on your wish list"
      switch matter.deed {
      case "borrowed":
        title = "A wish was borrowed at \(place)"
        body = "\(wish) was borrowed for you at \(place)\(how)."
      case "held":
        title = "You wait for a wish at \(place)"
        body = "\(wish) has a queue at \(place)\(how); you are in it now."
      default:
        title = "A wish can be borrowed at \(place)"
        body = "\(wish) can be borrowed now at \(place)\(how)."
      }
    case .holdReady:
      title = "A hold is ready at \(place)"
      let pickup = matter.pickup.map { " Pick it up at \(Self.line($0))." } ?? ""
      body = "\(book ?? "A book you waited for") is ready at \(place)\(how)\(until).\(pickup)"
    case .holdExpiring:
      title = "An offer at \(place) ends soon"
      body = "\(book ?? "A book you waited for") is kept for you at \(place)\(how) only\(until)."
    case .loanDue:
      title = "A loan from \(place) ends soon"
      // What was lent on paper goes back on foot.
      let verb = matter.format == "paper" ? "has to be back" : "goes back"
      let end = when.map { "\(verb) on \($0)" } ?? "\(verb) soon"
      body = "\(book ?? "A book from \(place)") \(end)\(book == nil ? "" : " to \(place)")\(how)."
    case .syncBroken:
      title = "\(place) cannot be asked"
      let card = matter.card.map { " with the card \(Self.line($0))" } ?? ""
      let reason = matter.reason.map { " (\(Self.line($0)))" } ?? ""
      body =
        "For a day or more \(place) could not be asked\(card)\(reason). Loans and holds may "
        + "be out of date; carrel account check tells more."
    case .channelOff:
      title = "A channel for notices was switched off"
      let reason = matter.reason.map { ": \(Self.line($0))" } ?? ""
      body =
        "The channel \(matter.channel.map(Self.line) ?? "") was switched off\(reason). "
        + "Take it away and add it again when it works."
    case .test:
      title = "A test from Carrel"
      body = "This is what a notice looks like. Nothing has happened to your books."
    }
  }

  private static func details(_ matter: Matter) -> String {
    let parts = [matter.card.map { "card \(line($0))" }, matter.format.map(line)]
      .compactMap(\.self)
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }

  /// What a library calls something may be long, and may hold line breaks.
  private static func line(_ text: String) -> String {
    let plain = text.map {
      $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 } ? " " : $0
    }
    return plain.count > 120 ? String(plain.prefix(119)) + "\u{2026}" : String(plain)
  }

  /// `Sat 28 Nov 18:00`, by the reader's clock.
  private static func day(_ milliseconds: Int64, _ east: Clockwork) -> String {
    let moment = Timestamp(millisecondsSinceEpoch: milliseconds)
    let local = moment.secondsSinceEpoch + Int64(east(moment))
    let second = (local % 86_400 + 86_400) % 86_400
    let date = CivilDate(daysSinceEpoch: (local - second) / 86_400)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
    return "\(days[date.weekday]) \(date.day) \(months[date.month - 1]) "
      + "\(two(second / 3600)):\(two(second / 60 % 60))"
  }
}
