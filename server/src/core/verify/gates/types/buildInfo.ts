// Speeds up a plain `tsc` with the compiler's own build information, so that it checks only what differs from an
// earlier tree (https://www.typescriptlang.org/tsconfig/#incremental).

import { sha256 } from '../../../../util/hash.ts';
import type { CommandResult, Reader } from '../../commands.ts';
import { createCommandKey } from '../../commandText.ts';
import type { BuildInfoStore } from '../../context.ts';
import type { DetectedCommand } from '../../detect/command.ts';
import type { DetectedProject } from '../../detect/project.ts';
import type { GateInput } from '../../gate.ts';
import type { Problem } from '../../parse/problem.ts';

/** Path of the build information in a work tree. Tools do not search node_modules. */
const INFO_PATH = 'node_modules/.selfware/types.tsbuildinfo';
/** Minimum duration, in milliseconds, of the plain check from which on build information is used. */
const SLOW_MS = 8_000;
/** If the fast check takes more than this share of the plain check, its information is outdated and is rebuilt. */
const OUTDATED_SHARE = 0.6;
/** After this many outdated results in succession, the fast check is no longer tried for this command. */
const MAX_OUTDATED = 2;
/** Matches files that determine the checked files, or the command of the check. */
const SETTING_PATTERN = /(?:^|\/)(?:tsconfig[^/]*\.json|package\.json)$/;
const OPTION_SOURCE = String.raw`(?:--noEmit|(?:-p|--project) [\w./-]+|--pretty(?: (?:true|false))?)`;
/** Matches a `tsc` with only known options, so that options for build information can be added. */
const PLAIN_PATTERN = new RegExp(`^tsc(?: ${OPTION_SOURCE})*$`);

/**
 * Checks the candidate with build information from an unchanged tree. Returns the result if there are no problems;
 * otherwise null, and the repository's own command decides. The information is built only in the unchanged repository,
 * because files that a candidate leaves behind must not influence later checks. It is built only after the plain
 * command was slow, and not again in a tree with type errors.
 */
export async function checkByBuildInfo(
  run: GateInput,
  typesCommand: DetectedCommand,
  read: Reader<Problem[]>,
  signal: AbortSignal,
): Promise<CommandResult<Problem[]> | null> {
  const { buildInfo, lastRuns } = run.context;
  const command = addBuildInfo(typesCommand, await run.project(), createInfoPath(typesCommand.cwd));
  if (!buildInfo || !command || run.edits.some(({ path }) => SETTING_PATTERN.test(path))) return null;
  const plainMillis = (await lastRuns?.find(createCommandKey(typesCommand)))?.millis ?? 0;
  if (plainMillis < SLOW_MS) return null;
  const name = `types-${sha256(createCommandKey(typesCommand)).slice(0, 16)}`;
  const history = await readHistory(buildInfo, name);
  if (history.outdated >= MAX_OUTDATED) return null;
  const storedInfo = await buildInfo.read(getInfoName(name));
  const bytes =
    storedInfo && storedInfo.byteLength > 0
      ? storedInfo
      : await buildInfoOnBase(run, command, { store: buildInfo, name, past: history }, signal);
  if (!bytes) return null;
  await run.worktree.place([{ path: INFO_PATH, bytes, executable: false }]);
  const fastCheck = await run.rerun('candidate', command, read, signal);
  const isOutdated = fastCheck.answer.millis > OUTDATED_SHARE * plainMillis;
  if (isOutdated) await buildInfo.write(getInfoName(name), new Uint8Array());
  const outdated = isOutdated ? history.outdated + 1 : 0;
  if (outdated !== history.outdated) await storeHistory(buildInfo, name, { ...history, outdated });
  const { outcome, exitCode } = fastCheck.answer;
  return outcome === 'exited' && exitCode === 0 && fastCheck.value.length === 0 ? fastCheck : null;
}

/** The stored facts about earlier checks with one command. */
interface CheckHistory {
  /** Key of the last unchanged tree with type errors; null if there was none. */
  readonly uncleanTree: string | null;
  /** Number of consecutive checks, up to now, that found the information outdated. */
  readonly outdated: number;
}

function getInfoName(name: string): string {
  return `${name}.tsbuildinfo`;
}

async function readHistory(store: BuildInfoStore, name: string): Promise<CheckHistory> {
  const bytes = await store.read(`${name}.json`);
  try {
    if (bytes) return JSON.parse(new TextDecoder().decode(bytes)) as CheckHistory;
  } catch (error) {
    // A damaged record counts as missing; the next one replaces it.
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { uncleanTree: null, outdated: 0 };
}

async function storeHistory(store: BuildInfoStore, name: string, history: CheckHistory): Promise<void> {
  await store.write(`${name}.json`, new TextEncoder().encode(JSON.stringify(history)));
}

/**
 * Builds the information in the unchanged repository. Null if that has type errors, or if its tree has no key. A tree
 * with type errors is recorded by its key and not checked again.
 */
async function buildInfoOnBase(
  run: GateInput,
  command: DetectedCommand,
  { store, name, past }: { readonly store: BuildInfoStore; readonly name: string; readonly past: CheckHistory },
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const tree = run.context.treeKey([], 'base');
  if (tree === null || tree === past.uncleanTree) return null;
  let bytes: Uint8Array | null = null;
  const { answer } = await run.rerun(
    'base',
    command,
    async (_, worktree) => void (bytes = await worktree.read(INFO_PATH)),
    signal,
  );
  if (answer.outcome !== 'exited' || answer.exitCode !== 0 || bytes === null) {
    await storeHistory(store, name, { ...past, uncleanTree: tree });
    return null;
  }
  await store.write(getInfoName(name), bytes);
  return bytes;
}

/** `INFO_PATH` relative to the folder `cwd`, so that the command is the same in every work tree. */
function createInfoPath(cwd = ''): string {
  return `${cwd === '' ? '' : '../'.repeat(cwd.split('/').length)}${INFO_PATH}`;
}

/**
 * The command with build information in `file`. Null unless it is a `tsc --noEmit` with known options, called directly
 * or by a package script that does nothing else.
 */
export function addBuildInfo(
  command: DetectedCommand,
  { manifest }: Pick<DetectedProject, 'manifest'>,
  file: string,
): DetectedCommand | null {
  const args = ['--incremental', '--tsBuildInfoFile', file];
  const { script } = command;
  if (script) {
    const text = manifest?.scripts[script.name]?.trim() ?? '';
    return PLAIN_PATTERN.test(text) && text.includes('--noEmit')
      ? { ...command, args: { words: args, depth: 1 } }
      : null;
  }
  const line = command.command.join(' ').replace(/^\S*\//, '');
  return !command.shell && PLAIN_PATTERN.test(line) && line.includes('--noEmit')
    ? { ...command, command: [...command.command, ...args] }
    : null;
}
