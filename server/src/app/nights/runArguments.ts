// Builds the command line with which a supervisor starts an unattended run, and starts it again after a crash.

import { resolve } from 'node:path';
import { parseProposerNames } from '../../core/proposers/names.ts';

/** The end of a run as options of `selfware night`, such as `--until 07:00`; empty for the default end. */
export type RelativeEnd = readonly [] | readonly ['--until' | '--for', string];

/** An unattended run as a person ordered it. */
export interface PlannedRun {
  readonly repo: string;
  /** Files and folders in which something may be improved, absolute or relative to the repository; empty for all. */
  readonly paths: readonly string[];
  /**
   * The end in milliseconds since the epoch. It is absolute, so that a later start does not postpone it. For a service
   * that is started again and again, it is relative to its start.
   */
  readonly until: number | RelativeEnd;
  /** Files and folders that no change may touch, in the same form. */
  readonly exclude?: readonly string[] | undefined;
  /** The kinds of work, separated by commas. */
  readonly kinds?: string | undefined;
  readonly maxChanges?: string | undefined;
  /** Undefined if only recipes are used. */
  readonly proposer?: string | undefined;
  /** True if a person has agreed to online research in this run. */
  readonly research?: boolean | undefined;
  /** The settings of this run, each as `name=value`. */
  readonly set: readonly string[];
  /** False if the run ends when nothing is left to try. */
  readonly wait: boolean;
}

/** The arguments of `selfware` that start this run, with absolute paths. */
export function runArguments({
  repo,
  paths,
  until,
  exclude = [],
  kinds,
  maxChanges,
  proposer,
  research,
  set,
  wait,
}: PlannedRun): readonly string[] {
  const flagWithValue = (flag: string, value: string | undefined) => (value === undefined ? [] : [flag, value]);
  return [
    'night',
    'run',
    ...paths.map((path) => resolve(repo, path)),
    '--repo',
    resolve(repo),
    ...(typeof until === 'number' ? ['--end', String(until)] : until),
    ...exclude.flatMap((path) => ['--exclude', resolve(repo, path)]),
    ...flagWithValue('--kinds', kinds),
    ...flagWithValue('--max-changes', maxChanges),
    ...flagWithValue('--proposer', proposer === undefined ? undefined : resolveProposerPaths(proposer)),
    ...set.flatMap((setting) => ['--set', setting]),
    ...(research ? ['--research'] : []),
    ...(wait ? [] : ['--no-wait']),
  ];
}

/** Makes the paths in a list of proposers absolute, because the run has another working folder. */
function resolveProposerPaths(proposers: string): string {
  const absolute = parseProposerNames(proposers).map((name) => {
    const [, kind, path] = /^(gguf|later|mailbox|replay):(.+)$/s.exec(name) ?? [];
    return kind === undefined ? name : `${kind}:${resolve(path!.trim())}`;
  });
  return absolute.join(',');
}

/**
 * Replaces a relative end in the arguments by an absolute one. `endOf`: computes the end from the values of `--until`
 * and `--for`.
 */
export function makeEndAbsolute(
  args: readonly string[],
  endOf: (end: { readonly until?: string; readonly for?: string }) => number,
): readonly string[] {
  if (args.includes('--end')) return args;
  const index = args.findIndex((arg) => arg === '--until' || arg === '--for');
  const end = index < 0 ? endOf({}) : endOf({ [args[index]!.slice(2)]: args[index + 1]! });
  return [...(index < 0 ? args : args.toSpliced(index, 2)), '--end', String(end)];
}
