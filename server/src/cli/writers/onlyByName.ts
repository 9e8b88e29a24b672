// Formats the advice about opportunities that `selfware improve` skips, because their recipes are tried only if a
// person names the opportunity.

import type { Opportunity } from '../../core/model.ts';
import { mayTryUnasked } from '../../core/propose/unattended.ts';
import type { PossibleWork } from '../../core/session/analyse/analysisTypes.ts';

/**
 * A sentence about such opportunities among those that the person has selected; null if there are none. They are
 * changes of package.json.
 */
export function onlyByNameSentence(
  { shown }: Pick<PossibleWork, 'shown'>,
  isNamed: (opportunity: Opportunity) => boolean,
): string | null {
  const namedOnlyOpportunities = shown.filter(
    (opportunity) => opportunity.recipe !== null && !mayTryUnasked(opportunity.recipe) && isNamed(opportunity),
  );
  const [firstOpportunity] = namedOnlyOpportunities;
  if (firstOpportunity === undefined) return null;
  const subject =
    namedOnlyOpportunities.length === 1
      ? 'A change of package.json is'
      : `Changes of package.json (${namedOnlyOpportunities.length} here) are`;
  return `${subject} made only if you name the opportunity: \`selfware propose ${firstOpportunity.id}\`.`;
}
