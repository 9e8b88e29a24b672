// Says how to try what `selfware improve` leaves alone because it is tried only by name.

import type { Opportunity } from '../../core/model.ts';
import { isTriedUnasked } from '../../core/propose/unattended.ts';
import type { Doable } from '../../core/session/look/lookTypes.ts';

/** How to try what a person named and improving leaves alone, because it is tried only by name; null if there is none. */
export function onlyByNameSentence(
  { shown }: Pick<Doable, 'shown'>,
  isNamed: (opportunity: Opportunity) => boolean,
): string | null {
  const left = shown.filter((one) => one.recipe !== null && !isTriedUnasked(one.recipe) && isNamed(one));
  const [first] = left;
  if (first === undefined) return null;
  const what = left.length === 1 ? 'A change of package.json is' : `Changes of package.json (${left.length} here) are`;
  return `${what} made only if you name the opportunity: \`selfware propose ${first.id}\`.`;
}
