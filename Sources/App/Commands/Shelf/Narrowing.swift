import Arguments
import Items
import JSON
import Setup
import Shelving
import TextSafety

/// How a lane, or what a search found, is put in order and narrowed, and what each way to narrow it
/// would leave.
enum Narrowing {
  static let sort = Option(
    "sort", Kind<LaneOrder>.choice("ORDER"), "In this order instead of the usual one.",
    common: true)
  static let facets = Option(
    list: "facet",
    Kind("NAME=VALUE", "availability=now, format=epub, language=de or collection=NAME") {
      FacetChoice($0)
    },
    "Only books that meet it.", common: true)

  /// What documents hold beside the books.
  static let member = ReportSchema.Property(
    "facets",
    .list(
      .object([
        .init("name", .string, "availability, format, language or collection."),
        .init(
          "choices",
          .list(
            .object([
              .init("value", .string, "What --facet NAME= takes."),
              .init("works", .integer, "Books it leaves."),
              .init("chosen", .boolean, "Whether it was asked for."),
            ])), "The commonest first."),
      ])), "Ways to narrow a lane or what a search found, with what each leaves.")

  static func json(_ facets: [FacetItem]) -> JSONObject.Member {
    .init(member.name, .array(facets.map(\.json)))
  }

  /// A line for each way, below the books; nothing where there is none.
  static func text(_ facets: [FacetItem], _ layout: TextLayout) -> TerminalText {
    let rows = facets.filter { !$0.choices.isEmpty }.map { facet in
      (term: facet.name, meaning: facet.choices.prefix(8).map(words).joined(separator: ", "))
    }
    return rows.isEmpty ? "" : "\n" + layout.table(rows, indent: 0) + "\n"
  }

  private static func words(_ choice: FacetItem.Choice) -> String {
    (choice.isChosen ? "*" : "") + "\(choice.value) \(choice.works)"
  }
}
