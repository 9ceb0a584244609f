import Arguments
import Console
import JSON
import Machine
import Secrets
import Setup
import TextSafety

/// Where cards and PINs come from: never from the command line itself.
enum CredentialReading {
  static let fromInput = Flag(
    "credentials-stdin", "Read card and PIN from standard input: lines, or one JSON object.",
    common: true)
  static let fromFile = Option(
    "credentials-file", .file, "Read them from a file that only you can read.")

  static func credentials(
    for needs: SignInNeeds, _ input: Input, in app: App, help: String = "link"
  ) throws -> GivenCredentials {
    if try input[fromInput] {
      return .fields(try fields(Array(whole().utf8), needs, help))
    }
    if let path = try input[fromFile] {
      let bytes: [UInt8]
      do throws(FileError) {
        bytes = try WholeFile.read(path, upTo: 1 << 16, trusting: .ownerOnly)
      } catch {
        throw CommandError(.unreadable, "cannot take credentials from \(path): \(error)")
      }
      return .fields(try fields(bytes, needs, help))
    }
    if needs.isPage {
      return .page { address in
        app.output.instruct("Open this address in a browser and sign in:\n\(address)")
      }
    }
    var given: [String: Secret] = [:]
    for field in needs.fields {
      let answer =
        field.isSecret
        ? try app.questions.askHidden("\(field.label)", flag: "--credentials-stdin")
        : try app.questions.ask("\(field.label)", flag: "--credentials-stdin")
      if !answer.isEmpty { given[field.name] = Secret(answer) }
    }
    return .fields(try complete(given, needs, help))
  }

  private static func whole() -> String {
    var lines: [String] = []
    while lines.count < 64, let line = Keyboard.line(atMost: 1 << 14) { lines.append(line) }
    return lines.joined(separator: "\n")
  }

  private static func fields(
    _ bytes: [UInt8], _ needs: SignInNeeds, _ help: String
  ) throws(CommandError) -> [String: Secret] {
    let text = String(decoding: bytes, as: UTF8.self)
    var given: [String: Secret] = [:]
    if text.first(where: { !$0.isWhitespace }) == "{" {
      // What is wrong with it is not said: the text is a secret.
      guard let object = (try? JSONValue(parsing: text))?.object else {
        throw CommandError(.badValue, "the credentials are no JSON object")
      }
      for member in object.members {
        guard needs.fields.contains(where: { $0.name == member.name }) else {
          let names = needs.fields.map(\.name).joined(separator: ", ")
          throw CommandError(
            .badValue, "\(needs.libraryName) has no credential '\(member.name)'; it takes \(names)")
        }
        if let value = member.value.string { given[member.name] = Secret(value) }
      }
    } else {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (field, line) in zip(needs.fields, lines) where !line.isEmpty {
        given[field.name] = Secret(String(line))
      }
    }
    return try complete(given, needs, help)
  }

  private static func complete(
    _ given: [String: Secret], _ needs: SignInNeeds, _ help: String
  ) throws(CommandError) -> [String: Secret] {
    for field in needs.fields where field.isRequired && given[field.name] == nil {
      throw CommandError(
        .emptyInput, "\(needs.libraryName) asks for '\(field.label)', and none was given.",
        try: "carrel help \(help)")
    }
    return given
  }
}
