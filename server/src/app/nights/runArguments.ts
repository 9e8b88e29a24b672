// Builds the command line with which a supervisor starts an unattended run, and starts it again after a crash.

import { resolve } from 'node:path';
import { parseProposerNames } from '../../core/proposers/names.ts';

/** An unattended run as a person ordered it. */
export interface PlannedRun {
  readonly repo: string;
  /** Files and folders that may be changed; empty for all. */
  readonly paths: readonly string[];
  /** The end in milliseconds since the epoch: it is absolute, so that a later start does not postpone it. */
  readonly until: number;
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
    ...paths.map((path) => resolve(path)),
    '--repo',
    resolve(repo),
    '--end',
    String(until),
    ...flagWithValue('--max-changes', maxChanges),
    ...flagWithValue('--proposer', proposer === undefined ? undefined : withAbsolutePaths(proposer)),
    ...set.flatMap((setting) => ['--set', setting]),
    ...(research ? ['--research'] : []),
    ...(wait ? [] : ['--no-wait']),
  ];
}

/** The proposers with absolute paths, because the run has another working folder. */
function withAbsolutePaths(proposers: string): string {
  const absolute = parseProposerNames(proposers).map((name) => {
    const [, kind, path] = /^(gguf|later|mailbox|replay):(.+)$/s.exec(name) ?? [];
    return kind === undefined ? name : `${kind}:${resolve(path!.trim())}`;
  });
  return absolute.join(',');
}
