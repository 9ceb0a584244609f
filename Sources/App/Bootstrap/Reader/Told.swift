import Catalog
import Circulation
import Database
import Desk
import Items
import ProviderKit
import Reading
import Registry
import Vault

// Every error of the services becomes one item that a surface can put into words.

func told<T: Sendable>(_ body: () async throws(RegistryError) -> T) async throws(ErrorItem) -> T {
  do throws(RegistryError) { return try await body() } catch { throw ErrorItem(error) }
}

func toldOfDatabase<T: Sendable>(
  _ body: () async throws(DatabaseError) -> T
) async throws(ErrorItem) -> T {
  do throws(DatabaseError) { return try await body() } catch { throw ErrorItem(error) }
}

extension ErrorItem {
  init(_ error: HouseError) {
    switch error {
    case .folder(let error):
      self.init("unwritable")
      detail = "\(error)"
    case .database(let error): self.init(error)
    case .inUse(let what): self.init("data_in_use", detail: what)
    case .newerDatabase(let migration, let copy):
      self.init("newer_database", detail: migration)
      (title, explanation) = (copy?.path, copy?.database)
    case .registry(let error): self.init(error)
    case .network(let what):
      self.init("network_failure")
      detail = what
    case .library(let id, let what):
      self.init("not_configured")
      library = id.rawValue
      detail = what
    case .faulty(let id, let sentence):
      self.init("not_configured")
      (library, detail, explanation) = (id.rawValue, sentence, sentence)
    case .unknownProvider(let id):
      self.init("unknown_provider")
      detail = id.rawValue
    }
  }

  init(_ error: DatabaseError) {
    self.init("database_unavailable")
    detail = "\(error)"
  }

  init(_ error: RegistryError) {
    switch error {
    case .database(let error): self.init(error)
    case .vault(let error): self.init(error)
    case .noSuchAccount(let name), .noSuchPatron(let name):
      self.init("unknown_account")
      detail = name
    case .nameTaken(let name):
      self.init("name_taken")
      detail = name
    case .badName(let name):
      self.init("bad_name")
      detail = name
    case .noSuchDevice(let name):
      self.init("unknown_device")
      detail = name
    case .deviceNameTaken(let name):
      self.init("device_exists")
      detail = name
    case .tooManyDevices(let most):
      self.init("limit_reached")
      detail = "\(most) app passwords"
    case .alreadyLinked(let known):
      self.init("already_linked")
      detail = known.name
      account = known.name
    // Said to patrons on the pages only: who uses the command line is the operator.
    case .linkedByAnother, .tooManyNewCards: self.init("unexpected", detail: error.description)
    case .tooManyCatalogs:
      self.init("too_many_catalogs")
      detail = error.description
    }
  }

  init(_ error: AnnotationError) {
    switch error {
    case .database(let error): self.init(error)
    case .unsound: self.init("bad_value")
    case .tooLong:
      let limits = PatronLimits.standard
      self.init("bad_value")
      detail =
        "a note has at most \(limits.noteCharacters) characters, and a mark at most "
        + "\(limits.markCharacters)"
    case .full:
      let limits = PatronLimits.standard
      self.init("limit_reached")
      detail = "\(limits.notesInBook) bookmarks and notes in a book, \(limits.notes) in all"
    case .unknown(let name), .several(let name):
      self.init("unknown_annotation")
      detail = name
    }
  }

  init(_ error: VaultError) {
    switch error {
    case .sealed: self.init("vault_locked")
    case .wrongKey: self.init("vault_key_wrong")
    default: self.init("vault_unusable")
    }
    detail = "\(error)"
  }

  init(_ error: DeskError) {
    switch error {
    case .provider(let error): self.init(error)
    case .database(let error): self.init(error)
    case .unopened(let error as HouseError): self.init(error)
    case .unlinked:
      self.init("unknown_account")
      detail = "the account was unlinked meanwhile"
    case .attemptEnded(.refused(let code)): self.init(code)
    case .attemptDiffers, .attemptEnded:
      self.init("unexpected")
      detail = "this attempt was made before"
    case .unopened(let error):
      self.init("unexpected")
      detail = "\(type(of: error))"
    }
  }

  init(_ error: HarvestFailure) {
    switch error {
    case .provider(let error): self.init(error)
    case .database(let error): self.init(error)
    }
  }

  /// A catalogue that is suddenly a tenth shorter is read, and what it lacks stays. It is said; nil
  /// for any other.
  init?(shrunk tally: HarvestTally, of before: Int) {
    // What a resumed run lists is only its own part. What left was missed twice, and is believed.
    guard tally.isComplete, tally.isWhole, !tally.wasResumed, tally.dropped == 0,
      tally.listed * 10 < before * 9
    else { return nil }
    self.init("catalogue_shrunk")
    detail = "\(tally.listed) of \(before)"
  }

  init(_ error: CirculationError) {
    self.init(error.reason.code)
    operation = error.operation.rawValue
    (providerSays, explanation) = (error.providerSays, error.explanation)
    switch error.reason {
    case .loanLimitReached(let limit), .holdLimitReached(let limit):
      detail = limit.map { "\($0)" }
    case .unsupported(let capability): detail = "nothing there \(capability.sentence)"
    case .providerBusy(let after): retryAfter = after.map { Int($0.components.seconds) }
    case .malformedResponse(let expected): detail = expected
    // What else is not configured is told to whoever wrote the settings; this is the reader's to mend.
    case .pinNotKept: code = "pin_not_kept"
    case .notConfigured(let what): detail = what
    case .networkFailure where error.providerSays?.contains("http.patron_hosts") == true:
      detail = error.providerSays
    default: break
    }
  }

  /// With the card it is about, and the library behind it.
  func about(_ account: Account, in house: House, title: String? = nil) -> ErrorItem {
    var item = self
    item.account = account.name
    item.library = house.counter.name(of: account.library)
    item.card = account.maskedCard
    item.title = title ?? item.title
    item.unlinked = nil
    return item
  }
}

extension Account {
  /// All but the last four hidden.
  var maskedCard: String? { cardEnding.map { "…\($0)" } }
}
