/// The shapes of the contract's items, for `carrel schema` and the tests that hold output to them.
enum Schemas {
  static let availability: [ReportSchema.Property] = [
    .init("status", .string, "open_access, available, queued, unavailable or unknown."),
    .init("copies_total", .nullable(.integer), "Copies the library owns."),
    .init("copies_available", .nullable(.integer), "Copies that can be had now."),
    .init("holds_total", .nullable(.integer), "Readers who wait."),
    .init("source", .nullable(.string), "The card that was asked with."),
    .init("as_of", .nullable(.time), "When the library was asked."),
  ]

  static let estimate: [ReportSchema.Property] = [
    .init("low_days", .integer, "The shortest wait that is likely."),
    .init("high_days", .integer, "The longest wait that is likely."),
    .init("basis", .string, "What the guess is made of."),
  ]

  static let format: [ReportSchema.Property] = [
    .init("id", .string, "The provider's name for it."),
    .init("format", .string, "epub, pdf, audiobook and so on."),
    .init("drm", .string, "none, adobe, lcp, streaming, vendor_app or unknown."),
    .init("readable_here", .boolean, "Whether Carrel itself opens it."),
    .init("opens_with", .nullable(.string), "The program that opens it, where Carrel does not."),
  ]

  static let offer: [ReportSchema.Property] = [
    .init("id", .string, "ACCOUNT:ITEM, which every command takes for a title."),
    .init("account", .string, "The card."),
    .init("provider", .string, "The kind of service."),
    .init("item", .string, "The provider's own name for the title."),
    .init("format", .nullable(.string), "What it comes as, first choice."),
    .init("drm", .nullable(.string), "How that is protected."),
    .init("readable_here", .boolean, "Whether Carrel itself opens one of its formats."),
    .init("formats", .list(.object(format)), "All it comes as."),
    .init(
      "terms", .object([.init("kind", .string, "open_access, loan, hold or physical.")]),
      "On what terms."),
    .init("availability", .object(availability), "Whether it can be had now."),
    .init("estimate", .nullable(.object(estimate)), "How long a wait may be."),
    .init("mine", .nullable(.string), "What you have of it here: loan, ready or hold."),
    .init("why", .nullable(.string), "Why it stands at this place among the offers."),
    .init("at_limit", .boolean, "Whether the card must give something back first."),
    .init("copies", .nullable(.list(.object(copy))), "Copies on paper; null where nobody asked."),
    .init(
      "pickups", .nullable(.list(.object(branch))), "Where one may be put aside for you."),
  ]

  static let copy: [ReportSchema.Property] = [
    .init("branch", .nullable(.string), "The branch's code."),
    .init("branch_name", .nullable(.string), "Its name."),
    .init("place", .nullable(.string), "The shelving place within it."),
    .init("call_number", .nullable(.string), "Where it stands on the shelf."),
    .init(
      "state", .string,
      "available, out, on_order, in_transit, on_hold_shelf, reference, missing or unknown."),
    .init("due", .nullable(.time), "When it should come back."),
  ]

  static let branch: [ReportSchema.Property] = [
    .init("id", .string, "The branch's code, as --at takes it."),
    .init("name", .string, "Its name, which --at takes too."),
    .init("address", .nullable(.string), "Where it is."),
    .init("on_shelf", .integer, "How many copies stand on the shelf there now."),
  ]

  static let work = ReportSchema(
    "works", "Books with every way to get them.",
    [
      .init("id", .string, "The work."),
      .init("title", .string, "Its title."),
      .init("subtitle", .nullable(.string), "Its subtitle."),
      .init("authors", .list(.string), "Who wrote it."),
      .init(
        "series",
        .nullable(
          .object([
            .init("name", .string, "The series."),
            .init("position", .nullable(.number), "Its place in it."),
          ])), "The series it belongs to."),
      .init("languages", .list(.string), "Languages, as in BCP 47."),
      .init("subjects", .list(.string), "What it is about."),
      .init("summary", .nullable(.string), "The publisher's words, as plain text."),
      .init("cover", .nullable(.string), "The address of a picture."),
      .init("isbns", .list(.string), "Its numbers."),
      .init("published", .nullable(.string), "The date, as far as it is known."),
      .init("state", .string, "Which of the twelve states it is in."),
      .init("offers", .list(.object(offer)), "Ways to get it, best first."),
      .init(
        "elsewhere",
        .list(
          .object([
            .init("account", .string, "The account."), .init("library", .string, "Its library."),
            .init("address", .string, "The page to open."),
          ])), "Pages of libraries that can only be looked at."),
    ], members: [Narrowing.member])

  /// What a line of the shelf is about.
  private static let subject: [ReportSchema.Property] = [
    .init("work", .nullable(.string), "The work, where it is in the catalogue."),
    .init("title", .string, "Its title."),
    .init("authors", .list(.string), "Who wrote it."),
    .init("account", .string, "The card it is on."),
    .init("provider", .string, "The kind of service."),
    .init("item", .string, "The provider's own name for the title."),
  ]

  private static let freshness: [ReportSchema.Property] = [
    .init("source", .string, "The card that was asked with."),
    .init("as_of", .nullable(.time), "When the library was asked."),
    .init("stale", .boolean, "Whether the library failed to answer since."),
  ]

  static let loan = ReportSchema("loans", "What is on loan.", loanProperties)

  static let loanProperties: [ReportSchema.Property] =
    subject + [
      .init("since", .nullable(.time), "When it was lent."),
      .init("until", .nullable(.time), "When it goes back by itself."),
      .init("state", .string, "Which of the twelve states it is in."),
      .init("format", .nullable(.string), "What it comes as."),
      .init("renewable", .boolean, "Whether it can be renewed now."),
      .init("returnable", .boolean, "Whether it can be given back early."),
    ] + freshness

  static let hold = ReportSchema("holds", "What is waited for.", holdProperties)

  static let holdProperties: [ReportSchema.Property] =
    subject + [
      .init("since", .nullable(.time), "When it was placed."),
      .init("status", .string, "waiting, ready, suspended or expired."),
      .init("position", .nullable(.integer), "The place in the queue, from 1."),
      .init("total", .nullable(.integer), "The length of the queue."),
      .init("until", .nullable(.time), "The end of the offer or of the rest."),
      .init("estimate", .nullable(.object(estimate)), "How long the wait may be."),
      .init("pickup", .nullable(.string), "The branch, for a physical copy."),
    ] + freshness

  private static let count: [ReportSchema.Property] = [
    .init("used", .integer, "How many there are."),
    .init("limit", .nullable(.integer), "How many there may be."),
  ]

  static let accountProperties: [ReportSchema.Property] = [
    .init("name", .string, "The name you gave it."),
    .init("provider", .string, "The kind of service."),
    .init("library", .string, "The library, as the settings name it."),
    .init("library_name", .string, "The library's own name."),
    .init("card", .nullable(.string), "The card, masked but for its last four."),
    .init("state", .string, "linked, rejected, expired or blocked."),
    .init("loans", .object(count), "Loans."),
    .init("holds", .object(count), "Holds."),
    .init("last_good_sync", .nullable(.time), "When the library last answered well."),
    .init("trouble", .nullable(.string), "Why the last try failed."),
  ]

  static let laneProperties: [ReportSchema.Property] = [
    .init("name", .string, "The name that commands take."),
    .init("title", .string, "The name for people."),
    .init("parent", .nullable(.string), "The lane it lies in."),
    .init("depth", .integer, "How many lanes it lies in."),
    .init("works", .nullable(.integer), "Its books; null where each reader has others."),
  ]

  static let account = ReportSchema("accounts", "Linked cards.", accountProperties)

  static let error: [ReportSchema.Property] = [
    .init("code", .string, "The reason."),
    .init("card", .nullable(.string), "The card it is about."),
    .init("library", .nullable(.string), "The library it is about."),
    .init("operation", .nullable(.string), "What was being done."),
    .init("detail", .nullable(.string), "What the reason is about."),
    .init("retry_after_s", .nullable(.integer), "How long to wait."),
    .init("provider_says", .nullable(.string), "The provider's own code or phrase."),
  ]

  static let receipt = ReportSchema(
    "receipts", "What became of a command.",
    [
      .init("result", .string, "borrowed, returned, waiting, in_doubt and so on."),
      .init("title", .string, "The title."),
      .init("account", .string, "The card."),
      .init("item", .string, "The provider's own name for the title."),
      .init("loan", .nullable(.object(loanProperties)), "The loan there is now."),
      .init("hold", .nullable(.object(holdProperties)), "The hold there is now."),
      .init("offer", .nullable(.object(offer)), "Where all copies are out: the queue."),
      .init("can_wait", .boolean, "Whether there is a queue to join."),
      .init("opens_in", .list(.string), "The programs that open it, Carrel among them."),
      .init("reason", .nullable(.string), "For in_doubt: what went wrong."),
    ])
}
