// Compares two described results without the order that assertions ignore: that of members, and of maps and sets.

/** Matches a text, a bracket, a comma, or what stands between them. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\](),]|[^"{}[\](),]+|"/g;

/** A bracket under way, with the parts between its commas. */
interface Open {
  readonly bracket: string;
  readonly parts: string[];
  part: string;
  readonly sorted: boolean;
}

/**
 * True if two results are the same but for an order that few assertions compare. Lists keep theirs, and so do messages
 * of errors.
 */
export function isReordered(one: string, other: string): boolean {
  return (
    one === other || (/^(?:returns|resolves)\b.*(?:\{|new (?:Map|Set)\()/s.test(one) && sorted(one) === sorted(other))
  );
}

function sorted(text: string): string {
  const open: Open[] = [{ bracket: '', parts: [], part: '', sorted: false }];
  for (const [token] of text.matchAll(TOKEN)) {
    const at = open.at(-1)!;
    if ('{[('.includes(token)) open.push({ bracket: token, parts: [], part: '', sorted: isUnordered(token, open) });
    else if (token === ',') endPart(at);
    else if ('}])'.includes(token) && open.length > 1) {
      open.pop();
      open.at(-1)!.part += textOf(at) + token;
    } else at.part += token;
  }
  // What is not closed is no bracket of a value.
  return open.map((one) => textOf(one, false)).join('');
}

/** True for a bracket of members, and for the list of a map or a set. */
function isUnordered(bracket: string, open: readonly Open[]): boolean {
  const isOnlyArgument = open.at(-1)!.bracket === '(' && open.at(-1)!.parts.length === 0;
  return bracket === '{' || (bracket === '[' && isOnlyArgument && /new (?:Map|Set)$/.test(open.at(-2)?.part ?? ''));
}

function endPart(open: Open): void {
  open.parts.push(open.part.trim());
  open.part = '';
}

function textOf(open: Open, sorts = open.sorted): string {
  endPart(open);
  const parts = sorts ? open.parts.toSorted() : open.parts;
  return open.bracket + parts.join(', ');
}
