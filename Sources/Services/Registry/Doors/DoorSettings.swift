import Machine

extension Doorkeeper {
  /// How many wrong words are heard in any stretch of a time before whoever says them has to wait.
  package struct Settings: Sendable {
    package var wrongWordsPerName = 10
    package var nameSpan = Duration.seconds(15 * 60)
    /// In any span of a day, at whatever pace: libraries count as well, and shut a card for good.
    package var wrongWordsPerDay = 20
    package var daySpan = Duration.seconds(86_400)
    package var wrongWordsPerPlace = 30
    package var placeSpan = Duration.seconds(3_600)
    /// How long a reader who was let in is kept in mind.
    package var memory = Duration.seconds(300)
    /// How many readers are kept in mind.
    package var capacity = 10_000

    package init() {}

    var nameLimit: Attempts.Limit {
      Attempts.Limit(count: wrongWordsPerName, span: nameSpan.milliseconds)
    }

    var dayLimit: Attempts.Limit {
      Attempts.Limit(count: wrongWordsPerDay, span: daySpan.milliseconds)
    }

    var placeLimit: Attempts.Limit {
      Attempts.Limit(count: wrongWordsPerPlace, span: placeSpan.milliseconds)
    }
  }
}
