package import FoundationEssentials

/// Databases and feeds count milliseconds since 1970.
extension Date {
  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  package var milliseconds: Int64 {
    // A date from a wire may be any number; what does not fit is the end of time.
    let value = (timeIntervalSince1970 * 1000).rounded()
    return Int64(exactly: value) ?? (value < 0 ? .min : .max)
  }
}
