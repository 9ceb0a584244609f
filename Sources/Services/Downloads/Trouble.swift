import Circulation
import Desk
import HTTP
import HTTPClient
import Machine
import ProviderKit

/// Why a download came to nothing: a word for programs, and what is to be done about it.
package struct Trouble: Error, Sendable, Hashable {
  package enum Remedy: Sendable, Hashable {
    /// Nothing will help but the patron.
    case none
    /// Tried again by itself, some times; not before the lender allows it.
    case later(notBefore: Duration?)
    /// It lies with this house and not with the lender or the line: back into the line, and no try
    /// is counted.
    case house
  }

  package let reason: String
  package let remedy: Remedy

  init(_ reason: String, _ remedy: Remedy) { (self.reason, self.remedy) = (reason, remedy) }

  /// Whether the lender refused the card and not the title.
  var isOfTheCard: Bool {
    ["credentials_rejected", "account_expired", "account_blocked"].contains(reason)
  }

  static func again(_ reason: String) -> Trouble { Trouble(reason, .later(notBefore: nil)) }
  static func final(_ reason: String) -> Trouble { Trouble(reason, .none) }

  static let diskFull = Trouble("disk_full", .house)
  /// Somebody has the part: a worker that was given up for dead and is not.
  static let busy = Trouble("busy", .house)
  static let unwritable = Trouble("unwritable", .house)
  static let noRoom = Trouble.final("no_room")
  static let tooMuch = Trouble.final("too_much")
  static let readAtProvider = Trouble.final("read_at_provider")
  static let addressRefused = Trouble.final("address_refused")
  static let linkRefused = Trouble.again("link_refused")
  /// The worker is to stop: nobody's fault.
  static let stopped = Trouble("stopped", .house)
}

extension Trouble {
  /// What asking the lender for the file came to.
  init(_ error: DeskError) {
    switch error {
    case .provider(let error): self.init(error.reason)
    case .database: self = Trouble("database", .house)
    case .unopened: self = Trouble("account_unopened", .house)
    case .unlinked: self = .final("account_unlinked")
    case .attemptDiffers, .attemptEnded: self = .final("refused")
    }
  }

  init(_ reason: CirculationError.Reason) {
    switch reason {
    case .providerBusy(let after): self = Trouble(reason.code, .later(notBefore: after))
    case .providerUnavailable, .malformedResponse, .networkFailure, .deadlineExceeded:
      self = .again(reason.code)
    case .cancelled: self = .stopped
    case .credentialsRejected, .accountExpired, .accountBlocked, .noCopiesAvailable,
      .alreadyBorrowed, .loanLimitReached, .holdLimitReached, .alreadyOnHold, .notOnHold,
      .notBorrowed, .currentlyAvailable, .notRenewable, .titleGone, .formatUnavailable,
      .noLicenses, .notHoldable, .branchRefused, .unsupported, .notConfigured:
      self = .final(reason.code)
    }
  }

  init(_ error: TransportError) {
    switch error {
    case .storing(let fault): self.init(fault)
    case .tooLarge: self = .tooMuch
    case .invalidRequest, .refusedAddress, .tooManyRedirects, .refusedRedirect:
      self = .addressRefused
    case .cancelled, .stopped: self = .stopped
    case .tls: self = .again("insecure")
    case .cannotResolve, .cannotConnect, .proxyRefused, .timedOut, .deadlineExceeded,
      .malformedReply, .connectionLost, .sending, .stoppedBySink, .other:
      self = .again("network_failure")
    }
  }

  private init(_ fault: SystemFault) {
    switch fault {
    case .busy: self = .busy
    case .errno(let code): self.init(MachineError(code: code, attempt: "write", subject: ""))
    case .notRegularFile, .shrank: self = .unwritable
    }
  }

  init(_ error: MachineError) { self = error.isFull ? .diskFull : .unwritable }

  init(_ error: FileError) {
    if case .failed(let error) = error { self.init(error) } else { self = .unwritable }
  }

  init(_ trouble: StoreTrouble) {
    switch trouble {
    case .database: self = Trouble("database", .house)
    case .file(let error): self.init(error)
    }
  }

  /// An answer without a file.
  init(_ reply: Reply) {
    switch reply.status.code {
    case 401, 403, 404, 410: self = .linkRefused
    case 429, 503: self = Trouble("provider_busy", .later(notBefore: reply.retryAfter))
    case 500...: self = Trouble("provider_unavailable", .later(notBefore: reply.retryAfter))
    default: self = .again("malformed_response")
    }
  }
}
