// Says how to try what `selfware improve` leaves alone because it is tried only by name.

import type { Opportunity } from '../../core/model.ts';
import { isTriedUnasked } from '../../core/propose/unattended.ts';
import type { Doable } from '../../core/session/look/lookTypes.ts';

/** How to try what a person named and improving leaves alone, because it is tried only by name; null if there is none. */
export function onlyByNameSentence(
  { shown }: Pick<Doable, 'shown'>,
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
