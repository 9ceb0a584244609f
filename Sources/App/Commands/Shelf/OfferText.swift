import Items

/// An offer in words.
enum OfferText {
  static func glance(_ offer: OfferItem) -> String {
    switch offer.mine {
    case "loan": "yours from \(offer.account)"
    case "ready": "ready for you at \(offer.account)"
    case "hold": "you wait at \(offer.account)"
    default: stranger(offer)
    }
  }

  private static func stranger(_ offer: OfferItem) -> String {
    switch offer.availability.status {
    case "available" where offer.terms == "physical": "on the shelf at \(offer.account)"
    case "open_access": "free from \(offer.account)"
    case "available": "now on \(offer.account)"
    case "queued":
      offer.estimate.map { "\(wait($0)) at \(offer.account)" } ?? "queue at \(offer.account)"
    case "unavailable": "not at \(offer.account) now"
    default: "at \(offer.account)"
    }
  }

  static func wait(_ estimate: EstimateItem) -> String {
    let low = estimate.lowDays
    let high = max(estimate.highDays, low)
    return high < 14 ? span(low, high, "day") : span(low / 7, (high + 6) / 7, "week")
  }

  /// `about 2-5 weeks`, `up to 3 weeks`.
  static func roughWait(_ estimate: EstimateItem) -> String {
    let words = wait(estimate)
    return words.hasPrefix("up to") ? words : "about \(words)"
  }

  private static func span(_ low: Int, _ high: Int, _ unit: String) -> String {
    let most = Counted.text(high, unit)
    return low == high ? most : low == 0 ? "up to \(most)" : "\(low)-\(most)"
  }

  static func copies(_ availability: AvailabilityItem) -> String {
    var parts: [String] = []
    if let total = availability.total {
      parts.append("\(availability.available ?? 0) of \(total) copies in")
    }
    if let holds = availability.holds, holds > 0 { parts.append("\(holds) waiting") }
    return parts.joined(separator: ", ")
  }

  static func formats(_ formats: [FormatItem]) -> String {
    var seen: [String] = []
    for format in formats {
      let word =
        switch format.drm {
        case "none": format.format
        case "streaming": "\(format.format) in the browser"
        default: format.format + (format.opensWith.map { " in \($0)" } ?? "")
        }
      if !seen.contains(word) { seen.append(word) }
    }
    return seen.joined(separator: ", ")
  }
}
