// Handles Ctrl+C, SIGTERM and SIGHUP for all subcommands, even before there is a session.

import { shutDownOnSignals, type GracefulShutdown } from '../adapters/system/gracefulShutdown.ts';

let shutdown: GracefulShutdown | null = null;

/** Handles these signals from the first call on. All calls return the same object. */
export function handleInterruption(): GracefulShutdown {
  return (shutdown ??= shutDownOnSignals());
}
