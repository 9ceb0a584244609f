import Foundation
import TestSupport
import Testing

/// Every library costs time before the first line of ours runs.
@Suite struct `The program for book files` {
  private func libraries(_ program: String) throws -> String {
    let ending = try Shell().sh("ldd '\(Programs.path(program))'")
    try #require(ending.code == 0)
    return ending.output
  }

  @Test
  func `the book program links libraries for books and none for network or database`() throws {
    let linked = try libraries("carrel-book")
    #expect(linked.contains("libzip") && linked.contains("libxml2"))
    for heavy in ["curl", "pq", "sqlite3", "event", "gd", "gnutls", "ldap"] {
      #expect(!linked.contains("lib\(heavy).") && !linked.contains("lib\(heavy)-"))
    }
    #expect(try libraries("carrel-gateway").contains("libcurl."))
  }

  @Test func `no program but carrel-picture links what decodes pictures`() throws {
    for program in ["carrel", "carrel-book", "carrel-gateway"] {
      let linked = try libraries(program)
      #expect(!linked.contains("libgd.") && !linked.contains("libzbar."))
    }
    let linked = try libraries("carrel-picture")
    #expect(linked.contains("libgd."))
    for network in ["curl", "pq", "sqlite3", "event"] {
      #expect(!linked.contains("lib\(network)."))
    }
  }

  @Test func `The program for book files is all that is needed for a book`() throws {
    let shell = try Shell()
    try shell.write("no book", to: "no.epub")
    let programs = "'\(Programs.path("carrel"))' '\(Programs.path("carrel-book"))'"
    let ending = try shell.sh(
      "cp \(programs) . && ./carrel epub inspect no.epub; echo $?; "
        + "./carrel loans")
    #expect(ending.output.hasPrefix("6\n"))
    #expect(ending.error.contains("carrel-gateway is missing"))
  }
}
