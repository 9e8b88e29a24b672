// The module that is loaded into every process of a run to profile it, as text, because it runs in the sandbox.

/** Name of the variable that names the file for the results. */
export const RESULTS_VARIABLE = 'SELFWARE_PROFILE_RESULTS';
/** Name of the variable that names the folder whose code counts. */
export const ROOT_VARIABLE = 'SELFWARE_PROFILE_ROOT';

/**
 * Profiles the thread with V8's sampling profiler and appends a line of JSON (`ProfileLine`) every half second and at
 * the end, because test runners end their workers by force. Time in a builtin (`find`, `sort`) counts for its caller.
 * Only time with code of the folder on the stack counts, so that neither the runner nor its compiler does.
 */
export const RECORDER = `
import { appendFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';

const results = process.env.${RESULTS_VARIABLE};
const root = process.env.${ROOT_VARIABLE} + '/';
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: 1000 });

const pathOf = (url) => {
  const plain = url.startsWith('file:') ? fileURLToPath(url.split('?')[0]) : url.split('?')[0];
  const path = plain.startsWith(root) ? plain.slice(root.length) : '';
  return /(^|\\/)node_modules\\//.test(path) ? '' : path;
};

const summed = ({ nodes, samples, timeDeltas }) => {
  const byId = new Map(nodes.map((node) => [node.id, { ...node, micros: 0 }]));
  samples.forEach((id, at) => (byId.get(id).micros += Math.max(0, timeDeltas[at])));
  const functions = new Map();
  let total = 0;
  const visit = (node, owner, inside) => {
    const { url, functionName, lineNumber } = node.callFrame;
    const path = url === '' ? '' : pathOf(url);
    const own = path !== '' ? JSON.stringify([path, functionName, lineNumber + 1]) : url === '' ? owner : null;
    const counts = inside || path !== '';
    if (counts) total += node.micros;
    if (own !== null && node.micros > 0) functions.set(own, (functions.get(own) ?? 0) + node.micros);
    for (const id of node.children ?? []) visit(byId.get(id), own, counts);
  };
  visit(byId.get(nodes[0].id), null, false);
  return { total, functions: [...functions].map(([key, micros]) => [...JSON.parse(key), micros]) };
};

const start = () => session.post('Profiler.start');
const flush = () =>
  session.post('Profiler.stop', (error, answer) => {
    if (error) return;
    const line = summed(answer.profile);
    if (line.total > 0) appendFileSync(results, JSON.stringify(line) + '\\n');
  });
start();
setInterval(() => (flush(), start()), 500).unref();
process.on('exit', flush);
process.once('SIGTERM', () => {
  flush();
  process.kill(process.pid, 'SIGTERM');
});
`;
