// What an import cannot be faster than: a tar from the standard input, each member through libxml2's
// SAX parser with handlers that only count.
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long elements;

static void start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                  int namespaces, const xmlChar **declared, int attributes, int defaulted,
                  const xmlChar **values) {
  elements++;
}

static size_t fill(char *buffer, size_t count) { return fread(buffer, 1, count, stdin); }

int main(void) {
  static char header[512];
  xmlSAXHandler handler;
  memset(&handler, 0, sizeof handler);
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = start;
  size_t room = 1 << 20;
  char *body = malloc(room);
  long members = 0;
  while (fill(header, 512) == 512 && header[0]) {
    size_t size = strtoul(header + 124, NULL, 8);
    size_t padded = (size + 511) / 512 * 512;
    if (padded > room) body = realloc(body, room = padded);
    if (fill(body, padded) != padded) break;
    if (size == 0) continue;
    xmlSAXUserParseMemory(&handler, NULL, body, (int)size);
    members++;
  }
  // Whoever packs must not find the pipe closed.
  while (fill(body, room) > 0) {}
  printf("%ld %ld\n", members, elements);
  return 0;
}
