// A sandbox in memory. Its work tree is a copy of a tree in memory, and the results of commands come from a table.

import type { MemoryFiles } from './memoryFiles.ts';
import { SelfwareError, throwIfCancelled } from '../../server/src/util/typedError.ts';
import type { RunRequest, RunResult, Sandbox } from '../../server/src/core/ports/sandbox.ts';

/** Returns the result of a command. `texts`: the work tree by path. If it takes long, `signal` ends it. */
export type MemoryCommand = (
  texts: ReadonlyMap<string, string>,
  signal: AbortSignal,
) => Partial<RunResult> | Promise<Partial<RunResult>>;

/** The sandbox. */
export interface MemorySandbox extends Sandbox {
  /** The command lines that were run so far, without `--version` and without runs of the harness. */
  readonly ran: readonly string[];
  open: Sandbox['open'];
  /** Number of work trees that are open now. */
  openCount(): number;
  /** Number of work trees that were opened so far. */
  openedCount(): number;
}

/** Creates the sandbox. A command that is not in the table has the outcome `notFound`. */
export function createMemorySandbox(
  files: MemoryFiles,
  commands: Readonly<Record<string, MemoryCommand>>,
): MemorySandbox {
  const linesRun: string[] = [];
  let openNow = 0;
  let openedCount = 0;
  return {
    ran: linesRun,
    openCount: () => openNow,
    openedCount: () => openedCount,
    // It counts as isolated, because nothing really runs.
    isolation: async () => ({ kind: 'bubblewrap', confined: true, tried: [{ kind: 'bubblewrap', trouble: null }] }),
    async open(signal, _changed, absent = []) {
      throwIfCancelled(signal);
      const isAbsent = (path: string) =>
        absent.some((absentPath) => path === absentPath || path.startsWith(`${absentPath}/`));
      const texts = new Map(Object.entries(files.all()).filter(([path]) => !isAbsent(path)));
      openNow += 1;
      openedCount += 1;
      let isDisposed = false;
      return {
        dir: `/sandboxes/${openedCount}`,
        read: async (path) => (texts.has(path) ? new TextEncoder().encode(texts.get(path)) : null),
        exists: async (path) =>
          texts.has(path) || [...texts.keys()].some((textPath) => textPath.startsWith(`${path}/`)),
        list: async () => [...texts.keys()].sort(),
        async write(edits, options = {}) {
          for (const { path, before, after } of edits) {
            const text = options.reverse ? before : after;
            if (text === null) texts.delete(path);
            else texts.set(path, text);
          }
        },
        async place(files) {
          for (const { path, bytes } of files) {
            if (bytes === null) texts.delete(path);
            else texts.set(path, new TextDecoder().decode(bytes));
          }
        },
        async run(request: RunRequest, signal) {
          if (isDisposed) throw new SelfwareError('internal', 'The worktree is gone.');
          const line = request.command.join(' ');
          // Queries of the versions of tools, and our own harness, are not commands of the repository.
          if (!line.endsWith(' --version') && request.command[0] !== 'harness') linesRun.push(line);
          const command = commands[line];
          if (!command) return { exitCode: null, outcome: 'notFound', stdout: '', stderr: '', millis: 0 };
          const answer = await command(texts, signal);
          return {
            exitCode: 0,
            outcome: signal.aborted ? 'cancelled' : 'exited',
            stdout: '',
            stderr: '',
            millis: 0,
            ...answer,
          };
        },
        async dispose() {
          if (!isDisposed) openNow -= 1;
          isDisposed = true;
        },
      };
    },
    removeAbandoned: async () => 0,
    close: async () => undefined,
  };
}
