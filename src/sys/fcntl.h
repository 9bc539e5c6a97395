// sys/fcntl.h: <fcntl.h>, whose Linux function splice() would clash with our namespace.
// Include it before anything else that might pull in <fcntl.h>.
#pragma once

#define splice linux_splice
#include <fcntl.h>
#undef splice
