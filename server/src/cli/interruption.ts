// Handles Ctrl+C, SIGTERM and SIGHUP for all subcommands, even before there is a session.

import { endOnSignals, type Ending } from '../adapters/system/ending.ts';

let ending: Ending | null = null;

/** Handles the signals from the first call on. Later calls return the same object. */
export function interruption(): Ending {
  return (ending ??= endOnSignals());
}
