// Checks whether the Node of this VS Code can run the language server.

import { isBuiltin } from 'node:module';

/**
 * The reason why the server cannot run, with advice, as sentences; null if it can. The server stores its events with
 * `node:sqlite`, which needs Node 22.13 or newer.
 */
export function explainUnusableRuntime(
  version = process.versions.node,
  hasSqlite = isBuiltin('node:sqlite'),
): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isRecent = major > 22 || (major === 22 && minor >= 13);
  if (isRecent && hasSqlite) return null;
  return isRecent
    ? `Selfware cannot start: the Node ${version} inside this VS Code was built without SQLite. Update VS Code.`
    : `Selfware cannot start: it needs Node 22.13 or newer, and this VS Code brings ${version}. Update VS Code to 1.101 or newer.`;
}
