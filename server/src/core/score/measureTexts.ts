// Phrases for the measures of the ruler, which follow a number: "31 any".

import type { PointPlace } from '../model.ts';

/** By measure: the singular and the plural of its phrase. */
const MEASURE_TEXTS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  excess: [
    'point of cognitive complexity beyond 15 in a function',
    'points of cognitive complexity beyond 15 in a function',
  ],
  cognitive: ['point of cognitive complexity', 'points of cognitive complexity'],
  depth: ['level of nesting', 'levels of nesting'],
  'checked.unused': ['dead statement or name', 'dead statements and names'],
  'project.unusedExports': ['unused export', 'unused exports'],
  'project.copiedLines': ['copied line', 'copied lines'],
  'script.any': ['any', 'any'],
  'script.nonNull': ['non-null mark (!)', 'non-null marks (!)'],
  'script.assertion': ['type assertion (as)', 'type assertions (as)'],
  'script.doubleAssertion': ['double assertion (as unknown as)', 'double assertions (as unknown as)'],
  'script.dynamicCode': ['eval or its like', 'evals or their like'],
  'script.swallowedError': ['swallowed error', 'swallowed errors'],
  'script.floatingPromise': ['promise that nobody waits for', 'promises that nobody waits for'],
  'script.uncheckedFile': ['file without type checks', 'files without type checks'],
  'script.ignoredError': ['ignored type error', 'ignored type errors'],
  'script.expectedError': ['expected type error', 'expected type errors'],
  'script.lintSilence': ['silenced lint rule', 'silenced lint rules'],
  'script.awaitInLoop': ['await one by one', 'awaits one by one'],
  'script.repeatedWork': ['repeated work in a loop', 'repeated works in loops'],
  'script.needlessCopy': ['needless copy', 'needless copies'],
  'script.needlessAwait': ['needless await', 'needless awaits'],
  'script.roundabout': ['roundabout condition or the like', 'roundabout conditions and the like'],
  'api.documented': ['documented export', 'documented exports'],
  'api.exported': ['export', 'exports'],
  'coverage.covered': ['line that tests run', 'lines that tests run'],
  'coverage.coverable': ['line that they could', 'lines that they could'],
};

/** The reason why the findings of a place are not opportunities, as the end of a sentence. */
const UNLISTED_NOTE =
  'which are no opportunity because of a comment (`@ts-nocheck`, `eslint-disable`), a name or the kind of file';

/** Measures that have a phrase. */
export const MEASURES_WITH_TEXT: ReadonlySet<string> = new Set(Object.keys(MEASURE_TEXTS));

/** Formats counts by measure: "31 any, 12 non-null marks (!)". A measure without a phrase appears under its name. */
export function formatMeasures(counted: Readonly<Record<string, number>>): string {
  return Object.entries(counted)
    .map(([measure, amount]) => `${amount} ${MEASURE_TEXTS[measure]?.[amount === 1 ? 0 : 1] ?? measure}`)
    .join(', ');
}

/** The counts of a place, with a note if the list of opportunities omits them. */
export function formatPlace({ counted, unlisted }: Pick<PointPlace, 'counted' | 'unlisted'>): string {
  return `${formatMeasures(counted)} in the file${unlisted ? `, ${UNLISTED_NOTE}` : ''}`;
}
