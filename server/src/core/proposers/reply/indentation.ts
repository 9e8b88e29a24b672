// Maps the indentation of a quoted text to the indentation of its place in a file.

/** Units of indentation that are converted into each other. */
const INDENT_UNITS = ['\t', '    ', '  '] as const;

/** Gives a line its indentation in the file; null if the mapping does not apply to the line. */
export type Reindent = (line: string) => string | null;

/** The spaces and tabs at the beginning of a line. */
export function findLeadingSpace(line: string): string {
  let end = 0;
  while (line[end] === ' ' || line[end] === '\t') end += 1;
  return line.slice(0, end);
}

/**
 * Finds the first mapping that gives every quoted line the indentation of its line in the file: the same, deeper or
 * less deep by the same text, or tabs for spaces and vice versa. Null if there is none.
 */
export function findReindent(quotedLines: readonly string[], placedLines: readonly string[]): Reindent | null {
  const pairs = quotedLines
    .map((line, index) => [findLeadingSpace(line), findLeadingSpace(placedLines[index]!), line.trim() === ''] as const)
    .filter(([, , blank]) => !blank);
  const candidates = [...findShiftsBetween(pairs[0]), ...listUnitConversions()];
  return (
    candidates.find((candidate) =>
      pairs.every(([quotedIndent, fileIndent]) => candidate(`${quotedIndent}x`) === `${fileIndent}x`),
    ) ?? null
  );
}

/**
 * The mapping that adds or removes the difference of one pair of indentations; empty if neither ends with the other.
 */
function findShiftsBetween(firstPair: readonly [string, string, boolean] | undefined): Reindent[] {
  const [quotedIndent, fileIndent] = firstPair ?? ['', ''];
  if (fileIndent.endsWith(quotedIndent)) {
    const addedIndent = fileIndent.slice(0, fileIndent.length - quotedIndent.length);
    return [(line) => (line.trim() === '' ? line : addedIndent + line)];
  }
  if (!quotedIndent.endsWith(fileIndent)) return [];
  const removedIndent = quotedIndent.slice(0, quotedIndent.length - fileIndent.length);
  return [
    (line) => (line.trim() === '' ? line : line.startsWith(removedIndent) ? line.slice(removedIndent.length) : null),
  ];
}

/** The mappings from each unit of indentation to each other one. */
function listUnitConversions(): Reindent[] {
  return INDENT_UNITS.flatMap((from) =>
    INDENT_UNITS.filter((to) => to !== from).map((to) => createConversion(from, to)),
  );
}

/** The mapping of lines that are indented by `from` to lines that are indented by `to`. */
function createConversion(from: string, to: string): Reindent {
  return (line) => {
    const indent = findLeadingSpace(line);
    const steps = indent.length / from.length;
    if (!Number.isInteger(steps) || indent !== from.repeat(steps)) return line.trim() === '' ? line : null;
    return to.repeat(steps) + line.slice(indent.length);
  };
}
