// `selfware context TASK`: the packed context for a task, within the token budget.

import type { TaskType } from '../../core/session.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { command, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { number } from '../writers/human.ts';

const taskTypes: readonly TaskType[] = ['SelfImprovement', 'CodeAnalysis', 'Debugging', 'Conversation', 'CodeGeneration', 'Refactoring', 'Learning'];

interface ContextOptions extends CommonOptions {
  readonly taskType: string;
  readonly budget?: string;
}

export const contextCommand: CommandFactory = () =>
  command('context', 'the packed context for a task')
    .argument('<task>', 'what is to be done')
    .option('--task-type <type>', taskTypes.join(', '), 'SelfImprovement')
    .option('--budget <tokens>', 'context window in tokens')
    .action(async (task: string, options: ContextOptions) => {
      const taskType = taskTypes.find((known) => known.toLowerCase() === options.taskType.toLowerCase());
      if (!taskType) throw new SelfwareError('usage', `--task-type is one of ${taskTypes.join(', ')}.`);
      const budget = options.budget === undefined ? undefined : Number(options.budget);
      if (budget !== undefined && (!Number.isInteger(budget) || budget < 1)) throw new SelfwareError('usage', '--budget takes a whole number of tokens.');
      await withSession(options, async ({ session, signal, report, json, out, outJson }) => {
        await session.index({ signal, report });
        const pack = await session.context({ task, taskType, ...(budget === undefined ? {} : { budget }) }, signal);
        if (json) return outJson(pack);
        out(`${number(pack.tokens)} of ${number(pack.budgetTokens)} tokens`);
        for (const [layer, { tokens, budget: share }] of Object.entries(pack.layers)) out(`  ${layer.padEnd(10)} ${number(tokens)} of ${number(share)}`);
        for (const item of pack.items) out(`${item.resolution.padEnd(10)} ${String(item.tokens).padStart(7)}  ${item.path}${item.symbol ? ` ${item.symbol}` : ''}`);
      });
    });
