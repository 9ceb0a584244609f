import Circulation
import JSON
import ProviderKit

// SIP2 lists copies; what readers are shown are titles.

extension Titles {
  /// The titles that copies belong to, as far as whoever finds titles can tell.
  func titles(
    ofCopies barcodes: [String], _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [String: ItemID] {
    guard case .koha(let koha) = self else { return [:] }
    return try await koha.titles(ofCopies: barcodes, operation, in: call)
  }
}

extension Koha {
  fileprivate func titles(
    ofCopies barcodes: [String], _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [String: ItemID] {
    var found: [String: ItemID] = [:]
    for batch in barcodes.batches(of: 50) {
      let filter = Koha.filter(["external_id": .array(batch.map(JSONValue.string))])
      for row in try await list("items", [filter], operation, in: call) {
        guard let barcode = row["external_id"]?.words, let number = row["biblio_id"]?.whole else {
          throw Failures.malformed("copies with their titles", operation)
        }
        found[barcode] = ItemName.title(String(number)).item
      }
    }
    return found
  }
}
