import Machine

extension Doorkeeper {
  /// How many wrong words are heard in any stretch of a time before the client has to wait.
  package struct Settings: Sendable {
    package var wrongWordsPerName = 10
    package var nameSpan = Duration.seconds(15 * 60)
    /// In any span of a day, at whatever pace: libraries count as well, and lock a card for good.
    package var wrongWordsPerDay = 20
    package var daySpan = Duration.seconds(86_400)
    package var wrongWordsPerPlace = 30
    package var placeSpan = Duration.seconds(3_600)
    /// From one network of addresses, so that many of them are worth little more than ten.
    package var wrongWordsPerNetwork = 300
    /// For a number from an address where it signed in lately, besides what strangers have.
    package var wrongWordsPerKnownPlace = 10
    /// With one token of a device cookie, in all its life.
    package var wrongWordsPerToken = 10
    /// For a card that the patron has linked, by this patron.
    package var wrongWordsPerOwnCard = 10
    /// With cards that a patron has not linked, whichever they are.
    package var wrongWordsPerPatron = 20
    /// How long a library is not asked again about a PIN that it refused.
    package var refusalSpan = Duration.seconds(15 * 60)
    /// How long a reader who was let in is kept in mind.
    package var memory = Duration.seconds(300)
    /// How many readers are kept in mind.
    package var capacity = 10_000
    /// How long a sign-in waits for others of the same number or address.
    package var patience = Duration.seconds(10)

    package init() {}

    var nameLimit: FailedSignIns.Limit {
      .init(count: wrongWordsPerName, span: nameSpan.milliseconds)
    }

    var dayLimit: FailedSignIns.Limit {
      .init(count: wrongWordsPerDay, span: daySpan.milliseconds)
    }

    var placeLimit: FailedSignIns.Limit {
      .init(count: wrongWordsPerPlace, span: placeSpan.milliseconds)
    }

    var networkLimit: FailedSignIns.Limit {
      .init(count: wrongWordsPerNetwork, span: placeSpan.milliseconds)
    }

    var ownCardLimit: FailedSignIns.Limit {
      .init(count: wrongWordsPerOwnCard, span: daySpan.milliseconds)
    }

    var patronLimit: FailedSignIns.Limit {
      .init(count: wrongWordsPerPatron, span: daySpan.milliseconds)
    }

    var refusalLimit: FailedSignIns.Limit {
      .init(count: 1, span: refusalSpan.milliseconds)
    }

    var knownPlaceLimit: FailedSignIns.Limit {
      .init(count: wrongWordsPerKnownPlace, span: daySpan.milliseconds)
    }

    var tokenLimit: FailedSignIns.Limit {
      // A token is good for a year, by whole months.
      .init(count: wrongWordsPerToken, span: 400 * 86_400_000)
    }
  }
}
