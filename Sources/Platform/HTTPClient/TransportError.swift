package import HTTP

/// Everything that can go wrong between a request and its whole reply. An answer with an error
/// status is no error here. No case carries a query, userinfo, header value or body.
package enum TransportError: Error, Sendable, Hashable {
  case invalidRequest(RequestFault)
  case refusedAddress(Refusal)
  case cannotResolve(Cause)
  case cannotConnect(Cause)
  /// The proxy answered the tunnel request with this status.
  case proxyRefused(Status)
  case tls(TLSFault, Cause)
  /// Connecting took too long, or the other side stalled, in this phase.
  case timedOut(Phase)
  /// The request's own deadline passed in this phase.
  case deadlineExceeded(Phase)
  case cancelled
  case tooLarge(SizeLimit)
  case tooManyRedirects(most: Int)
  case refusedRedirect(RedirectFault)
  case malformedReply(Cause)
  case connectionLost(Phase, Cause)
  /// The body to be sent could not be read.
  case sending(SystemFault)
  /// The body received could not be stored.
  case storing(SystemFault)
  /// The request's own sink wanted no more.
  case stoppedBySink
  /// The client was shut down.
  case stopped
  case other(Cause)
}

/// How far a request had come.
package enum Phase: String, Sendable, Hashable, CaseIterable {
  /// Looking the host up, or waiting for a free connection.
  case resolving
  case connecting
  /// TLS handshake.
  case securing
  case sending
  /// Everything is sent, nothing has come back.
  case waiting
  case receiving
}

/// libcurl's own code and its constant phrase for it.
package struct Cause: Sendable, Hashable, CustomStringConvertible {
  package let code: Int
  package let phrase: String

  package init(code: Int, phrase: String) { (self.code, self.phrase) = (code, phrase) }

  package var description: String { "\(phrase) (libcurl \(code))" }
}

/// A refusal by the operating system, or by a rule about files.
package enum SystemFault: Error, Sendable, Hashable {
  case errno(Int32)
  case notRegularFile
  /// The file became shorter while it was sent.
  case shrank
  /// Another download writes to the same place.
  case busy
}

package enum RequestFault: Sendable, Hashable {
  case scheme
  case host
  case method
  /// A name or value that would not stay one header field.
  case header(name: String)
  /// A header that only the client itself may write.
  case reservedHeader(name: String)
}

package enum TLSFault: Sendable, Hashable {
  case expired
  case notYetValid
  case wrongHost
  case selfSigned
  case unknownAuthority
  case untrusted
  /// The file of trusted authorities cannot be used.
  case trustFile
  case handshake
}

package enum SizeLimit: Sendable, Hashable {
  case body(most: Int)
  case headerBytes(most: Int)
  case headerCount(most: Int)
}

package enum RedirectFault: Sendable, Hashable {
  /// The new address cannot be read.
  case malformedLocation
  case scheme
  /// From https to http.
  case downgrade
  /// The body would go to an origin the caller never named.
  case bodyAcrossOrigins
}

extension TransportError {
  /// Whether the other side may have acted on the request: what decides between "not done" and
  /// "in doubt" for a command that must not happen twice.
  package var mayHaveArrived: Bool {
    switch self {
    case .invalidRequest, .refusedAddress, .cannotResolve, .cannotConnect, .proxyRefused, .tls:
      false
    case .timedOut(let phase), .deadlineExceeded(let phase), .connectionLost(let phase, _):
      switch phase {
      case .resolving, .connecting, .securing: false
      case .sending, .waiting, .receiving: true
      }
    case .cancelled, .tooLarge, .tooManyRedirects, .refusedRedirect, .malformedReply, .sending,
      .storing, .stoppedBySink, .stopped, .other:
      true
    }
  }
}
