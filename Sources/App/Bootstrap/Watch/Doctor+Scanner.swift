import Database
import Downloads
import Items
import Scanning
import TextSafety

/// Who looks for malware, where the settings name somebody.
extension Doctor {
  func scanner(_ house: House) async -> [CheckupItem] {
    guard let sentry = house.sentry else { return [] }
    do throws(ScanFault) { try await sentry.scanner.ping() } catch {
      let what =
        sentry.isRequired
        ? "nothing is downloaded until it does" : "what is downloaded is not examined"
      return [
        CheckupItem(
          "scanner", sentry.isRequired ? .fail : .warn,
          "The scanner for malware does not answer (\(error.word)): \(what).",
          try: "carrel config show scanner")
      ]
    }
    let answers = CheckupItem("scanner", .ok, "The scanner for malware answers.")
    guard let left = try? await house.storeroom.files.unexamined(), left > 0 else {
      return [answers]
    }
    return [
      answers,
      CheckupItem("scanner", .warn, "\(left) downloaded files are still to be examined."),
    ]
  }
}
