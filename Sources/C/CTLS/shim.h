#pragma once
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Macros that Swift does not see.
static inline int carrel_tls_least_1_2(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}
// The buffer may move between two tries of one write, and a part of it counts as written.
static inline void carrel_tls_write_in_parts(SSL *session) {
  SSL_set_mode(session, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}
static inline int carrel_tls_name(SSL *session, const char *name) {
  return (int)SSL_set_tlsext_host_name(session, name);
}
