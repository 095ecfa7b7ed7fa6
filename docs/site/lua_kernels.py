"""Kernels that stand in Lua's long strings, [[ ... ]], are coloured as OpenCL C."""
import re

from pygments.lexer import inherit
from pygments.lexers import CLexer, LuaLexer
from pygments.token import Keyword, String

WORDS = ("kernel", "__kernel", "global", "__global", "local", "__local", "constant", "private", "half", "uchar", "ushort",
         "uint", "ulong")


class OpenCLLexer(CLexer):
    tokens = {"statements": [
        (r"\b(%s)\b" % "|".join(WORDS), Keyword),
        (r"\b(char|uchar|short|ushort|int|uint|long|ulong|float|double|half)(2|3|4|8|16)\b", Keyword.Type),
        inherit,
    ]}


class LuaWithKernels(LuaLexer):
    def get_tokens_unprocessed(self, text):
        for index, token, value in LuaLexer.get_tokens_unprocessed(self, text):
            inner = re.match(r"(?s)(\[(=*)\[)(.*)(\]\2\])\Z", value) if token in String else None
            if not inner or not re.search(r"\b(kernel|global)\b", inner.group(3)):
                yield index, token, value
                continue
            yield index, String, inner.group(1)
            at = index + inner.end(1)
            for place, each, part in OpenCLLexer(stripnl=False, ensurenl=False).get_tokens_unprocessed(inner.group(3)):
                yield at + place, each, part
            yield index + inner.start(4), String, inner.group(4)


def setup(app):
    app.add_lexer("lua", LuaWithKernels)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
