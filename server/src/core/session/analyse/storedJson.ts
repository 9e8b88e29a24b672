// Reads results that an earlier search or measurement stored as JSON.

import type { Blobs } from '../../ports/stores.ts';
import type { SessionContext } from '../context.ts';

/** The damaged blobs that have been reported, so that each is reported only once. */
const reportedNames = new WeakMap<Blobs, Set<string>>();

/**
 * The value in the blob `name`, unchecked; null if there is none, or if it is damaged. A damaged blob is reported in
 * the log together with `command`, a command line in backticks that stores the results again.
 */
export async function readStoredJson(
  { ports }: Pick<SessionContext, 'ports'>,
  name: string,
  command: string,
): Promise<unknown> {
  const bytes = await ports.blobs.read(name);
  if (!bytes) return null;
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const names = reportedNames.get(ports.blobs) ?? new Set();
    reportedNames.set(ports.blobs, names);
    if (!names.has(name))
      ports.log.write('error', `The stored ${name} is damaged, so its results are missing. Run ${command} again.`);
    names.add(name);
    return null;
  }
}
