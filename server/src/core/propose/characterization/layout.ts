// Writes a long list or object on several lines, as formatters do.

const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y;

/**
 * The code of a list or object, one element or member a line where it does not fit into `width` columns. `room`:
 * columns that stand before it on its first line. `indent`: that of the line. `unit`: one level.
 */
export function laidOut(code: string, { indent, unit, width, room }: Layout): string {
  const isStructure = /^[[{].*[\]}]$/s.test(code);
  if (!isStructure || room + code.length <= width) return code;
  const parts = partsOf(code.slice(1, -1));
  if (parts.length === 0) return code;
  const inner = indent + unit;
  const lines = parts.map((part) => {
    const key = /^(?:[\w$]+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'): /.exec(part)?.[0] ?? '';
    const room = inner.length + key.length + 1;
    return `${inner}${key}${laidOut(part.slice(key.length), { indent: inner, unit, width, room })},`;
  });
  return [code[0], ...lines, `${indent}${code.at(-1)}`].join('\n');
}

export interface Layout {
  readonly indent: string;
  readonly unit: string;
  readonly width: number;
  readonly room: number;
}

/** The parts between the commas that stand in no bracket and no text. */
function partsOf(code: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < code.length; at += 1) {
    STRING.lastIndex = at;
    const text = STRING.exec(code)?.[0];
    if (text) at += text.length - 1;
    else if ('([{'.includes(code[at]!)) depth += 1;
    else if (')]}'.includes(code[at]!)) depth -= 1;
    else if (code[at] === ',' && depth === 0) {
      parts.push(code.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, code.slice(from)].map((part) => part.trim()).filter((part) => part !== '');
}
