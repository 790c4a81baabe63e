from __future__ import annotations

from generator.errors import LONGEST, LONGEST_HINT, DataError, Problem


def test_a_problem_is_one_line_whatever_values_stand_in_it() -> None:
    nasty = "a\nb\r\t\x1b[31m\u2028\u202e\ud800"
    problem = Problem(f"no {nasty}", f"x{nasty}.toml", 3, nasty)
    assert len(DataError(problem).lines()) == len(str(problem).splitlines()) == 1
    assert str(problem).isprintable()
    assert "a\\nb" in problem.message and "\\u202e" in problem.hint
    assert Problem("石 の\u3000丘").message == "石 の\u3000丘"


def test_a_long_value_is_cut_in_the_middle() -> None:
    problem = Problem("begin " + "x" * 100_000 + " end", "y" * 100_000, 1, "z" * 100_000)
    assert problem.message.startswith("begin x") and problem.message.endswith("x end")
    assert len(str(problem)) < 2 * LONGEST + LONGEST_HINT + 30
