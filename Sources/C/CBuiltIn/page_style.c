#include "file.h"

static const unsigned char bytes[] = {
#embed "../../Surfaces/Web/Reader/Assets/page.css"
};
CARREL_BUILDS_IN(page_style)
