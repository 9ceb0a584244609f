// Debian's node-llhttp ships the parser as C sources; this door lets them and Swift share one header.
#pragma once
#include "/usr/share/include/llhttp/llhttp.h"
