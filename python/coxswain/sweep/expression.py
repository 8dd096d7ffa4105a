# SPDX-License-Identifier: MIT
"""Arithmetic over axes, such as `cores * (4 + l2_mib)`, for the cost of a device."""
from __future__ import annotations

import ast
import operator
from typing import Mapping

from ..work import ExitCode, WorkError, did_you_mean

_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow}
_MOST_EXPONENT = 16
_MOST_CHARACTERS = 500  # a longer text could nest deeper than Python follows


class Expression:
    """Numbers, names of axes, + - * / **, and parentheses. Nothing else is evaluated."""

    def __init__(self, text: str, where: str):
        self.text, self._where = text, where
        if len(text) > _MOST_CHARACTERS:
            raise WorkError(f"{where}: the expression has {len(text)} characters; at most {_MOST_CHARACTERS} are taken", ExitCode.USAGE)
        try:
            self._tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, MemoryError) as error:
            raise WorkError(f'{where}: "{text}" is no expression', ExitCode.USAGE) from error
        self.names: set[str] = set()
        self._collect(self._tree)

    def check_names(self, known: Mapping[str, object]) -> None:
        for name in sorted(self.names):
            if name not in known:
                raise WorkError(f'{self._where}: "{name}" is neither an axis nor fixed to a number{did_you_mean(name, known)}', ExitCode.USAGE)

    def value(self, values: Mapping[str, float]) -> float | None:
        """Returns None if the expression has no finite value."""
        try:
            result = float(self._evaluate(self._tree, values))
        except (ZeroDivisionError, OverflowError, ValueError, TypeError):
            return None
        return result if abs(result) != float("inf") and result == result else None

    def _collect(self, node: ast.expr) -> None:
        match node:
            case ast.Name(id=name):
                self.names.add(name)
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                pass
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                self._collect(left)
                self._collect(right)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                self._collect(operand)
            case _:
                raise WorkError(f'{self._where}: "{ast.unparse(node)}" is not allowed; numbers, axes, + - * / ** and parentheses are', ExitCode.USAGE)

    def _evaluate(self, node: ast.expr, values: Mapping[str, float]) -> float:
        match node:
            case ast.Name(id=name):
                return float(values[name])
            case ast.Constant(value=value):
                return float(value)  # whole numbers would grow without limit: ((9 ** 16) ** 16) ** 16 ...
            case ast.UnaryOp(operand=operand):
                return -self._evaluate(operand, values)
            case ast.BinOp(left=left, op=op, right=right):
                first, second = self._evaluate(left, values), self._evaluate(right, values)
                if isinstance(op, ast.Pow) and abs(second) > _MOST_EXPONENT:
                    raise OverflowError
                return _BINARY[type(op)](first, second)
        raise AssertionError(node)
