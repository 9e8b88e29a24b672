// Creates the façade's `opportunities` section: shown and hidden opportunities, dismissals, and the baseline.

import type { Opportunities } from '../../session.ts';
import type { SessionContext } from '../context.ts';
import { changeBaseline } from './baseline.ts';
import { dismiss, undismiss } from './dismissing.ts';
import { findRefusedPlaces } from './findRefusedPlaces.ts';
import { explainRanks, listOpportunities, listShown } from './listOpportunities.ts';

/** Creates the section of one session. */
export function createOpportunitySection(context: SessionContext): Opportunities {
  return {
    shown: (paths) => listShown(context, paths),
    listWithHidden: (paths) => listOpportunities(context, paths),
    explainRanks: (opportunities) => explainRanks(context, opportunities),
    listTurnedDown: (opportunities) => findRefusedPlaces(context, opportunities),
    dismiss: (request) => dismiss(context, request),
    undismiss: (id) => undismiss(context, id),
    dismissals: () => context.ledger.dismissals(),
    baseline: (action, options) => changeBaseline(context, action, options?.force ?? false),
  };
}
