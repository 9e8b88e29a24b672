// Runs the built command line as a user would: another process, another folder, a state folder of its own.

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedCode } from './compiledCode.ts';

/** The entry of the built command line. */
export const cliEntry = join(import.meta.dirname, '..', '..', 'dist', 'cli.js');

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandLine {
  readonly home: string;
  /** Lets scripts decide from now on, in the person's own settings. */
  decide(): Promise<void>;
  /** Runs `selfware ARGS --repo DIR`. */
  run(
    args: readonly string[],
    options?: { readonly input?: string; readonly env?: Record<string, string> },
  ): Promise<Run>;
  /** Runs `selfware ARGS --json --repo DIR`, and parses its output. */
  json<T = any>(
    args: readonly string[],
  ): Promise<{ readonly code: number | null; readonly value: T; readonly stderr: string }>;
  dispose(): Promise<void>;
}

/** A command line for one repository, with a state folder that goes with it. */
export async function createCommandLine(dir: string): Promise<CommandLine> {
  const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  const run: CommandLine['run'] = (args, options = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [cliEntry, ...args, '--repo', dir], {
        env: {
          PATH: process.env.PATH,
          HOME: home,
          SELFWARE_HOME: home,
          SELFWARE_IGNORE_LOAD: '1',
          NO_COLOR: '1',
          ...sharedCode,
          ...options.env,
        },
        cwd: home,
      });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on('data', (data) => out.push(data));
      child.stderr.on('data', (data) => err.push(data));
      child.on('error', reject);
      child.on('close', (code) =>
        resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
      );
      // The process may end without having read its input.
      child.stdin.on('error', () => undefined);
      child.stdin.end(options.input ?? '');
    });
  return {
    home,
    decide: () => writeFile(join(home, 'settings.json'), '{"approve.withoutTerminal": true}'),
    run,
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
    dispose: () => rm(home, { recursive: true, force: true }),
  };
}
