// Wraps a change that Selfware did not propose, such as a pull request, in a proposal, because gates expect one.

import type { Proposal } from '../../model.ts';
import { EXTERNAL_RECIPE } from '../../model/authors.ts';
import type { TreeChange } from '../../model/judgement.ts';

/** Creates a proposal without a claim and without a rule. */
export function wrapAsProposal({ edits }: TreeChange, now: number): Proposal {
  return {
    id: 'judged',
    title: 'A change',
    rationale: '',
    recipe: EXTERNAL_RECIPE,
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
