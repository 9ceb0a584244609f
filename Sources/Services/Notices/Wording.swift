package import Machine
import Phrasebook
import TextSafety

/// A fact in plain words.
package struct Wording: Sendable, Hashable {
  /// Without a title of a book, whatever is chosen.
  package let title: String
  package let body: String

  package init(_ fact: Fact, tellsTitles: Bool, _ east: Clockwork) {
    let matter = fact.matter
    let book = tellsTitles ? matter.title.map { "\u{201C}\(Self.line($0))\u{201D}" } : nil
    let place = matter.library.map(Self.line) ?? said("your library")
    let when = fact.until.map { Self.day($0, east) }
    let at = place + Self.details(matter)
    switch fact.kind {
    case .wishAvailable:
      let wish = book ?? said("A book on your wish list")
      switch matter.deed {
      case "borrowed":
        title = said("A wish was borrowed at \(place)")
        body = said("\(wish) was borrowed for you at \(at).")
      case "held":
        title = said("You wait for a wish at \(place)")
        body = said("\(wish) has a queue at \(at); you are in it now.")
      default:
        title = said("A wish can be borrowed at \(place)")
        body = said("\(wish) can be borrowed now at \(at).")
      }
    case .holdReady:
      let what = book ?? said("A book you waited for")
      let pickup = matter.pickup.map { " " + said("Pick it up at \(Self.line($0)).") } ?? ""
      title = said("A hold is ready at \(place)")
      body =
        (when.map { said("\(what) is ready at \(at) until \($0).") }
          ?? said("\(what) is ready at \(at).")) + pickup
    case .holdExpiring:
      let what = book ?? said("A book you waited for")
      title = said("An offer at \(place) ends soon")
      body =
        when.map { said("\(what) is kept for you at \(at) only until \($0).") }
        ?? said("\(what) is kept for you at \(at) only.")
    case .loanDue:
      title = said("A loan from \(place) ends soon")
      body = Self.due(book, matter, place, when)
    case .syncBroken:
      title = said("\(place) cannot be asked")
      let card = matter.card.map { said("\(place) with the card \(Self.line($0))") } ?? place
      let reason = matter.reason.map { " (\(Self.line($0)))" } ?? ""
      body = said(
        """
        For a day or more \(card) could not be asked\(reason). Loans and holds may be out of date; \
        carrel account check tells more.
        """)
    case .channelOff:
      title = said("A channel for notices was switched off")
      let reason = matter.reason.map { ": \(Self.line($0))" } ?? ""
      let channel = matter.channel.map(Self.line) ?? ""
      body = said(
        """
        The channel \(channel) was switched off\(reason). Take it away and add it again when it works.
        """)
    case .test:
      title = said("A test from Carrel")
      body = said("This is what a notice looks like. Nothing has happened to your books.")
    }
  }

  /// What was lent on paper goes back on foot.
  private static func due(
    _ book: String?, _ matter: Matter, _ place: String, _ when: String?
  ) -> String {
    let (isPaper, how) = (matter.format == "paper", details(matter))
    let at = place + how
    switch (book, when) {
    case (let book?, let when?):
      return isPaper
        ? said("\(book) has to be back on \(when) to \(at).")
        : said("\(book) goes back on \(when) to \(at).")
    case (let book?, nil):
      return isPaper
        ? said("\(book) has to be back soon to \(at).") : said("\(book) goes back soon to \(at).")
    case (nil, let when?):
      return isPaper
        ? said("A book from \(place) has to be back on \(when + how).")
        : said("A book from \(place) goes back on \(when + how).")
    case (nil, nil):
      return isPaper
        ? said("A book from \(place) has to be back soon\(how).")
        : said("A book from \(place) goes back soon\(how).")
    }
  }

  private static func details(_ matter: Matter) -> String {
    let parts = [matter.card.map { said("card \(line($0))") }, matter.format.map(line)]
      .compactMap(\.self)
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }

  /// A subject has room for 2,000 bytes, and one letter may have dozens.
  private static let longest = 480

  /// What a library calls something may be long, and may hold what no mail takes in its subject.
  private static func line(_ text: String) -> String {
    let plain = text.oneLine
    guard plain.count > 120 || plain.utf8.count > longest else { return plain }
    var (kept, bytes) = ("", 0)
    for character in plain.prefix(119) {
      bytes += character.utf8.count
      if bytes > longest { break }
      kept.append(character)
    }
    return kept + "\u{2026}"
  }

  /// `Sat 28 Nov 18:00`, by the reader's clock.
  private static func day(_ milliseconds: Int64, _ east: Clockwork) -> String {
    let moment = Timestamp(millisecondsSinceEpoch: milliseconds)
    let local = moment.secondsSinceEpoch + Int64(east(moment))
    let second = (local % 86_400 + 86_400) % 86_400
    let date = CivilDate(daysSinceEpoch: (local - second) / 86_400)
    let days = [
      phrase("Sun"), phrase("Mon"), phrase("Tue"), phrase("Wed"), phrase("Thu"), phrase("Fri"),
      phrase("Sat"),
    ]
    let months = [
      phrase("Jan"), phrase("Feb"), phrase("Mar"), phrase("Apr"), phrase("May"), phrase("Jun"),
      phrase("Jul"), phrase("Aug"), phrase("Sep"), phrase("Oct"), phrase("Nov"), phrase("Dec"),
    ]
    let month = said(known: months[date.month - 1])
    let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
    let time = "\(two(second / 3600)):\(two(second / 60 % 60))"
    return said("\(said(known: days[date.weekday])) \(date.day) \(month) \(time)", "moment")
  }
}
