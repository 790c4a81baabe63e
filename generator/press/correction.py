"""Transformations that compensate for the errors of a printer. Lengths are in mm."""

from __future__ import annotations

from math import ceil, cos, hypot, radians, sin

from generator.model.picture import XY
from generator.notation.printers import Printer
from generator.press.layout.imposition import Box, Flip
from generator.press.layout.paper import EDGE, Paper
from generator.press.pdf.canvas import Canvas, Matrix
from generator.press.pdf.units import MM

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def correction_matrix(printer: Printer, page: XY, flip: Flip | None = None) -> Matrix:
    """Return the matrix that compensates for a printer's errors on a page in portrait format.

    `flip` is the edge over which the sheet is turned to print its back, or None for the front. The back is
    mirrored compared with the front behind it.
    """
    scale = 100.0 / printer.scale
    middle = page[0] / 2, page[1] / 2
    if flip is None:
        return _about_centre(middle, scale, 0.0, (0.0, 0.0))
    shift = (printer.dx, -printer.dy) if flip == "long" else (-printer.dx, printer.dy)
    return _about_centre(middle, scale, radians(printer.rotate), shift)


def _about_centre(middle: XY, scale: float, turn: float, shift: XY) -> Matrix:
    """Return the matrix that first shifts a page and then scales and rotates it about its centre."""
    c, s = scale * cos(turn), scale * sin(turn)
    x, y = shift[0] - middle[0], shift[1] - middle[1]
    return c, s, -s, c, middle[0] + c * x - s * y, middle[1] + s * x + c * y


def safe_edge(printer: Printer, paper: Paper) -> float:
    """Return the width in mm of the edge that must stay empty, because the correction may move content outwards."""
    width, height = paper.width, paper.height
    swing = hypot(width, height) / 2 * sin(radians(abs(printer.rotate)))
    grown = max(0.0, 100.0 / printer.scale - 1.0) * max(width, height) / 2
    return EDGE + ceil(100 * (max(abs(printer.dx), abs(printer.dy)) + swing + grown)) / 100


def begin_page(canvas: Canvas, page: XY, printer: Printer, flip: Flip | None = None, paired: bool = False) -> Matrix:
    """Begin a corrected page of the given size, and return the matrix that was applied to its points.

    If both sides of the page must align, a landscape page is rotated by 90° and printed in portrait format. A
    printer driver could otherwise rotate it in either direction, which would change the correction.
    """
    matrix = IDENTITY
    if paired and printer.moves and page[0] > page[1]:
        matrix = (0.0, 1.0, -1.0, 0.0, page[1], 0.0)
        page = page[1], page[0]
    matrix = _combined(matrix, correction_matrix(printer, page, flip))
    canvas.set_page_size((round(page[0] * MM, 3), round(page[1] * MM, 3)))
    if matrix != IDENTITY:
        canvas.transform((*matrix[:4], matrix[4] * MM, matrix[5] * MM))
    return matrix


def _combined(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return p * a + r * b, q * a + s * b, p * c + r * d, q * c + s * d, p * e + r * f + t, q * e + s * f + u


def inverse_point(point: XY, by: Matrix) -> XY:
    """Return the point that the matrix maps to the given point."""
    (x, y), (a, b, c, d, e, f) = point, by
    det = a * d - b * c
    return (d * (x - e) - c * (y - f)) / det, (a * (y - f) - b * (x - e)) / det


def transformed_point(point: XY, by: Matrix) -> XY:
    """Return the point to which the matrix maps the given point."""
    (x, y), (a, b, c, d, e, f) = point, by
    return a * x + c * y + e, b * x + d * y + f


def transformed_box(box: Box, by: Matrix) -> Box:
    """Return the bounding box of a box after a transformation."""
    left, bottom, right, top = box
    corners = [transformed_point((x, y), by) for x in (left, right) for y in (bottom, top)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)
