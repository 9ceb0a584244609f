import HTTP
import HTTPServer
import JSON
import MockKit

/// Titles with their copies, and with what one reader has of them.
extension Visit {
  func availability(_ state: inout WorldState) throws(Verdict) -> Response {
    let library = try home(state)
    let wanted = field("titleIds").map {
      $0.split { ", ".contains($0) }.map(String.init)
    }
    guard (wanted?.count ?? 0) <= 125 else { return Response(.uriTooLong) }
    let card = field("patronId").flatMap { $0.isEmpty ? nil : $0 }
    var ids: [String]
    if let card {
      guard library.lending.patrons[card] != nil else { throw .unknownPatron }
      ids = mine(card, library)
      if let wanted { ids = ids.filter(wanted.contains) }
    } else if let wanted {
      ids = wanted.filter { library.lending.titles[$0] != nil }
    } else {
      ids = try changed(in: library)
    }
    var titles = ""
    for id in ids {
      let link =
        card.flatMap { wanted == nil ? nil : downloadLink(id, $0, library, &state) }
      titles += title(id, for: card, in: library, link: link)
    }
    let verdict = Verdict(
      "0000",
      ids.isEmpty
        ? "There are no titles matching your request"
        : "Availability Data is Successfully retrieved.")
    return .axis(XML.document("availabilityResponse", titles + verdict.xml))
  }

  /// What a reader has, waits for, and has just given back: that lingers for a while.
  private func mine(_ card: String, _ library: MockLibrary) -> [String] {
    let lending = library.lending
    var ids = lending.loans(by: card).map(\.title)
    for id in lending.holds(by: card).map(\.title) where !ids.contains(id) { ids.append(id) }
    if route == .availabilityByForm { return lending.loans(by: card).map(\.title) }
    let lingering = library.settings["lingering"]?[card]?.array ?? []
    for id in lingering.compactMap(\.string) where !ids.contains(id) { ids.append(id) }
    return ids
  }

  private func changed(in library: MockLibrary) throws(Verdict) -> [String] {
    guard let text = field("updatedDate") else { throw Verdict("3100", "titleIds is missing.") }
    guard let date = Dates.american(text) else { throw Verdict("3132", "Invalid date format.") }
    guard date <= now else { throw Verdict("3134", "Date is in the future.") }
    return library.lending.order.filter { id in
      library.lending.titles[id].map { $0.changed >= date } ?? false
    }
  }

  // MARK: One title

  private func title(
    _ id: String, for card: String?, in library: MockLibrary, link: String?
  ) -> String {
    let lending = library.lending
    let circulation = circulation(id, for: card, in: library, link: link)
    // What has left the catalogue is a name and no more.
    guard let title = lending.titles[id] else {
      return XML.wrap(
        "title", XML.tag("titleId", id) + circulation, type: "Axis360AvailCirculation")
    }
    let days = String(lending.rules.loanPeriod(of: title.medium) / LendingRules.day)
    let name = title.subtitle.map { "\(title.name) : \($0)" } ?? title.name
    let people = title.authors.map(Self.filed)
    var inner =
      XML.tag("titleId", id) + XML.tag("productTitle", name)
      + XML.tag("titleUrl", "\(request.base)/Title?itemId=\(id)")
      + XML.tag("contributor", people.joined(separator: " ; ") + (people.isEmpty ? "" : " "))
      + XML.tag("isbn", title.isbn)
      + XML.tag("subject", title.subjects.joined(separator: "; "))
      + XML.tag("series", title.series) + XML.tag("publisher", title.publisher)
      + XML.tag("language", Self.language(title.language)) + XML.tag("audience", "General Adult")
      + XML.tag("imprint", title.publisher) + XML.tag("annotation", title.summary)
      + XML.tag("narrator", title.narrator.map(Self.filed)) + XML.tag("edition", nil)
    inner +=
      XML.tag("runtime", title.medium == "audiobook" ? "09:36" : nil) + XML.tag("fileSize", nil)
      + XML.tag("addedDate", Dates.written(title.added, zone: ""))
      + XML.tag("publicationDate", Dates.calendar(title.published)) + circulation
      + XML.tag("minLoanPeriod", "1") + XML.tag("maxLoanPeriod", days)
      + XML.tag("defaultLoanPeriod", days) + XML.tag("RTV", "true")
      + XML.tag("imageUrl", "\(request.base)/Jacket.svc/mock/\(title.isbn)/Medium/Logo")
      + XML.tag("formatType", title.medium == "audiobook" ? "ABT" : "EBT")
    // Newer documents say of every title that it is all right, in an element that has another meaning
    // elsewhere.
    if link != nil { inner += XML.tag("status", "OK") }
    return XML.wrap("title", inner, type: "Axis360AvailCirculationV206")
  }

  private func circulation(
    _ id: String, for card: String?, in library: MockLibrary, link: String?
  ) -> String {
    let (lending, title) = (library.lending, library.lending.titles[id])
    let queue = lending.queue(for: id)
    var inner = XML.wrap(
      "availableFormats",
      (title.map(Self.formats) ?? []).map { XML.tag("formatName", $0) }.joined())
    let (total, free): (Int, Int)
    switch title?.copies {
    case .unlimited?: (total, free) = (9999, 9999)
    case .counted(let owned)?: (total, free) = (owned, lending.copiesAvailable(of: id))
    case nil: (total, free) = (0, 0)
    }
    inner +=
      XML.tag("availableCopies", String(free)) + XML.tag("totalCopies", String(total))
      + others(id, lending) + XML.tag("holdsQueueSize", String(queue.count))
    let loan = card.flatMap { lending.loan(of: id, by: $0) }
    let hold = card.flatMap { lending.hold(on: id, by: $0) }
    inner += waiting(hold, lending)
    inner += XML.tag("isCheckedout", loan == nil ? "false" : "true")
    if let loan {
      inner +=
        XML.tag("checkoutFormat", Self.format(of: loan, title))
        + XML.tag("transactionID", Self.transaction(loan))
        + XML.tag("checkoutStartDate", Dates.written(loan.since))
        + XML.tag("checkoutEndDate", Dates.minute(loan.until))
      // Escaped once too often, as the real ones are.
      if let link { inner += XML.tag("downloadUrl", XML.escaped(link)) }
    }
    inner += XML.tag("updateDate", Dates.written(title?.changed ?? now, zone: ""))
    if card != nil {
      let renews = loan.map { mayRenew($0, lending) } ?? false
      inner +=
        XML.tag("isHoldSuspended", hold?.suspension == nil ? "false" : "true")
        + XML.tag("isCheckout", loan == nil ? "N" : "Y")
        + XML.tag("isHold", hold == nil ? "N" : "Y")
        + XML.tag("isSuspendHold", hold == nil ? "N" : hold?.suspension == nil ? "Y" : "R")
        + XML.tag("IsButtonRenew", renews ? "Y" : "N")
    }
    inner += XML.tag("isAvailable", free > 0 ? "True" : "False")
    return XML.wrap("availability", inner)
  }

  /// A ready hold says that it waits no more and is the first in line, both at once.
  private func waiting(_ hold: Hold?, _ lending: LendingLibrary) -> String {
    guard let hold else {
      return XML.tag("isInHoldQueue", "false") + XML.tag("isReserved", "false")
    }
    if let until = hold.readyUntil {
      return XML.tag("holdsQueuePosition", "1") + XML.tag("isInHoldQueue", "false")
        + XML.tag("isReserved", "true") + XML.tag("reservedEndDate", Dates.minute(until))
    }
    return XML.tag("holdsQueuePosition", lending.position(of: hold).map(String.init))
      + XML.tag("isInHoldQueue", "true") + XML.tag("isReserved", "false")
  }

  /// Everybody is told who else has a book and who waits for it, addresses included.
  private func others(_ id: String, _ lending: LendingLibrary) -> String {
    let loans = lending.loans.filter { $0.title == id }.prefix(5).map { loan in
      XML.wrap(
        "checkout",
        XML.tag("Patron", loan.card) + XML.tag("StartDate", Dates.written(loan.since))
          + XML.tag("EndDate", Dates.written(loan.until)) + XML.tag("Format", loan.format)
          + XML.tag("Active", "true"))
    }
    let holds = lending.holds.filter { $0.title == id }.prefix(5).map { hold in
      let address = hold.email.map { XML.tag("Email", $0) } ?? ""
      return XML.wrap(
        "Hold",
        XML.tag("Patron", hold.card) + address + XML.tag("HoldDate", Dates.written(hold.placed))
          + XML.tag("Reserved", hold.isReady ? "true" : "false"))
    }
    return XML.wrap("Checkouts", loans.joined()) + XML.wrap("Holds", holds.joined())
  }

  func mayRenew(_ loan: Loan, _ lending: LendingLibrary) -> Bool {
    loan.until - now <= lending.rules.renewalWindow && lending.queue(for: loan.title).isEmpty
      && loan.renewals < lending.rules.renewalLimit
  }

  // MARK: Words

  static func format(of loan: Loan, _ title: Title?) -> String {
    loan.format ?? title.flatMap { formats(of: $0).first } ?? "ePub"
  }

  /// A title that nobody said anything of is there as what most are.
  static func formats(of title: Title) -> [String] {
    title.formats.isEmpty ? ["ePub"] : title.formats
  }

  /// Always the same for the same loan.
  static func transaction(_ loan: Loan) -> String {
    var random = SeededRandom(
      seed: 0, for: "\(loan.card) \(loan.title) \(loan.since.milliseconds)")
    return random.guid().uppercased()
  }

  /// `Marit Ostrander` as `Ostrander, Marit`.
  static func filed(_ name: String) -> String {
    guard let gap = name.lastIndex(of: " ") else { return name }
    return "\(name[name.index(after: gap)...]), \(name[..<gap])"
  }

  static func language(_ code: String) -> String {
    [
      "en": "ENGLISH", "fr": "FRENCH", "de": "GERMAN", "es": "SPANISH", "zh": "CHINESE",
    ][code] ?? code.uppercased()
  }
}
