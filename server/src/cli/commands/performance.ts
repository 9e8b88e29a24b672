// `selfware performance`: figures of Selfware's own performance here, and missed targets.

import type { Figure } from '../../core/learn/performance/figures.ts';
import type { BottleneckOutcome } from '../../core/learn/performance/outcomes.ts';
import type { PerformanceReport, TrustedBottleneck } from '../../core/session/learn/performance/performanceTypes.ts';
import { isoDay } from '../../util/isoDay.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';

export const performanceCommand: CommandFactory = (setExitCode) =>
  createCommand('performance', 'how fast Selfware itself works here, and what misses its target').action(
    (options: CommonOptions) =>
      withSession({ ...options, searches: false }, async ({ session, json, out, outJson }) => {
        const report = await session.performance.report();
        if (report.bottlenecks.length > 0) setExitCode(1);
        if (json) return outJson(report);
        for (const line of collectLines(report)) out(line);
      }),
  );

function collectLines({ figures, bottlenecks, outcomes }: PerformanceReport): readonly string[] {
  return [
    ...figures.map(figureLine),
    ...(bottlenecks.length === 0
      ? ['Nothing that was measured misses its target.']
      : bottlenecks.flatMap(bottleneckLines)),
    ...outcomes.map(outcomeLine),
  ];
}

function figureLine({ label, unit, value, target, better, samples }: Figure): string {
  const measured = value === null ? 'unknown' : `${roundToThreeDigits(value)} ${unit} (${samples} measured)`;
  const targetText = target === null ? '' : `, target ${better === 'more' ? 'at least' : 'at most'} ${target}`;
  return `${label}: ${measured}${targetText}`;
}

function bottleneckLines({ metric, severity, impact, strategy, expected, confidence, tactics }: TrustedBottleneck) {
  return [
    `Bottleneck: ${metric}, ${severity}, impact ${impact} of 100. Strategy: ${strategy} ` +
      `(confidence ${confidence.toFixed(2)}), expected: ${roundToThreeDigits(expected)}.`,
    ...tactics.map((tactic) => `  ${tactic}`),
  ];
}

function outcomeLine({ at, metric, strategy, before, expected, measured, status }: BottleneckOutcome): string {
  const currentText = measured === null ? 'not measured since' : `measured since: ${roundToThreeDigits(measured)}`;
  return (
    `${isoDay(at)}  ${metric} by ${strategy}: ${status ?? 'no proposal'}; before ${roundToThreeDigits(before)}, ` +
    `expected ${roundToThreeDigits(expected)}, ${currentText}`
  );
}

/** The value with three significant digits. */
function roundToThreeDigits(value: number): string {
  return String(Number(value.toPrecision(3)));
}
