#pragma once
// The type-checking macros wrap the variadic calls in statement expressions, which the doors
// below have no use for.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <locale.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Swift cannot call variadic functions: one door for each type of argument.

static inline CURLcode door_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode door_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
// libcurl copies the text of every option this is used for.
static inline CURLcode door_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode door_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode door_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode door_set_transfer(
    CURL *easy, CURLoption option, size_t (*function)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(easy, option, function);
}
static inline CURLcode door_set_seek(
    CURL *easy, int (*function)(void *, curl_off_t, int)) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}
static inline CURLcode door_set_open_socket(
    CURL *easy, curl_socket_t (*function)(void *, curlsocktype, struct curl_sockaddr *)) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}
static inline CURLcode door_set_prerequest(
    CURL *easy, int (*function)(void *, char *, char *, int, int)) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}
static inline CURLcode door_set_tls_start(
    CURL *easy, CURLcode (*function)(CURL *, void *, void *)) {
  return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, function);
}
static inline CURLcode door_set_progress(
    CURL *easy,
    int (*function)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t)) {
  return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
}
static inline CURLcode door_set_debug(
    CURL *easy, int (*function)(CURL *, curl_infotype, char *, size_t, void *)) {
  return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, function);
}

static inline CURLMcode door_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline long door_info_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
static inline curl_off_t door_info_offset(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
static inline const char *door_info_text(CURL *easy, CURLINFO info) {
  char *value = NULL;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

// When the certificate ends that the server itself showed, in seconds since 1970; 0 where this
// transfer made no handshake, as on a connection that was open already.
static inline long door_certificate_end(CURL *easy) {
  struct curl_certinfo *chain = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &chain) != CURLE_OK || !chain ||
      chain->num_of_certs < 1)
    return 0;
  for (struct curl_slist *line = chain->certinfo[0]; line; line = line->next) {
    if (strncmp(line->data, "Expire date:", 12) != 0) continue;
    time_t end = curl_getdate(line->data + 12, NULL);
    return end > 0 ? (long)end : 0;
  }
  return 0;
}

// The union inside CURLMsg, and the private pointer that leads back to the transfer.
static inline CURLcode door_message_result(const CURLMsg *message) {
  return message->data.result;
}
static inline void *door_private(CURL *easy) {
  char *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

// What tools like top show for the calling thread; the first fifteen bytes count.
static inline void door_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// Constants that are macros with casts.
static inline curl_socket_t door_no_socket(void) { return CURL_SOCKET_BAD; }
static inline long door_auth_basic(void) { return (long)CURLAUTH_BASIC; }

// The bytes of the address a socket is asked for: 4, 16, or 0 when it is neither IPv4 nor IPv6.
static inline int door_address_bytes(const struct curl_sockaddr *address, unsigned char out[16]) {
  // The declared field is the short generic form; the longer forms lie in the same place.
  const char *raw = (const char *)address + offsetof(struct curl_sockaddr, addr);
  if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
    struct sockaddr_in in;
    memcpy(&in, raw, sizeof in);
    memcpy(out, &in.sin_addr, 4);
    return 4;
  }
  if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
    struct sockaddr_in6 in;
    memcpy(&in, raw, sizeof in);
    memcpy(out, &in.sin6_addr, 16);
    return 16;
  }
  return 0;
}
// Children of this process must not inherit a connection.
static inline curl_socket_t door_open_socket(const struct curl_sockaddr *address) {
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// The name as it is asked of the resolver: punycode where it was not ASCII. NULL when libidn2
// refuses it. The caller frees the answer with curl_free.
static inline char *door_ascii_host(const char *host) {
  char *answer = NULL;
  // libidn2 reads the name in the thread's charset, which is ASCII in a program that has set no
  // locale. This one is part of Debian's C library.
  locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (!utf8) return NULL;
  locale_t before = uselocale(utf8);
  CURLU *url = curl_url();
  if (!url || curl_url_set(url, CURLUPART_SCHEME, "http", 0) != CURLUE_OK ||
      curl_url_set(url, CURLUPART_HOST, host, 0) != CURLUE_OK ||
      curl_url_get(url, CURLUPART_HOST, &answer, CURLU_PUNYCODE) != CURLUE_OK)
    answer = NULL;
  if (url) curl_url_cleanup(url);
  uselocale(before);
  freelocale(utf8);
  return answer;
}
