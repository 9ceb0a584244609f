import Items
import Notices
import TextSafety

extension Doctor {
  func shortMessages(_ house: House) async -> [CheckupItem] {
    do throws(NoticeError) {
      guard let day = try await house.notices.shortMessageDay(), day.isFull else { return [] }
      return [
        CheckupItem(
          "notifications", .warn,
          "All \(day.limit) short messages of this day are used: others wait until midnight (UTC).",
          try: "carrel config show notices")
      ]
    } catch {
      return [
        CheckupItem(
          "notifications", .fail,
          "The short messages of this day cannot be counted: \(ErrorItem(error).code).")
      ]
    }
  }
}
