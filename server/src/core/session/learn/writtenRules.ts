// Reads, writes and switches the rules that agents and people write down for a repository (`selfware rules`).

import { SelfwareError } from '../../../util/typedError.ts';
import { visibleLine } from '../../../util/visible.ts';
import { reasonToRefuse, renderRules, ruleBookOf, ruleLine, type WrittenRule } from '../../learn/ruleBook.ts';
import { RULE_FILES, type RuleEvent, type RuleState } from '../../model/feedback.ts';
import type { Millis } from '../../model.ts';
import { unlessDamaged, type SessionContext } from '../context.ts';
import type { NewRule, RuleText } from './learned.ts';
import { readEvents } from './evidence.ts';

/** All rules, removed ones included. An unattended run reads those of the repository. */
export async function allRules({ ledger, teacher }: SessionContext): Promise<readonly WrittenRule[]> {
  const events = readEvents(await (teacher ?? ledger).query({ types: ['ruleWritten', 'ruleSwitched'] }));
  return ruleBookOf(events as readonly (RuleEvent & { readonly at: Millis })[]);
}

/** The rules of one file, with its version. Throws `usage` for an unknown file. */
export async function readRules(context: SessionContext, name: string): Promise<RuleText> {
  const file = RULE_FILES.find((known) => known === name.toUpperCase().replace(/\.MD$/, ''));
  if (!file)
    throw new SelfwareError('usage', `There are no rules named ${name}.`, {
      action: `Name one of: ${RULE_FILES.join(', ')}.`,
    });
  const rules = (await allRules(context)).filter((rule) => rule.file === file);
  return { file, version: await context.ledger.ruleVersion(file), text: renderRules(rules, file), rules };
}

/**
 * Adds a rule. If the text is that of an earlier rule, that rule was broken again. A rule by an agent stays off until a
 * person switches it on. Throws `usage` for a text that is not a rule and for events that do not exist, `stale` if the
 * file is not at this version.
 */
export async function writeRule(context: SessionContext, rule: NewRule): Promise<RuleText> {
  const { file, version, by, events } = rule;
  const text = visibleLine(rule.text.replace(/\s+/g, ' ').trim());
  const refused = reasonToRefuse(rule.text);
  if (refused) throw new SelfwareError('usage', refused);
  await requireEvents(context, by, events);
  const id = context.ports.ids.next('rule');
  await context.ledger.record({ type: 'ruleWritten', data: { file, rule: id, text, by, version, events } });
  return readRules(context, file);
}

/**
 * Switches a rule on or off, or removes it. `id` may be the end of one. Call this for a person only. Throws `notFound`.
 */
export async function switchRule(context: SessionContext, id: string, state: RuleState): Promise<WrittenRule> {
  const found = (await allRules(context)).filter((rule) => rule.state !== 'removed' && rule.id.endsWith(id));
  const [rule] = found;
  if (!rule || found.length > 1 || id === '')
    throw new SelfwareError('notFound', `There is no single rule ${id}.`, { action: 'Run `selfware rules list`.' });
  await context.ledger.record({ type: 'ruleSwitched', data: { rule: rule.id, state } });
  return { ...rule, state };
}

/** The rules that are switched on, one line each, for a question to a model. */
export async function rulesInWords(context: SessionContext): Promise<readonly string[]> {
  const rules = await unlessDamaged<readonly WrittenRule[]>(context, [], () => allRules(context));
  return rules.filter(({ state }) => state === 'on').map(ruleLine);
}

/** Throws `usage` if an agent names no events, or if an event does not exist. */
async function requireEvents({ ledger }: SessionContext, by: NewRule['by'], events: readonly number[]): Promise<void> {
  if (events.length === 0) {
    if (by === 'person') return;
    throw new SelfwareError('usage', 'A rule needs the events that show it.', {
      action: 'Take them from the findings of `feedback analyze`.',
    });
  }
  const firstSequence = Math.min(...events);
  const known = new Set((await ledger.query({ after: firstSequence - 1 })).map(({ sequence }) => sequence));
  const missing = events.filter((sequence) => !known.has(sequence));
  if (missing.length > 0)
    throw new SelfwareError('usage', `The ledger has no event ${missing.join(', ')}.`, {
      action: 'Take the events from the findings of `feedback analyze`.',
    });
}
