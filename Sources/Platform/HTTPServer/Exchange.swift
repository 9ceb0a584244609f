/// One request and the answer to it, while it lasts.
struct Exchange {
  let id: RequestID
  let head: RequestHead
  let client: IPAddress?
  let began: Monotonic
  var status = 0
  var route: String?
  var patronHash: String?
  var errorCode: String?
  var bytesSent = 0
  var keepsAlive = true
  /// The task that makes the answer, or writes it.
  var task: Task<Void, Never>?
  var stream: Stream?

  /// A streamed body under way.
  struct Stream {
    let isChunked: Bool
    /// What is still to come of an announced length.
    var remaining: Int?
    /// The writer that waits for room.
    var waiting: CheckedContinuation<Bool, Never>?
  }
}
