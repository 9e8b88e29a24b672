// Checks the claim `findings`: with the change, the rule that the recipe fixes finds less in the edited files, and no
// other rule finds more.

import type { FileEdit } from '../../model.ts';
import type { GateInput } from '../gate.ts';
import { failed, passed, unknown, type GateAnswer } from '../answer.ts';
import { formatCount } from '../../../util/counted.ts';

/** Checks the claim. Applies only to Selfware's own recipes; the gate `lint` checks the findings of linters. */
export async function checkFewerFindings({ context, edits, proposal }: GateInput): Promise<GateAnswer> {
  if (!context.findings) return unknown('Nothing here counts the findings of both sides.');
  const { rule } = proposal.opportunity;
  const { findings } = context;
  const countBySide = async (side: 'before' | 'after') =>
    countFindings((path, text) => findings(path, text, rule), edits, side);
  const countsBefore = await countBySide('before');
  const countsAfter = await countBySide('after');
  const [before, after] = [countsBefore.get(rule) ?? 0, countsAfter.get(rule) ?? 0];
  const evidence = { findingsBefore: before, findings: after };
  if (after >= before) return failed(`${rule} finds no fewer places with the change (${before} → ${after}).`, evidence);
  const increasedRule = [...countsAfter].find(([id, number]) => number > (countsBefore.get(id) ?? 0))?.[0];
  if (increasedRule !== undefined)
    return failed(`With the change, ${increasedRule} finds more places than without it.`, evidence);
  return passed(
    `${rule} finds ${formatCount(before - after, 'place')} fewer (${before} → ${after}), and no other rule finds more.`,
    evidence,
  );
}

/** The number of findings in the files of one side, by rule. */
async function countFindings(
  findingsOf: (path: string, text: string) => Promise<ReadonlyMap<string, number>>,
  edits: readonly FileEdit[],
  side: 'before' | 'after',
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const edit of edits) {
    const text = edit[side];
    for (const [id, number] of text === null ? [] : await findingsOf(edit.path, text))
      counts.set(id, (counts.get(id) ?? 0) + number);
  }
  return counts;
}
