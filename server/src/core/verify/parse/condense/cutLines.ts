// Omits lines of an output that is too long: lines that name a failure are omitted last, and the lines near them before
// that.

import { namesFailure } from './lineKinds.ts';

/** Number of lines after a line with a failure that explain it: the message, the difference, the code. */
const LINES_AFTER = 14;
/** Number of lines before a line with a failure that explain it. */
const LINES_BEFORE = 2;
/** Number of lines at the beginning and at the end that count as much as those with a failure. */
const EDGE_LINES = 3;
/** Matches a line with which a runner or an assertion begins its report of a failure, not just any "error". */
const HEADLINE_PATTERN =
  /\bAssertion\w*Error\b|\bERR_ASSERTION\b|^\s*(?:not ok\b|FAIL(?:ED|URE)?\b|--- FAIL\b|E {2,}|[✕✖×✗●])/;
/** Share of the limit that is used first, so that the rest is left for the notes about gaps. */
const FIRST_SHARE = 0.95;
/** Factor by which the share is reduced while the text with its notes is too long. */
const NEXT_SHARE = 0.9;

/** Returns at most `maxCharacters` of the lines, as a text. A note at each gap gives the number of omitted lines. */
export function cutLines(lines: readonly string[], maxCharacters: number): string {
  const text = lines.join('\n');
  if (text.length <= maxCharacters) return text;
  const order = rankLines(lines);
  for (let room = maxCharacters * FIRST_SHARE; room >= 1; room *= NEXT_SHARE) {
    const cutText = joinShown(lines, chooseLines(lines, order, room));
    if (cutText.length <= maxCharacters) return cutText;
  }
  return text.slice(0, Math.max(0, maxCharacters)).replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * The indices of the lines, the most important first. Equally important lines are taken from both ends in turn, because
 * some runners print their failures at the end, and others at the beginning.
 */
function rankLines(lines: readonly string[]): readonly number[] {
  const ranks: number[] = lines.map((_, index) => (index < EDGE_LINES || index >= lines.length - EDGE_LINES ? 1 : 4));
  const raiseRank = (index: number, rank: number) => {
    if (ranks[index] !== undefined) ranks[index] = Math.min(ranks[index]!, rank);
  };
  lines.forEach((line, index) => {
    if (!namesFailure(line)) return;
    raiseRank(index, HEADLINE_PATTERN.test(line) ? 0 : 1);
    for (let neighbour = index - LINES_BEFORE; neighbour <= index + LINES_AFTER; neighbour += 1)
      raiseRank(neighbour, neighbour > index && neighbour <= index + 3 ? 2 : 3);
  });
  return [0, 1, 2, 3, 4].flatMap((rank) =>
    orderFromBothEnds(lines.map((_, index) => index).filter((index) => ranks[index] === rank)),
  );
}

/** The first, the last, the second, the last but one, and so on. */
function orderFromBothEnds(indices: readonly number[]): readonly number[] {
  return indices.map((_, offset) => indices[offset % 2 === 0 ? offset / 2 : indices.length - (offset + 1) / 2]!);
}

/** The lines that fit into the room, chosen in the order of their importance. */
function chooseLines(lines: readonly string[], order: readonly number[], room: number): ReadonlySet<number> {
  const chosenIndices = new Set<number>();
  let remaining = room;
  for (const index of order) {
    const size = lines[index]!.length + 1;
    if (size > remaining) continue;
    remaining -= size;
    chosenIndices.add(index);
  }
  return chosenIndices;
}

function joinShown(lines: readonly string[], shown: ReadonlySet<number>): string {
  const output: string[] = [];
  let omitted = 0;
  const addGapNote = () => {
    if (omitted > 0) output.push(`(${omitted} ${omitted === 1 ? 'line is' : 'lines are'} left out.)`);
    omitted = 0;
  };
  lines.forEach((line, index) => {
    if (!shown.has(index)) {
      omitted += 1;
      return;
    }
    addGapNote();
    output.push(line);
  });
  addGapNote();
  return output.join('\n');
}
