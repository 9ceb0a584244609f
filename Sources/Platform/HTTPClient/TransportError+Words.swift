import HTTP

extension TransportError: CustomStringConvertible {
  /// In words, for people. What libcurl says comes last, in brackets.
  package var description: String {
    switch self {
    case .invalidRequest(let fault): fault.description
    case .refusedAddress(let refusal): "\(refusal.host) may not be called"
    case .cannotResolve: "the name of the host is not known"
    case .cannotConnect(let cause): "the host takes no connection (\(cause))"
    case .proxyRefused(let status): "the proxy answered \(status.code)"
    case .tls(let fault, let cause): "\(fault) (\(cause))"
    case .timedOut(let phase): "there was no progress while \(phase.rawValue)"
    case .deadlineExceeded(let phase): "the time was over while \(phase.rawValue)"
    case .cancelled: "the request was canceled"
    case .tooLarge(let limit): limit.description
    case .tooManyRedirects(let most): "there were more than \(most) redirects"
    case .refusedRedirect(let fault): fault.description
    case .malformedReply(let cause): "the answer is not HTTP (\(cause))"
    case .connectionLost(let phase, let cause):
      "the connection was lost while \(phase.rawValue) (\(cause))"
    case .sending(let fault): "what should be sent cannot be read: \(fault)"
    case .storing(let fault): "the answer cannot be stored: \(fault)"
    case .stoppedBySink: "the answer was not read to its end"
    case .stopped: "the program is ending"
    case .other(let cause): "the request failed (\(cause))"
    }
  }
}

extension TransportError {
  /// One word, for counting and for logs.
  package var word: String {
    switch self {
    case .invalidRequest: "invalidRequest"
    case .refusedAddress: "refusedAddress"
    case .cannotResolve: "cannotResolve"
    case .cannotConnect: "cannotConnect"
    case .proxyRefused: "proxyRefused"
    case .tls: "tls"
    case .timedOut: "timedOut"
    case .deadlineExceeded: "deadlineExceeded"
    case .cancelled: "cancelled"
    case .tooLarge: "tooLarge"
    case .tooManyRedirects: "tooManyRedirects"
    case .refusedRedirect: "refusedRedirect"
    case .malformedReply: "malformedReply"
    case .connectionLost: "connectionLost"
    case .sending: "sending"
    case .storing: "storing"
    case .stoppedBySink: "stoppedBySink"
    case .stopped: "stopped"
    case .other: "other"
    }
  }
}

extension SystemFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .errno(let code): "the system reports error \(code)"
    case .notRegularFile: "it is not a regular file"
    case .shrank: "the file became shorter meanwhile"
    case .busy: "another download writes to the same file"
    }
  }
}

extension RequestFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .scheme: "the address is neither http nor https"
    case .host: "the address has no usable host"
    case .method: "the method is not valid"
    case .header(let name): "the header \(name) is not valid"
    case .reservedHeader(let name): "the header \(name) cannot be set"
    }
  }
}

extension TLSFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .expired: "the certificate has expired"
    case .notYetValid: "the certificate is not valid yet"
    case .wrongHost: "the certificate is for another host"
    case .selfSigned: "the certificate is self-signed"
    case .unknownAuthority: "the certificate's authority is not known"
    case .untrusted: "the certificate is not trusted"
    case .trustFile: "the file of trusted authorities cannot be used"
    case .handshake: "TLS cannot be set up"
    }
  }
}

extension SizeLimit: CustomStringConvertible {
  package var description: String {
    switch self {
    case .body(let most): "the answer is larger than \(most) bytes"
    case .headerBytes(let most): "the head of the answer is larger than \(most) bytes"
    case .headerCount(let most): "the answer has more than \(most) header fields"
    }
  }
}

extension RedirectFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformedLocation: "a redirect leads to no valid address"
    case .scheme: "a redirect leads to an address that is neither http nor https"
    case .downgrade: "a redirect leads from https to http"
    case .bodyAcrossOrigins: "a redirect would send the data to another site"
    }
  }
}
