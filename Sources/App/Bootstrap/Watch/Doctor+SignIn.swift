import Circulation
import Items
import Membership
import ProviderKit
import Registry
import Setup
import TextSafety

extension Doctor {
  /// Patrons who cannot sign in, and patrons whose number and PIN are equal.
  func signIn(_ house: House) async -> [CheckupItem] {
    var found = admitting(house)
    do throws(RegistryError) {
      let survey = try await house.registry.signInSurvey()
      found += Self.items(survey, house)
      found += Self.items(try await house.registry.signInRate())
      if await house.vaultTrouble() == nil {
        let pairs = try await house.registry.patronsWithOnePair(request: House.requestID())
        found += pairs.map { names in
          CheckupItem(
            "patrons", .warn,
            "One card number and PIN fit \(names.joined(separator: " and ")): they have to name "
              + "their library each time they sign in.")
        }
      }
    } catch {
      found.append(
        CheckupItem("patrons", .fail, "It cannot be looked up who signs in: \(error)."))
    }
    return found.isEmpty
      ? [CheckupItem("patrons", .ok, "Each patron with a card can sign in.")] : found
  }

  /// Libraries that are to say who a patron is, and cannot.
  private func admitting(_ house: House) -> [CheckupItem] {
    house.enrollment.houses.all.filter { $0.facts.admitsMembers && $0.pinCheck == .never }.map {
      CheckupItem(
        "patrons", $0.id.rawValue, .warn,
        "\($0.name) checks no PIN, so its members are not admitted.", try: "carrel config edit")
    }
  }

  /// Passwords that are tried with many cards from many networks.
  private static func items(_ rate: SignInRate) -> [CheckupItem] {
    guard rate.isUnusual else { return [] }
    let usual = rate.usual.map { "\($0) in the usual hour" } ?? "the usual hour is not known yet"
    return [
      CheckupItem(
        "sign-ins", .warn,
        "\(rate.wrong) sign-ins failed within an hour (\(usual)): PINs are perhaps being guessed.",
        try: "carrel help metrics")
    ]
  }

  private static func items(_ survey: SignInSurvey, _ house: House) -> [CheckupItem] {
    var found: [CheckupItem] = []
    if survey.excludedCount > 0 {
      let names = survey.excluded.joined(separator: ", ")
      let more = survey.excludedCount - survey.excluded.count
      let isPlain = survey.excluded.first?.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      found.append(
        CheckupItem(
          "patrons", .warn,
          "Cannot sign in by any card or app password: \(names)\(more > 0 ? " and \(more) more" : "").",
          try: isPlain == true ? "carrel admin sign-in-link \(survey.excluded[0])" : nil))
    }
    if survey.undecided > 0 {
      found.append(
        CheckupItem(
          "patrons", .warn,
          "Of \(survey.undecided) linked cards it is not known yet whether they may sign in; until "
            + "then they do with their library named."))
    }
    let signingIn = Set(house.enrollment.houses.signingIn.map(\.id))
    found += survey.authorities.filter { !signingIn.contains($0) }.map {
      CheckupItem(
        "patrons", $0.rawValue, .warn,
        "No card of \($0.rawValue) signs in: it is not configured now, or checks no PIN.",
        try: "carrel config show libraries")
    }
    return found
  }
}
