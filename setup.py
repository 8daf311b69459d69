"""Builds the extensions; everything else stands in pyproject.toml.

``THREECROWNS_SANITIZE=1`` builds them with AddressSanitizer and UndefinedBehaviorSanitizer and
with Cython's own bounds checks, for tests.
"""

from __future__ import annotations

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

SANITIZE = os.environ.get("THREECROWNS_SANITIZE") == "1"
SANITIZER_FLAGS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
MSVC = os.name == "nt"

# An -O2 build of the array kernels is several times slower, so the level is set here.
compile_args = ["/O2"] if MSVC else ["-O3", "-Wno-unused-function"]
link_args: list[str] = []
if SANITIZE:
    compile_args += ["-O1", "-g", "-fno-omit-frame-pointer", *SANITIZER_FLAGS]
    link_args += SANITIZER_FLAGS

extensions = [
    Extension(
        f"cython_core.{source.stem}",
        [str(source)],
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )
    for source in sorted(Path("cython_core").glob("*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        build_dir="build/cython",  # generated C stays out of the tree
        compiler_directives={
            "language_level": "3",
            "boundscheck": SANITIZE,
            "wraparound": False,
            "auto_pickle": False,
        },
        force=SANITIZE,
    )
)
