// Checks the claim `types`: the change has fewer places without an exact type, and the compiled JavaScript is the same.

import { diffLines } from 'diff';
import type { FileEdit } from '../../model.ts';
import type { GateInput } from '../gate.ts';
import { failed, passed, unknown, type GateAnswer } from '../answer.ts';

/** Keys in the evidence of the gate `score`: the numbers of `any`, `!` and `as` before and after the change. */
export const [HOLES_BEFORE, HOLES_AFTER] = ['typeHolesBefore', 'typeHoles'] as const;

/**
 * Passes if there are fewer inexact types (counted by the gate `score`), no line only lost its `: any`, and the
 * compiled JavaScript is the same. Unknown if nothing compares the JavaScript; otherwise failed.
 */
export async function checkTypes({ context, edits, verdicts }: GateInput): Promise<GateAnswer> {
  const evidence = verdicts.find(({ gate }) => gate === 'score')?.evidence ?? {};
  const [before, after] = [evidence[HOLES_BEFORE], evidence[HOLES_AFTER]];
  if (typeof before !== 'number' || typeof after !== 'number' || after >= before)
    return failed('There are no fewer `any`, `!` and `as` with the change.');
  const loosened = findLineWithoutAny(edits);
  if (loosened !== null) return failed(`A type is left out, not made exact: \`${loosened.slice(0, 120)}\`.`);
  if (!context.proof) return unknown('Nothing here compares the JavaScript of both sides.');
  const { identical } = await context.proof.planDifferential(edits);
  if (identical.length < edits.length) return failed('Fewer `any`, `!` and `as`, but the JavaScript is not the same.');
  return passed(
    `${before - after} fewer of \`any\`, \`!\` and \`as\` (${before} → ${after}), and the JavaScript is the same.`,
    { before, after },
  );
}

/** A line that only lost its `: any`, so that its type is now implicitly `any`; null if there is none. */
function findLineWithoutAny(edits: readonly FileEdit[]): string | null {
  for (const { before, after } of edits) {
    const parts = diffLines(before ?? '', after ?? '');
    const changedLines = (kind: 'added' | 'removed') =>
      parts.filter((part) => part[kind]).flatMap(({ value }) => value.split('\n').map((line) => line.trim()));
    const addedLines = new Map(changedLines('added').map((line) => [removeAny(line), line]));
    const shorterLine = changedLines('removed').find(
      (line) => (addedLines.get(removeAny(line)) ?? line).length < line.length,
    );
    if (shorterLine !== undefined) return shorterLine;
  }
  return null;
}

function removeAny(line: string): string {
  return line.replace(/ ?: ?any\b(?:\[\])?/g, '');
}
