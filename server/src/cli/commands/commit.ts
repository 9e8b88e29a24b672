// `selfware commit`: commits kept changes to a branch, one commit for each change, with the proof in the trailers of
// its message. It never pushes.

import type { CommonOptions, CommandFactory } from '../invocation.ts';
import { createCommand, withSession } from '../invocation.ts';
import { refuseAgents } from '../person.ts';

interface CommitOptions extends CommonOptions {
  readonly branch?: string;
  readonly checkedOut?: boolean;
}

/** The subcommand `commit`. Its exit code is 1 if a change could not be committed. */
export const commitCommand: CommandFactory = (setExitCode) =>
  createCommand('commit', 'commits applied changes to a branch, one commit each; pushes nothing')
    .argument('[change...]', 'ids of proposals or checkpoints; without any, all that were not committed yet')
    .option(
      '--branch <name>',
      'the branch (default: the setting commit.branch); created from HEAD if it does not exist',
    )
    .option('--checked-out', 'commit to the checked-out branch; nothing may be staged')
    .action((changes: readonly string[], options: CommitOptions) =>
      withSession(options, async ({ session, signal, report, json, out, outJson }) => {
        await refuseAgents('Committing');
        const result = await session.changes.commit({
          changes,
          branch: options.branch ?? null,
          checkedOut: options.checkedOut ?? false,
          signal,
          report,
        });
        if (result.refused.length > 0) setExitCode(1);
        if (json) return outJson(result);
        for (const { commit, title } of result.committed) out(`${commit.slice(0, 12)}  ${title}`);
        for (const { proposal, title, reason } of result.refused) out(`left out: ${title} (${proposal}): ${reason}`);
        out(
          result.committed.length === 0
            ? result.refused.length > 0
              ? 'Nothing was committed.'
              : 'Nothing was committed: no kept change is left to commit.'
            : `${result.committed.length} committed on ${result.branch}.`,
        );
      }),
    );
