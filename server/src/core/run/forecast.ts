// Estimates what a person may expect of an unattended run, from the figures of earlier runs in the same repository.

import { formatCount } from '../../util/counted.ts';
import type { Millis } from '../model.ts';
import type { Night, Run } from './nightTypes.ts';
import { MINUTE_MS } from '../../util/timing/durations.ts';

/** Maximum number of earlier runs that a forecast uses. Older ones are less representative of the current code. */
const MAX_RUNS = 5;

/** Figures of the newest runs that have ended. */
export interface Forecast {
  /** Number of runs that the figures come from. */
  readonly runs: number;
  /** The fewest and the most changes of one of these runs. */
  readonly changes: { readonly least: number; readonly most: number };
  /** Minutes of work for each change, without waiting; null if no change was made. */
  readonly minutesPerChange: number | null;
}

/** The forecast for the next run; null if no run has ended here yet. */
export function computeForecast(nights: readonly Night[]): Forecast | null {
  const runs = nights
    .flatMap((night) => night.runs)
    .filter(({ endedAt }) => endedAt !== null)
    .slice(-MAX_RUNS);
  if (runs.length === 0) return null;
  const counts = runs.map(({ committed }) => committed);
  const sum = counts.reduce((total, count) => total + count, 0);
  const workedMs = runs.reduce((total, run) => total + computeWorkTime(run), 0);
  return {
    runs: runs.length,
    changes: { least: Math.min(...counts), most: Math.max(...counts) },
    minutesPerChange: sum === 0 ? null : workedMs / sum / MINUTE_MS,
  };
}

function computeWorkTime({ startedAt, endedAt, waitedFor }: Run): Millis {
  return Math.max(0, (endedAt ?? startedAt) - startedAt - waitedFor);
}

/** The forecast as one sentence for a person. `forecast`: null if no run has ended here yet. */
export function forecastSentence(forecast: Forecast | null): string {
  if (forecast === null) return 'This is the first run here, so nothing is known yet about what it will bring.';
  const { runs, changes, minutesPerChange } = forecast;
  const range =
    changes.least === changes.most
      ? formatCount(changes.most, 'change')
      : `${changes.least} to ${formatCount(changes.most, 'change')}`;
  const pace = minutesPerChange === null ? '' : `, one in about ${minutesText(minutesPerChange)}`;
  return runs === 1
    ? `The last run here made ${range}${pace}.`
    : `The last ${runs} runs here made ${range} each${pace}.`;
}

function minutesText(minutes: number): string {
  return minutes < 1 ? `${Math.max(1, Math.round(minutes * 60))} s` : `${Math.round(minutes)} min`;
}
