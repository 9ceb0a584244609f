import Foundation
import HTTP
import HTTPClient
import JourneySupport
import Synchronization
import TestSupport
import Testing

/// A visitor with a form that may be sent again and again.
struct Stranger: Sendable {
  let visitor: Visitor
  let seal: String

  /// Has looked at the sign-in page, and no more.
  static func seal(_ gateway: RunningGateway) async throws -> Stranger {
    var visitor = Visitor(gateway)
    let page = String(decoding: try await visitor.send("/sign-in").body, as: UTF8.self)
    return Stranger(visitor: visitor, seal: try seal(in: page))
  }

  static func seal(in page: String) throws -> String {
    String(try #require(page.firstMatch(of: /name="seal" value="([^"]*)"/)).output.1)
  }

  /// The status of the answer.
  func photo(_ bytes: [UInt8]) async throws -> Int { try await send("/sign-in/photo", [:], bytes) }

  func profile(_ bytes: [UInt8]) async throws -> Int {
    try await send("/profile/picture", ["do": "keep"], bytes)
  }

  private func send(_ path: String, _ fields: [String: String], _ file: [UInt8]) async throws -> Int
  {
    var body: [UInt8] = []
    for (name, value) in fields.merging(["seal": seal], uniquingKeysWith: { $1 }) {
      body += Array(
        "--x-x-x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
    }
    body += Array(
      "--x-x-x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"x.jpg\"\r\n\r\n".utf8)
    body += file + Array("\r\n--x-x-x--\r\n".utf8)
    var visitor = visitor
    return try await visitor.send(
      path, .post, ["Content-Type": "multipart/form-data; boundary=x-x-x"], body: body
    ).status.code
  }
}

/// A catalog whose books have these files as their covers.
final class PictureCatalog: Sendable {
  let server: RawServer
  private let seen: Seen

  /// How many covers were asked for.
  var asked: Int { seen.count.withLock { $0 } }

  init(_ covers: [[UInt8]]) throws {
    let seen = Seen()
    self.seen = seen
    server = try RawServer { connection in
      while let request = connection.request() {
        if request.target.hasPrefix("/cover/"), let number = Int(request.target.dropFirst(7)) {
          seen.count.withLock { $0 += 1 }
          connection.answer("200 OK", ["Content-Type: image/png"], covers[number])
        } else {
          connection.answer(
            "200 OK", ["Content-Type: application/atom+xml;profile=opds-catalog;kind=acquisition"],
            Self.feed(covers.count))
        }
      }
    }
  }

  private final class Seen: Sendable {
    let count = Mutex(0)
  }

  private static func feed(_ count: Int) -> String {
    let entries = (0..<count).map { number in
      """
      <entry><id>urn:x:\(number)</id><title>Bomb \(number)</title><author><name>A\(number)</name></author>
      <updated>2026-01-01T00:00:00Z</updated>
      <link rel="http://opds-spec.org/image" href="/cover/\(number)" type="image/png"/>
      <link rel="http://opds-spec.org/acquisition/open-access" href="/\(number).epub"
      type="application/epub+zip"/></entry>
      """
    }
    return """
      <feed xmlns="http://www.w3.org/2005/Atom"><id>urn:x:all</id><title>Gallery</title>
      <updated>2026-01-01T00:00:00Z</updated>
      <link rel="self" href="/feed" type="application/atom+xml;profile=opds-catalog;kind=acquisition"/>
      \(entries.joined(separator: "\n"))</feed>
      """
  }
}

/// The programs that are tested, with a script in the place of the one that makes pictures.
final class OtherPrograms: Sendable {
  private let folder: TemporaryFolder
  var carrel: String { folder.path("bin/carrel") }

  /// Nil for none at all.
  init(picture script: String?) throws {
    folder = try TemporaryFolder()
    let files = FileManager.default
    for name in ["bin", "libexec/carrel"] {
      try files.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for (name, place) in [("carrel", "bin"), ("carrel-gateway", "libexec/carrel")] {
      let target = folder.path("\(place)/\(name)")
      // A link of the file itself, for a program asks the kernel where it lies.
      do { try files.linkItem(atPath: Programs.path(name), toPath: target) } catch {
        try files.copyItem(atPath: Programs.path(name), toPath: target)
      }
    }
    if let script {
      try folder.write(
        Array("#!/bin/sh\n\(script)\n".utf8), to: "libexec/carrel/carrel-picture", mode: 0o755)
    }
  }
}

extension Stage {
  /// A catalog on this machine, as the operator sets it up.
  func addLibrary(at catalog: String) throws {
    let now = try String(contentsOfFile: settings, encoding: .utf8)
    let text = """
        gallery:
          provider: opdslibrary
          name: Gallery
          endpoints:
            catalog: \(catalog)

      """
    try Data(("http:\n  allow_hosts: [127.0.0.1]\n" + now + text).utf8)
      .write(to: URL(filePath: settings))
  }
}
