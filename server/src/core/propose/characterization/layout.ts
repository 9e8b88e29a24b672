// Writes a long list or object on several lines, as formatters do, and splits code at its commas.

/** Matches a string that begins at `lastIndex`. */
const STRING_PATTERN = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y;

/** The position of code and the limits of its lines. */
export interface CodeLayout {
  /** Indentation of the line on which the code begins. */
  readonly indent: string;
  /** One level of indentation. */
  readonly indentUnit: string;
  /** Maximum length of a line, in columns. */
  readonly lineWidth: number;
  /** Columns that are already used on the first line. */
  readonly usedColumns: number;
  /** True if a comma follows the last element or member, too. */
  readonly usesTrailingCommas: boolean;
}

/**
 * Breaks the code of a list or object: one line if it fits into the width, otherwise a line for each element or member.
 * Other code is returned unchanged.
 */
export function breakIntoLines(code: string, layout: CodeLayout): string {
  const { indent, indentUnit, lineWidth, usedColumns, usesTrailingCommas } = layout;
  const isStructure = /^[[{].*[\]}]$/s.test(code);
  if (!isStructure || usedColumns + code.length <= lineWidth) return code;
  const parts = splitAtCommas(code.slice(1, -1));
  if (parts.length === 0) return code;
  const innerIndent = indent + indentUnit;
  const lines = parts.map((part, index) => {
    const key = /^(?:[\w$]+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'): /.exec(part)?.[0] ?? '';
    const usedWidth = innerIndent.length + key.length + 1;
    const comma = usesTrailingCommas || index < parts.length - 1 ? ',' : '';
    return `${innerIndent}${key}${breakIntoLines(part.slice(key.length), { ...layout, indent: innerIndent, usedColumns: usedWidth })}${comma}`;
  });
  return [code[0], ...lines, `${indent}${code.at(-1)}`].join('\n');
}

/** Splits the code at its commas, except for those in brackets and strings. */
export function splitAtCommas(code: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let partStart = 0;
  for (let index = 0; index < code.length; index += 1) {
    STRING_PATTERN.lastIndex = index;
    const text = STRING_PATTERN.exec(code)?.[0];
    if (text) index += text.length - 1;
    else if ('([{'.includes(code[index]!)) depth += 1;
    else if (')]}'.includes(code[index]!)) depth -= 1;
    else if (code[index] === ',' && depth === 0) {
      parts.push(code.slice(partStart, index));
      partStart = index + 1;
    }
  }
  return [...parts, code.slice(partStart)].map((part) => part.trim()).filter((part) => part !== '');
}
