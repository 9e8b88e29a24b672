// Exact types: fewer places that say nothing about a type, and the same JavaScript.

import type { GateRun } from '../gate.ts';
import { failed, passed, unknown, type GateAnswer } from '../answer.ts';

/** In the evidence of the gate `score`: how many `any`, `!` and `as` there are. */
export const [HOLES_BEFORE, HOLES_AFTER] = ['typeHolesBefore', 'typeHoles'] as const;

export async function showTypes({ context, edits, verdicts }: GateRun): Promise<GateAnswer> {
  const evidence = verdicts.find(({ gate }) => gate === 'score')?.evidence ?? {};
  const [before, after] = [evidence[HOLES_BEFORE], evidence[HOLES_AFTER]];
  if (typeof before !== 'number' || typeof after !== 'number' || after >= before)
    return failed('There are no fewer `any`, `!` and `as` with the change.');
  if (!context.proof) return unknown('Nothing here compares the JavaScript of both sides.');
  const { identical } = await context.proof.planDifferential(edits);
  if (identical.length < edits.length) return failed('Fewer `any`, `!` and `as`, but the JavaScript is not the same.');
  return passed(
    `${before - after} fewer of \`any\`, \`!\` and \`as\` (${before} → ${after}), and the JavaScript is the same.`,
    { before, after },
  );
}
