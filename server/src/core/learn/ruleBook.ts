// Folds the ledger into the rules of a repository. Agents only add rules; a person may also remove them. A rule that is
// written again was broken again, and gets another date.

import type { RuleEvent, RuleFile, RuleState } from '../model/feedback.ts';
import type { Millis } from '../model.ts';
import { isoDay } from '../../util/isoDay.ts';

export interface WrittenRule {
  readonly id: string;
  readonly file: RuleFile;
  readonly text: string;
  readonly by: 'person' | 'agent';
  readonly state: RuleState;
  /** When it was written, and when it was broken again; oldest first. */
  readonly dates: readonly Millis[];
  /** Sequences of events in the ledger that show that the rule is needed. */
  readonly events: readonly number[];
}

type Timed = RuleEvent & { readonly at: Millis };

/** The rules in the order in which they were first written, removed ones included. */
export function ruleBookOf(events: readonly Timed[]): readonly WrittenRule[] {
  const rules = new Map<string, WrittenRule>();
  for (const event of events) {
    if (event.type === 'ruleSwitched') {
      const known = rules.get(event.data.rule);
      if (known) rules.set(known.id, { ...known, state: event.data.state });
      continue;
    }
    const { file, rule: id, text, by, events: shown } = event.data;
    const known = [...rules.values()].find(
      (one) => one.state !== 'removed' && one.file === file && haveSameWords(one.text, text),
    );
    if (known) {
      const state = by === 'person' ? 'on' : known.state;
      // A person's words take precedence, whoever wrote the rule first.
      const words = by === 'person' ? { text, by } : {};
      rules.set(known.id, {
        ...known,
        ...words,
        state,
        dates: [...known.dates, event.at],
        events: [...known.events, ...shown],
      });
    } else
      rules.set(id, { id, file, text, by, state: by === 'person' ? 'on' : 'off', dates: [event.at], events: shown });
  }
  return [...rules.values()];
}

/** The file as Markdown: rules that are on, with the dates of those that were broken again. */
export function renderRules(rules: readonly WrittenRule[], file: RuleFile): string {
  const shown = rules.filter((rule) => rule.file === file && rule.state === 'on');
  return `# ${file}\n\n${shown.map((rule) => `- ${ruleLine(rule)}\n`).join('')}`;
}

/** The text of a rule, with how often it was broken and when. */
export function ruleLine({ text, dates }: Pick<WrittenRule, 'text' | 'dates'>): string {
  if (dates.length < 2) return text;
  const days = dates.map(isoDay);
  return `${text} (Broken again; noted ${dates.length} times: ${[...new Set(days)].join(', ')}.)`;
}

/** Minimum and maximum numbers of characters of a rule. Shorter texts say nothing. */
const MIN_CHARACTERS = 15;
const MAX_CHARACTERS = 400;

/** Why a text is not a rule, as a sentence; null if it is one. */
export function reasonToRefuse(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length < MIN_CHARACTERS) return `A rule has at least ${MIN_CHARACTERS} characters.`;
  if (trimmed.length > MAX_CHARACTERS)
    return `A rule has at most ${MAX_CHARACTERS} characters. Say what to do, in one or two sentences.`;
  if (isLog(trimmed)) return 'This is the output of a failure, not a rule. Say what to do instead.';
  return null;
}

/** Matches the beginnings of lines in logs. */
const LOGGED =
  /^(?:\[?\d{4}-\d\d-\d\dT\d\d:|Traceback \(most recent|[A-Z]?[a-z]{0,20}Error: |(?:ERROR|WARN|FATAL)\b|[{[])/;

/** True for stack traces, lines of logs, and dumps of data. */
function isLog(text: string): boolean {
  return text
    .split('\n')
    .map((line) => line.trim())
    .some((line) => LOGGED.test(line) || (line.startsWith('at ') && /:\d{1,9}:\d{1,9}\)?$/.test(line)));
}

function haveSameWords(one: string, other: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[.,;:!?](?=\s|$)/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  return plain(one) === plain(other);
}
