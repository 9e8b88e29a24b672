// Decides on the claim of an answer about an opportunity whose points do not rise.

import type { FileEdit } from '../../model.ts';
import type { ClaimKind } from '../../model/claims.ts';
import { isContentSentence } from '../../score/missingCode.ts';
import type { SessionContext } from '../context.ts';
import { scoreEdits } from '../analyse/scoring.ts';
import { countFindings } from '../verify/findingsIn.ts';

/**
 * The claim `request` if the rule finds fewer places in the edited files, and the points stay the same or their gain is
 * withheld only because names, literals or calls are gone. The ruler does not count every rule, and a rewriting may do
 * without a call such as `lastIndexOf`. A change with this claim has to be shown to keep behaviour, and a person
 * decides on it. Otherwise undefined; then the form of the change decides on its claim. Throws `cancelled`.
 */
export async function findPlaceClaim(
  context: SessionContext,
  rule: string,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<ClaimKind | undefined> {
  const { before, after, withheld = [] } = await scoreEdits(context, edits, signal);
  const hasRisen = after.total > before.total && withheld.length === 0;
  if (hasRisen || !withheld.every(isContentSentence)) return undefined;
  let addedFindings = 0;
  for (const { path, before: oldText, after: changed } of edits)
    addedFindings += (await countRuleFindings(changed, path)) - (await countRuleFindings(oldText, path));
  return addedFindings < 0 ? 'request' : undefined;

  async function countRuleFindings(text: string | null, path: string): Promise<number> {
    return text === null ? 0 : ((await countFindings(context, path, text, rule, signal)).get(rule) ?? 0);
  }
}
