#include "file.h"

static const unsigned char bytes[] = {
#embed "../../Platform/Phrasebook/de.txt"
};
CARREL_BUILDS_IN(phrases_de)
