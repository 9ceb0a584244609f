import Arguments
import Items
import Setup
import TextSafety

struct CalendarShowCommand: Command {
  static let spec = CommandSpec(
    "calendar show", "Tell whether your due dates have an address, and when it was last read.",
    discussion: "The address itself is not kept, and cannot be shown again.",
    examples: [
      .init("carrel calendar show", "When it was made and last read."),
      .init("carrel calendar show --json", "The same for programs."),
    ],
    exits: [10])

  static let properties: [ReportSchema.Property] = [
    .init("reader", .string, "Whose due dates."),
    .init("made_at", .time, "When the address was made."),
    .init("last_used", .nullable(.time), "When it was last read, by the hour."),
  ]

  static let schemas = [ReportSchema("calendar", "The address there is.", properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let item = try await app.engaged("the registry") { engine, seat throws(ErrorItem) in
      try await engine.calendar(at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [item].compactMap { $0?.json }) { _ in
        guard let item else {
          return "Your due dates have no address yet.\ntry: carrel calendar new\n"
        }
        let used = item.lastUsed.flatMap { Moments.past($0) }.map { "last read \($0)" }
        return "Made \(Moments.day(item.madeAt) ?? item.madeAt), \(used ?? "never read").\n"
      })
  }
}
