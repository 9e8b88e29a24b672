// Formats the edits of a recipe with the repository's own formatter, before anybody sees them.

import { throwIfCancelled } from '../../../util/typedError.ts';
import type { FileEdit } from '../../model.ts';
import { detectFormatter } from '../../propose/formatter.ts';
import { formatChangedLines } from '../../propose/formatting.ts';
import type { SessionContext } from '../context.ts';

/** Files that a formatter may change. */
const FORMATTED_PATTERN = /\.[cm]?[jt]sx?$/;
/** Time limit of the formatter in milliseconds. */
const TIMEOUT_MS = 60_000;

/**
 * The edits with their changed lines formatted: by Prettier, Biome or Oxfmt, otherwise by ESLint or Standard if they
 * have layout rules, as installed and configured in the repository. The formatter runs in a sandbox, because its
 * configuration is code. If it fails, the edits stay as they are. Throws `cancelled`.
 */
export async function formatEdits(
  { ports }: SessionContext,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<readonly FileEdit[]> {
  const { files, sandbox, log } = ports;
  const paths = edits.flatMap(({ path, after }) => (after !== null && FORMATTED_PATTERN.test(path) ? [path] : []));
  if (paths.length === 0) return edits;
  const read = async (path: string) => {
    const bytes = await files.read(path);
    return bytes && new TextDecoder().decode(bytes);
  };
  const manifest = await read('package.json');
  const isConfigured = await detectFormatter(
    { exists: async (path) => isInstalledPackage(path) || (await files.stat(path)) !== null, read },
    manifest,
  );
  if (!isConfigured) return edits;
  const worktree = await sandbox.open(signal);
  try {
    // A night's copy of the repository contains no packages; only its sandboxes are lent them.
    const formatter = await detectFormatter({ exists: (path) => worktree.exists(path), read }, manifest);
    if (!formatter) return edits;
    await worktree.write(edits);
    const { outcome, exitCode, stderr } = await worktree.run(
      { command: formatter.command(paths), timeoutMs: TIMEOUT_MS },
      signal,
    );
    throwIfCancelled(signal);
    if (outcome !== 'exited' || exitCode === null || !formatter.goodExitCodes.includes(exitCode)) {
      log.write(
        'warn',
        `${formatter.name} did not format a proposal (${outcome}, ${exitCode ?? 'no exit code'}): ${stderr.slice(0, 500)}`,
      );
      return edits;
    }
    return await Promise.all(
      edits.map(async (edit) => {
        const bytes = edit.after !== null && paths.includes(edit.path) ? await worktree.read(edit.path) : null;
        const formatted = bytes && decodeText(bytes);
        if (edit.after === null || formatted === null) return edit;
        return { ...edit, after: formatChangedLines(edit.before ?? '', edit.after, formatted) };
      }),
    );
  } finally {
    await worktree.dispose();
  }
}

function isInstalledPackage(path: string): boolean {
  return path.startsWith('node_modules/');
}

/** The text of UTF-8 bytes, with its byte-order mark; null if the bytes are not UTF-8. */
function decodeText(bytes: Uint8Array): string | null {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return text.includes('\uFFFD') ? null : text;
}
