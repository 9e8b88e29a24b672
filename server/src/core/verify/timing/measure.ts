// Runs the repository's benchmark alternately on both sides, and measures its time or its memory.

import type { DetectedCommand } from '../detect/command.ts';
import type { GateInput } from '../gate.ts';
import { markTimeDependent } from '../busyMachine.ts';
import { missingProgramSentence } from '../missingProgramText.ts';
import { failed, unknown, type GateAnswer } from '../answer.ts';
import { compareTimes, type TimeDifference, type Times } from './compareTimes.ts';

/** Number of rounds of base, candidate and base again, after one warm-up run of each. */
const ROUND_COUNT = 8;
/** Minimum number of rounds. Fewer rounds prove nothing. */
const MIN_ROUNDS = 6;

/** The quantities that can be measured, with the words for more and less of each. */
export const MEASURE_TEXTS = {
  time: { more: 'slower', less: 'faster', command: (command: DetectedCommand) => command },
  memory: {
    more: 'larger in memory',
    less: 'smaller in memory',
    command: (command: DetectedCommand) => ({ ...command, peak: true as const }),
  },
} as const;
/** A quantity that can be measured. */
export type MeasureName = keyof typeof MEASURE_TEXTS;

/** A measured difference, with the evidence and a description. */
export interface MeasuredDifference extends TimeDifference {
  /** Command, rounds and all measurements. */
  readonly evidence: GateAnswer['evidence'];
  /** A sentence for a person, without a full stop. */
  readonly description: string;
}

/**
 * Measures the benchmark on both sides. Returns an answer without a measurement if the benchmark fails, takes too long
 * to be repeated, or uses memory that cannot be measured on this machine.
 */
export async function measureBenchmark(
  run: GateInput,
  command: DetectedCommand,
  signal: AbortSignal,
  name: MeasureName = 'time',
): Promise<MeasuredDifference | GateAnswer> {
  const { more, less } = MEASURE_TEXTS[name];
  const measuredCommand = MEASURE_TEXTS[name].command(command);
  const { clock, settings } = run.context;
  const endTime = clock.now() + settings.timeoutSeconds * 1000;
  const times: { [Side in keyof Times]: number[] } = { base: [], candidate: [], again: [] };
  let lastRoundMillis = 0;
  for (let round = 0; round <= ROUND_COUNT && clock.now() + lastRoundMillis < endTime; round += 1) {
    const startedAt = clock.now();
    for (const side of ['base', 'candidate', 'again'] as const) {
      const { answer } = await run.rerun(
        side === 'candidate' ? 'candidate' : 'base',
        measuredCommand,
        () => null,
        signal,
      );
      if (answer.outcome !== 'exited' || answer.exitCode !== 0) {
        if (answer.outcome === 'notFound') return unknown(missingProgramSentence(answer), { command: answer.line });
        const evidence = { command: answer.line, exitCode: answer.exitCode, output: answer.output };
        return side === 'candidate'
          ? failed(`The benchmark \`${answer.line}\` fails with the change, and succeeds without it.`, evidence)
          : unknown(`The benchmark \`${answer.line}\` fails in the unchanged repository.`, evidence);
      }
      const value = name === 'time' ? answer.millis : answer.peakBytes;
      if (value === undefined)
        return unknown('Not testable: the memory of a command cannot be measured on this machine.');
      if (round > 0) times[side].push(value);
    }
    lastRoundMillis = clock.now() - startedAt;
  }
  if (times.candidate.length < MIN_ROUNDS)
    return markTimeDependent(
      unknown(`The benchmark takes too long to be repeated ${MIN_ROUNDS} times within ${settings.timeoutSeconds} s.`, {
        command: command.command[0]!,
        rounds: times.candidate.length,
      }),
    );
  const difference = compareTimes(times);
  const { change, noise, p, confidence } = difference;
  return {
    ...difference,
    description:
      `${formatPercent(Math.abs(change))} ${change > 0 ? more : less}; runs of the unchanged repository ` +
      `differ by ${formatPercent(noise)}`,
    evidence: {
      command: command.command[0]!,
      rounds: times.candidate.length,
      base: times.base.join(' '),
      candidate: times.candidate.join(' '),
      again: times.again.join(' '),
      change,
      noise,
      p,
      confidence,
    },
  };
}

/** Formats a share from 0 to 1 as a percentage with one decimal: `12.5 %`. */
export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
