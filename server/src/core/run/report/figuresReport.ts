// The figures of a night: how many proposals passed, what was rolled back, how often a person was needed, and which
// rules, authors and claims had success.

import { divider, md, row, type Insertable } from '../../../protocol/markdown.ts';
import { counted } from '../../../util/counted.ts';
import { groupBy } from '../../../util/values/groupBy.ts';
import { AUTHOR_LABELS } from '../../model/authors.ts';
import { FACTS_BY_CLAIM } from '../../model/claims.ts';
import type { Night } from '../nightTypes.ts';
import { collectNightFigures, collectTried, type NightFigures, type Share, type Tried } from './nightFigures.ts';
import { findSelfImprovementLevel, MAX_LEVEL } from './selfImprovementLevel.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** With fewer proposals, the rest of the report says what became of each rule, author and claim. */
const MIN_TRIED = 3;
/** Maximum number of rules, authors or claims in one line. */
const MAX_KEYS = 5;
const UNKNOWN = 'unknown';

/** The table of figures. `earlier`: the nights before this one. Empty if nothing was judged. */
export function figuresSection(night: Night, earlier: readonly Night[]): readonly Insertable[] {
  const figures = collectNightFigures([night]);
  if (figures.passed.of === 0) return [];
  const before = earlier.length === 0 ? null : collectNightFigures(earlier);
  const rows: readonly (readonly [string, (of: NightFigures) => string, string])[] = [
    ['Proposals that passed', ({ passed }) => shareText(passed), 'over 70 %'],
    ['Changes that were rolled back', ({ rolledBack }) => shareText(rolledBack), 'under 20 %'],
    ['Times that it needed you', ({ interventions }) => String(interventions), 'fewer than 5 a day'],
    ['Changes in an hour of work', paceText, 'more than before'],
  ];
  return [
    md`## Figures`,
    '',
    row('', 'This night', ...(before ? ['Earlier nights'] : []), 'Goal'),
    divider(before ? 4 : 3),
    ...rows.map(([name, textOf, goal]) => row(name, textOf(figures), ...(before ? [textOf(before)] : []), goal)),
    '',
    md`${levelSentence([...earlier, night])}`,
    '',
    ...successLines(night),
  ];
}

function shareText({ count, of }: Share): string {
  return of === 0 ? UNKNOWN : `${count} of ${of} (${Math.round((100 * count) / of)} %)`;
}

/** The level that all nights together have reached, and what they have not shown. */
function levelSentence(nights: readonly Night[]): string {
  const { shown, notShown } = findSelfImprovementLevel(nights);
  const missing = notShown.length === 0 ? '' : ` Not shown yet: ${notShown.join('; ')}.`;
  return `Level of self-improvement after ${counted(nights.length, 'night')}: ${shown.length} of ${MAX_LEVEL}.${missing}`;
}

/** A pace from less than a minute says nothing. */
function paceText({ passed, workedMs }: NightFigures): string {
  if (workedMs < MINUTE_MS) return UNKNOWN;
  const minutes = Math.round(workedMs / MINUTE_MS);
  return `${((passed.count * HOUR_MS) / workedMs).toFixed(1)} (${passed.count} in ${minutes} min)`;
}

/** What was committed by rule, author and claim: a line for each of these that has several. */
function successLines(night: Night): readonly Insertable[] {
  const attempts = collectTried(night);
  if (attempts.length < MIN_TRIED) return [];
  const lines = [
    successLine('rule', attempts, ({ rule }) => rule),
    successLine('author', attempts, ({ author }) => (author === undefined ? null : AUTHOR_LABELS[author])),
    successLine('claim', attempts, ({ claim }) => (claim === undefined ? null : FACTS_BY_CLAIM[claim].label)),
  ].filter((line) => line !== null);
  return lines.length === 0 ? [] : [...lines.map((line) => md`- ${line}`), ''];
}

/** Those with the most proposals first. Proposals whose key is null are left out. Null if there are not several. */
function successLine(name: string, tried: readonly Tried[], keyOf: (tried: Tried) => string | null): string | null {
  const outcomesWithKey = tried.flatMap((attempt) => {
    const key = keyOf(attempt);
    return key === null ? [] : [{ key, outcome: attempt.outcome }];
  });
  const groups = groupBy(outcomesWithKey, ({ key }) => key).toSorted(
    (a, b) => b.length - a.length || a[0]!.key.localeCompare(b[0]!.key),
  );
  if (groups.length < 2) return null;
  const parts = groups.slice(0, MAX_KEYS).map((group) => {
    const committed = group.filter(({ outcome }) => outcome === 'committed').length;
    return `${group[0]!.key} ${committed} of ${group.length}`;
  });
  const omittedCount = groups.length - parts.length;
  return `Committed by ${name}: ${parts.join(', ')}${omittedCount > 0 ? `, and ${omittedCount} more` : ''}`;
}
