import BackOffice
import Crypto
import FrontDesk
import Log
import Machine
import Setup
import Shelving

extension House {
  /// No file of lanes is longer.
  private static let longestLanes = 1 << 20

  var laneDesk: LaneDesk {
    let (rack, place) = (rack, configuration.lanes.place)
    return LaneDesk(
      shown: { rack.lanes },
      written: { () throws(LaneDesk.Failure) in try Self.written(place) },
      read: { Self.reading(Array($0.utf8), place ?? "lanes.yaml") },
      save: { text throws(LaneDesk.Failure) in
        guard let place else { throw LaneDesk.Failure("No settings file says where they stand.") }
        let bytes = Array(text.utf8)
        guard case .lanes(let lanes) = Self.reading(bytes, place) else {
          throw LaneDesk.Failure("The text has faults.")
        }
        let kept = try Self.replace(place, with: bytes)
        rack.exchange(for: lanes)
        return kept
      })
  }

  private static func written(
    _ place: String?
  ) throws(LaneDesk.Failure) -> LaneDesk.Written {
    guard let place else {
      return .init(
        text: LanesFile.builtIn, path: nil, isFile: false,
        obstacle: "The gateway was started without a settings file, beside which they would stand.")
    }
    let obstacle = WholeFile.obstacle(to: place)
    do throws(FileError) {
      let bytes = try WholeFile.read(place, upTo: longestLanes)
      return .init(
        text: String(decoding: bytes, as: UTF8.self), path: place, isFile: true,
        obstacle: obstacle)
    } catch {
      guard error.isMissing else { throw LaneDesk.Failure("The file cannot be read: \(error)") }
      return .init(text: LanesFile.builtIn, path: place, isFile: false, obstacle: obstacle)
    }
  }

  private static func reading(_ bytes: [UInt8], _ path: String) -> LaneDesk.Reading {
    guard bytes.count <= longestLanes else {
      return .faults([.init(line: nil, "the text is longer than \(longestLanes >> 20) MiB")])
    }
    do throws(ConfigurationError) {
      return .lanes(try LanesFile(bytes, path: path).lanes)
    } catch {
      return .faults(error.faults.map(LaneDesk.Fault.init))
    }
  }

  /// The old file stays beside the new one, under a name that the next exchange takes over.
  private static func replace(
    _ place: String, with bytes: [UInt8]
  ) throws(LaneDesk.Failure) -> String? {
    let old = "\(place).old"
    var mode: UInt32 = 0o644
    var kept: String?
    do throws(MachineError) {
      mode = try Access(of: place).mode
      kept = old
    } catch {
      // There was none.
    }
    if kept != nil {
      do throws(FileError) { try WholeFile.copy(place, to: old, mode: mode) } catch {
        throw LaneDesk.Failure("The old file cannot be kept: \(error)")
      }
    }
    do throws(MachineError) { try WholeFile.write(bytes, to: place, mode: mode) } catch {
      throw LaneDesk.Failure("The file cannot be written: \(error)")
    }
    return kept
  }

  /// Sees that another gateway, or an editor, wrote the file, and shows what it says. What has faults
  /// is told once, and the lanes stay as they are.
  func followLanes(_ logger: Logger) async {
    guard let place = configuration.lanes.place else { return }
    var seen = Self.digest(of: place)
    while true {
      do throws(CancellationError) { try await time.sleep(for: .seconds(10)) } catch { return }
      let digest = Self.digest(of: place)
      guard digest != seen else { continue }
      seen = digest
      guard let bytes = try? WholeFile.read(place, upTo: Self.longestLanes) else { continue }
      switch Self.reading(bytes, place) {
      case .lanes(let lanes): rack.exchange(for: lanes)
      case .faults(let faults):
        logger.warn(
          "the file of lanes has faults: the lanes stay as they were",
          [.pair("first", faults.first?.sentence ?? "")])
      }
    }
  }

  private static func digest(of path: String) -> [UInt8]? {
    guard let bytes = try? WholeFile.read(path, upTo: longestLanes) else { return nil }
    return Array(Digest.sha256.hash(bytes))
  }
}

extension LaneDesk.Fault {
  fileprivate init(_ fault: ConfigurationFault) {
    let sentence = fault.message + (fault.suggestion.map { "; did you mean '\($0)'?" } ?? "")
    if case .file(_, let line, _) = fault.place {
      self.init(line: line, sentence)
    } else {
      self.init(line: nil, sentence)
    }
  }
}
