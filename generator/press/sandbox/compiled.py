"""Cache of compiled templates: compiling takes a fifth of a kit's time."""

from __future__ import annotations

import hashlib
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, BytecodeCache

from generator.errors import CannotWriteError
from generator.store.folders import cache_folder
from generator.store.write import write

_DIGEST = 32


class TemplateCache(BytecodeCache):
    """One file per template, valid while the template and its compiler are unchanged.

    An unreadable, unwritable or damaged cache counts as empty.
    """

    def __init__(self, *compilers: Path) -> None:
        recipe = hashlib.sha256(jinja2.__version__.encode())
        for module in compilers:
            recipe.update(module.read_bytes())
        self.recipe = recipe.hexdigest()

    def get_source_checksum(self, source: str) -> str:
        """Return the checksum of the template and its compiler."""
        return super().get_source_checksum(self.recipe + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the cached code, if any; the digest in front keeps damaged code out of the interpreter."""
        try:
            content = self._file(bucket).read_bytes()
        except OSError:
            return
        if hashlib.sha256(content[_DIGEST:]).digest() == content[:_DIGEST]:
            bucket.bytecode_from_string(content[_DIGEST:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write the code to the cache, if that is possible."""
        content = bucket.bytecode_to_string()
        try:
            write(self._file(bucket), hashlib.sha256(content).digest() + content)
        except CannotWriteError:
            return

    def _file(self, bucket: Bucket) -> Path:
        return cache_folder() / "templates" / bucket.key
