// Handles Ctrl+C, SIGTERM and SIGHUP for all subcommands, even before there is a session.

import { startHandlingSignals, type GracefulShutdown } from '../adapters/system/gracefulShutdown.ts';

let shutdown: GracefulShutdown | null = null;

/**
 * Handles Ctrl+C, SIGTERM and SIGHUP from the first call on, and returns the state of the shutdown. All calls return
 * the same object.
 */
export function handleInterruption(): GracefulShutdown {
  return (shutdown ??= startHandlingSignals());
}
