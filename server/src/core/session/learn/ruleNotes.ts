// Keeps the rules in text files of the state folder, for people to read. The ledger decides; a machine only adds lines.

import { isoDay } from '../../../util/isoDay.ts';
import { describeError } from '../../../util/typedError.ts';
import { improvementsOf } from '../../learn/improvements.ts';
import type { WrittenRule } from '../../learn/ruleBook.ts';
import type { RuleEvent } from '../../model/feedback.ts';
import type { Millis } from '../../model.ts';
import { notify, type SessionContext } from '../context.ts';

/** Number of newest days whose improvements are kept up to date. */
const MAX_DAYS = 31;

type Recorded = RuleEvent & { readonly at: Millis; readonly sequence: number };

/**
 * Writes the rule as it is now: a line is added for a rule that is on, and removed for one that a person has switched
 * off or removed. For one that a trial has switched off, a line is added that says so. Other lines stay. A failed write
 * is a notice, because the ledger has the rule.
 */
export async function noteRule(
  context: SessionContext,
  rule: WrittenRule,
  events: readonly Recorded[],
  by: 'person' | 'trial' = 'person',
): Promise<void> {
  const { notes, clock } = context.ports;
  if (!notes) return;
  try {
    const name = `${rule.file}.md`;
    const before = (await notes.read(name)) ?? `# ${rule.file}\n\n`;
    const after = changed(before, rule, by === 'trial' ? isoDay(clock.now()) : null);
    if (after !== before) await notes.write(name, after);
    await noteImprovements(context, events);
  } catch (error) {
    notify(context, {
      severity: 'warning',
      message: `The files of rules could not be written: ${describeError(error)}`,
      action: 'The rules themselves are in the ledger. Check the state folder: `selfware doctor`.',
    });
  }
}

/** `failedOn`: the day on which a trial has switched it off; null for other changes. */
function changed(before: string, { state, text }: WrittenRule, failedOn: string | null): string {
  const line = `- ${text}`;
  const lines = before.split('\n');
  const added = (one: string) => `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${one}\n`;
  if (state === 'on') return lines.includes(line) ? before : added(line);
  if (failedOn !== null)
    return added(`- Off since ${failedOn}, because a trial found that it makes answers worse: ${text}`);
  return lines.filter((one) => one !== line).join('\n');
}

async function noteImprovements({ ports: { notes } }: SessionContext, events: readonly Recorded[]): Promise<void> {
  const all = [...improvementsOf(events)];
  const own = new Set(all.flatMap(([, text]) => text.split('\n')));
  const days = all.slice(-MAX_DAYS);
  for (const [at, [day, text]] of days.entries()) {
    const name = at === days.length - 1 ? 'improvements.md' : `history/${day}.md`;
    const before = await notes!.read(name);
    const after = text + addedLines(before ?? '', own);
    if (before !== after) await notes!.write(name, after);
  }
}

/** The lines of a file that a person has added, for the end of it; empty if there are none. */
function addedLines(text: string, own: ReadonlySet<string>): string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !own.has(line));
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}
