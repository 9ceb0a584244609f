import CEvent
import Glibc

/// A socket that waits for clients; closed, and its file removed, when the last loop lets go.
final class ListeningSocket: Sendable {
  private struct File: Sendable {
    let path: String
    let device: UInt
    let inode: UInt
  }

  let descriptor: Int32
  /// With the port the system has chosen.
  let address: ListenAddress
  private let file: File?

  private init(_ descriptor: Int32, _ address: ListenAddress, file: File? = nil) {
    (self.descriptor, self.address, self.file) = (descriptor, address, file)
  }

  deinit {
    close(descriptor)
    guard let file else { return }
    // Another server may have put its own socket there since.
    var facts = stat()
    if unsafe lstat(file.path, &facts) == 0, UInt(facts.st_dev) == file.device,
      UInt(facts.st_ino) == file.inode
    {
      unsafe unlink(file.path)
    }
  }

  /// One socket for each of `count` loops where the kernel can share a port among them, else one
  /// that all loops share.
  static func open(
    _ address: ListenAddress, for count: Int
  ) throws(ServerError) -> [ListeningSocket] {
    switch address {
    case .inherited(let descriptor): return [try adopt(descriptor)]
    case .unix(let path, let mode): return [try bind(path: path, mode: mode)]
    case .ip(let ip, let port):
      // With SO_REUSEPORT a second server of ours would quietly take half of the clients. Without
      // it on the first try, an address in use is an error as everywhere else.
      if port != 0 { _ = try bind(ip, port: port, sharing: false) }
      let first = try bind(ip, port: port, sharing: true)
      var sockets = [first]
      let chosen = first.address.port ?? port
      while sockets.count < count { sockets.append(try bind(ip, port: chosen, sharing: true)) }
      return sockets
    }
  }

  private static func bind(
    _ ip: IPAddress, port: Int, sharing: Bool
  ) throws(ServerError) -> ListeningSocket {
    let wanted = ListenAddress.ip(ip, port: port)
    var address = SocketAddress(ip, port: port)
    let descriptor = socket(
      address.family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue),
      0)
    guard descriptor >= 0 else { throw .outOfResources(errno: errno) }
    switchOn(descriptor, SOL_SOCKET, SO_REUSEADDR)
    if sharing { switchOn(descriptor, SOL_SOCKET, SO_REUSEPORT) }
    // IPv4 clients come through an address of their own, never disguised as IPv6.
    if address.family == AF_INET6 { switchOn(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
    guard unsafe address.withPointer({ unsafe Glibc.bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, 1024) == 0
    else {
      let code = errno
      close(descriptor)
      throw code == EADDRINUSE
        ? .addressInUse(wanted.description) : .cannotListen(wanted.description, errno: code)
    }
    _ = unsafe address.fill { unsafe getsockname(descriptor, $0, $1) }
    guard case .ip(_, let chosen) = address.peer else {
      close(descriptor)
      throw .notASocket(descriptor: descriptor)
    }
    return ListeningSocket(descriptor, .ip(ip, port: chosen))
  }

  private static func bind(path: String, mode: UInt32) throws(ServerError) -> ListeningSocket {
    let address = try SocketAddress(path: path)
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    // A socket file left by a killed server answers nobody and may go; one that answers may not.
    let probe = socket(AF_UNIX, kind, 0)
    guard probe >= 0 else { throw .outOfResources(errno: errno) }
    let answered = unsafe address.withPointer { unsafe connect(probe, $0, $1) } == 0
    let code = errno
    close(probe)
    // EAGAIN: its queue is full, so there is someone.
    if answered || code == EAGAIN { throw .addressInUse("unix:\(path)") }
    // An ordinary file refuses just like a socket without a server; it stays.
    var left = stat()
    if code == ECONNREFUSED, unsafe lstat(path, &left) == 0, left.st_mode & S_IFMT == S_IFSOCK {
      unsafe unlink(path)
    }
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw .outOfResources(errno: errno) }
    // Before it has a name, so that nobody finds it with wider permissions.
    fchmod(descriptor, mode)
    guard unsafe address.withPointer({ unsafe Glibc.bind(descriptor, $0, $1) }) == 0,
      unsafe chmod(path, mode) == 0, listen(descriptor, 1024) == 0
    else {
      let code = errno
      close(descriptor)
      throw code == EADDRINUSE
        ? .addressInUse("unix:\(path)") : .cannotListen("unix:\(path)", errno: code)
    }
    var facts = stat()
    unsafe lstat(path, &facts)
    return ListeningSocket(
      descriptor, .unix(path: path, mode: mode),
      file: File(path: path, device: UInt(facts.st_dev), inode: UInt(facts.st_ino)))
  }

  private static func adopt(_ descriptor: Int32) throws(ServerError) -> ListeningSocket {
    var isListening: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0,
      isListening != 0
    else { throw .notASocket(descriptor: descriptor) }
    let flags = fcntl(descriptor, F_GETFL)
    guard fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { throw .outOfResources(errno: errno) }
    var address = SocketAddress()
    _ = unsafe address.fill { unsafe getsockname(descriptor, $0, $1) }
    if case .ip(let ip, let port) = address.peer {
      return ListeningSocket(descriptor, .ip(ip, port: port))
    }
    return ListeningSocket(descriptor, .inherited(descriptor: descriptor))
  }

  private static func switchOn(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
    var one: Int32 = 1
    unsafe setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The next client that waits; nil when there is none, or no descriptor left for it.
  func accept() -> (descriptor: Int32, peer: Peer)? {
    var address = SocketAddress()
    let client = unsafe address.fill { unsafe accept_nonblocking(descriptor, $0, $1) }
    guard client >= 0 else { return nil }
    if address.family != AF_UNIX {
      ListeningSocket.switchOn(client, Int32(IPPROTO_TCP), TCP_NODELAY)
    }
    return (client, address.peer)
  }
}
