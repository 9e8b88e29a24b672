// Runs the built command line as a user would: in another process and another folder, with a separate state folder.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedCode } from './compiledCode.ts';

/** The entry of the built command line. */
export const cliEntry = join(import.meta.dirname, '..', '..', 'dist', 'cli.js');

/** The result of a run of the command line. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line for one repository. */
export interface CommandLine {
  /** The home folder of the user, which contains the state. */
  readonly home: string;
  /** Writes a setting of the user that allows decisions without a terminal. */
  decide(): Promise<void>;
  /**
   * Runs `selfware ARGS --repo DIR`. `input`: its standard input. `entry`: the entry of another copy of the program.
   */
  run(
    args: readonly string[],
    options?: { readonly input?: string; readonly env?: Record<string, string>; readonly entry?: string },
  ): Promise<Run>;
  /**
   * Starts `selfware ARGS --repo DIR`. Resolves with the process when it has printed `words`; rejects if it ends
   * earlier. `dispose` kills the processes that are still running.
   */
  start(args: readonly string[], words: string): Promise<ChildProcessWithoutNullStreams>;
  /**
   * Runs `selfware ARGS --repo DIR` at a terminal without a width, and types each answer when its question is shown.
   * Resolves with the output. `isPiped`: true to pipe the output through `cat`.
   */
  runWithAnswers(
    args: readonly string[],
    answers: readonly (readonly [question: string, keys: string])[],
    options?: { readonly isPiped?: boolean },
  ): Promise<string>;
  /** Runs `selfware ARGS --json --repo DIR`, and parses its output. */
  json<T = any>(
    args: readonly string[],
  ): Promise<{ readonly code: number | null; readonly value: T; readonly stderr: string }>;
  /** Kills the processes that are still running, and removes the state folder. */
  dispose(): Promise<void>;
}

/** Creates the command line of the repository `dir`. Its state folder is below `parentDir` and removed by `dispose`. */
export async function createCommandLine(dir: string, parentDir = tmpdir()): Promise<CommandLine> {
  const home = await mkdtemp(join(parentDir, 'selfware-home-'));
  const running = new Set<ChildProcessWithoutNullStreams>();
  const spawnProcess = (args: readonly string[], env: Readonly<Record<string, string>> = {}, entry = cliEntry) => {
    const child = spawn(process.execPath, [entry, ...args, '--repo', dir], {
      env: {
        PATH: process.env.PATH,
        HOME: home,
        SELFWARE_HOME: home,
        SELFWARE_IGNORE_LOAD: '1',
        NO_COLOR: '1',
        ...sharedCode,
        ...env,
      },
      cwd: home,
    });
    running.add(child);
    child.on('exit', () => running.delete(child));
    return child;
  };
  const run: CommandLine['run'] = (args, options = {}) =>
    new Promise((resolve, reject) => {
      const child = spawnProcess(args, options.env, options.entry);
      const outputParts: Buffer[] = [];
      const errorParts: Buffer[] = [];
      child.stdout.on('data', (data) => outputParts.push(data));
      child.stderr.on('data', (data) => errorParts.push(data));
      child.on('error', reject);
      child.on('close', (code) =>
        resolve({ code, stdout: Buffer.concat(outputParts).toString(), stderr: Buffer.concat(errorParts).toString() }),
      );
      // The process may end without having read its input.
      child.stdin.on('error', () => undefined);
      child.stdin.end(options.input ?? '');
    });
  return {
    home,
    runWithAnswers: (args, answers, options) => runAtTerminal([...args, '--repo', dir], home, answers, options),
    decide: () => writeFile(join(home, 'settings.json'), '{"approve.withoutTerminal": true}'),
    run,
    start: (args, words) =>
      new Promise((resolve, reject) => {
        const child = spawnProcess(args);
        let output = '';
        const collectOutput = (data: Buffer) => {
          output += data;
          if (output.includes(words)) resolve(child);
        };
        for (const stream of [child.stdout, child.stderr]) stream.on('data', collectOutput);
        child.on('error', reject);
        child.on('close', () => reject(new Error(`It ended before it said “${words}”:\n${output}`)));
      }),
    async json(args) {
      const result = await run([...args, '--json']);
      try {
        return { code: result.code, value: JSON.parse(result.stdout), stderr: result.stderr };
      } catch (cause) {
        throw new Error(
          `No JSON document from ${args.join(' ')} (exit code ${result.code}):\n${result.stdout}\n${result.stderr}`,
          { cause },
        );
      }
    },
    async dispose() {
      const exits = [...running].map((child) => once(child, 'exit'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(exits);
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Runs the command line in a pseudo-terminal of the program `script`; see `runWithAnswers`. */
function runAtTerminal(
  args: readonly string[],
  home: string,
  answers: readonly (readonly [question: string, keys: string])[],
  { isPiped = false }: { readonly isPiped?: boolean } = {},
): Promise<string> {
  const command = [process.execPath, cliEntry, ...args].map((part) => `'${part}'`).join(' ');
  const line = isPiped ? `${command} | cat` : command;
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        SELFWARE_HOME: home,
        SELFWARE_IGNORE_LOAD: '1',
        ...sharedCode,
        NO_COLOR: '1',
        TERM: 'xterm',
      },
    });
    let output = '';
    let nextAnswer = 0;
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString();
      const [question, keys] = answers[nextAnswer] ?? [];
      if (question === undefined || keys === undefined || !output.includes(question)) return;
      nextAnswer += 1;
      child.stdin.write(keys);
    });
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}
