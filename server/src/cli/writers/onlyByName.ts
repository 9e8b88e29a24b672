// Writes how to try places that `selfware improve` skips because they are tried only by name.

import type { Opportunity } from '../../core/model.ts';
import { isTriedUnasked } from '../../core/propose/unattended.ts';
import type { PossibleWork } from '../../core/session/analyse/analysisTypes.ts';

/**
 * A sentence about the places that a person named and that improving skips, because they are tried only by name; null
 * if there are none.
 */
export function onlyByNameSentence(
  { shown }: Pick<PossibleWork, 'shown'>,
  isNamed: (opportunity: Opportunity) => boolean,
): string | null {
  const triedByName = shown.filter(
    (opportunity) => opportunity.recipe !== null && !isTriedUnasked(opportunity.recipe) && isNamed(opportunity),
  );
  const [first] = triedByName;
  if (first === undefined) return null;
  const subject =
    triedByName.length === 1
      ? 'A change of package.json is'
      : `Changes of package.json (${triedByName.length} here) are`;
  return `${subject} made only if you name the opportunity: \`selfware propose ${first.id}\`.`;
}
