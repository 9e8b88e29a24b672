// Says in a few lines what an unattended run may commit to its branch without a person, what waits, and what never
// happens. The lines are computed from the table in `course.ts`, so that they cannot contradict it.

import { AUTHOR_LABELS, AUTHORS, type Author } from '../model/authors.ts';
import { CLAIM_KINDS, FACTS_BY_CLAIM, type ClaimKind } from '../model/claims.ts';
import type { Strength } from '../model.ts';
import { groupBy } from '../../util/values/groupBy.ts';
import { decideApply } from './course.ts';
import { describeNeverUnasked } from './neverUnasked.ts';
import { joinWords } from '../../util/values/joinWords.ts';

const STRENGTHS: readonly Strength[] = ['proven', 'tested', 'checked', 'unchecked'];

/**
 * A line of the table. `change`: a phrase that names the changes. `becomes`: what happens to them, as the end of the
 * sentence.
 */
export interface AutoApplyRow {
  readonly change: string;
  readonly becomes: string;
}

/** The table for the branch of a run: a line for each group of authors and claims that are treated alike. */
export function describeUnasked(): readonly AutoApplyRow[] {
  const cells = AUTHORS.flatMap((author) =>
    CLAIM_KINDS.map((claim) => ({ author, claim, becomes: describeCell(author, claim) })),
  );
  const cellsByAuthor = groupBy(cells, ({ author, becomes }) => `${author}: ${becomes}`);
  const groups = groupBy(cellsByAuthor, (group) =>
    JSON.stringify([group[0]!.becomes, group.map(({ claim }) => claim)]),
  );
  const rows = groups.map((authorGroups): AutoApplyRow => {
    const { becomes } = authorGroups[0]![0]!;
    const authors = joinWords(
      authorGroups.map((group) => AUTHOR_LABELS[group[0]!.author]),
      'or',
    );
    const claims = authorGroups[0]!.map(({ claim }) => claim);
    return { change: `${describeClaims(claims, becomes, cells)} by ${authors}`, becomes };
  });
  return [
    ...rows,
    {
      change: 'All else, and whatever edits existing tests, settings or what a build reads',
      becomes: 'waits for you',
    },
    ...describeNeverUnasked().map(({ change, becomes }) => ({ change, becomes })),
  ];
}

/**
 * The claims as the subject of a line: `A change` if they are most of the claims, or if all changes have this result;
 * otherwise their names.
 */
function describeClaims(
  claims: readonly ClaimKind[],
  becomes: string,
  cells: readonly { readonly claim: ClaimKind; readonly becomes: string }[],
): string {
  const isForAll = claims.length * 2 > CLAIM_KINDS.length || cells.every((cell) => cell.becomes === becomes);
  return isForAll
    ? 'A change'
    : joinWords(
        claims.map((claim) => `“${FACTS_BY_CLAIM[claim].label}”`),
        'or',
      );
}

/**
 * What happens to a change that passed its checks. For authors other than recipes, it is unknown whether a change only
 * adds something.
 */
function describeCell(author: Author, claim: ClaimKind): string {
  const decideForEachStrength = (onlyAdds: boolean) =>
    STRENGTHS.map((strength) =>
      decideApply({ claim, author, strength, onlyAdds, approval: 'branch', meetsRequirement: true }),
    );
  const decisions = decideForEachStrength(false);
  if (decisions.every((course) => course === 'refused')) return 'is refused';
  const isUnasked = (course: string) => course === 'unasked';
  const alwaysSufficient = STRENGTHS.filter((_, index) => isUnasked(decisions[index]!));
  const sufficientForAdditions =
    author === 'recipe'
      ? STRENGTHS.filter((_, index) => isUnasked(decideForEachStrength(true)[index]!))
      : alwaysSufficient;
  if (sufficientForAdditions.length === 0) return 'waits for you';
  const additionalStrengths = sufficientForAdditions.filter((strength) => !alwaysSufficient.includes(strength));
  return `is committed if ${joinWords(alwaysSufficient, 'or')}${additionalStrengths.length === 0 ? '' : `; if it only adds something, also if ${joinWords(additionalStrengths, 'or')}`}`;
}
