/// A cover that is asked for, and what comes of it.
package enum CoverOrder {
  package enum Size: String, Sendable, Hashable, CaseIterable { case thumbnail, large }

  package struct Answer: Sendable, Hashable {
    package let work: String
    package let title: String
    /// `fetched`, `kept` or `drawn`.
    package let origin: String
    package let mediaType: String
    package let bytes: [UInt8]

    package init(
      work: String, title: String, origin: String, mediaType: String, bytes: [UInt8]
    ) {
      (self.work, self.title, self.origin) = (work, title, origin)
      (self.mediaType, self.bytes) = (mediaType, bytes)
    }
  }
}
