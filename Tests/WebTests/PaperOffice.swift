import Circulation
import Database
import FrontDesk
import HTTP
import HTTPClient
import Machine
import Membership
import Notices
import Profiles
import ProviderKit
import Reading
import Registry
import Secrets
import Synchronization
import Vault

@testable import Web

/// What stands behind readers' own pages in these tests: a library of paper, one without PINs, and a
/// service with a sign-in page of its own.
enum PaperOffice {
  static let village = LibraryID("village")
  static let service = LibraryID("shelfmates")
  static let letters = Mutex<[String]>([])

  static func stock(
    _ store: Store, _ registry: Registry, _ lender: PaperLender,
    now: @escaping @Sendable () -> Int64,
    key: @escaping @Sendable () async throws(VaultError) -> Secret
  ) -> OwnStock {
    let enrollment = Enrollment(houses(lender, registry), registry: registry)
    var ways = Ways(
      patrons: Transport(send: { request throws(TransportError) in
        Reply(head: ReplyHead(status: .ok, headers: [:]), body: [], address: request.address)
      }), unencrypted: AddressGate(), contact: "mailto:desk@town.example")
    if let sender = try? MailAddress("carrel@town.example") {
      ways.mail = Ways.Mail(sender: sender) { letter throws(MailError) in
        letters.withLock { $0.append(letter.text) }
        return MailReceipt(rejected: [])
      }
    }
    return OwnStock(
      enrollment: enrollment, visits: PageVisits(enrollment, store: store, now: now, key: key),
      notices: Notices(store: store, ways: ways, now: now, key: key),
      profiles: Profiles(store: store, now: now), tastes: Tastes(store: store, now: now),
      annotations: Annotations(store: store, now: now),
      credits: [OwnStock.Credit("libpaper", "1.0", "MIT")],
      tellOperator: { feedback, owner in
        letters.withLock { $0.append("\(owner): \(feedback.text)") }
        return true
      },
      pause: { duration in try? await Task.sleep(for: duration) })
  }

  private static let listing = ProviderListing(
    id: ProviderID("paper"), title: "Paper", capabilities: PaperCard.capabilities,
    fields: [
      .init("card", "Library card number", isSecret: false), .init("pin", "PIN", isSecret: true),
    ],
    signIn: { library throws(SettingsFault) in
      let card = ProviderListing.Field("card", "Library card number", isSecret: false)
      return library.id == village
        ? .fields([card]) : .fields([card, .init("pin", "PIN", isSecret: true)])
    },
    make: { _, _, _ throws(SettingsFault) in throw SettingsFault(village, "make", "is not") })

  private static let pages = ProviderListing(
    id: ProviderID("mates"), title: "Mates", capabilities: [.lists],
    fields: [.init("token", "Token", isSecret: true)],
    signIn: { _ throws(SettingsFault) in
      .page(
        ProviderKit.SignInPage(
          begin: { request, _, _ throws(CirculationError) in
            guard
              let address = try? Address(
                "https://mates.example/agree?to=\(Address.encoded(request.redirect ?? ""))"
                  + "&state=\(request.state)")
            else {
              throw CirculationError(
                .notConfigured(what: "an address"), from: ProviderID("mates"), during: .checkAccount
              )
            }
            return .init(address: address, request: request, carried: ["verifier": Secret("v")])
          },
          finish: { visit, answer, _, _ throws(CirculationError) in
            guard case .redirected(let fields) = answer, fields["code"] == "granted",
              fields["state"] == visit.request.state, visit.carried["verifier"] != nil
            else {
              throw CirculationError(
                .credentialsRejected, from: ProviderID("mates"), during: .checkAccount)
            }
            return Credentials(["token": Secret("t")])
          }))
    },
    make: { _, _, _ throws(SettingsFault) in throw SettingsFault(service, "make", "is not") })

  private static func houses(_ lender: PaperLender, _ registry: Registry) -> Houses {
    let all = [
      House(
        id: LobbyRoom.town, name: "Town <Library>", provider: ProviderID("paper"),
        facts: .init(joining: "https://town.example/join"), pinCheck: .always),
      House(id: village, name: "Village", provider: ProviderID("paper")),
      House(id: service, name: "Shelfmates", provider: ProviderID("mates")),
    ]
    return Houses(
      all: all, providers: [listing, pages],
      library: { id throws(EnrollmentError) in
        guard let house = all.first(where: { $0.id == id }) else { throw .noPage(id) }
        return Library(id: id, provider: house.provider, name: house.name, endpoints: [:])
      },
      listing: { id throws(EnrollmentError) in id == listing.id ? listing : pages },
      provider: { library, credentials throws(EnrollmentError) in
        if library == service { return PaperShelf() }
        return PaperCard(lender: lender, credentials: credentials ?? Credentials([:]))
      },
      card: { account, request throws(EnrollmentError) in
        do throws(RegistryError) {
          return PaperCard(
            lender: lender,
            credentials: try await registry.credentials(of: account, request: request))
        } catch {
          throw .registry(error)
        }
      },
      session: { library in
        Session(
          provider: library.provider,
          transport: Transport(send: { request throws(TransportError) in
            Reply(head: ReplyHead(status: .ok, headers: [:]), body: [], address: request.address)
          }), cache: nil)
      })
  }
}

/// The service of lists: it lends nothing.
struct PaperShelf: CirculationProvider {
  static let capabilities: Set<Capability> = [.lists]

  func describe() -> ProviderDescription {
    ProviderDescription(provider: ProviderID("mates"), availabilityBatch: 1)
  }

  func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  { [:] }
}
