// Shows a change by anybody to the gates, which expect a proposal.

import type { Proposal } from '../../model.ts';
import { BROUGHT_RECIPE } from '../../model/authors.ts';
import type { TreeChange } from '../../model/judgement.ts';

/** The change as a proposal that claims nothing. */
export function asProposal({ edits }: TreeChange, now: number): Proposal {
  return {
    id: 'judged',
    title: 'A change',
    rationale: '',
    recipe: BROUGHT_RECIPE,
    author: 'agent',
    opportunity: { id: 'judged', rule: '', path: edits[0]?.path ?? '', symbol: null },
    base: null,
    edits,
    safety: 'behaviorChanging',
    createdAt: now,
    status: 'verifying',
    verdicts: [],
    pointsBefore: null,
    pointsAfter: null,
    reason: null,
    checkpoint: null,
  };
}
