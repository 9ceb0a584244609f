package import Circulation
import Machine
package import ProviderKit
import Synchronization

/// Readers who are away at a service's own sign-in page, each waited for a while. What has to survive
/// until they are back stays here, where the reader cannot read it.
package final class PageVisits: Sendable {
  package struct Pending: Sendable {
    package let patron: PatronID
    package let library: LibraryID
    /// The account that signs in anew; nil for a new one.
    package let account: AccountID?
    package let visit: SignInPage.Visit
    fileprivate let until: Int64
  }

  private let waiting = Mutex<[String: Pending]>([:])
  private let enrollment: Enrollment
  private let now: @Sendable () -> Int64

  private static let patience: Int64 = 15 * 60_000
  private static let most = 1000
  private static let mostOfOne = 5

  package init(_ enrollment: Enrollment, now: @escaping @Sendable () -> Int64) {
    (self.enrollment, self.now) = (enrollment, now)
  }

  /// The service's page, to be opened in the reader's browser.
  package func begin(
    at library: LibraryID, for patron: PatronID, account: AccountID? = nil, redirect: String,
    in call: Call
  ) async throws(EnrollmentError) -> SignInPage.Visit {
    let described = try enrollment.houses.library(library)
    guard case .page(let page) = try enrollment.way(to: library),
      let state = try? OAuth2.newWord()
    else { throw .noPage(library) }
    let visit: SignInPage.Visit
    do throws(CirculationError) {
      visit = try await page.begin(
        .init(redirect: redirect, state: state), enrollment.houses.session(described), call)
    } catch {
      throw .refused(error)
    }
    keep(
      Pending(
        patron: patron, library: library, account: account, visit: visit,
        until: now() + Self.patience), state)
    return visit
  }

  /// Whoever came back with this word, once; nil for somebody else's, or after too long a time.
  package func take(_ state: String, of patron: PatronID) -> Pending? {
    let now = now()
    return waiting.withLock { waiting in
      guard let pending = waiting[state], pending.patron == patron else { return nil }
      waiting[state] = nil
      return pending.until > now ? pending : nil
    }
  }

  package func finish(
    _ pending: Pending, _ answer: SignInPage.Answer, in call: Call
  ) async throws(EnrollmentError) -> Credentials {
    let described = try enrollment.houses.library(pending.library)
    guard case .page(let page) = try enrollment.way(to: pending.library) else {
      throw .noPage(pending.library)
    }
    do throws(CirculationError) {
      return try await page.finish(
        pending.visit, answer, enrollment.houses.session(described), call)
    } catch {
      throw .refused(error)
    }
  }

  private func keep(_ pending: Pending, _ state: String) {
    let now = now()
    waiting.withLock { waiting in
      waiting = waiting.filter { $0.value.until > now }
      let own = waiting.filter { $0.value.patron == pending.patron }
        .sorted { $0.value.until < $1.value.until }
      for (old, _) in own.dropLast(Self.mostOfOne - 1) { waiting[old] = nil }
      if waiting.count >= Self.most,
        let oldest = waiting.min(by: { $0.value.until < $1.value.until })
      {
        waiting[oldest.key] = nil
      }
      waiting[state] = pending
    }
  }
}
