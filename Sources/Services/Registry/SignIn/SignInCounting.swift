import Circulation
import Secrets

/// Under what one sign-in is counted.
struct SignInCounting: Sendable {
  /// Without the library that may stand before it.
  let number: Secret
  /// Who tries, as far as can be told.
  let client: FailedSignIns.Client
  let host: FailedSignIns.Mark
  /// The network that the address is of.
  let network: FailedSignIns.Mark
  /// What strangers may try with this number, from wherever they come.
  let name: FailedSignIns.Mark
  let day: FailedSignIns.Mark
  /// The number from this address, where it signed in lately.
  let knownPlace: FailedSignIns.Mark
  /// Of the device cookie: those that were made for this number.
  let tokens: [LibraryID: FailedSignIns.Mark]

  /// Where it comes from, the narrower first.
  var places: [FailedSignIns.Mark] { [host, network] }
  var queued: [SignInQueue.Place] { places.map(\.queued) }
  var all: [FailedSignIns.Mark] { places + [name, day, knownPlace] + tokens.values }

  /// So many wrong ones are heard, counted by themselves, of cards at these libraries.
  struct Allowance: Sendable {
    /// Of those that share it, one at a time.
    let key: UInt64
    let marks: [FailedSignIns.Mark]
    let usesPlaces: Bool
    let scope: SignInScope
    /// Whether another was used before, so that there may be nothing left to try.
    let isRest: Bool
  }

  /// What the counts and the places were, and how much had failed here before they were read.
  struct Sight: Sendable {
    let counts: FailedSignIns.Counts
    let places: [LibraryID: Int64]
    let moment: SignInQueue.Moment
  }

  /// A browser's own first, then that of the address, then that of strangers for what is left: so
  /// strangers who used theirs up keep no patron out who signed in before.
  func allowances(_ sight: Sight, at library: LibraryID?) -> [Allowance] {
    var (allowances, tried): ([Allowance], Set<LibraryID>) = ([], [])
    for (id, mark) in tokens.sorted(by: { $0.key < $1.key })
    where (library == nil || library == id) && sight.counts.wait([mark]) == nil {
      allowances.append(
        Allowance(
          key: SignInMarks.short(mark.bytes), marks: [mark], usesPlaces: false, scope: .only([id]),
          isRest: false))
      tried.insert(id)
    }
    let known = sight.places.keys.filter {
      (library == nil || library == $0) && !tried.contains($0)
    }
    if !known.isEmpty, sight.counts.wait([knownPlace]) == nil {
      allowances.append(
        Allowance(
          key: SignInMarks.short(knownPlace.bytes), marks: [knownPlace], usesPlaces: true,
          scope: .only(Set(known)), isRest: false))
      tried.formUnion(known)
    }
    // Where the library is named, nothing is left.
    if library != nil, !tried.isEmpty { return allowances }
    return allowances + [strangers(besides: tried)]
  }

  func strangers(besides tried: Set<LibraryID> = []) -> Allowance {
    Allowance(
      key: SignInMarks.short(day.bytes), marks: [name, day], usesPlaces: true,
      scope: .except(tried), isRest: !tried.isEmpty)
  }
}

extension FailedSignIns.Mark {
  fileprivate var queued: SignInQueue.Place {
    SignInQueue.Place(id: SignInMarks.short(bytes), limit: limit.count)
  }
}
