// Reads, writes and switches the rules that agents and people write down for a repository (`selfware rules`).

import { SelfwareError } from '../../../util/typedError.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import { addViolations } from '../../learn/ruleViolations.ts';
import { foldRuleBook, type WrittenRule } from '../../learn/ruleBook.ts';
import { explainRefusedText } from '../../learn/checkRuleText.ts';
import { renderRules, formatRuleLine } from '../../learn/renderRules.ts';
import { normalisePlace, explainRefusedPlace } from '../../learn/rulePlace.ts';
import { selectRules, type RoutedTask } from '../../learn/ruleRoutes.ts';
import { TEMPLATE_VERSION, findNewTemplates } from '../../learn/ruleTemplates.ts';
import { RULE_FILES, type RuleEvent, type RuleState } from '../../model/feedback.ts';
import type { Millis } from '../../model.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';
import { explainEnforcedRule, hintEnforcedRule } from './enforcedRules.ts';
import type { NewRule, RuleText } from './learnTypes.ts';
import { readEvents } from './lessonEvidence.ts';
import { DECISION_EVENT_TYPES, findPersonDecisions } from './personDecisions.ts';
import { writeRuleNote } from './ruleNotes.ts';

/** The types of events about rules. */
const RULE_EVENTS = ['ruleWritten', 'ruleSwitched', 'ruleTried', 'broughtRules'] as const;
/** An event about a rule, with its place in the ledger. */
type RecordedRuleEvent = RuleEvent & { readonly at: Millis; readonly sequence: number };

/** The events about rules, oldest first; in an unattended run, those in the ledger of the repository. */
export async function readRuleEvents({
  ledger,
  repositoryLedger,
}: SessionContext): Promise<readonly RecordedRuleEvent[]> {
  return readEvents(await (repositoryLedger ?? ledger).query({ types: RULE_EVENTS })) as readonly RecordedRuleEvent[];
}

/** All rules, including removed ones; in an unattended run, those in the ledger of the repository. */
export async function readAllRules(context: SessionContext): Promise<readonly WrittenRule[]> {
  const rules = foldRuleBook(await readRuleEvents(context));
  if (!rules.some(({ onSince }) => onSince !== null)) return rules;
  const events = await (context.repositoryLedger ?? context.ledger).query({ types: DECISION_EVENT_TYPES });
  return addViolations(rules, findPersonDecisions(readEvents(events)));
}

/** The rules of one file, and the version of the file. Throws `usage` for an unknown file. */
export async function readRules(context: SessionContext, name: string): Promise<RuleText> {
  const file = RULE_FILES.find((candidate) => candidate === name.toUpperCase().replace(/\.MD$/, ''));
  if (!file)
    throw new SelfwareError('usage', `There are no rules named ${name}.`, {
      action: `Name one of: ${RULE_FILES.join(', ')}.`,
    });
  const rules = (await readAllRules(context)).filter((rule) => rule.file === file);
  return { file, version: await context.ledger.ruleVersion(file), text: renderRules(rules, file), rules };
}

/**
 * Adds a rule. If an earlier rule has the same text, that rule gets another date instead. A rule by an agent is off
 * until a person switches it on. If the configuration of the repository enforces a rule by a person, the answer has a
 * hint. Throws `usage` for an invalid text or place, for a rule by an agent that the configuration enforces, and for
 * events that do not exist, and `stale` if `version` is not the current version of the file.
 */
export async function writeRule(context: SessionContext, rule: NewRule): Promise<RuleText> {
  const { file, version, by, events, place } = rule;
  const text = escapeInvisibleLine(rule.text.replace(/\s+/g, ' ').trim());
  const refusalReason =
    explainRefusedText(rule.text) ??
    (place === undefined ? null : explainRefusedPlace(place)) ??
    (by === 'person' ? null : await explainEnforcedRule(context, rule.text));
  if (refusalReason) throw new SelfwareError('usage', refusalReason);
  await requireEvents(context, by, events);
  const id = context.ports.ids.next('rule');
  await context.ledger.record({
    type: 'ruleWritten',
    data: {
      file,
      rule: id,
      text,
      by,
      version,
      events,
      ...(place === undefined ? {} : { place: normalisePlace(place) ?? '.' }),
    },
  });
  const writtenRules = await readRules(context, file);
  const ruleEvents = await readRuleEvents(context);
  // Redaction may have changed the text, and an earlier rule with the same words keeps its id.
  const lastWriting = ruleEvents.findLast((event) => event.type === 'ruleWritten' && event.data.rule === id);
  const lastText = lastWriting?.type === 'ruleWritten' ? lastWriting.data.text : null;
  const changedRule = writtenRules.rules.findLast(
    (candidate) => candidate.id === id || candidate.words.at(-1) === lastText,
  );
  if (changedRule?.state === 'on') await writeRuleNote(context, changedRule, ruleEvents);
  const hint = by === 'person' ? await hintEnforcedRule(context, rule.text) : null;
  return hint === null ? writtenRules : { ...writtenRules, hint };
}

/**
 * Adds the shipped templates that were not added before, switched on. Call this for a person only. Returns the added
 * rules.
 */
export async function addShippedRules(context: SessionContext): Promise<readonly WrittenRule[]> {
  const addedRules = findNewTemplates(await readAllRules(context));
  const ids = new Set<string>();
  for (const { file, text } of addedRules) {
    const id = context.ports.ids.next('rule');
    const version = await context.ledger.ruleVersion(file);
    await context.ledger.record({
      type: 'ruleWritten',
      data: { file, rule: id, text, by: 'person', version, events: [], template: TEMPLATE_VERSION },
    });
    ids.add(id);
  }
  const rules = (await readAllRules(context)).filter(({ id }) => ids.has(id));
  const events = await readRuleEvents(context);
  for (const rule of rules) await writeRuleNote(context, rule, events);
  return rules;
}

/**
 * The rule whose id ends with `id`; removed rules do not count. Throws `notFound` if there is none or more than one.
 */
export async function requireRule(context: SessionContext, id: string): Promise<WrittenRule> {
  const matches = (await readAllRules(context)).filter((rule) => rule.state !== 'removed' && rule.id.endsWith(id));
  const [rule] = matches;
  if (!rule || matches.length > 1 || id === '')
    throw new SelfwareError('notFound', `There is no single rule ${id}.`, { action: 'Run `selfware rules list`.' });
  return rule;
}

/**
 * Switches a rule on or off, or removes it. `id` may be the end of an id. Call this for a person, or with `trial` to
 * switch off a rule that a trial found harmful. Throws `notFound` for an unknown rule.
 */
export async function switchRule(
  context: SessionContext,
  id: string,
  state: RuleState,
  by: 'person' | 'trial' = 'person',
): Promise<WrittenRule> {
  const rule = { ...(await requireRule(context, id)), state };
  await context.ledger.record({ type: 'ruleSwitched', data: { rule: rule.id, state, by } });
  await writeRuleNote(context, rule, await readRuleEvents(context), by);
  context.emit({ type: 'status' });
  return rule;
}

/** The rules for a question about the task, one line each. */
export async function describeRules(context: SessionContext, task: RoutedTask): Promise<readonly string[]> {
  const rules = await fallBackIfDamaged<readonly WrittenRule[]>(context, [], () => readAllRules(context));
  return selectRules(rules, task).map(formatRuleLine);
}

/** Throws `usage` if an agent names no events, or if an event does not exist. */
async function requireEvents(
  { ledger }: SessionContext,
  author: NewRule['by'],
  events: readonly number[],
): Promise<void> {
  if (events.length === 0) {
    if (author === 'person') return;
    throw new SelfwareError('usage', 'A rule needs the events that show it.', {
      action: 'Take them from the findings of `feedback analyze`.',
    });
  }
  const firstSequence = Math.min(...events);
  const existingSequences = new Set((await ledger.query({ after: firstSequence - 1 })).map(({ sequence }) => sequence));
  const missing = events.filter((sequence) => !existingSequences.has(sequence));
  if (missing.length > 0)
    throw new SelfwareError('usage', `The ledger has no event ${missing.join(', ')}.`, {
      action: 'Take the events from the findings of `feedback analyze`.',
    });
}
