import Arguments

extension Settings {
  enum Schedule {
    static let syncEvery = Setting(
      "schedule.sync_every", .time("1m", "7d"), default: "30m",
      "How often the gateway asks each reader's libraries for loans and holds.",
      why: "Lower it where an offer is open for hours only; raise it for many readers at a "
        + "library that limits how often it is asked.")
    static let harvestEvery = Setting(
      "schedule.harvest_every", .time("10m", "30d"), default: "6h",
      "How often the gateway reads what changed in each catalogue.",
      why: "Raise it for a catalogue that is one large file, or seldom changes.")
    static let listsEvery = Setting(
      "schedule.lists_every", .time("5m", "30d"), default: "1h",
      "How often the gateway brings readers' lists in step with the services where they are kept.",
      why: "Raise it for many readers behind one developer key: such a service counts questions.")

    static let all: [SettingSpec] = [syncEvery.spec, harvestEvery.spec, listsEvery.spec]
  }
}
