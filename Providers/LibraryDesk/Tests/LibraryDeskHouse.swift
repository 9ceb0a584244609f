import Circulation
import Conformance
import HTTP
import LibraryDeskMock
import Machine
import MockKit
import ProviderKit
import Secrets

@testable import LibraryDesk

extension House {
  /// A town whose desk is one system: it proves cards, lists titles and keeps holds.
  static let libraryDesk = {
    var house = House(
      LibraryDeskProvider.listing, playedBy: LibraryDeskDialect.dialect,
      mockLibrary: "bridgeport", openFormats: [], endpoints: ["koha"],
      settings: ["koha_client_id": "koha_client_id"],
      secrets: ["koha_client_secret": "koha_client_secret"],
      always: ["sign_in": "koha", "titles": "koha", "holds": "koha", "fine_limit": "10.00"])
    house.titleID = { String(2000 + $0) }
    house.item = { title, _ in ItemID("title-\(title)") }
    house.medium = "book"
    house.batch = 20
    house.branch = "CPL"
    house.secrets = ["bridgeport-api-secret"]
    // A block keeps nobody from their loans.
    house.turnsAway = [.wrongPIN]
    house.holdsBack = [.expiredCard, .blockedCard]
    return house
  }()

  /// The same town with its machines' line for cards and holds, and the catalogue for titles.
  static let deskOverSIP2 = {
    var house = libraryDesk
    house.library = { told in
      let library = try libraryDesk.library(told)
      var (settings, secrets, endpoints) = (library.settings, library.secrets, library.endpoints)
      settings.merge([
        "sign_in": "sip2", "holds": "sip2", "sip2_maker": "koha", "sip2_hold_modes": "+-*",
        "sip2_login": told["sip2_login"] ?? "", "sip2_answer_seconds": "1",
        "branches": "CPL = Central Library; MTH = Mott Haven",
      ]) { $1 }
      secrets["sip2_password"] = Secret(told["sip2_password"] ?? "")
      // By name and password, since fetching a token would count as a command.
      settings["koha_client_id"] = nil
      settings["koha_user"] = "carrel"
      secrets["koha_password"] = Secret("bridgeport-staff-word")
      endpoints["sip2"] = try Address(told["sip2"] ?? "")
      return Library(
        id: library.id, provider: library.provider, name: library.name, endpoints: endpoints,
        settings: settings, secrets: secrets, zone: Zone(named: "UTC"))
    }
    (house.lines, house.lacking) = (SIP2Dialect.dialect, [.suspension])
    (house.tellsPlaces, house.answersAlone) = (false, [.branches])
    house.leavingAfterLook = "cancel_hold"
    house.commandsByGet = ["hold", "cancel_hold", "move_hold", "renew"]
    house.secrets.insert(SIP2Dialect.login.password)
    return house
  }()
}
