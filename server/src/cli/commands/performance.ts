// `selfware performance`: prints figures of Selfware's own performance, with their baselines and trends, and the missed
// targets.

import type { Figure } from '../../core/learn/performance/figures.ts';
import type { BottleneckOutcome } from '../../core/learn/performance/outcomes.ts';
import { MIN_TREND_SAMPLES, type Trend } from '../../core/learn/performance/trend.ts';
import type { PerformanceReport, TrustedBottleneck } from '../../core/session/learn/performance/performanceTypes.ts';
import { formatIsoDay } from '../../util/isoDay.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { HOUR_MS } from '../../util/timing/durations.ts';

interface PerformanceOptions extends CommonOptions {
  readonly hours?: string;
}

/** The subcommand `performance`. Its exit code is 1 if a target is missed. */
export const performanceCommand: CommandFactory = (setExitCode) =>
  createCommand('performance', 'how fast Selfware itself works here, what has changed, and what misses its target')
    .option('--hours <n>', 'only what was measured in the last n hours')
    .action((options: PerformanceOptions) => {
      const since = options.hours === undefined ? 0 : Date.now() - parseHours(options.hours) * HOUR_MS;
      return withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
        const report = await session.performance.report(since);
        if (report.bottlenecks.length > 0) setExitCode(1);
        if (json) return outJson(report);
        for (const line of formatReport(report)) out(line);
      });
    });

/** A number of hours. Throws `usage` unless it is above 0. */
function parseHours(text: string): number {
  const hours = Number(text);
  if (Number.isFinite(hours) && hours > 0) return hours;
  throw new SelfwareError('usage', `${text} is not a number of hours.`, { action: 'Such as `--hours 24`.' });
}

/** The report as lines of text: figures, bottlenecks, and results of strategies. */
function formatReport({ figures, bottlenecks, outcomes }: PerformanceReport): readonly string[] {
  return [
    ...figures.flatMap(formatFigure),
    ...(bottlenecks.length === 0
      ? ['Nothing that was measured misses its target.']
      : bottlenecks.flatMap(formatBottleneck)),
    ...outcomes.map(formatOutcome),
  ];
}

/** A figure with its target, and its history below. */
function formatFigure(figure: Figure): readonly string[] {
  const { label, value, target, better, samples } = figure;
  const measuredText = value === null ? 'not measured' : `${formatValue(figure, value)} (${samples} measured)`;
  const targetText = target === null ? '' : `, target ${better === 'more' ? 'at least' : 'at most'} ${target}`;
  return [`${label}: ${measuredText}${targetText}`, ...formatHistory(figure)];
}

/** How a figure has changed since its first measurements; none if too little was measured. */
function formatHistory(figure: Figure): readonly string[] {
  const { baseline, trend, value } = figure;
  if (baseline === null || value === null) return [];
  const baselineText = `first ${baseline.samples}: ${formatValue(figure, baseline.value)}, until ${formatIsoDay(baseline.until)}`;
  return [
    `  ${baselineText}; ${trend === null ? `no trend yet, which needs ${MIN_TREND_SAMPLES}` : formatTrend(trend)}`,
  ];
}

/** The direction and size of a trend, with the p-value of the test for it. */
function formatTrend({ direction, change, p, samples }: Trend): string {
  const changeText = change === null ? '' : ` by ${roundToThreeDigits(Math.abs(change) * 100)} %`;
  const probability = p < 0.001 ? 'p < 0.001' : `p = ${roundToThreeDigits(p)}`;
  return direction === 'steady'
    ? `no trend in ${samples} (${probability})`
    : `${direction}${changeText} over ${samples} (${probability})`;
}

function formatValue({ unit }: Figure, value: number): string {
  return `${roundToThreeDigits(value)}${unit === '' ? '' : ` ${unit}`}`;
}

function formatBottleneck({ metric, severity, impact, strategy, expected, confidence, tactics }: TrustedBottleneck) {
  return [
    `Bottleneck: ${metric}, ${severity}, impact ${impact} of 100. Strategy: ${strategy} ` +
      `(confidence ${confidence.toFixed(2)}), expected: ${roundToThreeDigits(expected)}.`,
    ...tactics.map((tactic) => `  ${tactic}`),
  ];
}

/** The result of a strategy against a bottleneck. */
function formatOutcome({ at, metric, strategy, before, expected, measured, status }: BottleneckOutcome): string {
  const currentText = measured === null ? 'not measured since' : `measured since: ${roundToThreeDigits(measured)}`;
  return (
    `${formatIsoDay(at)}  ${metric} by ${strategy}: ${status ?? 'no proposal'}; before ${roundToThreeDigits(before)}, ` +
    `expected ${roundToThreeDigits(expected)}, ${currentText}`
  );
}

/** The value with three significant digits. */
function roundToThreeDigits(value: number): string {
  return String(Number(value.toPrecision(3)));
}
