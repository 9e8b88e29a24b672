// Checks that the charter allows these edits.

import type { Gate } from '../../gate.ts';
import { findRemovedDependency } from '../../../model/removedDependency.ts';
import { UPDATE_DEPENDENCY } from '../../../model/updatedDependency.ts';
import { failed, passed } from '../../answer.ts';

export const gate: Gate = async ({ context, edits, proposal }) => {
  const answer = await context.checkCharter(edits, proposal.recipe);
  if (!answer.allowed) return failed(answer.reason);
  if (proposal.recipe === UPDATE_DEPENDENCY)
    return passed(
      'Of protected files, it only updates dependencies that a person asked for, in manifest and lock file.',
    );
  return passed(
    findRemovedDependency(edits) === null
      ? 'No protected path is touched.'
      : 'Of protected files, it only removes one dependency from one package.json.',
  );
};
