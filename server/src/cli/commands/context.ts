// `selfware context TASK`: packs the context for a task within the token budget. With --text, prints it as a model
// receives it.

import { SelfwareError } from '../../util/typedError.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { groupThousands } from '../../util/thousands.ts';
import type { LayerUse, TaskType } from '../../core/memory/contextPack.ts';

const taskTypes: readonly TaskType[] = [
  'SelfImprovement',
  'CodeAnalysis',
  'Debugging',
  'Conversation',
  'CodeGeneration',
  'Refactoring',
  'Learning',
];

interface ContextOptions extends CommonOptions {
  readonly taskType: string;
  readonly budget?: string;
  readonly text?: boolean;
}

/** The subcommand `context`. */
export const contextCommand: CommandFactory = () =>
  createCommand('context', 'the parts of the repository that a model gets to read for a task')
    .argument('<task>', 'what is to be done')
    .option('--task-type <type>', taskTypes.join(', '), 'SelfImprovement')
    .option('--budget <tokens>', 'context window in tokens')
    .option('--text', 'print the context as a model gets it')
    .action(async (task: string, options: ContextOptions) => {
      const taskType = taskTypes.find((type) => type.toLowerCase() === options.taskType.toLowerCase());
      if (!taskType) throw new SelfwareError('usage', `--task-type must be one of ${taskTypes.join(', ')}.`);
      const budget = options.budget === undefined ? undefined : Number(options.budget);
      if (budget !== undefined && (!Number.isInteger(budget) || budget < 1))
        throw new SelfwareError('usage', '--budget takes a whole number of tokens.');
      if (options.text && options.json) throw new SelfwareError('usage', '--text and --json cannot be combined.');
      await withSession(options, async ({ session, signal, report, json, out, outJson }) => {
        await session.memory.index({ signal, report });
        const pack = await session.tasks.context(
          { task, taskType, ...(budget === undefined ? {} : { budget }) },
          signal,
        );
        if (json) return outJson(pack);
        if (options.text) return out((await session.tasks.render(pack, signal)).trimEnd());
        out(`${groupThousands(pack.tokens)} of ${groupThousands(pack.budgetTokens)} tokens`);
        for (const [layer, use] of Object.entries(pack.layers)) out(formatLayer(layer, use));
        for (const item of pack.items)
          out(
            `${item.resolution.padEnd(10)} ${String(item.tokens).padStart(7)}  ${item.path}${item.symbol ? ` ${item.symbol}` : ''}`,
          );
      });
    });

/**
 * The tokens of a layer of memory, in a line such as
 * `semantic   850,000 of 700,000 + 150,000 borrowed (100,000 from episodic, 50,000 from working)`.
 */
export function formatLayer(layer: string, { tokens, budget, lent = 0, borrowed = 0, borrowedFrom }: LayerUse): string {
  const lenders = (['episodic', 'working'] as const).filter((lender) => (borrowedFrom?.[lender] ?? 0) > 0);
  const lendersText =
    borrowedFrom && lenders.length > 0
      ? ` (${lenders.map((lender) => `${groupThousands(borrowedFrom[lender])} from ${lender}`).join(', ')})`
      : '';
  const borrowingText =
    borrowed > 0
      ? ` + ${groupThousands(borrowed)} borrowed${lendersText}`
      : lent > 0
        ? `, ${groupThousands(lent)} lent to semantic`
        : '';
  return `  ${layer.padEnd(10)} ${groupThousands(tokens)} of ${groupThousands(budget)}${borrowingText}`;
}
