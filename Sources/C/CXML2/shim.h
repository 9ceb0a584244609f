#pragma once
#include <iconv.h>
#include <libxml/xmlversion.h>
// Its headers would show those of ICU, of which Foundation has a version of its own: the compiler refuses
// both in one module. Only fields at the end of a structure that libxml2 itself makes depend on it.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

// libxml2 reports what belongs to no parser through a variadic function that prints. Nothing of
// ours may print, on this thread or on one to come.
static void carrel_xml_say_nothing(void *context, const char *message, ...) {
  (void)context;
  (void)message;
}

static inline void carrel_xml_init(void) {
  xmlInitParser();
  xmlSetGenericErrorFunc(NULL, carrel_xml_say_nothing);
  xmlThrDefSetGenericErrorFunc(NULL, carrel_xml_say_nothing);
}

// A macro's value: the handler set is of the second generation (namespaces, structured errors).
static inline unsigned int carrel_xml_sax2_magic(void) { return XML_SAX2_MAGIC; }

// A macro in front of a function that hands out the address of a pointer.
static inline const char *carrel_xml_version(void) { return xmlParserVersion; }
