#pragma once
#include <dlfcn.h>

// libzbar brings the camera, the message bus and half of X11 along, which every start of the program
// would pay for; its development package brings hundreds of megabytes. So it is opened when the first
// picture is to be read, and only these functions of it are named here (zbar.h, libzbar.so.0).

typedef struct carrel_zbar_scanner carrel_zbar_scanner;
typedef struct carrel_zbar_image carrel_zbar_image;
typedef struct carrel_zbar_symbol carrel_zbar_symbol;
typedef void (*carrel_zbar_cleanup)(carrel_zbar_image *image);

typedef struct {
  carrel_zbar_scanner *(*scanner_create)(void);
  void (*scanner_destroy)(carrel_zbar_scanner *scanner);
  int (*scanner_set_config)(carrel_zbar_scanner *scanner, int symbology, int config, int value);
  int (*scan_image)(carrel_zbar_scanner *scanner, carrel_zbar_image *image);
  carrel_zbar_image *(*image_create)(void);
  void (*image_destroy)(carrel_zbar_image *image);
  void (*image_set_format)(carrel_zbar_image *image, unsigned long format);
  void (*image_set_size)(carrel_zbar_image *image, unsigned width, unsigned height);
  void (*image_set_data)(
      carrel_zbar_image *image, const void *data, unsigned long length, carrel_zbar_cleanup cleanup);
  const carrel_zbar_symbol *(*image_first_symbol)(const carrel_zbar_image *image);
  const carrel_zbar_symbol *(*symbol_next)(const carrel_zbar_symbol *symbol);
  int (*symbol_get_type)(const carrel_zbar_symbol *symbol);
  const char *(*symbol_get_data)(const carrel_zbar_symbol *symbol);
  unsigned (*symbol_get_data_length)(const carrel_zbar_symbol *symbol);
} carrel_zbar;

// zbar_symbol_type_t and zbar_config_t.
enum {
  CARREL_ZBAR_I25 = 25, CARREL_ZBAR_CODABAR = 38, CARREL_ZBAR_CODE39 = 39, CARREL_ZBAR_CODE128 = 128,
  CARREL_ZBAR_ENABLE = 0
};

// One where the library is there with all of them.
static inline int carrel_zbar_open(carrel_zbar *zbar) {
  void *library = dlopen("libzbar.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define CARREL_ZBAR_FIND(field, name) \
  if (!(*(void **)&zbar->field = dlsym(library, "zbar_" name))) return 0
  CARREL_ZBAR_FIND(scanner_create, "image_scanner_create");
  CARREL_ZBAR_FIND(scanner_destroy, "image_scanner_destroy");
  CARREL_ZBAR_FIND(scanner_set_config, "image_scanner_set_config");
  CARREL_ZBAR_FIND(scan_image, "scan_image");
  CARREL_ZBAR_FIND(image_create, "image_create");
  CARREL_ZBAR_FIND(image_destroy, "image_destroy");
  CARREL_ZBAR_FIND(image_set_format, "image_set_format");
  CARREL_ZBAR_FIND(image_set_size, "image_set_size");
  CARREL_ZBAR_FIND(image_set_data, "image_set_data");
  CARREL_ZBAR_FIND(image_first_symbol, "image_first_symbol");
  CARREL_ZBAR_FIND(symbol_next, "symbol_next");
  CARREL_ZBAR_FIND(symbol_get_type, "symbol_get_type");
  CARREL_ZBAR_FIND(symbol_get_data, "symbol_get_data");
  CARREL_ZBAR_FIND(symbol_get_data_length, "symbol_get_data_length");
#undef CARREL_ZBAR_FIND
  return 1;
}
