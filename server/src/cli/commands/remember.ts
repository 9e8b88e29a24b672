// `selfware remember TEXT`: stores a note, which appears in the context of related tasks.

import { SelfwareError } from '../../util/typedError.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';

/** The tiers of importance: notes of a lower tier are the first to be left out of a context. */
const TIERS = ['critical', 'high', 'normal', 'low'] as const;

interface RememberOptions extends CommonOptions {
  readonly tier: string;
}

/** The subcommand `remember`. */
export const rememberCommand: CommandFactory = () =>
  createCommand('remember', 'keeps a note that `context` shows for related tasks')
    .argument('<text>', 'the note')
    .option('--tier <tier>', `how important it is when room is short: ${TIERS.join(', ')}`, 'normal')
    .action(async (text: string, options: RememberOptions) => {
      const tier = TIERS.find((candidate) => candidate === options.tier);
      if (!tier) throw new SelfwareError('usage', `--tier must be one of ${TIERS.join(', ')}.`);
      await withSession(options, async ({ session, json, out, outJson }) => {
        await session.tasks.remember({ text, tier });
        if (json) outJson({ remembered: text, tier });
        else out('Remembered.');
      });
    });
