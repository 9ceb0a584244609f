import Foundation
import TestSupport
import Testing

/// Documents in JSON held to our schema of OPDS 2.0 by a validator that others wrote.
enum SchemaCheck {
  private static let schema = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures/opds-2.0.schema.json").path()

  private static let python = """
    import json, sys
    from jsonschema import Draft7Validator
    from jsonschema.exceptions import best_match
    check = Draft7Validator(json.load(open(sys.argv[1])))
    for name in sys.argv[2:]:
        document = json.load(open(name))
        error = best_match(check.iter_errors(document))
        if error:
            print(str(error.message)[:300], "at", list(error.absolute_path), "in", json.dumps(document)[:300])
    """

  /// What is wrong with them, a line each.
  static func faults(_ documents: [[UInt8]]) async throws -> [String] {
    try await withTemporaryFolder { folder in
      var files: [String] = []
      for (place, document) in documents.enumerated() {
        try folder.write(document, to: "\(place).json")
        files.append(folder.path("\(place).json"))
      }
      let checked = try await run("/usr/bin/python3", ["-c", python, schema] + files)
      #expect(checked.end == .exited(0), "\(checked.errorText.suffix(1000))")
      return checked.outputText.split(separator: "\n").map(String.init)
    }
  }
}
