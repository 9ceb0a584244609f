#include "file.h"

static const unsigned char bytes[] = {
#embed "../../Surfaces/Web/Reader/Assets/reader.js"
};
CARREL_BUILDS_IN(reader_script)
