// Run as a process of its own: supervises workers that answer requests, and lets other versions of them take over. It
// writes what happens as lines of JSON.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { superviseWorker } from '../../../server/src/adapters/run/supervisor.ts';
import { createVersions } from '../../../server/src/adapters/run/versions.ts';
import { startHandlingSignals } from '../../../server/src/adapters/system/gracefulShutdown.ts';
import { SUPERVISION_RULES } from '../../../server/src/core/run/supervision.ts';
import { TAKE_OVER_RULES, type ProgramVersion } from '../../../server/src/core/run/takeOver.ts';

const [rootDir = '', file = ''] = process.argv.slice(2);
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
const { env } = process;
const argsOf = ({ hash }: ProgramVersion) => [join(import.meta.dirname, 'requestWorker.ts'), hash, rootDir, file];
/** A signal makes ten minutes pass for the decisions about versions. */
let passedMs = 0;
process.on('SIGUSR2', () => (passedMs += TAKE_OVER_RULES.probationMs));
const current = { version: '1.0.0', hash: '1111111111111111', folder: '' };

const end = await superviseWorker({
  command: process.execPath,
  args: argsOf(current),
  cwd: rootDir,
  env,
  rootDir,
  signal: startHandlingSignals(60_000).signal,
  rules: { ...SUPERVISION_RULES, tickMs: 50, firstBackoffMs: 20, maxBackoffMs: 100, maxStarts: 50 },
  versions: createVersions({
    current,
    refused: [],
    folder: rootDir,
    now: () => performance.now() + passedMs,
    createCheckCommand({ hash }) {
      return {
        command: process.execPath,
        args: ['-e', `process.exit(${hash.startsWith('51c0') ? 1 : 0})`],
        cwd: rootDir,
        env,
      };
    },
    readAnswer: () => ({ reason: null, found: null }),
    onUse: () => undefined,
    onStep: (step, { hash }, reason) => say({ type: step, hash, reason }),
  }),
  argsOf,
  async endOfRun() {
    if (existsSync(`${file}.acts`) && /^last$/m.test(readFileSync(`${file}.acts`, 'utf8'))) return 'over';
    const answer = existsSync(`${file}.end`) ? readFileSync(`${file}.end`, 'utf8') : 'notOver';
    if (answer === 'fails') throw new Error('The ledger cannot be read.');
    return answer === 'hangs' ? new Promise(() => undefined) : answer === 'doubtful' ? answer : 'notOver';
  },
  endOfRunMs: 100,
  onEvent: say,
  tellPerson: say,
});
say({ type: 'end', end });
