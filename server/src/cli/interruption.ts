// Ctrl+C and SIGTERM, one handling for all subcommands: from the first moment, also before there is a session.

import { endOnSignals, type Ending } from '../adapters/system/ending.ts';

let ending: Ending | null = null;

/** Listens from the first call on. */
export function interruption(): Ending {
  return (ending ??= endOnSignals());
}
