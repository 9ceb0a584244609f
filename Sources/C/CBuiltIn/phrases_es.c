#include "file.h"

static const unsigned char bytes[] = {
#embed "../../Platform/Phrasebook/es.txt"
};
CARREL_BUILDS_IN(phrases_es)
