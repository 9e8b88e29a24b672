// Checks that the repository's own benchmark is not slower than before. Runs alternate with the unchanged repository,
// whose own variation is the noise.

import { createCommandFromSetting } from '../../detect/command.ts';
import type { Gate } from '../../gate.ts';
import { measureBenchmark, formatPercent } from '../../timing/measure.ts';
import { markTimeDependent } from '../../busyMachine.ts';
import { failed, passed, unknown } from '../../answer.ts';

export const gate: Gate = async (run, signal) => {
  const command = createCommandFromSetting(run.context.settings.benchCommand);
  if (!command) return unknown('No benchmark is configured.');
  if (!run.context.trusted) return unknown('Not run: the workspace is not trusted.');
  const measurement = await measureBenchmark(run, command, signal);
  if ('outcome' in measurement) return measurement;
  const { verdict, description, noise, evidence } = measurement;
  if (verdict === 'more') return markTimeDependent(failed(`The benchmark is ${description}.`, evidence));
  return markTimeDependent(
    passed(
      verdict === 'less'
        ? `The benchmark is ${description}.`
        : `The benchmark shows no difference beyond its noise (${formatPercent(noise)}).`,
      evidence,
    ),
  );
};
