import Arguments

extension Settings {
  enum Wishes {
    static let askEvery = Setting(
      "wishes.ask_every", .time("5m", "30d"), default: "1h",
      "How often at most a library is asked whether wishes can be had.",
      why: "Lower it where copies go fast and there are many wishes to share the questions.")
    static let budget = Setting(
      "wishes.budget", .integer(1...10_000), default: "20",
      "How many questions a day each hundred wishes may cost a library.",
      why: "Few wishes share few questions: raise it where a handful of readers wish for little "
        + "and want to know soon.")
    static let askAtLeast = Setting(
      "wishes.ask_at_least", .time("5m", "365d"), default: "30d",
      "How often at least a library is asked, whatever the budget says.",
      why: "Set 1d to have even a single wish looked at every day.")
    static let settle = Setting(
      "wishes.settle", .time("0", "7d"), default: "15m",
      "How long a copy must be there before it is told of.",
      why: "Raise it where copies come and go within the hour; a library that is asked less often "
        + "than this is believed at once.")

    static let all: [SettingSpec] = [
      askEvery.spec, budget.spec, askAtLeast.spec, settle.spec,
    ]
  }
}
