"""Make the XMP metadata and the output intent of a PDF, without dates, so that equal prints have equal bytes."""

from __future__ import annotations

import struct
import zlib
from functools import cache
from xml.sax.saxutils import escape

from generator import __version__
from generator.model.words import Lang

_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li><rdf:li xml:lang="{lang}">{title}</rdf:li>
</rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{subject}</rdf:li></rdf:Alt></dc:description>
<dc:creator><rdf:Seq><rdf:li>Muster</rdf:li></rdf:Seq></dc:creator>
<dc:language><rdf:Bag><rdf:li>{lang}</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>Muster {version}</xmp:CreatorTool>
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"""
"""The metadata packet of a tagged PDF. `pdfuaid:part` declares PDF/UA-1 (ISO 14289-1)."""

_D50 = 0.96420288, 1.0, 0.82490540
"""The white point of the ICC profile connection space (ISO 15076-1, 7.2.16)."""
_PRIMARIES = {
    b"rXYZ": (0.43606567, 0.22248840, 0.01391602),
    b"gXYZ": (0.38514709, 0.71687317, 0.09707642),
    b"bXYZ": (0.14307404, 0.06060791, 0.71409607),
}
"""The primaries of sRGB (IEC 61966-2-1), adapted to D50."""
_ADAPTATION = (
    1.04788208,
    0.02291870,
    -0.05021667,
    0.02958679,
    0.99047852,
    -0.01707458,
    -0.00923157,
    0.01507568,
    0.75167847,
)
"""The Bradford matrix that adapts D65 to D50."""
_CURVE = 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045
"""The transfer function of sRGB as parameters of an ICC parametric curve of type 3."""
_HEADER_BYTES, _TAG_BYTES = 128, 12
"""Sizes of the header of an ICC profile and of an entry of its tag table."""


def xmp_metadata(title: str, subject: str, lang: Lang) -> bytes:
    """Return the XMP packet of a tagged PDF. It must not be compressed, so that other programs find it."""
    return _XMP.format(title=escape(title), subject=escape(subject), lang=lang, version=__version__).encode()


def profile_stream() -> bytes:
    """Return the sRGB profile as the content of a PDF stream object."""
    body = zlib.compress(srgb_profile())
    return b"<< /N 3 /Filter /FlateDecode /Length %d >>\nstream\n%b\nendstream" % (len(body), body)


def output_intent(profile: int) -> bytes:
    """Return the output intent, which declares that colours are sRGB. `profile` is the number of its stream."""
    name = b"(sRGB IEC61966-2.1)"
    return (
        b"<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier %b /Info %b /DestOutputProfile %d 0 R >>"
        % (name, name, profile)
    )


@cache
def srgb_profile() -> bytes:
    """Return an ICC profile (version 4) of sRGB.

    Pillow's profile contains today's date and depends on the installed version of littleCMS.
    """
    curve = b"para" + bytes(4) + struct.pack(">HH", 3, 0) + b"".join(map(_fixed, _CURVE))
    content = {
        b"desc": _text("sRGB"),
        b"cprt": _text("CC0"),
        b"wtpt": _xyz(_D50),
        b"chad": b"sf32" + bytes(4) + b"".join(map(_fixed, _ADAPTATION)),
        **{key: _xyz(primary) for key, primary in _PRIMARIES.items()},
        b"rTRC": curve,
        b"gTRC": curve,
        b"bTRC": curve,
    }
    table, body, places = b"", b"", dict[bytes, int]()
    begin = _HEADER_BYTES + 4 + _TAG_BYTES * len(content)
    for key, data in content.items():
        if data not in places:
            places[data] = begin + len(body)
            body += data + bytes(-len(data) % 4)
        table += key + struct.pack(">II", places[data], len(data))
    size = begin + len(body)
    # The date (12 bytes) and the profile's ID (16 bytes) are empty.
    header = struct.pack(">I4xI4s4s4s12x4s", size, 0x04200000, b"mntr", b"RGB ", b"XYZ ", b"acsp")
    header += bytes(28) + b"".join(map(_fixed, _D50)) + bytes(4)
    return header.ljust(_HEADER_BYTES, b"\0") + struct.pack(">I", len(content)) + table + body


def _fixed(number: float) -> bytes:
    """Return a number as an s15Fixed16Number."""
    return struct.pack(">i", round(number * 65536))


def _xyz(values: tuple[float, float, float]) -> bytes:
    return b"XYZ " + bytes(4) + b"".join(map(_fixed, values))


def _text(text: str) -> bytes:
    """Return an English text as a multiLocalizedUnicodeType."""
    content = text.encode("utf-16-be")
    return b"mluc" + bytes(4) + struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(content), 28) + content
