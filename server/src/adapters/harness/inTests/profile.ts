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
      const line = summariseProfile(answer.profile, root);
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
function summariseProfile({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, root: string): ProfileLine {
  const nodeById = new Map(nodes.map((node) => [node.id, { node, micros: 0 }]));
  for (const [index, id] of samples.entries()) nodeById.get(id)!.micros += Math.max(0, timeDeltas[index] ?? 0);
  /** The microseconds of each function, by the JSON of its path, name and line. */
  const microsByFunction = new Map<string, number>();
  let total = 0;
  const pendingNodes: { id: number; caller: string | null; isInside: boolean }[] = [
    { id: nodes[0]!.id, caller: null, isInside: false },
  ];
  for (let currentNode = pendingNodes.pop(); currentNode; currentNode = pendingNodes.pop()) {
    const { node, micros } = nodeById.get(currentNode.id)!;
    const { url, functionName, lineNumber } = node.callFrame;
    const path = findPathBelow(root, url);
    const frameKey =
      path !== null ? JSON.stringify([path, functionName, lineNumber + 1]) : url === '' ? currentNode.caller : null;
    const isInside = currentNode.isInside || path !== null;
    if (isInside) total += micros;
    if (frameKey !== null && micros > 0) microsByFunction.set(frameKey, (microsByFunction.get(frameKey) ?? 0) + micros);
    for (const id of node.children ?? []) pendingNodes.push({ id, caller: frameKey, isInside: isInside });
  }
  return {
    total,
    functions: [...microsByFunction].map(([key, micros]) => {
      const [path, name, line] = JSON.parse(key) as [string, string, number];
      return [path, name, line, micros];
    }),
  };
}

/** The path below the root; null for code of Node, of an installed package or from elsewhere, and for builtins. */
function findPathBelow(root: string, url: string): string | null {
  const [urlWithoutQuery = ''] = url.split('?');
  const filePath = urlWithoutQuery.startsWith('file:') ? fileURLToPath(urlWithoutQuery) : urlWithoutQuery;
  const path = filePath.startsWith(`${root}/`) ? filePath.slice(root.length + 1) : null;
  return path === null || path.split('/').includes('node_modules') ? null : path;
}
