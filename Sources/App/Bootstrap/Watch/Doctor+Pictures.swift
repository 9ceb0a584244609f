import Items
import Pictures

/// Whether pictures of strangers are decoded where they can do no harm.
extension Doctor {
  func pictures(_ house: House) async -> [CheckupItem] {
    guard let said = await house.pictureProgram.check() else {
      return [
        CheckupItem(
          "pictures", .fail,
          "carrel-picture does not start: there are no covers, and no card is read from a photo.")
      ]
    }
    let lines = said.split(separator: "\n")
    let open = lines.filter { $0.hasPrefix("open ") }.map { $0.dropFirst(5) }
    let means = lines.filter { !$0.hasPrefix("open ") }.joined(separator: ", ")
    guard open.isEmpty else {
      return [
        CheckupItem(
          "pictures", .warn,
          "The kernel does not close off the process that decodes pictures (\(means)): "
            + "\(open.joined(separator: ", ")).")
      ]
    }
    return [
      CheckupItem(
        "pictures", .ok, "Pictures are decoded in processes without files and network (\(means)).")
    ]
  }
}
