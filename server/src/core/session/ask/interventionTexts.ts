// Texts for a person about tasks on which every attempt of the proposers has failed.

import { checkLabel } from '../../../protocol/plainWords.ts';
import { formatCount } from '../../../util/counted.ts';
import { GATE_ORDER, type GateName } from '../../model/gates.ts';
import type { AskedTask, Intervention } from '../../model/asks.ts';

/** The kind of a failure: the gate that refused the change, or a step before the gates. */
export type Failure = GateName | 'proposer' | 'answer' | 'repetition' | 'process';

/** Texts about attempts that failed before the gates, by the kind of failure. */
const FAILURE_TEXTS: Readonly<Record<Exclude<Failure, GateName>, string>> = {
  proposer: 'there was no answer',
  answer: 'the answer held no edits that could be used',
  repetition: 'the answer repeated edits that had been refused',
  process: 'Selfware ended before the answer came',
};

/** Corrections that a person may make, by the kind of failure. Some gates suggest none. */
export const CORRECTION_BY_FAILURE: Partial<Readonly<Record<Failure, string>>> = {
  proposer: 'Tool: check whom you ask (`selfware models`), or name another proposer.',
  answer: 'Tool: ask a larger model, or raise models.replyTokens and models.contextTokens.',
  repetition: 'Tool: ask another model, which does not repeat itself.',
  process: 'Tool: look at the log. Memory may be short for this model or these tests.',
  syntax: 'Tool: ask a larger model.',
  charter: 'Rule: the change needs a protected file. Make it by hand, or change charter.protectedPaths.',
  integrity: 'Rule: the answers change what judges them. Change these tests or settings by hand first.',
  score: 'Rule: nothing gains points here. Dismiss the place if it is good as it is, or say in words what you want.',
  types: 'Context: say in words which types are meant.',
  tests: 'Context: say in words what has to stay, or add a test that shows what you want.',
  claim: 'Context: say what you want more exactly. The answer has to show it by a test.',
  differential: 'Context: say in words which behaviour may change.',
};

/** One paragraph for a person, without the corrections. */
export function interventionSentence({ task, attempts, learned }: Intervention): string {
  return `${formatTaskName(task)} waits for you after ${formatCount(attempts, 'attempt')}. ${learned.join(' ')}`;
}

/** A task in words, as the subject of a sentence. */
export function formatTaskName({ kind, path, id, words }: AskedTask): string {
  if (kind === 'tests') return `Tests for ${path}`;
  if (kind === 'fix') return id === 'fix ' ? 'The failing test' : `The failing test “${id.slice('fix '.length)}”`;
  if (kind === 'acceptance') return 'The acceptance test of a wish';
  if (kind === 'migration') return 'A migration';
  if (kind === 'speed' || kind === 'memory') return 'A bottleneck';
  if (kind === 'canary') return 'A task that cannot be solved';
  if (kind === 'request') return words === undefined ? 'A request in words' : `The request “${words}”`;
  return `The place in ${path}`;
}

/** The cause of an attempt's failure, as the end of a sentence. */
export function attemptFailureText(failure: Failure): string {
  return isGate(failure) ? `the check “${checkLabel(failure)}” refused it` : FAILURE_TEXTS[failure];
}

/** True for the name of a gate. */
export function isGate(name: string): name is GateName {
  return (GATE_ORDER as readonly string[]).includes(name);
}
