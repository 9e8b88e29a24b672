// Checks that the charter allows these edits.

import type { Gate } from '../../gate.ts';
import { findRemovedDependency } from '../../../model/removedDependency.ts';
import { failed, passed } from '../../answer.ts';

export const gate: Gate = async ({ context, edits, proposal }) => {
  const answer = await context.checkCharter(edits, proposal.recipe);
  return answer.allowed
    ? passed(
        findRemovedDependency(edits) === null
          ? 'No protected path is touched.'
          : 'Of protected files, it only removes one dependency from one package.json.',
      )
    : failed(answer.reason);
};
