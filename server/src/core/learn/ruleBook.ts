// Folds the ledger into the rules of a repository. Agents can only add rules; a person can also remove them. Writing a
// rule again while it is on means that it was not followed; the date is added.

import type { RuleEvent, RuleFile, RuleState, RuleTrial } from '../model/feedback.ts';
import type { Millis } from '../model.ts';
import { counted } from '../../util/counted.ts';
import { isoDay } from '../../util/isoDay.ts';
import { normalisePlace } from './rulePlace.ts';

/** A correction by a person although the rule was on: the sequence of the event in the ledger, and its time. */
export interface Violation {
  readonly sequence: number;
  readonly at: Millis;
}

/** A rule that was written for the repository, with its history. */
export interface WrittenRule {
  readonly id: string;
  readonly file: RuleFile;
  readonly text: string;
  readonly by: 'person' | 'agent';
  readonly state: RuleState;
  /** True if a person has written it or has switched it on or off. */
  readonly decided: boolean;
  /** The time at which it was first written, and each time that it was written again while it was on; oldest first. */
  readonly dates: readonly Millis[];
  /** Sequences of the events in the ledger for which the rule was written. */
  readonly events: readonly number[];
  /** The file or folder that it applies to; null for the whole repository. */
  readonly place: string | null;
  /** The version of the templates that it comes from; null if it comes from none. */
  readonly template: number | null;
  /** All texts with which it was written, oldest first. */
  readonly words: readonly string[];
  /** Sequence of the event that switched it on; null while it is off. */
  readonly onSince: number | null;
  /** Corrections that were made while it was on, oldest first (`brokenRules.ts`). */
  readonly broken: readonly Violation[];
  /** The newest trial; null if there was none. */
  readonly trial: RuleTrial | null;
}

/** An event about a rule, with its time and its sequence in the ledger. */
type Timed = RuleEvent & { readonly at: Millis; readonly sequence: number };

/** Maximum number of corrections whose dates a rule names. */
const MAX_NAMED = 5;

/** Minimum number of characters of a rule. A shorter text is not specific enough. */
const MIN_CHARACTERS = 15;

/** Maximum number of characters of a rule, because every question contains all rules. */
const MAX_CHARACTERS = 400;

/** Matches beginnings of lines that occur in logs and dumps. */
const LOG_LINE =
  /^(?:\[?\d{4}-\d\d-\d\dT\d\d:|Traceback \(most recent|[A-Z]?[a-z]{0,20}Error: |(?:ERROR|WARN|FATAL)\b|[{[])/;

/** The rules in the order in which they were first written, removed ones included. */
export function ruleBookOf(events: readonly Timed[]): readonly WrittenRule[] {
  const rules = new Map<string, WrittenRule>();
  for (const event of events) {
    if (event.type === 'ruleWritten') addRule(rules, event);
    else if (event.type !== 'broughtRules') {
      const rule = rules.get(event.data.rule);
      if (!rule) continue;
      const { sequence } = event;
      rules.set(
        rule.id,
        event.type === 'ruleTried'
          ? { ...rule, trial: event.data }
          : {
              ...rule,
              state: event.data.state,
              decided: rule.decided || event.data.by !== 'trial',
              onSince: sequenceSwitchedOn(rule, event.data.state, sequence),
            },
      );
    }
  }
  return [...rules.values()];
}

type Written = Extract<Timed, { readonly type: 'ruleWritten' }>;

/** Adds a new rule, or updates the rule of the same file with the same words. A person's rule is on. */
function addRule(rules: Map<string, WrittenRule>, { data, at, sequence }: Written): void {
  const { file, rule: id, text, by, events: shown, template = null } = data;
  const place = normalisePlace(data.place ?? '.');
  const existingRule = [...rules.values()].find(
    (rule) => rule.state !== 'removed' && rule.file === file && haveSameWords(rule.text, text),
  );
  if (!existingRule) {
    const state = by === 'person' ? 'on' : 'off';
    const since = state === 'on' ? sequence : null;
    const initialHistory = { broken: [], trial: null, words: [text], onSince: since };
    const decided = by === 'person';
    rules.set(id, { id, file, text, by, state, decided, dates: [at], events: shown, place, template, ...initialHistory });
    return;
  }
  const state = by === 'person' ? 'on' : existingRule.state;
  // A person's text and place take precedence, whoever wrote the rule first.
  const personsUpdate = by === 'person' ? { text, by, ...(data.place === undefined ? {} : { place }) } : {};
  // While the rule was off, no question contained it, so it was not violated.
  const dates = existingRule.state === 'on' ? [...existingRule.dates, at] : existingRule.dates;
  rules.set(existingRule.id, {
    ...existingRule,
    ...personsUpdate,
    state,
    decided: existingRule.decided || by === 'person',
    words: [...existingRule.words, text],
    onSince: sequenceSwitchedOn(existingRule, state, sequence),
    dates,
    events: [...existingRule.events, ...shown],
  });
}

/** Sequence of the event that switched on a rule that has this state now; null if it is not on. */
function sequenceSwitchedOn({ onSince: since }: WrittenRule, state: RuleState, sequence: number): number | null {
  return state === 'on' ? (since ?? sequence) : null;
}

/** True for a rule of an agent that is off and on which no person has decided. */
export function waitsForPerson({ state, decided }: WrittenRule): boolean {
  return state === 'off' && !decided;
}

/** The file as Markdown: rules that are on, with the dates of repeated violations. */
export function renderRules(rules: readonly WrittenRule[], file: RuleFile): string {
  const activeRules = rules.filter((rule) => rule.file === file && rule.state === 'on');
  return `# ${file}\n\n${activeRules.map((rule) => `- ${ruleLine(rule)}\n`).join('')}`;
}

/** The parts of a rule that are printed in its line. */
type ShownRule = Pick<WrittenRule, 'text' | 'place' | 'dates' | 'broken'>;

/** One line: the text of a rule with its place, and the number and dates of its repetitions and violations. */
export function ruleLine({ text, place, dates, broken }: ShownRule): string {
  const placeText = place === null ? '' : ` (About ${place}.)`;
  const days = [...new Set(dates.map(isoDay))].join(', ');
  const repetitionNote = dates.length < 2 ? '' : ` (Broken again; noted ${dates.length} times: ${days}.)`;
  if (broken.length === 0) return text + placeText + repetitionNote;
  const times = [...new Set(broken.slice(-MAX_NAMED).map(({ at }) => isoDay(at)))].join(', ');
  const timesText = broken.length === 1 ? 'once' : counted(broken.length, 'time');
  return `${text}${placeText}${repetitionNote} (Important: corrected ${timesText} although this rule was on: ${times}.)`;
}

/** The reason why a text is not a rule, as a sentence; null if it is one. */
export function reasonToRefuse(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length < MIN_CHARACTERS) return `A rule has at least ${MIN_CHARACTERS} characters.`;
  if (trimmed.length > MAX_CHARACTERS)
    return `A rule has at most ${MAX_CHARACTERS} characters. Say what to do, in one or two sentences.`;
  if (isLog(trimmed)) return 'This is the output of a failure, not a rule. Say what to do instead.';
  return null;
}

/** True for stack traces, lines of logs, and dumps of data. */
function isLog(text: string): boolean {
  return text
    .split('\n')
    .map((line) => line.trim())
    .some((line) => LOG_LINE.test(line) || (line.startsWith('at ') && /:\d{1,9}:\d{1,9}\)?$/.test(line)));
}

/** True if two texts differ only in case, layout and punctuation. */
function haveSameWords(a: string, otherText: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[.,;:!?](?=\s|$)/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  return plain(a) === plain(otherText);
}
