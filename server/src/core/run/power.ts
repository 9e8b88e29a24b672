// Describes what an unattended run does if the machine runs on a battery.

import type { PowerSource } from '../ports/system.ts';

/** The reason why a run waits, as sentences. */
export const WAITS_FOR_POWER =
  'Waiting for power: the machine runs on its battery. The run continues once it is plugged in ' +
  '(night.waitForPower).';

/**
 * The sentence for a person who starts a run; null if there is nothing to say. `source`: null if it is unknown.
 * `waits`: the setting `night.waitForPower`.
 */
export function powerSentence(source: PowerSource | null, waits: boolean): string | null {
  if (source === null) return null;
  if (!waits) return 'The run does not wait for power, even if the machine runs on its battery (night.waitForPower).';
  return source === 'battery'
    ? 'The machine runs on its battery now: the run waits until it is plugged in (night.waitForPower).'
    : 'If the machine runs on its battery, the run waits until it is plugged in (night.waitForPower).';
}
