#pragma once
#include <libxml/xmlreader.h>
#include <libxml/HTMLparser.h>
