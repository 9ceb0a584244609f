import Circulation
import Membership
import ProviderKit
import Registry
import Setup

extension Counter {
  /// What accounts are linked at, for the service that links them.
  func houses(_ registry: Registry) -> Houses {
    Houses(
      all: libraries.map { settings in
        Membership.House(
          id: LibraryID(settings.id), name: settings.name ?? settings.id,
          provider: ProviderID(settings.provider.value), facts: settings.facts.told,
          pinCheck: pinCheck(of: LibraryID(settings.id)))
      }, providers: allProviders,
      library: { id throws(EnrollmentError) in
        do throws(HouseError) { return try self.library(id) } catch { throw .unopened(error) }
      },
      listing: { id throws(EnrollmentError) in
        do throws(HouseError) { return try self.listing(id) } catch { throw .unopened(error) }
      },
      provider: { library, credentials throws(EnrollmentError) in
        do throws(HouseError) { return try self.provider(at: library, with: credentials) } catch {
          throw .unopened(error)
        }
      },
      card: { account, request throws(EnrollmentError) in
        do throws(HouseError) {
          return try await self.provider(of: account, registry, request: request)
        } catch {
          throw .unopened(error)
        }
      },
      session: { self.session(of: $0) })
  }
}

extension Counter {
  private func pinCheck(of id: LibraryID) -> PINCheck? {
    guard let library = try? library(id), let listing = try? listing(library.provider) else {
      return nil
    }
    return try? listing.pinCheck(library)
  }
}

extension LibrarySettings.Facts {
  fileprivate var told: Membership.House.Facts {
    Membership.House.Facts(
      bars: bars, joining: joining, admitsMembers: admitsMembers, patronsLink: patronsLink)
  }
}
