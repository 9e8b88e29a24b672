// Folds lines, and blocks of lines, that are repeated directly after each other.

/** Maximum number of lines of a repeated block. */
const MAX_BLOCK = 24;

/** Returns the lines with each repeated block once, and the number of its repetitions. */
export function foldRepeats(lines: readonly string[]): readonly string[] {
  const output: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const { length, repetitions } = findRepetition(lines, index);
    output.push(...lines.slice(index, index + length));
    index += length * (repetitions + 1);
    if (repetitions === 0) continue;
    const subject = length === 1 ? 'the line above' : `the ${length} lines above`;
    output.push(`(${subject} ${repetitions} more ${repetitions === 1 ? 'time' : 'times'})`);
  }
  return output;
}

/**
 * The shortest block from this line on whose repetitions are worth a note; one line without repetitions if there is
 * none.
 */
function findRepetition(
  lines: readonly string[],
  start: number,
): { readonly length: number; readonly repetitions: number } {
  for (let length = 1; length <= MAX_BLOCK; length += 1) {
    if (lines[start + length] !== lines[start]) continue;
    let equalCount = 0;
    while (
      start + length + equalCount < lines.length &&
      lines[start + equalCount] === lines[start + length + equalCount]
    )
      equalCount += 1;
    const repetitions = Math.floor(equalCount / length);
    const isWorthIt = repetitions * length > 1 && lines.slice(start, start + length).some((line) => line !== '');
    if (isWorthIt) return { length, repetitions };
  }
  return { length: 1, repetitions: 0 };
}
