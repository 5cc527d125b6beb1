/* reflection.c: the recorder knows a module by the executor's reflection; the two programs share it at source level. */
#include "../exec/spvinfo.c"
#include "../exec/interface.c"
#include "../exec/bindings.c"
