// New versions take over a supervised run while requests arrive: real processes and a real ledger.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeOffer } from '../../../server/src/adapters/run/versionOffers.ts';
import { openLedger, type OpenLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { kill, newRun, workersOf, type Run } from './processes.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const REQUESTS = 500;
const ROUNDS = 10;
/** Hashes of the versions. */
const SECOND = '2222222222222222';
const THIRD = '3333333333333333';
const FOURTH = '4444444444444444';
const BAD = 'bad0bad0bad0bad0';
const SICK = '51c051c051c051c0';
const ASKS = 'aaaaaaaaaaaaaaaa';
const ENDS = 'eeeeeeeeeeeeeeee';
const ENDS_IN_DOUBT = 'dddddddddddddddd';
const ENDS_UNREAD = 'cccccccccccccccc';
const ENDS_UNANSWERED = 'ffffffffffffffff';

let run: Run;
let opened: OpenLedger;
beforeEach(async () => {
  run = newRun();
  mkdirSync(run.env.SELFWARE_HOME!, { recursive: true });
  opened = await openLedger(run.rootDir, { write: () => undefined });
});
afterEach(async () => {
  await opened.close();
  run.dispose();
});

interface Step {
  readonly type: string;
  readonly [name: string]: unknown;
}

function startSupervisor(): { readonly process: ChildProcess; readonly said: readonly Step[] } {
  const process = spawn(
    globalThis.process.execPath,
    [join(import.meta.dirname, 'versionsProcess.ts'), run.rootDir, run.file],
    {
      env: run.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const said: Step[] = [];
  createInterface(process.stdout!).on('line', (line) => said.push(JSON.parse(line) as Step));
  return { process, said };
}

test('500 requests, three versions that take over, a bad one, a sick one, three kills: none is lost or done twice', async () => {
  const { ledger } = opened;
  const { process: supervisor, said } = startSupervisor();
  let sent = 0;
  const send = async () => {
    for (let count = 0; count < REQUESTS / ROUNDS; count += 1) {
      sent += 1;
      const wish = sent === REQUESTS ? 'last' : `request ${sent}`;
      await ledger.record({ type: 'wishAdded', data: { wish, text: wish } });
    }
  };
  const heard = (type: string, hash: string) =>
    expect.poll(() => said.some((step) => step.type === type && step.hash === hash)).toBe(true);
  const answers = async () =>
    (await ledger.query({ types: ['nightWish'] })).map(
      ({ data }) => data as { readonly wish: string; readonly text: string },
    );
  const offer = (hash: string) => writeOffer(run.rootDir, { version: '2.0.0', hash, folder: '' }, false);
  const killWorker = async () => {
    const before = workersOf(run).length;
    kill(workersOf(run).at(-1)!, 'SIGKILL');
    await expect.poll(() => workersOf(run).length).toBeGreaterThan(before);
  };
  const takesOver = async (hash: string) => {
    await offer(hash);
    await heard('switched', hash);
    // Its worker really answers, also what arrives only now.
    await send();
    await expect.poll(async () => (await answers()).some(({ text }) => text === hash)).toBe(true);
    supervisor.kill('SIGUSR2');
    await heard('kept', hash);
  };

  await expect.poll(() => workersOf(run).length).toBe(1);
  await Promise.all([send(), killWorker()]);
  await Promise.all([takesOver(SECOND), send()]);
  await offer(BAD);
  // It fails only while it works on a request, so there must be one that the version before it has not answered.
  await heard('switched', BAD);
  await Promise.all([heard('rolledBack', BAD), send()]);
  await killWorker();
  await offer(BAD);
  await Promise.all([takesOver(THIRD), send()]);
  await offer(SICK);
  await Promise.all([heard('refused', SICK), send()]);
  await Promise.all([takesOver(FOURTH), send()]);
  await killWorker();
  await send();
  await once(supervisor, 'close');

  expect(said.at(-1)).toEqual({ type: 'end', end: 'finished' });
  const steps = said.filter(({ hash }) => hash !== undefined).map(({ type, hash }) => `${type} ${String(hash)}`);
  const lived = (hash: string) => [`offered ${hash}`, `switched ${hash}`, `kept ${hash}`];
  expect(steps).toEqual([
    ...lived(SECOND),
    `offered ${BAD}`,
    `switched ${BAD}`,
    `rolledBack ${BAD}`,
    ...lived(THIRD),
    `offered ${SICK}`,
    `refused ${SICK}`,
    ...lived(FOURTH),
  ]);
  const done = (await answers()).map(({ wish }) => wish);
  expect(sent).toBe(REQUESTS);
  expect(done).toHaveLength(REQUESTS);
  expect(new Set(done).size).toBe(REQUESTS);
  // What was done, before it was recorded.
  const acts = readFileSync(`${run.file}.acts`, 'utf8').trim().split('\n');
  expect(acts.toSorted()).toEqual(done.toSorted());
});

thoroughTest('a new version that needs a person, or ends a run that is not complete, gives the run back', async () => {
  const { process: supervisor, said } = startSupervisor();
  await expect.poll(() => workersOf(run).length).toBe(1);
  const steps = () => said.filter(({ hash }) => hash !== undefined).map(({ type, hash }) => `${type} ${String(hash)}`);
  const offer = async (hash: string, end: string, again = false) => {
    const { length } = steps();
    await writeOffer(run.rootDir, { version: '2.0.0', hash, folder: '' }, again);
    await expect.poll(() => steps().slice(length).at(-1)).toBe(`${end} ${hash}`);
  };
  await offer(ASKS, 'doubted');
  await expect.poll(() => workersOf(run).length).toBe(2);
  // The version before it continues, which shows that the new one was the reason.
  supervisor.kill('SIGUSR2');
  await expect.poll(() => steps().at(-1)).toBe(`refused ${ASKS}`);
  await offer(ASKS, 'doubted', true);
  await offer(ENDS, 'rolledBack');
  await offer(ENDS_IN_DOUBT, 'doubted');
  await offer(ENDS_UNREAD, 'rolledBack');
  await offer(ENDS_UNANSWERED, 'rolledBack');
  await opened.ledger.record({ type: 'wishAdded', data: { wish: 'last', text: 'last' } });
  await once(supervisor, 'close');
  expect(said.at(-1)).toEqual({ type: 'end', end: 'finished' });
  expect(steps().filter((step) => step.startsWith('switched'))).toEqual([
    `switched ${ASKS}`,
    `switched ${ASKS}`,
    `switched ${ENDS}`,
    `switched ${ENDS_IN_DOUBT}`,
    `switched ${ENDS_UNREAD}`,
    `switched ${ENDS_UNANSWERED}`,
  ]);
});
