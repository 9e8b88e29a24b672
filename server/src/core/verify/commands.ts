// Runs the repository's commands in work trees, on the candidate and on the base, and makes their outputs comparable.

import { estimateTokens } from '../../util/tokens.ts';
import { throwIfCancelled } from '../../util/typedError.ts';
import type { FileEdit, Verdict } from '../model.ts';
import type { BaselineCache } from './baseline.ts';
import type { SetUp, TreeSide } from './context.ts';
import { describeEnvironment } from './environment.ts';
import { parseTestCount, shortenOutput, createCommandKey, formatCommandLine, removeFolder } from './commandText.ts';
import { findWordsToRun, type DetectedCommand } from './detect/command.ts';
import { findDisturbance, type Disturbance } from './integrity/disturbance.ts';
import { mayBeStored, mayBecomeBase } from './storableResults.ts';
import { createManagers } from './managers.ts';
import { splitManagerNoise } from './parse/managerNoise.ts';
import { addMissingProgram } from './parse/missingProgram.ts';
import { createWatch, type TouchedFile, type JudgeFileWatch } from './integrity/watchJudgeFiles.ts';
import { countTestLines, type LastRuns, type RunningCommand } from './runningCommandText.ts';
import type { RunRequest, Sandbox, Worktree } from '../ports/sandbox.ts';

/** The result of running a command. */
export interface CommandAnswer {
  readonly outcome: 'exited' | 'timedOut' | 'notFound';
  readonly exitCode: number | null;
  /** Name of the program that was not found; nothing else can be concluded from such a run. */
  readonly missing?: string;
  /** The limit for which the run was stopped; null if it exceeded none. */
  readonly exceeded: string | null;
  readonly stdout: string;
  /** Standard output, then standard error. Paths in the work tree are relative to it. */
  readonly output: string;
  /** Estimated tokens of the output before it was condensed; absent in results of older versions. */
  readonly outputTokens?: number;
  /** Messages of the package manager itself, which were removed from `output`. */
  readonly packageManager?: string;
  /** Text of the report file of the command. */
  readonly report: string | null;
  readonly millis: number;
  /** Peak memory, if it was requested and could be measured. */
  readonly peakBytes?: number;
  /** The command as a person would type it. */
  readonly line: string;
  /** The isolation mechanism; `none` if this machine has none. */
  readonly isolation: string;
}

/**
 * An answer with the value that was read from it. Its outputs are shortened to what a verdict shows, because results
 * are stored.
 */
export interface CommandResult<T> {
  readonly answer: CommandAnswer;
  readonly value: T;
  /** Judge files that the run changed; they are restored after it. */
  readonly touched: readonly TouchedFile[];
  /** True for a stored result of an earlier run on the same tree; nothing ran now. */
  readonly isKept?: true;
  /** True if a second run of the tree gave the same failures. */
  readonly isConfirmed?: true;
}

/** Reads a value from an answer while the work tree is still as the command left it. */
export type Reader<T> = (answer: CommandAnswer, worktree: Worktree) => T | Promise<T>;

/** Runs commands on both sides of one change. `base` returns the stored result of an earlier run, if there is one. */
export interface Commands {
  candidate<T>(command: DetectedCommand, read: Reader<T>, signal: AbortSignal): Promise<CommandResult<T>>;
  base<T>(command: DetectedCommand, read: Reader<T>, signal: AbortSignal): Promise<CommandResult<T>>;
  /** Runs the command on the base and replaces the stored result. `confirms` determines `isConfirmed`. */
  rerunBase<T>(
    command: DetectedCommand,
    read: Reader<T>,
    confirms: (newResult: CommandResult<T>) => boolean,
    signal: AbortSignal,
  ): Promise<CommandResult<T>>;
  /** True if a result of the command on the base is stored, so that `base` would not run it. */
  isStored(command: DetectedCommand, signal: AbortSignal): Promise<boolean>;
  /** The last result of the command on the candidate during this judgement; undefined if there is none. */
  resultOfThisRun<T>(command: DetectedCommand, signal: AbortSignal): Promise<CommandResult<T> | undefined>;
  /**
   * Runs the command again, ignoring stored results. With `mutant` or `traced`, it runs in the candidate's work tree
   * with a mutant or with recorded calls, so changes of judge files are not blamed on the change.
   */
  rerun<T>(
    side: 'candidate' | 'base' | 'mutant' | 'traced',
    command: DetectedCommand,
    read: Reader<T>,
    signal: AbortSignal,
  ): Promise<CommandResult<T>>;
  /** Runs `work` while the candidate's work tree lacks these edits, and then applies them again. */
  without<T>(edits: readonly FileEdit[], work: () => Promise<T>): Promise<T>;
  /**
   * The change of judge files for which commands on the candidate are to blame since the last call; null if there is
   * none. `base` runs the same commands on the base; `Commands.base` if absent.
   */
  disturbance(signal: AbortSignal, base?: Commands['base']): Promise<Disturbance | null>;
  /** The versions of the tools that run commands, as one string. */
  tools(signal: AbortSignal): Promise<string>;
  /**
   * Stores the results on the candidate since the last call, because an applied candidate becomes the next base. Stores
   * results of tests only if no test failed and these verdicts show that the tests passed, because a failure on the
   * base would excuse a failure with the change.
   */
  keepCandidate(verdicts: readonly Verdict[]): Promise<void>;
  dispose(): Promise<void>;
}

/** The input for running commands. */
export interface CommandParts {
  readonly sandbox: Sandbox;
  readonly baseline: BaselineCache;
  /** Key of the tree with these edits; null if results are not stored. */
  treeKey(edits: readonly FileEdit[], side: TreeSide): string | null;
  /** The results of a set-up; they determine the packages and services of a run. */
  readonly setUp?: SetUp;
  /**
   * True if the base and the candidate have different packages, so that each side's environment is part of its keys.
   */
  readonly hasOwnPackages?: boolean;
  /** The results on the candidate, by result key. All sandboxes of one judgement share them. */
  readonly ran?: Map<string, CommandResult<unknown>>;
  /** The environments of the commands, by side. All sandboxes of one judgement share them. */
  readonly environments?: Map<TreeSide, Promise<string>>;
  readonly isJudge: (path: string) => boolean;
  readonly edits: readonly FileEdit[];
  readonly timeoutMs: number;
  /** True if nobody edits the base meanwhile, so that its sandbox opens only when it is needed. */
  readonly isStill?: boolean;
  readonly lastRuns?: LastRuns;
  /** Called about once a second while a command runs. */
  readonly tell?: (underWay: RunningCommand) => void;
}

/** Maximum size of an output; large enough that reports are not truncated. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
/** The folder for reports. Tools do not search it, because they skip node_modules. */
const REPORT_FOLDER = 'node_modules/.selfware';
/** Placeholder for the report's path in a command; each run gets its own path. */
export const REPORT_PATH_MARK = '\u0001report\u0001';

/**
 * Creates the commands of one change. The base gets its own sandbox, because runs leave build output and caches behind.
 * The sandbox opens with the first command on the candidate that has no stored result on the base, not at its first
 * use, because the user may edit files in the meantime.
 */
export function createCommands(candidate: Worktree, parts: CommandParts): Commands {
  let base: Promise<Worktree> | null = null;
  const { ran = new Map<string, CommandResult<unknown>>(), environments = new Map<TreeSide, Promise<string>>() } =
    parts;
  let reportCount = 0;
  const canUseManager = createManagers(parts.sandbox);
  const watches = new Map<Worktree, JudgeFileWatch>();
  const unstoredResults: { readonly key: string; readonly result: CommandResult<unknown> }[] = [];
  /** Runs on the candidate since the last call of `disturbance`. */
  const unjudgedRuns: {
    readonly command: DetectedCommand;
    readonly read: Reader<unknown>;
    readonly result: CommandResult<unknown>;
  }[] = [];

  const commands: Commands = {
    async candidate(command, read, signal) {
      const key = await computeResultKey('candidate', command, signal);
      if (!parts.isStill && (await findOnBase(command, signal)) === undefined) openBase(signal);
      const result = await runOnCandidate(command, read, signal);
      if (mayBeStored(result)) ran.set(key, result);
      unstoredResults.push({ key, result });
      unjudgedRuns.push({ command, read, result });
      return result;
    },
    async base<T>(command: DetectedCommand, read: Reader<T>, signal: AbortSignal) {
      const before = await findOnBase<T>(command, signal);
      if (before) return { ...before, isKept: true };
      return commands.rerunBase(command, read, () => false, signal);
    },
    async rerunBase(command, read, confirms, signal) {
      const result = await run(await openBase(signal), 'base', command, read, signal);
      const confirmedResult = confirms(result) ? { ...result, isConfirmed: true as const } : result;
      if (mayBeStored(confirmedResult))
        await parts.baseline.keep(
          parts.treeKey([], 'base'),
          await computeResultKey('base', command, signal),
          confirmedResult,
        );
      return confirmedResult;
    },
    async isStored(command, signal) {
      return (await findOnBase(command, signal)) !== undefined;
    },
    async resultOfThisRun<T>(command: DetectedCommand, signal: AbortSignal) {
      return ran.get(await computeResultKey('candidate', command, signal)) as CommandResult<T> | undefined;
    },
    async rerun(side, command, read, signal) {
      if (side !== 'candidate')
        return run(side === 'base' ? await openBase(signal) : candidate, side, command, read, signal);
      const result = await runOnCandidate(command, read, signal);
      unjudgedRuns.push({ command, read, result });
      return result;
    },
    async without(edits, work) {
      // A watch restores the files of the change after each run, so a new watch starts here.
      await candidate.write(edits, { reverse: true });
      watches.delete(candidate);
      try {
        return await work();
      } finally {
        await candidate.write(edits);
        watches.delete(candidate);
      }
    },
    async disturbance(signal, base = commands.base) {
      for (const { command, read, result } of unjudgedRuns.splice(0)) {
        if (result.touched.length === 0) continue;
        const { touched } = await base(command, read, signal);
        const disturbance = findDisturbance(result.answer.line, result.touched, touched, parts.edits);
        if (disturbance) return disturbance;
      }
      return null;
    },
    tools: (signal) => readEnvironment('candidate', signal),
    async keepCandidate(verdicts) {
      const tree = parts.treeKey(parts.edits, 'candidate');
      for (const { key, result } of unstoredResults.splice(0))
        if (mayBecomeBase(result, verdicts)) await parts.baseline.keep(tree, key, result);
    },
    dispose: async () => (await base?.catch(() => null))?.dispose(),
  };
  return commands;

  function openBase(signal: AbortSignal): Promise<Worktree> {
    if (!base) {
      base = parts.sandbox.open(signal);
      // Callers that await `base` get the error. If none does, it must not become an unhandled rejection.
      base.catch(() => undefined);
    }
    return base;
  }

  /**
   * Runs a command on the candidate. If its program is missing, runs it on the base now: the change is to blame only if
   * the base finds the program. A stored result of the base does not show that, because it may be from another day, and
   * packages may be installed while the candidate runs.
   */
  async function runOnCandidate<T>(
    command: DetectedCommand,
    read: Reader<T>,
    signal: AbortSignal,
  ): Promise<CommandResult<T>> {
    const result = await run(candidate, 'candidate', command, read, signal);
    if (result.answer.missing === undefined) return result;
    const currentBaseResult = await run(await openBase(signal), 'base', command, read, signal);
    if (currentBaseResult.answer.outcome !== 'notFound') return run(candidate, 'candidate', command, read, signal);
    return { ...result, answer: { ...result.answer, outcome: 'notFound' } };
  }

  async function run<T>(
    worktree: Worktree,
    side: RunningCommand['side'],
    detected: DetectedCommand,
    read: Reader<T>,
    signal: AbortSignal,
  ): Promise<CommandResult<T>> {
    const watch =
      watches.get(worktree) ??
      createWatch(
        worktree,
        parts.isJudge,
        parts.edits.map(({ path }) => path),
      );
    watches.set(worktree, watch);
    await watch.look();
    const finishedRun = await runOnce(
      worktree,
      await withReportPath(worktree, detected),
      { side, onProgress: await createProgressListener(createCommandKey(detected), side) },
      signal,
    );
    const value = await read(finishedRun, worktree);
    const answer = addMissingProgram(finishedRun, value, side);
    if (answer.outcome === 'exited' && answer.exceeded === null)
      await parts.lastRuns?.keep(createCommandKey(detected), { millis: answer.millis, tests: parseTestCount(value) });
    const touched = await watch.restore();
    throwIfCancelled(signal);
    const { text, noise } = splitManagerNoise(answer.output);
    const manager = noise === '' ? {} : { packageManager: shortenOutput(noise) };
    const output = { output: shortenOutput(text), outputTokens: estimateTokens(answer.output) };
    return { answer: { ...answer, stdout: '', report: null, ...output, ...manager }, value, touched };
  }

  /** Returns a listener that counts the tests in the output and reports them to `tell`; undefined if nobody listens. */
  async function createProgressListener(
    command: string,
    side: RunningCommand['side'],
  ): Promise<RunRequest['onProgress']> {
    const { tell, lastRuns } = parts;
    if (!tell) return undefined;
    const lastRun = (await lastRuns?.find(command)) ?? null;
    let tests = 0;
    let unfinishedLine = '';
    return ({ millis, newOutput }) => {
      const lines = (unfinishedLine + newOutput).split('\n');
      unfinishedLine = lines.pop() ?? '';
      tests += countTestLines(lines);
      tell({ side, millis, tests, lastRun });
    };
  }

  async function runOnce(
    worktree: Worktree,
    detected: DetectedCommand,
    { side, onProgress }: { readonly side: RunningCommand['side']; readonly onProgress: RunRequest['onProgress'] },
    signal: AbortSignal,
  ): Promise<CommandAnswer> {
    const isManagerUsable =
      detected.script !== undefined && (await canUseManager(detected.script.manager, worktree, signal));
    const { command, shell } = findWordsToRun(detected, isManagerUsable);
    const { cwd, env, report, services } = detected;
    const result = await worktree.run(
      {
        command,
        shell,
        timeoutMs: Math.min(parts.timeoutMs, detected.timeoutMs ?? parts.timeoutMs),
        maxOutputBytes: MAX_OUTPUT_BYTES,
        ...(cwd ? { cwd } : {}),
        ...(env ? { env } : {}),
        ...(services ? { services } : {}),
        ...(detected.peak ? { peak: true as const } : {}),
        ...(report && !report.isBegunEarly ? { lastFile: report.path } : {}),
        ...(side === 'mutant' ? { isMutant: true as const } : {}),
        ...(onProgress ? { onProgress } : {}),
      },
      signal,
    );
    throwIfCancelled(signal);
    const { outcome, exitCode, millis, exceeded = null, peakBytes } = result;
    if (outcome === 'cancelled') throw new Error('A run was cancelled without a request.');
    const stdout = removeFolder(result.stdout, worktree.dir);
    const reportText = report ? await worktree.read(report.path) : null;
    const text = reportText && removeFolder(new TextDecoder().decode(reportText), worktree.dir);
    const { kind: isolation } = await parts.sandbox.isolation();
    return {
      outcome,
      exitCode,
      exceeded,
      isolation,
      millis,
      ...(peakBytes === undefined ? {} : { peakBytes }),
      stdout,
      report: text,
      output: `${stdout}\n${removeFolder(result.stderr, worktree.dir)}`,
      line: removeFolder(formatCommandLine(detected, isManagerUsable), worktree.dir),
    };
  }

  /** Gives every run its own report, at a path that does not depend on the runner's working folder. */
  async function withReportPath(worktree: Worktree, detected: DetectedCommand): Promise<DetectedCommand> {
    if (!detected.report) return detected;
    reportCount += 1;
    const path = `${REPORT_FOLDER}/report-${reportCount}`;
    await worktree.write([
      { path: `${REPORT_FOLDER}/README`, before: null, after: 'Reports of the tests that Selfware ran.\n' },
    ]);
    const insertReportPath = (text: string) => text.replaceAll(REPORT_PATH_MARK, `${worktree.dir}/${path}`);
    return {
      ...detected,
      command: detected.command.map(insertReportPath),
      report: { ...detected.report, path },
      ...(detected.args ? { args: { ...detected.args, words: detected.args.words.map(insertReportPath) } } : {}),
      ...(detected.env
        ? {
            env: Object.fromEntries(
              Object.entries(detected.env).map(([name, value]) => [name, insertReportPath(value)]),
            ),
          }
        : {}),
    };
  }

  /** The key of a result: the command, and everything outside of the tree that the result depends on. */
  async function computeResultKey(side: TreeSide, command: DetectedCommand, signal: AbortSignal): Promise<string> {
    return `${createCommandKey(command)}\n${await readEnvironment(side, signal)}`;
  }

  async function findOnBase<T>(command: DetectedCommand, signal: AbortSignal): Promise<CommandResult<T> | undefined> {
    const resultKey = await computeResultKey('base', command, signal);
    return parts.baseline.find<CommandResult<T>>(parts.treeKey([], 'base'), resultKey);
  }

  /**
   * The environment of the commands on one side. Both sides share it unless the change alters the required packages.
   */
  function readEnvironment(side: TreeSide, signal: AbortSignal): Promise<string> {
    const environmentSide = parts.hasOwnPackages ? side : 'candidate';
    const knownEnvironment = environments.get(environmentSide);
    if (knownEnvironment) return knownEnvironment;
    const environment = (async () =>
      describeEnvironment(environmentSide === 'base' ? await openBase(signal) : candidate, parts, signal))();
    environments.set(environmentSide, environment);
    return environment;
  }
}
