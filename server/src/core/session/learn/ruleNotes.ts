// Writes the rules to text files in the state folder, for people to read. The ledger decides what the rules are.

import { formatIsoDay } from '../../../util/isoDay.ts';
import { describeError } from '../../../util/typedError.ts';
import { formatImprovements } from '../../learn/improvements.ts';
import type { WrittenRule } from '../../learn/ruleBook.ts';
import type { RuleEvent } from '../../model/feedback.ts';
import type { Millis } from '../../model.ts';
import { notify, type SessionContext } from '../context.ts';

/**
 * The text between the day and the rule in the line `- Off since DAY…RULE`, which is about a rule that a trial has
 * switched off.
 */
const TRIAL_WORDS = ', because a trial found that it makes answers worse: ';
/** Number of newest days whose files of improvements are updated. */
const MAX_DAYS = 31;

/** An event about a rule, with its place in the ledger. */
type RecordedRuleEvent = RuleEvent & { readonly at: Millis; readonly sequence: number };

/**
 * Updates the file of a rule, and the files of improvements. If the rule is on, adds its line, or replaces the line
 * with its earlier wording. If a person has switched it off or removed it, removes the line. If a trial has switched it
 * off, adds a line about that. Other lines stay. A failed write only adds a notice, because the rule itself is in the
 * ledger. `events`: all events about rules, from which the improvements are read.
 */
export async function writeRuleNote(
  context: SessionContext,
  rule: WrittenRule,
  events: readonly RecordedRuleEvent[],
  by: 'person' | 'trial' = 'person',
): Promise<void> {
  const { notes, clock } = context.ports;
  if (!notes) return;
  try {
    const name = `${rule.file}.md`;
    const before = (await notes.read(name)) ?? `# ${rule.file}\n\n`;
    const after = updateLinesOfRule(before, rule, by === 'trial' ? formatIsoDay(clock.now()) : null);
    if (after !== before) await notes.write(name, after);
    await writeImprovementNotes(context, events);
  } catch (error) {
    notify(context, {
      severity: 'warning',
      message: `The files of rules could not be written: ${describeError(error)}`,
      action: 'The rules themselves are in the ledger. Check the state folder: `selfware doctor`.',
    });
  }
}

/** The new text of the file. `failedOn`: the day on which a trial switched the rule off; null for other changes. */
function updateLinesOfRule(
  before: string,
  { state, text, words }: Pick<WrittenRule, 'state' | 'text' | 'words'>,
  failedOn: string | null,
): string {
  const line = `- ${text}`;
  // A rule that was worded differently, such as in another case, is still one rule with one line.
  const linesOfRule = new Set([text, ...words].map((otherText) => `- ${otherText}`));
  const lines = before.split('\n');
  const addLine = (newLine: string) => `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${newLine}\n`;
  if (state === 'on') {
    const current = lines.filter((candidate) => !isAboutTrial(candidate, text));
    const index = current.findIndex((candidate) => linesOfRule.has(candidate));
    if (index < 0 && current.length === lines.length) return addLine(line);
    if (index < 0) return updateLinesOfRule(current.join('\n'), { state, text, words }, null);
    return current
      .flatMap((candidate, lineIndex) => (lineIndex === index ? [line] : linesOfRule.has(candidate) ? [] : [candidate]))
      .join('\n');
  }
  if (failedOn !== null) return addLine(`- Off since ${failedOn}${TRIAL_WORDS}${text}`);
  return lines.filter((candidate) => !linesOfRule.has(candidate)).join('\n');
}

/** True for a line about a trial that has switched this rule off. */
function isAboutTrial(line: string, text: string): boolean {
  return line.startsWith('- Off since ') && line.endsWith(`${TRIAL_WORDS}${text}`);
}

/** Writes the improvements of the newest days, one file per day. */
async function writeImprovementNotes(
  { ports: { notes } }: SessionContext,
  events: readonly RecordedRuleEvent[],
): Promise<void> {
  const improvements = [...formatImprovements(events)];
  const generatedLines = new Set(improvements.flatMap(([, text]) => text.split('\n')));
  const days = improvements.slice(-MAX_DAYS);
  for (const [index, [day, text]] of days.entries()) {
    const name = index === days.length - 1 ? 'improvements.md' : `history/${day}.md`;
    const before = await notes!.read(name);
    const after = text + collectAddedLines(before ?? '', generatedLines);
    if (before !== after) await notes!.write(name, after);
  }
}

/**
 * The lines that a person has added to a file, so that they can be appended again; empty if there are none.
 * `generatedLines`: all lines by Selfware.
 */
function collectAddedLines(text: string, generatedLines: ReadonlySet<string>): string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !generatedLines.has(line));
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}
