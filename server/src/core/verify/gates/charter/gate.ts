// Checks that the charter allows these edits.

import type { Gate } from '../../gate.ts';
import { removedDependencies } from '../../../model/removedDependency.ts';
import { failed, passed } from '../../answer.ts';

export const gate: Gate = async ({ context, edits, proposal }) => {
  const answer = await context.checkCharter(edits, proposal.recipe);
  return answer.allowed
    ? passed(
        removedDependencies(edits) === null
          ? 'No protected path is touched.'
          : 'Of protected files, it only removes a dependency from the manifest and the lock file.',
      )
    : failed(answer.reason);
};
