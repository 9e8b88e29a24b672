// Profiles a process of a test run or a benchmark with V8's sampling profiler.

import { appendFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import type { ProfileLine } from '../../../core/verify/hot/profile.ts';

/** Microseconds between two samples. */
const INTERVAL_MICROS = 1000;
/**
 * Milliseconds between two writes of the results. They are written often, because test runners end their workers by
 * force.
 */
const FLUSH_MS = 500;

/**
 * Appends a line (`ProfileLine`) to the file `results` every `FLUSH_MS` until the process ends. Only code below the
 * folder `root` counts, without installed packages.
 */
export function startProfiling(results: string, root: string): void {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: INTERVAL_MICROS });
  const start = () => session.post('Profiler.start');
  // In the thread of the session, the answer arrives before `post` returns.
  const flush = () =>
    session.post('Profiler.stop', (error: Error | null, answer: Profiler.StopReturnType | undefined) => {
      if (error || !answer) return;
      const line = sumProfile(answer.profile, root);
      if (line.total > 0) appendFileSync(results, `${JSON.stringify(line)}\n`);
    });
  start();
  setInterval(() => {
    flush();
    start();
  }, FLUSH_MS).unref();
  process.on('exit', flush);
  process.once('SIGTERM', () => {
    flush();
    process.kill(process.pid, 'SIGTERM');
  });
}

/**
 * The time of each function of the repository, in microseconds. Time in a builtin (`find`, `sort`) counts for its
 * caller. `total`: the time of the repository's code, including packages that it calls.
 */
function sumProfile({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, root: string): ProfileLine {
  const byId = new Map(nodes.map((node) => [node.id, { node, micros: 0 }]));
  for (const [index, id] of samples.entries()) byId.get(id)!.micros += Math.max(0, timeDeltas[index] ?? 0);
  /** The microseconds of each function, by the JSON of its path, name and line. */
  const functions = new Map<string, number>();
  let total = 0;
  const pending: { id: number; caller: string | null; inside: boolean }[] = [
    { id: nodes[0]!.id, caller: null, inside: false },
  ];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, micros } = byId.get(next.id)!;
    const { url, functionName, lineNumber } = node.callFrame;
    const path = findPathBelow(root, url);
    const frameKey =
      path !== null ? JSON.stringify([path, functionName, lineNumber + 1]) : url === '' ? next.caller : null;
    const isInside = next.inside || path !== null;
    if (isInside) total += micros;
    if (frameKey !== null && micros > 0) functions.set(frameKey, (functions.get(frameKey) ?? 0) + micros);
    for (const id of node.children ?? []) pending.push({ id, caller: frameKey, inside: isInside });
  }
  return {
    total,
    functions: [...functions].map(([key, micros]) => {
      const [path, name, line] = JSON.parse(key) as [string, string, number];
      return [path, name, line, micros];
    }),
  };
}

/** The path below the root; null for code of Node, of an installed package or from elsewhere, and for builtins. */
function findPathBelow(root: string, url: string): string | null {
  const [plain = ''] = url.split('?');
  const filePath = plain.startsWith('file:') ? fileURLToPath(plain) : plain;
  const path = filePath.startsWith(`${root}/`) ? filePath.slice(root.length + 1) : null;
  return path === null || path.split('/').includes('node_modules') ? null : path;
}
