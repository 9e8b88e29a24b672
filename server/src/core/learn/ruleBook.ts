// Folds the ledger into the rules of a repository. Agents can only add rules; a person can also remove them. If a rule
// is written again while it is on, it was broken, and gets another date.

import type { RuleEvent, RuleFile, RuleState, RuleTrial } from '../model/feedback.ts';
import type { Millis } from '../model.ts';
import { counted } from '../../util/counted.ts';
import { isoDay } from '../../util/isoDay.ts';
import { placeOf } from './rulePlace.ts';

/** A correction by a person although the rule was on: the event in the ledger, and its time. */
export interface Broken {
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
  /** True if a person has written or switched it. */
  readonly decided: boolean;
  /** When it was first written, and each time it was written again while it was on; oldest first. */
  readonly dates: readonly Millis[];
  /** Sequences of events in the ledger that show that the rule is needed. */
  readonly events: readonly number[];
  /** A file or folder that it is about; null = everywhere. */
  readonly place: string | null;
  /** The version of the templates that it comes from; null = none. */
  readonly template: number | null;
  /** All texts with which it was written, oldest first. */
  readonly words: readonly string[];
  /** Sequence of the event that switched it on; null while it is off. */
  readonly onSince: number | null;
  /** Corrections that came while it was on, oldest first (`brokenRules.ts`). */
  readonly broken: readonly Broken[];
  /** The newest trial; null = it was not tried. */
  readonly trial: RuleTrial | null;
}

/** An event about a rule, with its time and its sequence in the ledger. */
type Timed = RuleEvent & { readonly at: Millis; readonly sequence: number };

/** Maximum number of corrections whose dates a rule names. */
const MAX_NAMED = 5;

/** Minimum number of characters of a rule. A shorter text says too little. */
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
              onSince: onSince(rule, event.data.state, sequence),
            },
      );
    }
  }
  return [...rules.values()];
}

type Written = Extract<Timed, { readonly type: 'ruleWritten' }>;

/** Adds a rule that was written, or adds to a rule of the same file with the same words. A person's rule is on. */
function addRule(rules: Map<string, WrittenRule>, { data, at, sequence }: Written): void {
  const { file, rule: id, text, by, events: shown, template = null } = data;
  const place = placeOf(data.place ?? '.');
  const known = [...rules.values()].find(
    (one) => one.state !== 'removed' && one.file === file && haveSameWords(one.text, text),
  );
  if (!known) {
    const state = by === 'person' ? 'on' : 'off';
    const since = state === 'on' ? sequence : null;
    const nothingYet = { broken: [], trial: null, words: [text], onSince: since };
    const decided = by === 'person';
    rules.set(id, { id, file, text, by, state, decided, dates: [at], events: shown, place, template, ...nothingYet });
    return;
  }
  const state = by === 'person' ? 'on' : known.state;
  // A person's words and place take precedence, whoever wrote the rule first.
  const words = by === 'person' ? { text, by, ...(data.place === undefined ? {} : { place }) } : {};
  // While the rule was off, no question contained it, so it was not broken.
  const dates = known.state === 'on' ? [...known.dates, at] : known.dates;
  rules.set(known.id, {
    ...known,
    ...words,
    state,
    decided: known.decided || by === 'person',
    words: [...known.words, text],
    onSince: onSince(known, state, sequence),
    dates,
    events: [...known.events, ...shown],
  });
}

/** The sequence of the event since which a rule is on if it has this state now; null if it is not on. */
function onSince({ onSince: since }: WrittenRule, state: RuleState, sequence: number): number | null {
  return state === 'on' ? (since ?? sequence) : null;
}

/** True for a rule of an agent that is off and that no person has decided about. */
export function waitsForPerson({ state, decided }: WrittenRule): boolean {
  return state === 'off' && !decided;
}

/** The file as Markdown: rules that are on, with the dates of those that were broken again. */
export function renderRules(rules: readonly WrittenRule[], file: RuleFile): string {
  const shown = rules.filter((rule) => rule.file === file && rule.state === 'on');
  return `# ${file}\n\n${shown.map((rule) => `- ${ruleLine(rule)}\n`).join('')}`;
}

/** The parts of a rule that its line shows. */
type ShownRule = Pick<WrittenRule, 'text' | 'place' | 'dates' | 'broken'>;

/** One line: the text of a rule with its place, and how often and when it was written again and broken. */
export function ruleLine({ text, place, dates, broken }: ShownRule): string {
  const where = place === null ? '' : ` (About ${place}.)`;
  const days = [...new Set(dates.map(isoDay))].join(', ');
  const noted = dates.length < 2 ? '' : ` (Broken again; noted ${dates.length} times: ${days}.)`;
  if (broken.length === 0) return text + where + noted;
  const times = [...new Set(broken.slice(-MAX_NAMED).map(({ at }) => isoDay(at)))].join(', ');
  const said = broken.length === 1 ? 'once' : counted(broken.length, 'time');
  return `${text}${where}${noted} (Important: corrected ${said} although this rule was on: ${times}.)`;
}

/** Why a text is not a rule, as a sentence; null if it is one. */
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
function haveSameWords(one: string, other: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[.,;:!?](?=\s|$)/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  return plain(one) === plain(other);
}
