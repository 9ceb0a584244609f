import Circulation
import HTTP
import JSON
import ProviderKit

/// What this version of the interface has, as its own description tells. Where it tells nothing,
/// what all recent ones have.
struct KohaFeatures: Sendable, Hashable {
  private let paths: Set<String>

  static let usual = KohaFeatures(paths: [])

  init(_ description: JSONValue) {
    let names = description["paths"]?.object?.names ?? []
    paths = Set(names.filter(Self.known.contains))
  }

  private init(paths: Set<String>) { self.paths = paths }

  fileprivate var text: String { paths.sorted().joined(separator: " ") }

  fileprivate init(text: String) { paths = Set(text.words(at: " ")) }

  private static let known: Set<String> = [
    "/holds", "/holds/{hold_id}/suspension", "/checkouts", renewals, renewal, allowance,
  ]
  private static let renewal = "/checkouts/{checkout_id}/renewal"
  private static let allowance = "/checkouts/{checkout_id}/allows_renewal"
  private static let renewals = "/checkouts/{checkout_id}/renewals"

  /// How the command that renews ends; nil where there is none.
  var renewalPath: String? {
    if paths.isEmpty || paths.contains(Self.renewal) { return "renewal" }
    return paths.contains(Self.renewals) ? "renewals" : nil
  }

  /// Whether it can be asked beforehand if a loan would be renewed. Nothing is lost where it cannot.
  var tellsAllowance: Bool { paths.contains(Self.allowance) }

  /// What cannot be done with it.
  var missing: Set<Capability> {
    guard !paths.isEmpty else { return [] }
    var missing: Set<Capability> = []
    if renewalPath == nil { missing.insert(.renewal) }
    if !paths.contains("/holds/{hold_id}/suspension") { missing.insert(.suspension) }
    return missing
  }
}

extension Koha {
  /// Read once a day. Nothing depends on it that could not be tried, so a failure is none.
  func features(_ operation: Circulation.Operation, in call: Call) async -> KohaFeatures {
    let authorization = ProviderKit.Authorization(
      key: .init(scope: "koha features \(base.text)", credentials: []),
      fetch: { [self] call throws(CirculationError) in
        let answer = try await get("", [], operation, in: call)
        let features = KohaFeatures(try answer.document(operation))
        return TokenDesk.Token(
          features.text, expires: session.clock.now() + .seconds(86_400))
      })
    do throws(CirculationError) {
      let token = try await session.token(for: authorization, during: operation, in: call)
      return KohaFeatures(text: token.value)
    } catch {
      return .usual
    }
  }
}
