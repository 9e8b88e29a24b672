// Lists the rules of a repository as lessons , each with its origin and effects.

import { formatCount } from '../../../util/counted.ts';
import { sha256 } from '../../../util/hash.ts';
import type { RepositoryRuleFile } from '../../learn/repositoryRules.ts';
import type { Evidence } from '../../learn/lessons.ts';
import { waitsForPerson, type WrittenRule } from '../../learn/ruleBook.ts';
import { describeTrialState, formatRuleLine } from '../../learn/renderRules.ts';
import { isShownToModels } from '../../learn/ruleRoutes.ts';
import { findNewTemplates } from '../../learn/ruleTemplates.ts';
import type { SessionContext } from '../context.ts';
import { findRepositoryRuleFiles } from './repositoryRuleFiles.ts';
import type { KnownLesson } from './learnTypes.ts';
import { readAllRules } from './writtenRules.ts';

/** The state of a file of rules, in words for a person. */
const STATE_TEXTS: Readonly<Record<RepositoryRuleFile['state'], string>> = {
  on: 'on',
  off: 'off until you accept them',
  changed: 'off, because the text has changed since you accepted it',
  tooLong: 'off, because the text is too long',
};

/**
 * The written rules, without removed ones, and the files of rules in the repository. Does not walk the tree for these
 * files, because a view that is often refreshed calls this function.
 */
export async function listRuleLessons(context: SessionContext): Promise<readonly KnownLesson[]> {
  const rules = await readAllRules(context);
  const writtenRules = rules.filter(({ state }) => state !== 'removed');
  const newTemplateCount = rules.some(({ template }) => template !== null) ? findNewTemplates(rules).length : 0;
  return [
    ...writtenRules.map((rule) => createLessonOfRule(rule, newTemplateCount)),
    ...(await findRepositoryRuleFiles(context, true)).map(createLessonOfFile),
  ];
}

function createLessonOfRule(rule: WrittenRule, newLines: number): KnownLesson {
  const { id, file, state, dates, events, broken, by, template } = rule;
  const sequences = [...events, ...broken.map(({ sequence }) => sequence)];
  const origin = template !== null ? 'It comes from the shipped templates.' : `It was written by ${formatAuthor(by)}.`;
  return {
    id,
    kind: 'rule',
    rule: file,
    by: null,
    gate: null,
    finding: null,
    text: `Rule (${file}, ${state}, ${describeTrialState(rule)}): ${formatRuleLine(rule)}`,
    words: rule.text,
    count: dates.length + broken.length,
    last: broken.at(-1)?.at ?? dates.at(-1) ?? null,
    evidence: sequences.map((sequence): Evidence => createEvidence(sequence, file)),
    effects: [origin, describeEffect(rule), describeTrial(rule), ...describeNewTemplateLines(rule, newLines)],
    forgettable: true,
    ...(waitsForPerson(rule) ? { waits: true } : {}),
  };
}

function formatAuthor(author: WrittenRule['by']): string {
  return author === 'person' ? 'a person' : 'an agent';
}

/** The effect of a rule on models and agents, as a sentence. */
function describeEffect({ state, place }: WrittenRule): string {
  if (state !== 'on') return 'Nobody is told about it until you switch it on: `selfware rules on`.';
  return `Models and agents are told about it${place === null ? '' : ` when they work on ${place}`}.`;
}

/** The result of the rule's trial, as a sentence. */
function describeTrial({ file, trial }: WrittenRule): string {
  if (trial !== null) return `Tried with ${trial.proposer}: ${trial.reason}`;
  return isShownToModels({ file })
    ? 'It was not tried, so its effect is unknown: `selfware rules trial`.'
    : 'Only agents are told about it, so no trial can measure its effect.';
}

function describeNewTemplateLines({ template }: WrittenRule, newLines: number): readonly string[] {
  if (template === null || newLines === 0) return [];
  return [`The templates have ${formatCount(newLines, 'new line')}: \`selfware rules seed\`.`];
}

function createLessonOfFile({ path, text, hash, state, waits }: RepositoryRuleFile): KnownLesson {
  const lines = formatCount(text.split('\n').filter((line) => line.trim() !== '').length, 'line');
  return {
    // The id includes the path, because several files may have the same text.
    id: `b-${sha256(`${path}\n${hash}`).slice(0, 10)}`,
    kind: 'brought',
    rule: path,
    by: null,
    gate: null,
    finding: null,
    text: `${path} of this repository has ${lines} for models and agents (${state === 'off' && !waits ? 'kept off' : STATE_TEXTS[state]}).`,
    words: null,
    count: 1,
    last: null,
    evidence: [],
    effects: [
      state === 'on'
        ? 'Models and agents get this text as data. Another text is off again.'
        : `Selfware tells nobody about it. To accept it: \`selfware rules accept ${path}\`.`,
    ],
    forgettable: state === 'on' || state === 'changed',
    ...(waits ? { waits } : {}),
  };
}

/** Evidence that only names an event. */
function createEvidence(sequence: number, rule: string): Evidence {
  return {
    kind: 'corrected',
    sequence,
    at: null,
    rule,
    by: null,
    path: null,
    gate: null,
    finding: null,
    words: null,
    proposal: null,
    opportunity: null,
    replacedBy: null,
    diff: null,
  };
}
