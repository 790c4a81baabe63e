"""Compiled templates, kept in the user's cache: compiling them takes a fifth of a kit's time."""

from __future__ import annotations

import hashlib
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, BytecodeCache

from generator.errors import CannotWriteError
from generator.store.folders import cached
from generator.store.write import write

_DIGEST = 32


class TemplateCache(BytecodeCache):
    """One file a template, which counts only while the template and what compiles it stay as they were.

    A cache that cannot be read or written, or holds anything else, is as good as an empty one.
    """

    def __init__(self, *compilers: Path) -> None:
        recipe = hashlib.sha256(jinja2.__version__.encode())
        for module in compilers:
            recipe.update(module.read_bytes())
        self.recipe = recipe.hexdigest()

    def get_source_checksum(self, source: str) -> str:
        """Of the template and of what compiles it."""
        return super().get_source_checksum(self.recipe + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        """As Jinja2 asks; the digest in front keeps damaged code away from the interpreter."""
        try:
            content = self._file(bucket).read_bytes()
        except OSError:
            return
        if hashlib.sha256(content[_DIGEST:]).digest() == content[:_DIGEST]:
            bucket.bytecode_from_string(content[_DIGEST:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """As Jinja2 asks."""
        content = bucket.bytecode_to_string()
        try:
            write(self._file(bucket), hashlib.sha256(content).digest() + content)
        except CannotWriteError:
            return

    def _file(self, bucket: Bucket) -> Path:
        return cached() / "templates" / bucket.key
