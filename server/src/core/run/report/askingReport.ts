// The section of a night's report on proposals that only a person may accept.

import { codeSpan, md, type Insertable } from '../../../protocol/markdown.ts';
import type { NightMiss } from '../../model/nights.ts';
import { createDiffBlock, type ShortDiff } from './changeDiff.ts';
import { findProposalsForPerson, listNumberedChanges } from '../nightQueries.ts';
import type { Night } from '../nightTypes.ts';

/** Maximum number of entries in a list of the report; further ones are only counted. */
export const MAX_LISTED = 20;

/** The section of the report; empty if there are no such proposals. Their numbers follow the numbers of the changes. */
export function createAskingSection(night: Night, diffs: ReadonlyMap<string, ShortDiff>): readonly Insertable[] {
  const changeCount = listNumberedChanges(night).length;
  const askingMisses = findProposalsForPerson(night);
  if (askingMisses.length === 0) return [];
  const shownMisses = askingMisses.slice(0, MAX_LISTED);
  const numberOf = (miss: NightMiss) => changeCount + askingMisses.indexOf(miss) + 1;
  const openMiss = askingMisses.find(({ proposal }) => !night.settled.includes(proposal));
  const formatMiss = (miss: NightMiss) => {
    const decidedText = night.settled.includes(miss.proposal) ? ' You have decided about it.' : '';
    return md`- ${numberOf(miss)}. **${miss.title}** (${miss.path}): ${miss.reason}${decidedText}`;
  };
  const diffOf = (miss: NightMiss) => {
    const diff = diffs.get(miss.proposal);
    return diff === undefined ? [] : [md`### ${numberOf(miss)}. ${miss.title}`, '', ...createDiffBlock(diff)];
  };
  return [
    md`## Waits for you`,
    '',
    md`No check refused these, but only you may take them, so no commit holds them.`,
    ...(openMiss ? [decisionHint(numberOf(openMiss))] : []),
    '',
    ...shownMisses.map(formatMiss),
    ...(askingMisses.length > MAX_LISTED ? [md`- … and ${askingMisses.length - MAX_LISTED} more`] : []),
    '',
    ...shownMisses.flatMap(diffOf),
  ];
}

/** Says how a person applies or rejects the proposal with this number. */
function decisionHint(number: number): Insertable {
  const [accept, drop] = ['accept', 'drop'].map((command) => codeSpan(`selfware night ${command} ${number}`));
  return md`Apply one to your working tree: ${accept!}. Reject it: ${drop!}.`;
}
