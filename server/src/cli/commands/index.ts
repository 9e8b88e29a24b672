// `selfware index`: builds or updates the index of the repository, so that it can be searched.

import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { formatIndex } from '../writers/human.ts';

/** The subcommand `index`, which has no options of its own. */
export const indexCommand: CommandFactory = () =>
  createCommand('index', 'reads the repository, so that it can be searched').action((options: CommonOptions) =>
    withSession(options, async ({ session, signal, report, json, out, outJson }) => {
      const indexReport = await session.memory.index({ signal, report });
      if (json) outJson(indexReport);
      else out(formatIndex(indexReport));
    }),
  );
