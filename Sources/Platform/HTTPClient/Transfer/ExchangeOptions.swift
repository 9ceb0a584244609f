import CCurl
import HTTP

extension EasyHandle {
  /// Every option of one hop. What libcurl would do by itself beyond it (redirects, cookies,
  /// netrc, proxies from the environment, other protocols) stays off.
  func configure(for exchange: Exchange) {
    let order = exchange.order
    set(CURLOPT_URL, order.address.withoutFragment.text)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, true)
    set(CURLOPT_PATH_AS_IS, true)
    set(CURLOPT_FOLLOWLOCATION, false)
    set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    set(CURLOPT_NOSIGNAL, true)
    // A resolver thread that hangs must not hold up the one I/O thread when its transfer ends.
    set(CURLOPT_QUICK_EXIT, true)
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    set(CURLOPT_CONNECTTIMEOUT_MS, order.configuration.connectTimeout.wholeMilliseconds)
    set(CURLOPT_MAXAGE_CONN, max(1, Int(order.configuration.idleLifetime.components.seconds)))
    setSecurity(order.configuration.trust)
    setProxy(order.proxy, trust: order.configuration.trust)
    setPins(order)
    setRequest(order.request, source: exchange.source, agent: order.configuration.userAgent)
    setCallbacks(exchange)
  }

  func setSecurity(_ trust: ClientConfiguration.Trust) {
    set(CURLOPT_SSL_VERIFYPEER, true)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    // So that it can be told when a server's certificate ends.
    set(CURLOPT_CERTINFO, true)
    guard let file = trust.file else { return }
    set(CURLOPT_CAINFO, file.path)
    // Where it is left as it is, the system's directory is believed as well.
    if file.isAll { set(CURLOPT_CAPATH, nil) }
  }

  /// An empty proxy, and an empty list of exceptions, keep libcurl from reading the environment.
  private func setProxy(_ proxy: Proxies.Proxy?, trust: ClientConfiguration.Trust) {
    set(CURLOPT_PROXY, proxy?.address ?? "")
    set(CURLOPT_NOPROXY, "")
    guard let proxy else { return }
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    set(CURLOPT_PROXY_SSL_VERIFYPEER, true)
    set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
    set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let file = trust.file {
      set(CURLOPT_PROXY_CAINFO, file.path)
      if file.isAll { set(CURLOPT_PROXY_CAPATH, nil) }
    }
    guard let user = proxy.user else { return }
    set(CURLOPT_PROXYAUTH, door_auth_basic())
    set(CURLOPT_PROXYUSERNAME, user)
    set(CURLOPT_PROXYPASSWORD, proxy.password)
  }

  private func setPins(_ order: Exchange.Order) {
    let address = order.address
    guard order.proxy == nil, case .name(let name) = address.host,
      let pins = order.configuration.pinnedHosts[name], let port = address.effectivePort
    else { return }
    let shown = pins.map { Address.Host.ip($0).text }.joined(separator: ",")
    set(CURLOPT_RESOLVE, list: ["\(name):\(port):\(shown)"])
  }

  private func setRequest(_ request: Request, source: UploadSource?, agent: String) {
    var lines = request.headers.fields.map { field in
      // libcurl's spelling of a header without a value; with a colon it would be left out.
      field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
    }
    // Never wait for leave to send a body.
    lines.append("Expect:")
    set(CURLOPT_HTTPHEADER, list: lines)
    set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    set(CURLOPT_USERAGENT, agent)
    // What goes elsewhere as it arrives may be large: fewer and larger pieces are read at a time.
    if case .sink = request.delivery { set(CURLOPT_BUFFERSIZE, 256 << 10) }
    // Who asks for an encoding wants it as it is: ranges count encoded bytes.
    if request.headers["Accept-Encoding"] == nil { set(CURLOPT_ACCEPT_ENCODING, "gzip") }
    if let source {
      set(CURLOPT_UPLOAD, true)
      set(CURLOPT_INFILESIZE_LARGE, offset: source.size)
      set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    } else if request.method == .head {
      set(CURLOPT_NOBODY, true)
    } else if request.method != .get {
      set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
  }

  private func setCallbacks(_ exchange: Exchange) {
    note(unsafe door_set_transfer(pointer, CURLOPT_HEADERFUNCTION, Exchange.onHeader))
    set(CURLOPT_HEADERDATA, object: exchange)
    note(unsafe door_set_transfer(pointer, CURLOPT_WRITEFUNCTION, Exchange.onBody))
    set(CURLOPT_WRITEDATA, object: exchange)
    note(unsafe door_set_transfer(pointer, CURLOPT_READFUNCTION, Exchange.onRead))
    set(CURLOPT_READDATA, object: exchange)
    note(unsafe door_set_seek(pointer, Exchange.onSeek))
    set(CURLOPT_SEEKDATA, object: exchange)
    note(unsafe door_set_open_socket(pointer, Exchange.onOpenSocket))
    set(CURLOPT_OPENSOCKETDATA, object: exchange)
    note(unsafe door_set_tls_start(pointer, Exchange.onTLSStart))
    set(CURLOPT_SSL_CTX_DATA, object: exchange)
    note(unsafe door_set_prerequest(pointer, Exchange.onPrerequest))
    set(CURLOPT_PREREQDATA, object: exchange)
  }
}
