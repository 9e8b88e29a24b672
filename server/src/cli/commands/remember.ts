// `selfware remember TEXT`: stores a note, which appears in the context of related tasks.

import { SelfwareError } from '../../util/typedError.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { IMPORTANCE_TIERS } from '../../core/memory/episodic.ts';

interface RememberOptions extends CommonOptions {
  readonly tier: string;
}

/** The subcommand `remember`. */
export const rememberCommand: CommandFactory = () =>
  createCommand('remember', 'keeps a note that `context` shows for related tasks')
    .argument('<text>', 'the note')
    .option('--tier <tier>', `how important it is when room is short: ${IMPORTANCE_TIERS.join(', ')}`, 'normal')
    .action(async (text: string, options: RememberOptions) => {
      const tier = IMPORTANCE_TIERS.find((candidate) => candidate === options.tier);
      if (!tier) throw new SelfwareError('usage', `--tier must be one of ${IMPORTANCE_TIERS.join(', ')}.`);
      await withSession(options, async ({ session, json, out, outJson }) => {
        await session.tasks.remember({ text, tier });
        if (json) outJson({ remembered: text, tier });
        else out('Remembered.');
      });
    });
