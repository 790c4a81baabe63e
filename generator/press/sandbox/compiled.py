"""Cache compiled templates, because compiling takes 20 % of the time for a kit."""

from __future__ import annotations

import hashlib
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, BytecodeCache

from generator.errors import CannotWriteError
from generator.store.folders import cache_folder
from generator.store.write import write

_DIGEST = 32
"""Length of a SHA-256 digest in bytes."""


class TemplateCache(BytecodeCache):
    """A cache with one file per template.

    A file is valid while the template and the modules that compile it are unchanged. If it cannot be read or
    written or is damaged, it is ignored.
    """

    def __init__(self, *compilers: Path) -> None:
        recipe = hashlib.sha256(jinja2.__version__.encode())
        for module in compilers:
            recipe.update(module.read_bytes())
        self.recipe = recipe.hexdigest()

    def get_source_checksum(self, source: str) -> str:
        """Return the checksum of the template and of the modules that compile it."""
        return super().get_source_checksum(self.recipe + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the cached code if it exists and is intact.

        Because of the digest at the start of the file, damaged code is never executed.
        """
        try:
            content = self._file(bucket).read_bytes()
        except OSError:
            return
        if hashlib.sha256(content[_DIGEST:]).digest() == content[:_DIGEST]:
            bucket.bytecode_from_string(content[_DIGEST:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write the code to the cache if possible."""
        content = bucket.bytecode_to_string()
        try:
            write(self._file(bucket), hashlib.sha256(content).digest() + content)
        except CannotWriteError:
            return

    def _file(self, bucket: Bucket) -> Path:
        return cache_folder() / "templates" / bucket.key
