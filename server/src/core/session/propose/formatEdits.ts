// Formats the edits of a recipe or of an answer with the repository's own formatter, before anybody sees them.

import { throwIfCancelled } from '../../../util/typedError.ts';
import type { FileEdit } from '../../model.ts';
import { detectFormatter, type Formatter } from '../../propose/formatter.ts';
import { detectLanguageFormatters } from '../../propose/languageFormatters.ts';
import { formatChangedLines } from '../../propose/formatting.ts';
import type { Worktree } from '../../ports/sandbox.ts';
import type { SessionContext } from '../context.ts';

/** Time limit of the formatter in milliseconds. */
const TIMEOUT_MS = 60_000;

/** Edits, and the names of the formatters that changed their layout; null if none did. */
export interface FormattedEdits {
  readonly edits: readonly FileEdit[];
  readonly formatter: string | null;
}

/**
 * Formats the changed lines of a recipe's edits as the repository does. Only a file whose current text the formatter
 * would not change may get its complete output. Throws `cancelled`.
 */
export async function formatEdits(
  context: SessionContext,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<readonly FileEdit[]> {
  return (await formatIsolated(context, edits, false, signal)).edits;
}

/**
 * Formats the edits of an answer as the repository does: scripts by Prettier, Biome or Oxfmt, otherwise by ESLint,
 * Standard or XO if they have layout rules; Go by gofmt; Python by Ruff or Black. The formatter runs in a sandbox,
 * because its configuration is code. If it fails, the edits stay unchanged. A file whose current text a formatter would
 * change keeps the layout of the answer; of the fixes of a linter, only those on touched lines are used. Throws
 * `cancelled`.
 */
export function formatAnswer(
  context: SessionContext,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<FormattedEdits> {
  return formatIsolated(context, edits, true, signal);
}

/**
 * Formats the edits in a sandbox. `isStrict`: true to keep the layout of files whose current text a formatter would
 * change, instead of formatting their changed lines.
 */
async function formatIsolated(
  { ports }: SessionContext,
  edits: readonly FileEdit[],
  isStrict: boolean,
  signal: AbortSignal,
): Promise<FormattedEdits> {
  const { files, sandbox, log } = ports;
  const unchanged = { edits, formatter: null };
  const readText = async (path: string) => {
    const bytes = await files.read(path);
    return bytes && new TextDecoder().decode(bytes);
  };
  const manifest = await readText('package.json');
  const probableFormatter = await detectFormatter(
    { exists: async (path) => isInstalledPackage(path) || (await files.stat(path)) !== null, read: readText },
    manifest,
  );
  const canFormat = (formatter: Formatter) =>
    edits.some(({ path, after }) => after !== null && formatter.formats(path));
  const languageFormatters = (
    await detectLanguageFormatters(
      edits.map(({ path }) => path),
      readText,
    )
  ).filter(canFormat);
  const canFormatScripts = probableFormatter !== null && canFormat(probableFormatter);
  if (!canFormatScripts && languageFormatters.length === 0) return unchanged;
  const worktree = await sandbox.open(signal);
  try {
    // The copy of the repository for an unattended run contains no packages; only its sandboxes share them. So the
    // formatter is detected again in the sandbox.
    const formatter = canFormatScripts
      ? await detectFormatter({ exists: (path) => worktree.exists(path), read: readText }, manifest)
      : null;
    const createRun =
      ({ name, command, goodExitCodes }: Formatter): RunFormatter =>
      async (texts, side) => {
        const paths = texts.map(({ path }) => path);
        await worktree.write(edits, { reverse: side === 'before' });
        const { outcome, exitCode, stderr } = await worktree.run(
          { command: command(paths), timeoutMs: TIMEOUT_MS },
          signal,
        );
        throwIfCancelled(signal);
        if (outcome === 'exited' && exitCode !== null && goodExitCodes.includes(exitCode))
          return readTexts(worktree, paths);
        const reason = `${outcome}, ${exitCode ?? 'no exit code'}`;
        log.write('warn', `${name} did not format a proposal (${reason}): ${stderr.slice(0, 500)}`);
        return null;
      };
    let result = edits;
    const names: string[] = [];
    for (const currentFormatter of [...(formatter && canFormat(formatter) ? [formatter] : []), ...languageFormatters]) {
      const formattableEdits = edits.filter(({ path, after }) => after !== null && currentFormatter.formats(path));
      const layouts = await chooseLayouts(formattableEdits, currentFormatter, isStrict, createRun(currentFormatter));
      if (formattableEdits.some(({ path, after }) => (layouts.get(path) ?? after) !== after))
        names.push(currentFormatter.name);
      result = result.map((edit) => ({ ...edit, after: layouts.get(edit.path) ?? edit.after }));
    }
    return { edits: result, formatter: names.length > 0 ? names.join(' and ') : null };
  } finally {
    await worktree.dispose();
  }
}

/** Runs a formatter on one side of the edits, and returns its output by path; null if it fails. */
type RunFormatter = (
  edits: readonly FileEdit[],
  side: 'before' | 'after',
) => Promise<ReadonlyMap<string, string> | null>;

/** Chooses the texts of the edited files for which the formatter's output is used, by path. */
async function chooseLayouts(
  edits: readonly FileEdit[],
  { isWholeFileFormatter, isConfigured }: Formatter,
  isStrict: boolean,
  runOn: RunFormatter,
): Promise<ReadonlyMap<string, string>> {
  const layouts = new Map<string, string>();
  const formattedTexts = (await runOn(edits, 'after')) ?? layouts;
  const editsWithSpreadChanges: FileEdit[] = [];
  for (const edit of edits) {
    const text = formattedTexts.get(edit.path);
    if (text === undefined) continue;
    const textWithTouchedLines = formatChangedLines(edit.before ?? '', edit.after!, text);
    layouts.set(edit.path, textWithTouchedLines);
    if (textWithTouchedLines !== text && isWholeFileFormatter) editsWithSpreadChanges.push(edit);
  }
  if (editsWithSpreadChanges.length === 0) return layouts;
  // The formatter also changes other lines: because of the change, or because the file was never formatted.
  const formattedBases = await runOn(editsWithSpreadChanges, 'before');
  for (const { path, before, after } of editsWithSpreadChanges)
    if (formattedBases?.get(path) === before) layouts.set(path, formattedTexts.get(path)!);
    else if (isStrict || !isConfigured) layouts.set(path, after!);
  return layouts;
}

/** The texts of the files by path, without those that cannot be read. */
async function readTexts(worktree: Worktree, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const bytes = await worktree.read(path);
    const text = bytes && decodeText(bytes);
    if (text !== null) texts.set(path, text);
  }
  return texts;
}

function isInstalledPackage(path: string): boolean {
  return path.startsWith('node_modules/');
}

/** The text of UTF-8 bytes, with its byte-order mark; null if the bytes are not UTF-8. */
function decodeText(bytes: Uint8Array): string | null {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return text.includes('\uFFFD') ? null : text;
}
