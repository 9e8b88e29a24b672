// Folds the ledger into the rules of a repository. Agents can only add rules; a person can also remove them. If a rule
// is written again while it is on, it was not followed, and the date is added to it.

import type { RuleEvent, RuleFile, RuleState, RuleTrial } from '../model/feedback.ts';
import type { Millis } from '../model.ts';
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
  /** Corrections that were made while it was on, oldest first (`ruleViolations.ts`). */
  readonly broken: readonly Violation[];
  /** The newest trial; null if there was none. */
  readonly trial: RuleTrial | null;
  /** Set if there was more than one trial. */
  readonly isTriedAgain?: true;
}

/** An event about a rule, with its time and its sequence in the ledger. */
type RuleEventEntry = RuleEvent & { readonly at: Millis; readonly sequence: number };

/** The rules in the order in which they were first written, removed ones included. */
export function foldRuleBook(events: readonly RuleEventEntry[]): readonly WrittenRule[] {
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
          ? { ...rule, trial: event.data, ...(rule.trial === null ? {} : { isTriedAgain: true as const }) }
          : {
              ...rule,
              state: event.data.state,
              decided: rule.decided || event.data.by !== 'trial',
              onSince: computeOnSince(rule, event.data.state, sequence),
            },
      );
    }
  }
  return [...rules.values()];
}

type RuleWrittenEntry = Extract<RuleEventEntry, { readonly type: 'ruleWritten' }>;

/**
 * Adds a new rule, or updates the rule of the same file with the same words. A rule that a person writes is on; a new
 * rule of an agent is off.
 */
function addRule(rules: Map<string, WrittenRule>, { data, at, sequence }: RuleWrittenEntry): void {
  const { file, rule: id, text, by, events, template = null } = data;
  const isByPerson = by === 'person';
  const place = normalisePlace(data.place ?? '.');
  const existingRule = [...rules.values()].find(
    (rule) => rule.state !== 'removed' && rule.file === file && haveSameWords(rule.text, text),
  );
  if (!existingRule) {
    rules.set(id, {
      id,
      file,
      text,
      by,
      state: isByPerson ? 'on' : 'off',
      decided: isByPerson,
      dates: [at],
      events,
      place,
      template,
      broken: [],
      trial: null,
      words: [text],
      onSince: isByPerson ? sequence : null,
    });
    return;
  }
  const state = isByPerson ? 'on' : existingRule.state;
  // A person's text and place take precedence, whoever wrote the rule first.
  const personUpdate = isByPerson ? { text, by, ...(data.place === undefined ? {} : { place }) } : {};
  // While the rule was off, no question contained it, so it was not violated.
  const dates = existingRule.state === 'on' ? [...existingRule.dates, at] : existingRule.dates;
  rules.set(existingRule.id, {
    ...existingRule,
    ...personUpdate,
    state,
    decided: existingRule.decided || isByPerson,
    words: [...existingRule.words, text],
    onSince: computeOnSince(existingRule, state, sequence),
    dates,
    events: [...existingRule.events, ...events],
  });
}

/**
 * The new `onSince` of a rule after the event with this sequence, which gives it this state; null if the rule is not
 * on.
 */
function computeOnSince({ onSince: since }: WrittenRule, state: RuleState, sequence: number): number | null {
  return state === 'on' ? (since ?? sequence) : null;
}

/** True for a rule of an agent that is off and on which no person has decided. */
export function waitsForPerson({ state, decided }: WrittenRule): boolean {
  return state === 'off' && !decided;
}

/** True if two texts differ only in case, layout and punctuation. */
function haveSameWords(left: string, right: string): boolean {
  const normalise = (text: string) =>
    text
      .toLowerCase()
      .replace(/[.,;:!?](?=\s|$)/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  return normalise(left) === normalise(right);
}
