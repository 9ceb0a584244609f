#include "file.h"

static const unsigned char bytes[] = {
#embed "../../Surfaces/Web/Offline/Icons/icon-512.png"
};
CARREL_BUILDS_IN(icon_512)
