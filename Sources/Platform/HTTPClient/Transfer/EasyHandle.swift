import CCurl

/// One libcurl easy handle: its options, what it can tell, and the lists it must outlive. Used on
/// the engine's thread only. A failed option is remembered rather than thrown, so that setting up
/// reads as a list; `fault` is asked once at the end.
@safe final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []
  private(set) var fault = CURLE_OK

  init?() {
    guard let pointer = unsafe curl_easy_init() else { return nil }
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe curl_easy_cleanup(pointer)
    while let list = unsafe lists.popLast() { unsafe curl_slist_free_all(list) }
  }

  func set(_ option: CURLoption, _ value: Int) {
    note(unsafe door_set_long(pointer, option, value))
  }

  func set(_ option: CURLoption, _ value: Bool) { set(option, value ? 1 : 0) }

  func set(_ option: CURLoption, offset value: Int) {
    note(unsafe door_set_offset(pointer, option, value))
  }

  func set(_ option: CURLoption, _ text: String?) {
    note(unsafe door_set_text(pointer, option, text))
  }

  /// The object behind the pointer must live as long as this handle is in use.
  func set(_ option: CURLoption, object: AnyObject) {
    note(unsafe door_set_pointer(pointer, option, Unmanaged.passUnretained(object).toOpaque()))
  }

  func set(_ option: CURLoption, list items: [String]) {
    guard !items.isEmpty else { return }
    var list: UnsafeMutablePointer<curl_slist>?
    for item in items {
      guard let longer = unsafe curl_slist_append(list, item) else {
        note(CURLE_OUT_OF_MEMORY)
        break
      }
      unsafe list = longer
    }
    guard let list = unsafe list else { return }
    unsafe lists.append(list)
    note(unsafe door_set_list(pointer, option, list))
  }

  func note(_ code: CURLcode) {
    if fault == CURLE_OK { fault = code }
  }

  func number(_ question: CURLINFO) -> Int { unsafe door_info_long(pointer, question) }

  func span(_ question: CURLINFO) -> Duration {
    .microseconds(unsafe door_info_offset(pointer, question))
  }

  /// In seconds since 1970; nil where this transfer made no handshake.
  var certificateEnd: Int64? {
    let end = unsafe door_certificate_end(pointer)
    return end > 0 ? Int64(end) : nil
  }

  func text(_ question: CURLINFO) -> String? {
    unsafe door_info_text(pointer, question).map { unsafe String(cString: $0) }
  }
}

extension Duration {
  /// Rounded up, at least one: nought would mean "no limit" to libcurl.
  var wholeMilliseconds: Int {
    let (seconds, fraction) = components
    guard seconds < 1_000_000_000 else { return 1_000_000_000_000 }
    return max(
      1, Int(seconds) * 1000 + Int((fraction + 999_999_999_999_999) / 1_000_000_000_000_000))
  }
}
