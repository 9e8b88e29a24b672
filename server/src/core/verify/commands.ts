// Runs the repository's commands in worktrees, on the candidate and on the base, and makes their outputs comparable.

import { throwIfCancelled } from '../../util/typedError.ts';
import type { Sandbox, Worktree } from '../ports.ts';
import type { BaselineCache } from './baseline.ts';
import { shown, type DetectedCommand, type PackageManager } from './detect/command.ts';
import type { GateAnswer } from './gate.ts';

export interface CommandAnswer {
  readonly outcome: 'exited' | 'timedOut' | 'notFound';
  readonly exitCode: number | null;
  readonly stdout: string;
  /** Standard output, then standard error. Places in the worktree are relative to it. */
  readonly output: string;
  readonly millis: number;
  /** The line that was run. */
  readonly line: string;
}

export interface Commands {
  candidate(command: DetectedCommand, signal: AbortSignal): Promise<CommandAnswer>;
  base(command: DetectedCommand, signal: AbortSignal): Promise<CommandAnswer>;
  knownBase(command: DetectedCommand): CommandAnswer | undefined;
  dispose(): Promise<void>;
}

/** JSON of a linter must not be cut in the middle. */
const OUTPUT_BYTES = 8 * 1024 * 1024;
const PROBE_MS = 30_000;
const SHOWN_CHARACTERS = 4_000;

/**
 * The base gets a sandbox of its own, because a run leaves build output and caches behind. It is opened along with the first
 * command, not when it turns out to be needed: by then the user may have edited files, and it would be another base.
 */
export function createCommands(candidate: Worktree, parts: { readonly sandbox: Sandbox; readonly baseline: BaselineCache; readonly baseKey: string | null; readonly timeoutMs: number }): Commands {
  let base: Promise<Worktree> | null = null;
  const managers = new Map<PackageManager, boolean>();
  return {
    candidate(command, signal) {
      if (parts.baseline.known(parts.baseKey, keyOf(command)) === undefined) openBase(signal);
      return run(candidate, command, signal);
    },
    base: (command, signal) =>
      parts.baseline.remember(
        parts.baseKey,
        keyOf(command),
        async () => run(await openBase(signal), command, signal),
        // A machine under load is no property of the repository.
        (answer) => answer.outcome === 'exited',
      ),
    knownBase: (command) => parts.baseline.known<CommandAnswer>(parts.baseKey, keyOf(command)),
    async dispose() {
      await (await base?.catch(() => null))?.dispose();
    },
  };

  function openBase(signal: AbortSignal): Promise<Worktree> {
    if (!base) {
      base = parts.sandbox.open(signal);
      // Whoever waits for it is told; perhaps nobody does.
      base.catch(() => undefined);
    }
    return base;
  }

  async function run(worktree: Worktree, detected: DetectedCommand, signal: AbortSignal): Promise<CommandAnswer> {
    const { command, shell } = await choose(worktree, detected, signal);
    const result = await worktree.run({ command, shell, timeoutMs: parts.timeoutMs, maxOutputBytes: OUTPUT_BYTES }, signal);
    throwIfCancelled(signal);
    const { outcome, exitCode, millis } = result;
    if (outcome === 'cancelled') throw new Error('A run was cancelled without a request.');
    const stdout = withoutPlace(result.stdout, worktree.dir);
    return { outcome, exitCode, millis, stdout, output: `${stdout}\n${withoutPlace(result.stderr, worktree.dir)}`, line: command.join(' ') };
  }

  async function choose(worktree: Worktree, { command, shell, script }: DetectedCommand, signal: AbortSignal): Promise<{ readonly command: readonly string[]; readonly shell: boolean }> {
    if (!script || !(await works(worktree, script.manager, signal))) return { command, shell };
    return { command: [script.manager, 'run', script.name], shell: false };
  }

  /** Being in the path is not enough: corepack's stand-ins fail without a network. */
  async function works(worktree: Worktree, manager: PackageManager, signal: AbortSignal): Promise<boolean> {
    const known = managers.get(manager);
    if (known !== undefined) return known;
    const { exitCode } = await worktree.run({ command: [manager, '--version'], timeoutMs: PROBE_MS }, signal);
    throwIfCancelled(signal);
    managers.set(manager, exitCode === 0);
    return exitCode === 0;
  }
}

/** What every verdict on a command shows. */
export function evidenceOf(answer: CommandAnswer): GateAnswer['evidence'] {
  return { command: answer.line, exitCode: answer.exitCode, seconds: Math.round(answer.millis / 100) / 10, output: excerpt(answer.output) };
}

function keyOf(command: DetectedCommand): string {
  return `${shown(command)}\0${command.command.join('\0')}`;
}

function withoutPlace(text: string, dir: string): string {
  return text.replaceAll(`${dir}/`, '').replaceAll(dir, '.');
}

function excerpt(output: string): string {
  const text = output.trim();
  if (text.length <= SHOWN_CHARACTERS) return text;
  const half = SHOWN_CHARACTERS / 2;
  return `${text.slice(0, half)}\n…\n${text.slice(-half)}`;
}
