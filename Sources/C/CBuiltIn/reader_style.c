#include "file.h"

static const unsigned char bytes[] = {
#embed "../../Surfaces/Web/Reader/Assets/reader.css"
};
CARREL_BUILDS_IN(reader_style)
