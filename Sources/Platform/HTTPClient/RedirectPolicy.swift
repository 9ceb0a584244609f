import HTTP

/// What happens to an answer that points elsewhere.
package enum RedirectPolicy: Sendable, Hashable {
  /// It is the reply, for the caller to read.
  case returned
  case followed(Rules = Rules())

  package struct Rules: Sendable, Hashable {
    package enum Downgrade: Sendable { case refused, followed }
    package enum BodyAcrossOrigins: Sendable { case refused, sent }

    package var most: Int
    package var downgrade: Downgrade
    /// A form may hold a card number and a PIN: by default a body stays with the origin it was
    /// written for, as the credentials in headers do.
    package var body: BodyAcrossOrigins

    package init(
      most: Int = 5, downgrade: Downgrade = .refused, body: BodyAcrossOrigins = .refused
    ) {
      self.most = most
      self.downgrade = downgrade
      self.body = body
    }
  }
}

extension ReplyHead {
  /// Where a redirect leads; nil when this is none. Two fields that disagree lead nowhere.
  var location: String? {
    guard status.isRedirect, let first = headers["Location"] else { return nil }
    return headers.all("Location").allSatisfy { $0 == first } ? first : ""
  }
}

extension RedirectPolicy.Rules {
  /// Never sent to another origin, whoever set them.
  private static let credentials = ["Authorization", "Cookie", "Proxy-Authorization"]
  /// What describes a body goes with it.
  private static let bodyHeaders = [
    "Content-Type", "Content-Encoding", "Content-Language", "Content-Location", "Digest",
    "Content-Digest", "Content-MD5",
  ]

  /// The request a redirect asks for (RFC 9110 §15.4).
  func request(
    after request: Request, redirectedBy status: Status, to location: String
  ) throws(TransportError) -> Request {
    guard !location.isEmpty, let reference = try? AddressReference(Address.escaped(location))
    else { throw .refusedRedirect(.malformedLocation) }
    let target: Address
    do {
      target = try request.address.resolving(reference)
    } catch {
      throw .refusedRedirect(error == .hostMissing ? .scheme : .malformedLocation)
    }
    guard target.scheme == "http" || target.scheme == "https" else {
      throw .refusedRedirect(.scheme)
    }
    if request.address.isSecure, !target.isSecure, downgrade == .refused {
      throw .refusedRedirect(.downgrade)
    }
    var next = request
    next.address = target
    let changesToGet =
      switch status.code {
      // Every browser turns a POST into a GET here, and servers count on it.
      case 301, 302: request.method == .post
      case 303: request.method != .get && request.method != .head
      default: false
      }
    if changesToGet {
      next.method = .get
      next.body = .none
      for name in Self.bodyHeaders { next.headers.set(name, nil) }
    }
    if target.origin != request.address.origin {
      guard next.body == .none || body == .sent else { throw .refusedRedirect(.bodyAcrossOrigins) }
      for name in Self.credentials + request.secretHeaders { next.headers.set(name, nil) }
    }
    return next
  }
}
