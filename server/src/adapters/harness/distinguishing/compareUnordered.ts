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
  currentPart: string;
  /** True if the order of the parts does not count. */
  readonly isUnordered: boolean;
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
  const openBrackets: OpenBracket[] = [{ bracket: '', parts: [], currentPart: '', isUnordered: false }];
  for (const [token] of text.matchAll(TOKEN_PATTERN)) {
    const innermost = openBrackets.at(-1)!;
    if ('{[('.includes(token))
      openBrackets.push({
        bracket: token,
        parts: [],
        currentPart: '',
        isUnordered: opensUnordered(token, openBrackets),
      });
    else if (token === ',') finishPart(innermost);
    else if ('}])'.includes(token) && openBrackets.length > 1) {
      openBrackets.pop();
      openBrackets.at(-1)!.currentPart += formatBracket(innermost) + token;
    } else innermost.currentPart += token;
  }
  // A bracket that is never closed belongs to a text, so its parts keep their order.
  return openBrackets.map((part) => formatBracket(part, false)).join('');
}

/**
 * True for the bracket of an object, and for the bracket of the array that creates a map or a set. `openBrackets`: the brackets
 * around it.
 */
function opensUnordered(bracket: string, openBrackets: readonly OpenBracket[]): boolean {
  const isOnlyArgument = openBrackets.at(-1)!.bracket === '(' && openBrackets.at(-1)!.parts.length === 0;
  return (
    bracket === '{' ||
    (bracket === '[' && isOnlyArgument && /new (?:Map|Set)$/.test(openBrackets.at(-2)?.currentPart ?? ''))
  );
}

/** Ends the current part, at a comma or at the closing bracket. */
function finishPart(open: OpenBracket): void {
  open.parts.push(open.currentPart.trim());
  open.currentPart = '';
}

function formatBracket(open: OpenBracket, sorts = open.isUnordered): string {
  finishPart(open);
  const parts = sorts ? open.parts.toSorted() : open.parts;
  return open.bracket + parts.join(', ');
}
