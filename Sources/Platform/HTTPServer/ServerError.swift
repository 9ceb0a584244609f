/// Why the server could not start.
package enum ServerError: Error, Sendable, Hashable, CustomStringConvertible {
  case addressInUse(String)
  case cannotListen(String, errno: Int32)
  case notASocket(descriptor: Int32)
  case pathTooLong(String)
  case outOfResources(errno: Int32)
  case alreadyStarted

  package var description: String {
    switch self {
    case .addressInUse(let address): "\(address) is already in use"
    case .cannotListen(let address, let code): "cannot listen on \(address): error \(code)"
    case .notASocket(let descriptor): "descriptor \(descriptor) is not a listening socket"
    case .pathTooLong(let path): "\(path) is too long for a socket"
    case .outOfResources(let code): "the system gives no more resources: error \(code)"
    case .alreadyStarted: "the server has been started before"
    }
  }
}
