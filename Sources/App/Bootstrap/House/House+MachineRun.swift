import Desk
import Machine

extension MachineRun {
  /// This one, as the kernel names it; nil where it does not tell. Who lives in a namespace of time counts
  /// another age.
  static func present(_ time: Time) -> MachineRun? {
    guard let name = line(of: "/proc/sys/kernel/random/boot_id"), !name.isEmpty else { return nil }
    let shift = line(of: "/proc/self/timens_offsets") ?? ""
    return MachineRun(
      name: shift.isEmpty ? name : "\(name) \(shift)",
      age: { (time.monotonic() - ContinuousClock().systemEpoch).milliseconds },
      process: ProcessMark.own?.text, hasEnded: { ProcessMark(text: $0).hasEnded })
  }

  private static func line(of path: String) -> String? {
    guard let bytes = try? WholeFile.read(path, upTo: 4096) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }.joined(separator: " ")
  }
}
