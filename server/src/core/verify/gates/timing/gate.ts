// Checks that the repository's own benchmark is not slower than before. It runs in turns with the unchanged repository,
// whose own variation is the noise.

import { fromSetting } from '../../detect/command.ts';
import type { Gate } from '../../gate.ts';
import { compareTimes, type Times } from '../../timing/compareTimes.ts';
import { dependingOnTime } from '../../busy.ts';
import { failed, passed, unknown } from '../../answer.ts';

/** Rounds of base, candidate and base again, after one of each that warms up. Fewer than `FEWEST` prove nothing. */
const ROUNDS = 8;
const FEWEST = 6;

export const gate: Gate = async (run, signal) => {
  const command = fromSetting(run.context.settings.benchCommand);
  if (!command) return unknown('No benchmark is configured.');
  if (!run.context.trusted) return unknown('Not run: the workspace is not trusted.');
  const { clock, settings } = run.context;
  const endAt = clock.now() + settings.timeoutSeconds * 1000;
  const times: { [Side in keyof Times]: number[] } = { base: [], candidate: [], again: [] };
  let last = 0;
  for (let round = 0; round <= ROUNDS && clock.now() + last < endAt; round += 1) {
    const startedAt = clock.now();
    for (const side of ['base', 'candidate', 'again'] as const) {
      const { answer } = await run.again(side === 'candidate' ? 'candidate' : 'base', command, () => null, signal);
      if (answer.outcome !== 'exited' || answer.exitCode !== 0) {
        const evidence = { command: answer.line, exitCode: answer.exitCode, output: answer.output };
        return side === 'candidate'
          ? failed(`The benchmark \`${answer.line}\` does not end well with the change, and does without it.`, evidence)
          : unknown(`The benchmark \`${answer.line}\` does not end well in the unchanged repository.`, evidence);
      }
      if (round > 0) times[side].push(answer.millis);
    }
    last = clock.now() - startedAt;
  }
  if (times.candidate.length < FEWEST)
    return dependingOnTime(
      unknown(`The benchmark takes too long to be repeated ${FEWEST} times within ${settings.timeoutSeconds} s.`, {
        command: command.command[0]!,
        rounds: times.candidate.length,
      }),
    );
  const { change, noise, p, verdict } = compareTimes(times);
  const evidence = {
    command: command.command[0]!,
    rounds: times.candidate.length,
    base: times.base.join(' '),
    candidate: times.candidate.join(' '),
    again: times.again.join(' '),
    change,
    noise,
    p,
  };
  const shown = `${percent(Math.abs(change))} ${change > 0 ? 'slower' : 'faster'}; the unchanged repository differs from itself by ${percent(noise)}`;
  if (verdict === 'slower') return dependingOnTime(failed(`The benchmark is ${shown}.`, evidence));
  return dependingOnTime(
    passed(
      verdict === 'faster'
        ? `The benchmark is ${shown}.`
        : `The benchmark shows no difference beyond its noise (${percent(noise)}).`,
      evidence,
    ),
  );
};

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
