# SPDX-License-Identifier: GPL-2.0-or-later
"""screen_svg.py TITLE <SCREEN - an SVG of a terminal's screen, as "tmux capture-pane -p -e" prints it"""
import html
import re
import sys
import unicodedata

CELL_X, CELL_Y, BASE = 9, 19, 14
BASIC = ["#1c1c20", "#d75f5f", "#87af5f", "#d7af5f", "#5f87d7", "#af87d7", "#5fafaf", "#d4d4d8",
         "#6c6c74", "#ff8787", "#afd787", "#ffd787", "#87afff", "#d7afff", "#87d7d7", "#ffffff"]
TEXT, GROUND = BASIC[7], BASIC[0]


def color_256(n):
    if n < 16:
        return BASIC[n]
    if n >= 232:
        return "#" + f"{8 + 10 * (n - 232):02x}" * 3
    levels = (0, 95, 135, 175, 215, 255)
    n -= 16
    return "#" + "".join(f"{levels[i]:02x}" for i in (n // 36, n // 6 % 6, n % 6))


class Style:
    def __init__(self):
        self.text, self.ground, self.bold, self.dim, self.reverse, self.line = None, None, False, False, False, False

    def take(self, codes):
        """The numbers between CSI and "m"."""
        codes = [int(c or 0) for c in codes.replace(":", ";").split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code in (38, 48):
                if codes.pop(0) == 5:
                    color = color_256(codes.pop(0))
                else:
                    color = "#%02x%02x%02x" % tuple(codes.pop(0) for _ in range(3))
                setattr(self, "text" if code == 38 else "ground", color)
            elif code in (39, 49):
                setattr(self, "text" if code == 39 else "ground", None)
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.text = BASIC[code - 30 if code < 90 else code - 82]
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.ground = BASIC[code - 40 if code < 100 else code - 92]
            elif code == 22:
                self.bold = self.dim = False
            elif code in (1, 2, 4, 7, 24, 27):
                setattr(self, {1: "bold", 2: "dim", 4: "line", 7: "reverse"}[code % 20], code < 20)

    def key(self):
        text, ground = self.text or TEXT, self.ground or GROUND
        if self.reverse:
            text, ground = ground, text
        return text, ground, self.bold, self.dim, self.line


def columns(c):
    return 0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1


def runs_of(line, style):
    """(first column, number of columns, style, text) of each run of one style"""
    runs, x = [], 0
    for escape, codes, char in re.findall(r"(\x1b\[([\d;:]*)m)|(.)", line):
        if escape:
            style.take(codes)
        elif char >= " ":
            key = style.key()
            if not runs or runs[-1][2] != key:
                runs.append([x, 0, key, ""])
            runs[-1][1] += columns(char)
            runs[-1][3] += char
            x += columns(char)
    return runs


def put_run(y, first, width, style, text, out):
    color, ground, bold, dim, line = style
    if ground != GROUND:
        out.append(f'<rect x="{first * CELL_X}" y="{y * CELL_Y}" width="{width * CELL_X}" height="{CELL_Y}" fill="{ground}"/>')
    for part in re.finditer(r"\S+(?: \S+)*", text):
        x = first + sum(map(columns, text[:part.start()]))
        long = sum(map(columns, part.group()))
        more = ' font-weight="bold"' * bold + ' opacity="0.6"' * dim + ' text-decoration="underline"' * line
        out.append(f'<text x="{x * CELL_X}" y="{y * CELL_Y + BASE}" textLength="{long * CELL_X}" fill="{color}"{more}>'
                   f"{html.escape(part.group())}</text>")


def main(title):
    lines = sys.stdin.read().rstrip("\n").split("\n")
    style, out, width = Style(), [], 0
    for y, line in enumerate(lines):
        for first, nr, key, text in runs_of(line, style):
            put_run(y, first, nr, key, text, out)
            width = max(width, first + nr)
    wide, high = width * CELL_X + 16, len(lines) * CELL_Y + 12
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -6 {wide} {high}" role="img">\n'
          f"<title>{html.escape(title)}</title>\n"
          f'<rect x="-8" y="-6" width="{wide}" height="{high}" fill="{GROUND}"/>\n'
          '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="15" xml:space="preserve">')
    print("\n".join(out))
    print("</g></svg>")


main(sys.argv[1])
