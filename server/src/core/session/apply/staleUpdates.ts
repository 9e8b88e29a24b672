// Withdraws updates of dependencies that were made for another lock file, and says how to make them again. They cannot
// be merged line by line, because the lock file may then contain packages that do not fit together.

import { formatCount } from '../../../util/counted.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { isSettled } from '../../ledger/proposalLife.ts';
import { findUpdatedDependencies, UPDATE_DEPENDENCY } from '../../model/updatedDependency.ts';
import type { Proposal } from '../../model.ts';
import { notify, type SessionContext } from '../context.ts';
import { withdrawProposal } from '../propose/rebaseProposal.ts';
import { areFilesUnchanged } from '../verify/verifying.ts';

/** Withdraws an update that was made for other files than the current ones, and throws `stale`. */
export async function requireCurrentUpdate(context: SessionContext, proposal: Proposal): Promise<void> {
  const { recipe, status, edits, title } = proposal;
  if (recipe !== UPDATE_DEPENDENCY || isSettled(status) || (await areFilesUnchanged(context, edits))) return;
  const command = commandsFor([proposal]);
  await withdrawProposal(
    context,
    proposal,
    `The manifest or the lock file has changed since. Make it again: ${command}.`,
  );
  throw new SelfwareError('stale', `The manifest or the lock file has changed since “${title}” was made.`, {
    action: `Make it again for the new lock file: ${command}.`,
  });
}

/**
 * Withdraws the waiting updates that were made for the lock file before `applied`, an update that was applied, and adds
 * a notice about them.
 */
export async function withdrawStaleUpdates(context: SessionContext, applied: Proposal): Promise<void> {
  if (applied.recipe !== UPDATE_DEPENDENCY || !['applied', 'kept'].includes(applied.status)) return;
  const paths = new Set(applied.edits.map(({ path }) => path));
  const staleUpdates = (await context.ledger.proposals()).filter(
    ({ id, recipe, status, edits }) =>
      id !== applied.id &&
      recipe === UPDATE_DEPENDENCY &&
      !isSettled(status) &&
      edits.some(({ path }) => paths.has(path)),
  );
  if (staleUpdates.length === 0) return;
  for (const proposal of staleUpdates)
    await withdrawProposal(
      context,
      proposal,
      `The lock file has changed since, by “${applied.title}”. Make it again: ${commandsFor([proposal])}.`,
    );
  notify(context, {
    severity: 'info',
    message: `${formatCount(staleUpdates.length, 'other update')} waited and ${staleUpdates.length === 1 ? 'was' : 'were'} made for the lock file before this one, so nobody can apply ${staleUpdates.length === 1 ? 'it' : 'them'} any longer: ${staleUpdates.map(({ title }) => title).join('; ')}.`,
    action: `Make ${staleUpdates.length === 1 ? 'it' : 'them'} again for the new lock file: ${commandsFor(staleUpdates)}.`,
  });
}

/** The commands that make these updates again, for messages. */
function commandsFor(proposals: readonly Proposal[]): string {
  const specs = proposals.map(({ opportunity, edits }) => {
    const names = opportunity.id.split(' ').slice(1);
    const update = findUpdatedDependencies(edits)?.updates.find(({ name }) => name === names[0]);
    return names.length === 1 && update !== undefined ? `${update.name}@${update.after}` : null;
  });
  const named = specs.filter((spec) => spec !== null);
  const commands = [
    ...(named.length < specs.length ? ['`selfware outdated --update-minor`'] : []),
    ...(named.length > 0 ? [`\`selfware outdated --update ${named.join(',')}\``] : []),
  ];
  return commands.join(' and ');
}
