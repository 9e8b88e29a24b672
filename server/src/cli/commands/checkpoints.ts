// `selfware checkpoints list|show|rollback|prune`: lists checkpoints, rolls changes back, and removes old checkpoints.

import type { Checkpoint } from '../../core/model.ts';
import type { CheckedRemaining } from '../../core/session/apply/applyResults.ts';
import { formatCount } from '../../util/counted.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';
import {
  createCommand,
  createCommandGroup,
  withSession,
  type CommandFactory,
  type CommonOptions,
} from '../invocation.ts';
import { refuseAgents } from '../person.ts';

interface PruneOptions extends CommonOptions {
  readonly keep: string;
}

/**
 * The subcommand `checkpoints`. The exit code of `rollback` is 1 if a remaining change fails its checks without the one
 * that was rolled back.
 */
export const checkpointsCommand: CommandFactory = (setExitCode) =>
  createCommandGroup('checkpoints', 'undoes applied changes: list, show, rollback, prune')
    .addCommand(
      createCommand('list', 'newest first').action((options: CommonOptions) =>
        withSession(options, async ({ session, json, out, outJson }) => {
          const checkpoints = (await session.changes.checkpoints()).toReversed();
          if (json) return outJson(checkpoints);
          if (checkpoints.length === 0) out('No checkpoint yet: nothing was changed.');
          for (const checkpoint of checkpoints) out(formatCheckpoint(checkpoint));
        }),
      ),
      { isDefault: true },
    )
    .addCommand(
      createCommand('show', 'the files of a checkpoint')
        .argument('<id>')
        .action((id: string, options: CommonOptions) =>
          withSession(options, async ({ session, json, out, outJson }) => {
            const checkpoint = (await session.changes.checkpoints()).find((candidate) => candidate.id === id);
            if (!checkpoint)
              throw new SelfwareError('notFound', `There is no checkpoint ${id}.`, {
                action: 'Run `selfware checkpoints list`.',
              });
            if (json) return outJson(checkpoint);
            out(formatCheckpoint(checkpoint));
            for (const file of checkpoint.files)
              out(`  ${file.path}  ${shortenHash(file.before)} → ${shortenHash(file.after)}`);
          }),
        ),
    )
    .addCommand(
      createCommand('rollback', 'restores the bytes from before a change')
        .argument('<id>')
        .action((id: string, options: CommonOptions) =>
          withSession(options, async ({ session, signal, report, json, out, outJson }) => {
            const restoredCheckpoint = await session.changes.rollback(id, { signal, report });
            if (json) outJson(restoredCheckpoint);
            else out(`Rolled back: ${restoredCheckpoint.files.map((file) => file.path).join(', ')}`);
            for (const checked of await session.changes.checkRemaining({ signal, report })) {
              if (checked.failing.length > 0) setExitCode(1);
              if (!json) out(formatRemainingChanges(checked));
            }
          }),
        ),
    )
    .addCommand(
      createCommand('prune', 'forgets old checkpoints')
        .option('--keep <n>', 'how many to keep', '100')
        .action((options: PruneOptions) => {
          const keep = Number(options.keep);
          if (!Number.isInteger(keep) || keep < 0)
            throw new SelfwareError('usage', '--keep takes a whole number from 0.');
          return withSession(options, async ({ session, json, out, outJson }) => {
            await refuseAgents('Removing checkpoints');
            const forgottenIds = await session.changes.pruneCheckpoints(keep);
            if (json) outJson({ forgotten: forgottenIds });
            else out(`${forgottenIds.length} forgotten.`);
          });
        }),
    );

/** What the checks say about changes that were checked together with the one that was rolled back. */
function formatRemainingChanges({ rest, verdicts, failing }: CheckedRemaining): string {
  const subject = `${formatCount(rest.length, 'change')} that ${rest.length === 1 ? 'was' : 'were'} checked together with it`;
  if (failing.length > 0)
    return [
      `Without it, these fail their checks: ${failing.map(({ title }) => escapeInvisibleLine(title)).join('; ')}.`,
      ...failing.map(({ checkpoint }) => `  to undo: selfware checkpoints rollback ${checkpoint}`),
    ].join('\n');
  return verdicts.some(({ gate, outcome }) => gate === 'tests' && outcome === 'passed')
    ? `Checked again without it: ${subject}; types and tests pass.`
    : `Unknown without it: ${subject}; no test could show anything.`;
}

/** The id, time, state and title of a checkpoint. */
function formatCheckpoint(checkpoint: Checkpoint): string {
  const createdAtText = new Date(checkpoint.createdAt).toISOString().slice(0, 19).replace('T', ' ');
  return `${checkpoint.id}  ${createdAtText}  ${checkpoint.rolledBackAt === null ? '' : '(rolled back) '}${checkpoint.title}`;
}

function shortenHash(hash: string | null): string {
  return hash === null ? 'absent' : hash.slice(0, 12);
}
