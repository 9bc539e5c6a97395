"""Prints what the build must know about the interpreter that runs this, one fact per line.

Tag, include folder, extension suffix, library to embed it ("-": none), nanobind folder, version.
"""

import importlib.util
import os
import sys
import sysconfig

config = sysconfig.get_config_vars()
library = "-"
for name in (config.get("INSTSONAME"), config.get("LDLIBRARY"), config.get("LIBRARY")):
    for folder in (config.get("LIBDIR"), config.get("LIBPL")):
        path = os.path.join(folder or "", name or "-")
        if library == "-" and os.path.isfile(path):
            library = path

nanobind, version = "-", "missing"
spec = importlib.util.find_spec("nanobind")
if spec and spec.origin:
    from importlib.metadata import version as version_of

    nanobind, version = os.path.dirname(spec.origin), version_of("nanobind")

print(f"{sys.version_info[0]}{sys.version_info[1]}")
print(sysconfig.get_path("include"))
print(config["EXT_SUFFIX"])
print(library)
print(nanobind)
print(version)
