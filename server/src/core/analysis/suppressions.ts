// Applies suppressions: comments in the code that hide opportunities, with a reason. They are applied after measuring,
// so they do not change the points.

import type { Opportunity, Range } from '../model.ts';
import { prependPlace } from './headline.ts';
import { RULE_IDS, rules } from './rules.ts';
import type { RuleId } from '../rules/allRules.ts';
import { sha256 } from '../../util/hash.ts';

/** One comment of the form `selfware-ignore…` in a file. */
export interface Suppression {
  readonly kind: 'line' | 'next-line' | 'file';
  /** Names of rules as written, including unknown ones. */
  readonly rules: readonly string[];
  /** The reason; null if there is none. A suppression without a reason has no effect. */
  readonly reason: string | null;
  /**
   * The lines (1-based) to which it applies: several if there are decorators above the code; null for the whole file,
   * and if no code follows.
   */
  readonly target: { readonly from: number; readonly to: number } | null;
  /** False for a suppression of the whole file that is below code. */
  readonly isPlacedCorrectly: boolean;
  /** True if nothing else is on its line. */
  readonly isAloneOnLine: boolean;
  readonly range: Range;
  readonly text: string;
  /** Position (from 0) among the suppressions with the same text in the file. */
  readonly ordinal: number;
}

/** An opportunity that a suppression hides. */
export interface SuppressedOpportunity {
  readonly opportunity: Opportunity;
  readonly reason: string;
  /** Line (1-based) of the comment. */
  readonly line: number;
}

/** Rules about suppressions themselves, which no suppression hides. */
const RULES_ABOUT_SUPPRESSIONS: ReadonlySet<string> = new Set<RuleId>([
  'suppression-without-reason',
  'unused-suppression',
]);
/** All other rules, which a suppression can hide. */
const SUPPRESSIBLE_RULES: ReadonlySet<string> = new Set(RULE_IDS.filter((id) => !RULES_ABOUT_SUPPRESSIONS.has(id)));

/** Splits the opportunities of one file into those that stay and those that its comments suppress. */
export function applySuppressions(
  opportunities: readonly Opportunity[],
  suppressions: readonly Suppression[],
): { readonly opportunities: Opportunity[]; readonly suppressed: SuppressedOpportunity[] } {
  const validSuppressions = suppressions.filter(isValid);
  const visible: Opportunity[] = [];
  const suppressed: SuppressedOpportunity[] = [];
  for (const opportunity of opportunities) {
    const suppression = RULES_ABOUT_SUPPRESSIONS.has(opportunity.rule)
      ? undefined
      : validSuppressions.find((candidate) => appliesTo(candidate, opportunity));
    if (suppression)
      suppressed.push({ opportunity, reason: suppression.reason ?? '', line: suppression.range.startLine });
    else visible.push(opportunity);
  }
  return { opportunities: visible, suppressed };
}

/**
 * Opportunities about suppressions that cannot work: they lack a reason or a rule, name an unknown rule, or are in the
 * wrong place.
 */
export function findMisusedSuppressions(path: string, suppressions: readonly Suppression[]): Opportunity[] {
  return suppressions.flatMap((suppression) => {
    const opportunities: Opportunity[] = [];
    if (suppression.reason === null)
      opportunities.push(
        createOpportunity(
          path,
          suppression,
          'suppression-without-reason',
          suppression.rules,
          'a suppression without a reason does nothing: say why after a colon, as in `selfware-ignore RULE: reason`.',
        ),
      );
    const misuse = explainMisuse(suppression);
    if (misuse !== null)
      opportunities.push(createOpportunity(path, suppression, 'unused-suppression', suppression.rules, misuse));
    return opportunities;
  });
}

/**
 * Opportunities about suppressions that are valid but hide nothing. Only rules that have run on the file, for which
 * `isDecided` is true, are judged. `suppressed`: the opportunities that suppressions hide.
 */
export function findUnusedSuppressions(
  path: string,
  suppressions: readonly Suppression[],
  suppressed: readonly SuppressedOpportunity[],
  isDecided: (rule: string) => boolean,
): Opportunity[] {
  return suppressions.flatMap((suppression) => {
    if (!isValid(suppression)) return [];
    const idleRules = suppression.rules.filter(
      (rule) =>
        SUPPRESSIBLE_RULES.has(rule) &&
        isDecided(rule) &&
        !suppressed.some(({ opportunity }) => opportunity.rule === rule && appliesTo(suppression, opportunity)),
    );
    if (idleRules.length === 0) return [];
    const hint =
      suppression.kind === 'line' && suppression.isAloneOnLine
        ? ' It speaks of its own line; `selfware-ignore-next-line` speaks of the next.'
        : '';
    return [
      createOpportunity(
        path,
        suppression,
        'unused-suppression',
        idleRules,
        `a suppression of ${idleRules.join(' and ')} hides nothing.${hint}`,
      ),
    ];
  });
}

/** The error of a suppression other than a missing reason, as a sentence; null if there is none. */
function explainMisuse({ rules: names, isPlacedCorrectly }: Suppression): string | null {
  if (names.length === 0) return 'a suppression names no rule.';
  const unknownNames = names.filter((name) => !SUPPRESSIBLE_RULES.has(name));
  const [ruleAboutSuppressions] = unknownNames.filter((name) => RULES_ABOUT_SUPPRESSIONS.has(name));
  if (ruleAboutSuppressions !== undefined)
    return `${ruleAboutSuppressions} cannot be suppressed; switch it off in the settings.`;
  if (unknownNames.length > 0)
    return `a suppression names a rule that is not there: ${unknownNames.map((name) => `${name}${chooseSuggestion(name)}`).join(', nor ')}.`;
  return isPlacedCorrectly ? null : 'a suppression of a whole file works only above its code.';
}

function isValid({ rules: names, reason, isPlacedCorrectly }: Suppression): boolean {
  return reason !== null && isPlacedCorrectly && names.length > 0;
}

function appliesTo({ kind, rules: names, target }: Suppression, { rule, range, nameRange }: Opportunity): boolean {
  if (!names.includes(rule)) return false;
  return (
    kind === 'file' ||
    (target !== null && [range.startLine, nameRange.startLine].some((line) => target.from <= line && line <= target.to))
  );
}

/**
 * A suggestion, in parentheses, of the known rule that shares the most words with an unknown name; empty if none shares
 * a word.
 */
function chooseSuggestion(name: string): string {
  const words = new Set(name.split('-'));
  const [best] = [...SUPPRESSIBLE_RULES]
    .map((rule) => ({ rule, alike: rule.split('-').filter((word) => words.has(word)).length }))
    .filter(({ alike: sharedWords }) => sharedWords > 0)
    .sort((a, b) => b.alike - a.alike || a.rule.length - b.rule.length);
  return best ? ` (${best.rule}?)` : '';
}

/** An opportunity about a suppression. `ruleNames`: the names of the rules that it is about. */
function createOpportunity(
  path: string,
  { range, text, ordinal }: Suppression,
  rule: RuleId,
  ruleNames: readonly string[],
  message: string,
): Opportunity {
  const id = sha256([rule, path, text, ordinal, ...ruleNames].join('\0')).slice(0, 20);
  const severity = rules.find((candidate) => candidate.id === rule)?.severity ?? 'hint';
  return {
    id,
    rule,
    path,
    range,
    nameRange: range,
    symbol: null,
    severity,
    impact: 5,
    confidence: 0.9,
    message: prependPlace(message, { symbol: null, path }),
    evidence: { rules: ruleNames.join(', ') },
    recipe: null,
  };
}
