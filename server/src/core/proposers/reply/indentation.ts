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
export function findReindent(quoted: readonly string[], placed: readonly string[]): Reindent | null {
  const pairs = quoted
    .map((line, index) => [findLeadingSpace(line), findLeadingSpace(placed[index]!), line.trim() === ''] as const)
    .filter(([, , blank]) => !blank);
  const candidates = [...findShiftsBetween(pairs[0]), ...unitConversions()];
  return candidates.find((map) => pairs.every(([from, to]) => map(`${from}x`) === `${to}x`)) ?? null;
}

/**
 * The mapping that adds or removes the difference of one pair of indentations; empty if neither ends with the other.
 */
function findShiftsBetween(first: readonly [string, string, boolean] | undefined): Reindent[] {
  const [from, to] = first ?? ['', ''];
  if (to.endsWith(from)) {
    const deeper = to.slice(0, to.length - from.length);
    return [(line) => (line.trim() === '' ? line : deeper + line)];
  }
  if (!from.endsWith(to)) return [];
  const removedIndent = from.slice(0, from.length - to.length);
  return [
    (line) => (line.trim() === '' ? line : line.startsWith(removedIndent) ? line.slice(removedIndent.length) : null),
  ];
}

/** The mappings from each unit of indentation to each other one. */
function unitConversions(): Reindent[] {
  return INDENT_UNITS.flatMap((from) => INDENT_UNITS.filter((to) => to !== from).map((to) => conversion(from, to)));
}

/** The mapping of lines that are indented by `from` to lines that are indented by `to`. */
function conversion(from: string, to: string): Reindent {
  return (line) => {
    const indent = findLeadingSpace(line);
    const steps = indent.length / from.length;
    if (!Number.isInteger(steps) || indent !== from.repeat(steps)) return line.trim() === '' ? line : null;
    return to.repeat(steps) + line.slice(indent.length);
  };
}
