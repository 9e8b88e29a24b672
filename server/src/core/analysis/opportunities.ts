// Completes findings to opportunities: an id that survives edits in other places, a range in lines, and the symbol
// around it.

import type { Opportunity, RelatedPlace, SymbolInfo } from '../model.ts';
import { prependPlace } from './headline.ts';
import { createFindingIds } from './findingIds.ts';
import { toRange, type LineStarts } from './lines.ts';
import type { Finding } from '../rules/finding.ts';
import { rules, type Rule } from './rules.ts';

const ruleById: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

/** A file with its text, its lines and its named definitions. */
export interface OpportunityFile {
  readonly path: string;
  readonly text: string;
  readonly lines: LineStarts;
  readonly symbols: readonly SymbolPlace[];
}

/** The path and the range of a named definition. */
export type SymbolPlace = Pick<SymbolInfo, 'path' | 'range'>;

/** The findings as opportunities, in text order. Findings of unknown rules are skipped. */
export function createOpportunities(file: OpportunityFile, findings: readonly Finding[]): Opportunity[] {
  const placedFindings = [...findings]
    .sort((a, b) => a.nameStart - b.nameStart || a.start - b.start || (a.rule < b.rule ? -1 : 1))
    .flatMap((finding) => {
      const rule = ruleById.get(finding.rule);
      const nameRange = toRange(file.lines, finding.nameStart, finding.nameEnd);
      return rule
        ? [
            {
              finding,
              rule,
              nameRange,
              symbol: findEnclosingSymbol(file.symbols, nameRange.startLine, nameRange.startColumn),
            },
          ]
        : [];
    });
  const ids = createFindingIds(file, placedFindings);
  return placedFindings.map(({ finding, rule, nameRange, symbol }, index): Opportunity => {
    const range = toRange(file.lines, finding.start, finding.end);
    const { impact, confidence, evidence, recipe } = finding;
    const message = prependPlace(finding.message, { symbol, path: file.path });
    const common = {
      id: ids[index]!,
      rule: rule.id,
      path: file.path,
      range,
      nameRange,
      symbol,
      severity: finding.severity ?? rule.severity,
      impact,
      confidence,
      message,
      evidence,
      recipe,
    };
    const related = finding.related?.map(
      (place): RelatedPlace => ({
        path: file.path,
        range: toRange(file.lines, place.start, place.end),
        message: place.message,
      }),
    );
    return related?.length ? { ...common, related } : common;
  });
}

/** Path of the innermost symbol that contains a position (1-based); null if there is none. */
function findEnclosingSymbol(symbols: readonly SymbolPlace[], line: number, column: number): string | null {
  let best: SymbolPlace | null = null;
  for (const symbol of symbols) {
    const { range } = symbol;
    const isAfterStart = line > range.startLine || (line === range.startLine && column >= range.startColumn);
    const isBeforeEnd = line < range.endLine || (line === range.endLine && column < range.endColumn);
    if (isAfterStart && isBeforeEnd && (!best || isEnclosed(symbol, best))) best = symbol;
  }
  return best?.path ?? null;
}

function isEnclosed(inner: SymbolPlace, outer: SymbolPlace): boolean {
  const startDifference =
    inner.range.startLine - outer.range.startLine || inner.range.startColumn - outer.range.startColumn;
  const endDifference = outer.range.endLine - inner.range.endLine || outer.range.endColumn - inner.range.endColumn;
  return startDifference >= 0 && endDifference >= 0;
}
