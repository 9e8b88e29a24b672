// Turns linter problems into opportunities: one per rule and file, because the fixer fixes them together.

import { headline } from '../../analysis/headline.ts';
import { hashOf } from '../../../util/hash.ts';
import type { Opportunity } from '../../model.ts';
import type { LinterKind } from '../../verify/detect/lintCommand.ts';
import { fixers, linterKinds } from '../../verify/linters/fixers.ts';
import type { LintFinding } from '../../verify/linters/findings.ts';
import type { SessionContext } from '../context.ts';
import { LINTER_FIX } from '../propose/claims.ts';
import { readFresh } from '../search/remembering.ts';

/** A team that configures a rule wants its findings fixed, and knows what its fixer does. */
const CONFIDENCE = 0.6;
/** Impact of the first finding, of each further one, and at most. It is below that of all rules that gain points. */
const IMPACT = { first: 4, more: 1, most: 12 } as const;

/**
 * Groups the findings into opportunities. Paths of the findings are relative to the root. Findings in files that cannot
 * be read are left out.
 */
export async function lintOpportunities(
  context: SessionContext,
  kind: LinterKind,
  findings: readonly LintFinding[],
): Promise<readonly Opportunity[]> {
  const groups = new Map<string, LintFinding[]>();
  for (const finding of findings) {
    const key = `${finding.path}\0${finding.rule}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  const made: Opportunity[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    const text = first && (await readFresh(context, first.path));
    if (first && typeof text === 'string') made.push(opportunityOf(kind, first, group, text));
  }
  return made;
}

/** Splits `lint/eslint/prefer-const` into the linter and its rule; null for one of our rules. */
export function linterRuleOf(rule: string): { readonly kind: LinterKind; readonly rule: string } | null {
  const [, named, name] = /^lint\/([a-z]+)\/(.+)$/.exec(rule) ?? [];
  const kind = linterKinds.find((one) => one === named);
  return kind && name ? { kind, rule: name } : null;
}

function opportunityOf(kind: LinterKind, first: LintFinding, group: readonly LintFinding[], text: string): Opportunity {
  const lines = text.split('\n');
  const rule = `lint/${kind}/${first.rule}`;
  // The id depends on the text of these lines, and not on their place.
  const lineTexts = group.map(({ line }) => (lines[line - 1] ?? '').trim()).sort();
  const range = {
    startLine: first.line,
    startColumn: first.column,
    endLine: first.endLine,
    endColumn: first.endColumn,
  };
  return {
    id: hashOf(new TextEncoder().encode(JSON.stringify([rule, first.path, lineTexts]))).slice(0, 16),
    rule,
    path: first.path,
    range,
    nameRange: range,
    symbol: null,
    severity: 'hint',
    impact: Math.min(IMPACT.most, IMPACT.first + IMPACT.more * group.length),
    confidence: CONFIDENCE,
    message: headline(
      `${fixers[kind].name} can mend ${group.length > 1 ? `${group.length} of these` : 'this'}: ${first.message}`,
      { symbol: null, path: first.path },
    ),
    evidence: { linter: fixers[kind].name, linterRule: first.rule, findings: group.length },
    recipe: LINTER_FIX,
  };
}
