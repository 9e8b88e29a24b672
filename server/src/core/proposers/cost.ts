// The cost of a proposal from a model: all attempts at its task, up to the answer that became the proposal.

import { counted } from '../../util/counted.ts';
import { thousands } from '../../util/thousands.ts';
import type { Cost, Usage } from '../model/asks.ts';
import type { AskEvent } from './accounts.ts';

/** Null: no model made the proposal. */
export function costOf(events: readonly AskEvent[], proposal: string): Cost | null {
  const answers = events.flatMap(({ answered }) => answered ?? []);
  const last = answers.findIndex((one) => one.proposal === proposal);
  if (last < 0) return null;
  const task = answers[last]!.task.id;
  // A later fresh start is about a later proposal.
  const answered = events.findIndex((event) => event.answered?.proposal === proposal);
  const fresh = events
    .slice(0, answered + 1)
    .findLastIndex(({ asked }) => asked?.task.id === task && asked.fresh === true);
  const since = new Set(events.slice(Math.max(0, fresh)).flatMap(({ asked }) => asked?.ask ?? []));
  const own = answers.slice(0, last + 1).filter((one) => one.task.id === task && since.has(one.ask));
  const usage = own.reduce(
    (sum, one) => ({
      input: sum.input + (one.usage?.input ?? 0),
      output: sum.output + (one.usage?.output ?? 0),
      cached: sum.cached + (one.usage?.cached ?? 0),
      estimated: sum.estimated || one.usage?.estimated !== false,
    }),
    { input: 0, output: 0, cached: 0, estimated: false } as Usage,
  );
  return { usage, attempts: own.length, models: [...new Set(own.flatMap(({ model }) => model ?? []))] };
}

/** One sentence for a person. */
export function costSentence({ usage, attempts, models }: Cost): string {
  const about = usage.estimated ? 'about ' : '';
  const by = models.length === 0 ? '' : ` by ${models.join(', ')}`;
  const asked = `${about}${thousands(usage.input)} tokens to ask and ${about}${thousands(usage.output)} to answer`;
  return `It took ${counted(attempts, 'attempt')}${by}: ${asked}.`;
}
