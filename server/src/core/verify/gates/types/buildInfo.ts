// Lets a plain `tsc` check only what differs from an earlier tree, by the compiler's own build information
// (https://www.typescriptlang.org/tsconfig/#incremental).

import { sha256 } from '../../../../util/hash.ts';
import type { CommandResult, Reader } from '../../commands.ts';
import { keyOf } from '../../commandText.ts';
import type { BuildInfoStore } from '../../context.ts';
import type { DetectedCommand } from '../../detect/command.ts';
import type { Project } from '../../detect/project.ts';
import type { GateRun } from '../../gate.ts';
import type { Problem } from '../../parse/problem.ts';

/** No tool searches here. */
const PLACE = 'node_modules/.selfware/types.tsbuildinfo';
/** A check that is faster gains little. Milliseconds. */
const SLOW_MS = 8_000;
/** If the short check took more than this share of the plain one, the information is made again from the newer tree. */
const OUTDATED_SHARE = 0.6;
/** After so many outdated results in a row, the short check gains too little to be tried again. */
const MAX_OUTDATED = 2;
/** Files that change what is checked, or by which command. */
const SETTINGS = /(?:^|\/)(?:tsconfig[^/]*\.json|package\.json)$/;
const OPTION = String.raw`(?:--noEmit|(?:-p|--project) [\w./-]+|--pretty(?: (?:true|false))?)`;
const PLAIN = new RegExp(`^tsc(?: ${OPTION})*$`);

/**
 * Checks the candidate with the build information of an unchanged tree. Null unless that finds nothing wrong: then the
 * repository's own command has to decide. The information comes from the unchanged repository alone, because what a
 * candidate leaves must not decide about the next one. It is made once the plain command was seen to be slow, and not
 * twice from a repository whose types are not clean.
 */
export async function checkedByBuildInfo(
  run: GateRun,
  plain: DetectedCommand,
  read: Reader<Problem[]>,
  signal: AbortSignal,
): Promise<CommandResult<Problem[]> | null> {
  const { buildInfo, lastRuns } = run.context;
  const command = withBuildInfo(plain, await run.project(), placeFrom(plain.cwd));
  if (!buildInfo || !command || run.edits.some(({ path }) => SETTINGS.test(path))) return null;
  const plainMillis = (await lastRuns?.find(keyOf(plain)))?.millis ?? 0;
  if (plainMillis < SLOW_MS) return null;
  const name = `types-${sha256(keyOf(plain)).slice(0, 16)}`;
  const past = await pastOf(buildInfo, name);
  if (past.outdated >= MAX_OUTDATED) return null;
  const kept = await buildInfo.read(infoOf(name));
  const bytes = kept && kept.byteLength > 0 ? kept : await made(run, command, { store: buildInfo, name, past }, signal);
  if (!bytes) return null;
  await run.worktree.place([{ path: PLACE, bytes, executable: false }]);
  const checked = await run.again('candidate', command, read, signal);
  const isOutdated = checked.answer.millis > OUTDATED_SHARE * plainMillis;
  if (isOutdated) await buildInfo.write(infoOf(name), new Uint8Array());
  const outdated = isOutdated ? past.outdated + 1 : 0;
  if (outdated !== past.outdated) await keepPast(buildInfo, name, { ...past, outdated });
  const { outcome, exitCode } = checked.answer;
  return outcome === 'exited' && exitCode === 0 && checked.value.length === 0 ? checked : null;
}

/** What is remembered of earlier checks with one command. */
interface Past {
  /** Key of the last unchanged tree whose types were not clean; null = none was seen. */
  readonly unclean: string | null;
  /** Number of checks in a row, up to now, that found the information outdated. */
  readonly outdated: number;
}

function infoOf(name: string): string {
  return `${name}.tsbuildinfo`;
}

async function pastOf(store: BuildInfoStore, name: string): Promise<Past> {
  const bytes = await store.read(`${name}.json`);
  try {
    if (bytes) return JSON.parse(new TextDecoder().decode(bytes)) as Past;
  } catch (error) {
    // A damaged record counts as none; the next one replaces it.
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { unclean: null, outdated: 0 };
}

async function keepPast(store: BuildInfoStore, name: string, past: Past): Promise<void> {
  await store.write(`${name}.json`, new TextEncoder().encode(JSON.stringify(past)));
}

/**
 * Makes the information in the unchanged repository; null if its types are not clean. That is remembered by the key of
 * the tree, so without a key nothing is made.
 */
async function made(
  run: GateRun,
  command: DetectedCommand,
  { store, name, past }: { readonly store: BuildInfoStore; readonly name: string; readonly past: Past },
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const tree = run.context.treeKey([], 'base');
  if (tree === null || tree === past.unclean) return null;
  let bytes: Uint8Array | null = null;
  const { answer } = await run.again(
    'base',
    command,
    async (_, worktree) => void (bytes = await worktree.read(PLACE)),
    signal,
  );
  if (answer.outcome !== 'exited' || answer.exitCode !== 0 || bytes === null) {
    await keepPast(store, name, { ...past, unclean: tree });
    return null;
  }
  await store.write(infoOf(name), bytes);
  return bytes;
}

/** The place as the compiler is told it: relative, so that it is the same in every work tree. */
function placeFrom(cwd = ''): string {
  return `${cwd === '' ? '' : '../'.repeat(cwd.split('/').length)}${PLACE}`;
}

/**
 * The same command with build information in this file; null for all but a `tsc` without output whose options are
 * known, called directly or by a script that holds nothing else.
 */
export function withBuildInfo(
  command: DetectedCommand,
  { manifest }: Pick<Project, 'manifest'>,
  file: string,
): DetectedCommand | null {
  const words = ['--incremental', '--tsBuildInfoFile', file];
  const { script } = command;
  if (script) {
    const text = manifest?.scripts[script.name]?.trim() ?? '';
    return PLAIN.test(text) && text.includes('--noEmit') ? { ...command, args: { words, depth: 1 } } : null;
  }
  const line = command.command.join(' ').replace(/^\S*\//, '');
  return !command.shell && PLAIN.test(line) && line.includes('--noEmit')
    ? { ...command, command: [...command.command, ...words] }
    : null;
}
