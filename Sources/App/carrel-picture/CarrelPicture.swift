import Images
import PictureWork
import Pictures
import Sandbox

/// Makes one picture out of what the gateway sends, which a stranger may have written: decoders are large
/// programs in C, and what one of them does wrong ends here. Started by the gateway for each picture.
@main enum CarrelPicture {
  static func main() {
    guard CommandLine.arguments.count == 2 else { complain() }
    let word = CommandLine.arguments[1]
    let means = PictureOrder.Means(rawValue: word)
    guard means != nil || word == "check" else { complain() }
    let work = PictureWork(with: means ?? .decoder)
    let sandbox: Sandbox
    do throws(Sandbox.Trouble) {
      sandbox = try .enter(memory: memory, seconds: seconds)
    } catch {
      PictureWorker.leave(saying: Array("no sandbox: error \(error.code)\n".utf8), code: 3)
    }
    guard means != nil else { tell(sandbox) }
    guard let order = PictureWorker.order(), order.means == means else {
      PictureWorker.leave(saying: [], code: 2)
    }
    PictureWorker.leave(saying: answer(to: order, work).encoded)
  }

  /// Enough for fifty million pixels twice, as some decoders need, and a margin.
  private static let memory = 512 << 20
  /// The gateway waits a little longer.
  private static let seconds = 10

  private static func answer(to order: PictureOrder, _ work: PictureWork) -> PictureAnswer {
    do throws(ImageFault) { return .made(try work.make(order)) } catch { return .failed(error) }
  }

  /// For `carrel doctor`.
  private static func tell(_ sandbox: Sandbox) -> Never {
    var lines = ["libgd \(gdVersion)"]
    lines.append("landlock \(sandbox.landlock.map(String.init) ?? "none")")
    lines.append("seccomp \(sandbox.hasFilter ? "yes" : "none")")
    lines += Sandbox.escapes().map { "open \($0)" }
    PictureWorker.leave(saying: Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  private static func complain() -> Never {
    PictureWorker.leave(
      saying: Array("carrel-picture is started by the gateway. try: carrel-picture check\n".utf8),
      code: 2)
  }
}
