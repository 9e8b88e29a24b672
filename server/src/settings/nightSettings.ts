// Defines the settings of unattended runs.

import * as z from 'zod';
import { explainAddressProblem } from '../util/webAddress.ts';

/** Schemas of the settings that begin with `night.`, with their descriptions. */
export const nightSettings = {
  'night.notifyCommand': z
    .string()
    .max(4000)
    .default('')
    .describe(
      'Command line that tells you of an unattended run: at its end, at the first proposal that waits for ' +
        'you, and when it needs you. It runs in your shell and your home folder and reads one line of JSON ' +
        'with counts, without code. Empty = none.',
    ),
  'night.notifyUrl': z
    .string()
    .max(4000)
    .refine((address) => address === '' || explainAddressProblem(address) === null, {
      error: ({ input }) => explainAddressProblem(String(input)) ?? '',
    })
    .default('')
    .describe(
      'Address that gets the same JSON by POST: https, or http on the loopback of this machine. Its field ' +
        '`text` is one sentence, as chat services take it. Empty = none.',
    ),
  'night.metricsPort': z
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .describe(
      'Port on the loopback of this machine where an unattended run offers its figures to Prometheus ' +
        '(`/metrics`, with the token in the file `metrics-token` of the state folder). 0 = off.',
    ),
  'night.waitForPower': z
    .boolean()
    .default(true)
    .describe(
      'An unattended run waits while this machine runs on its battery, and continues once it is plugged in. ' +
        'If it is unknown what the machine runs on, nothing waits (Windows, machines without a battery).',
    ),
  'night.keepAfterWindow': z
    .boolean()
    .default(true)
    .describe(
      'An unattended run that was started in a window of VS Code continues if this window is closed or reloaded. ' +
        'Off = it ends then; what it has committed is kept.',
    ),
  'night.sideBySide': z
    .int()
    .min(0)
    .max(16)
    .default(0)
    .describe(
      'How many candidates an unattended run verifies at the same time, as far as cores and memory allow. ' +
        'Each commit still follows on the one before: the others are judged again on it. 1 = one after the other; ' +
        '0 = two if the machine has at least four cores, otherwise one.',
    ),
  'night.canaryEvery': z
    .int()
    .min(0)
    .max(1000)
    .default(20)
    .describe(
      'An unattended run gives its proposer a task that cannot be solved after so many questions. If an ' +
        'answer “solves” it, the proposals of that run wait for you. 0 = never.',
    ),
  'night.searchFurther': z
    .boolean()
    .default(true)
    .describe(
      'An unattended run corrects wrong examples in the documentation. When nothing else is left to try, it looks ' +
        'for mistakes that no test notices and proposes tests for them, and lists calls that break functions. All ' +
        'three run code in the sandbox.',
    ),
  'night.redTeamTries': z
    .int()
    .min(0)
    .max(1000)
    .default(20)
    .describe(
      'Maximum number of variants that an unattended run makes of its own changes in idle time, worse on ' +
        'purpose, to see whether the checks notice. 0 = none.',
    ),
  'night.ruleTokens': z
    .int()
    .min(0)
    .max(100_000_000)
    .default(200_000)
    .describe(
      'Maximum number of tokens for the trial of a rule that an unattended run with a proposer starts in ' +
        'idle time; no further task is begun above it. 0 = no trial.',
    ),
} as const;
