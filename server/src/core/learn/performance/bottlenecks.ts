// Finds the figures of Selfware's own performance that miss their targets, with severity and a strategy for each.

import type { Metric, PerformanceStrategy } from '../../model/bottlenecks.ts';
import { METRIC_FACTS, type Figure } from './figures.ts';

/** The severity of a bottleneck, by the share of the target by which it is missed. */
export type BottleneckSeverity = 'low' | 'medium' | 'high' | 'critical';

/** A figure that misses its target. */
export interface Bottleneck {
  readonly metric: Metric;
  readonly value: number;
  readonly target: number;
  readonly severity: BottleneckSeverity;
  /** Percentage of the target by which the figure misses it, at most 100. */
  readonly impact: number;
  readonly strategy: PerformanceStrategy;
  /** Advice for the author of the change, one sentence each. */
  readonly tactics: readonly string[];
  /** The value that a change is expected to reach: the target. This is not a measurement. */
  readonly expected: number;
}

/** Minimum shares of the target by which it is missed, with the severity from there on; largest first. */
const SEVERITY_THRESHOLDS: readonly (readonly [number, BottleneckSeverity])[] = [
  [1, 'critical'],
  [0.5, 'high'],
  [0.25, 'medium'],
  [0.1, 'low'],
];

/** The strategy for each figure, with advice for the author of the change. */
const STRATEGIES_BY_METRIC: Readonly<Record<Metric, readonly [PerformanceStrategy, readonly string[]]>> = {
  indexing: [
    'indexing',
    ['Do less for each file: parse it once, and share what was read.', 'Write to the store in larger batches.'],
  ],
  update: [
    'caching',
    ['Find the changed files without reading the others.', 'Load what is stored only when it is needed.'],
  ],
  search: [
    'caching',
    ['Keep what two searches in the same tree share.', 'Leave out early what cannot be among the best results.'],
  ],
  verification: [
    'caching',
    ['Keep the results of checks on trees without the change.', 'Run the check first that refuses most often.'],
  ],
  memory: [
    'optimisation',
    ['Release what a file needed before the next one is read.', 'Replace objects by numbers or typed arrays.'],
  ],
  cpu: [
    'optimisation',
    ['Profile the work, and remove what is computed twice.', 'Use fewer threads, so that other programs keep a core.'],
  ],
  database: [
    'optimisation',
    ['Remove rows that no file of the tree and no shelf needs.', 'Compact the tables of the index after removals.'],
  ],
  ledger: [
    'indexing',
    ['Ask for the types of events that are needed, by an index of the database.', 'Keep the result of a fold.'],
  ],
  connections: ['refactoring', ['Open each database once, and close it with the session that has opened it.']],
  cache: [
    'caching',
    ['Name chunks by their content, so that an edit elsewhere in the file keeps them.', 'Keep replaced chunks longer.'],
  ],
  errors: ['refactoring', ['Find the fault in the log, and write the test that shows it, before the code is changed.']],
};

/** The bottlenecks, the worst first: figures that miss their target by at least 10 %. */
export function findBottlenecks(figures: readonly Figure[]): readonly Bottleneck[] {
  return figures
    .flatMap(({ metric, value, target, better }): Bottleneck[] => {
      if (value === null || target === null) return [];
      const shortfall = computeShortfall(value, target, better);
      const severity = SEVERITY_THRESHOLDS.find(([share]) => shortfall >= share)?.[1];
      if (!severity) return [];
      const [strategy, tactics] = STRATEGIES_BY_METRIC[metric];
      const impact = Math.min(100, Math.round(shortfall * 100));
      return [{ metric, value, target, severity, impact, strategy, tactics, expected: target }];
    })
    .toSorted((a, b) => b.impact - a.impact || (a.metric < b.metric ? -1 : 1));
}

/** The first of these bottlenecks in words, and the number of the others; null if there is none. */
export function describeBottlenecks(bottlenecks: readonly Bottleneck[]): string | null {
  const [worst] = bottlenecks;
  if (!worst) return null;
  const { label, unit, better } = METRIC_FACTS[worst.metric];
  const value = [String(Number(worst.value.toPrecision(3))), unit].filter(Boolean).join(' ');
  const otherCount = bottlenecks.length - 1;
  const othersText =
    otherCount === 0
      ? ''
      : `; ${otherCount} more ${otherCount === 1 ? 'figure misses its' : 'figures miss their'} target`;
  return `${label}: ${value}, target ${better === 'more' ? 'at least' : 'at most'} ${worst.target}${othersText}`;
}

/**
 * The share of the target by which a value misses it; 0 or less if it does not. For a target of 0, the value itself.
 */
function computeShortfall(value: number, target: number, better: Figure['better']): number {
  if (better === 'less') return target === 0 ? value : (value - target) / target;
  // Speeds are compared by the time that the work takes: half the speed takes twice the time, a shortfall of 100 %.
  return value <= 0 ? Infinity : target / value - 1;
}
