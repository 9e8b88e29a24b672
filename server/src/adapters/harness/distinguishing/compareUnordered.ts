// Compares two described results. Ignores the order of the members of objects, maps and sets, because most assertions
// ignore it as well.

/** Matches a string, a bracket, a comma, or a text between them. */
const TOKEN_PATTERN = /"(?:[^"\\]|\\.)*"|[{}[\](),]|[^"{}[\](),]+|"/g;

/** A bracket that is not closed yet. */
interface OpenBracket {
  /** `{`, `[` or `(`; empty for the whole text. */
  readonly bracket: string;
  /** The finished parts, which commas separate. */
  readonly parts: string[];
  /** The text after the last comma. */
  part: string;
  /** True if the order of the parts does not count. */
  readonly sorted: boolean;
}

/**
 * True if two results (as in `Observation`) are equal, or differ only in the order of members of objects, maps and
 * sets. The order in lists and in messages of errors counts.
 */
export function equalsWithoutOrder(text: string, otherText: string): boolean {
  return (
    text === otherText ||
    (/^(?:returns|resolves)\b.*(?:\{|new (?:Map|Set)\()/s.test(text) && sortMembers(text) === sortMembers(otherText))
  );
}

/** The text with the members of each object, map and set in a fixed order. */
function sortMembers(text: string): string {
  const open: OpenBracket[] = [{ bracket: '', parts: [], part: '', sorted: false }];
  for (const [token] of text.matchAll(TOKEN_PATTERN)) {
    const innermost = open.at(-1)!;
    if ('{[('.includes(token)) open.push({ bracket: token, parts: [], part: '', sorted: isUnordered(token, open) });
    else if (token === ',') endPart(innermost);
    else if ('}])'.includes(token) && open.length > 1) {
      open.pop();
      open.at(-1)!.part += formatBracket(innermost) + token;
    } else innermost.part += token;
  }
  // A bracket that is never closed belongs to a text, so its parts keep their order.
  return open.map((part) => formatBracket(part, false)).join('');
}

/**
 * True for the bracket of an object, and for the bracket of the array that creates a map or a set. `open`: the brackets
 * around it.
 */
function isUnordered(bracket: string, open: readonly OpenBracket[]): boolean {
  const isOnlyArgument = open.at(-1)!.bracket === '(' && open.at(-1)!.parts.length === 0;
  return bracket === '{' || (bracket === '[' && isOnlyArgument && /new (?:Map|Set)$/.test(open.at(-2)?.part ?? ''));
}

/** Ends the current part, at a comma or at the closing bracket. */
function endPart(open: OpenBracket): void {
  open.parts.push(open.part.trim());
  open.part = '';
}

function formatBracket(open: OpenBracket, sorts = open.sorted): string {
  endPart(open);
  const parts = sorts ? open.parts.toSorted() : open.parts;
  return open.bracket + parts.join(', ');
}
