// A run that finds something unusual waits for a person, across a crash, and continues once the person says so.

import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLedger } from '../../server/src/app/nights/sharedKnowledge.ts';
import { resolveNightFolders } from '../../server/src/app/nights/nightFolders.ts';
import { createStateFolder } from '../../server/src/adapters/files/stateFolder.ts';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

let repository: TemporaryRepository;
let selfware: CommandLine;

let metricsPort: number;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

beforeAll(async () => {
  repository = await createTemporaryRepository(gradesProject(['double', 'half']));
  selfware = await createCommandLine(repository.dir);
  await writeFile(
    join(selfware.home, 'settings.json'),
    JSON.stringify({
      'approve.withoutTerminal': true,
      'night.notifyCommand': 'cat >> "$HOME/told"',
      'night.metricsPort': (metricsPort = await freePort()),
      'night.searchFurther': false,
    }),
  );
  // Earlier changes of the rule gained next to nothing, so what the real one gains is unusual.
  const { state } = resolveNightFolders(repository.dir, { SELFWARE_HOME: selfware.home });
  await createStateFolder(state);
  const { ledger, close } = await openLedger(state, { write() {} });
  const [night, run] = ['selfware/night-2020-01-01', 'run-old'];
  const plan = { until: 1, maxChanges: 9, proposer: null, places: null };
  await ledger.record({ type: 'nightStarted', data: { night, run, base: 'a'.repeat(40), plan } });
  for (const proposal of ['a', 'b', 'c', 'd', 'e'])
    await ledger.record({
      type: 'nightCommitted',
      data: {
        night,
        run,
        commit: proposal.repeat(40),
        change: {
          proposal,
          title: proposal,
          rationale: '',
          rule: 'else-after-return',
          recipe: 'else-after-return',
          author: 'recipe',
          strength: 'proven',
          claim: null,
          points: { before: 500, after: 500.0001 },
          paths: [],
          checks: [],
          cost: null,
        },
      },
    });
  await ledger.record({ type: 'nightEnded', data: { night, run, reason: 'Its time is up.', passedOver: {} } });
  await ledger.record({ type: 'nightDecided', data: { night, verdict: 'dropped', changes: null } });
  await close();
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

const newest = async () => (await selfware.json(['report', '--all'])).value.at(-1);

/** Starts a run in the foreground, which then waits for the person. */
const startRun = () => selfware.start(['night', '--for', '1h'], 'it needs you');

test('an unexpected gain pauses the run; the person is told, a crash changes nothing, and an answer lets it continue', async () => {
  const first = await startRun();
  first.kill('SIGKILL');
  const paused = await newest();
  expect(paused).toMatchObject({ state: 'needsPerson', changes: [{}] });
  expect(paused.unusual).toMatchObject([{ kind: 'unexpectedGain', answered: false }]);
  const report = await selfware.run(['report']);
  expect(report.stdout).toMatch(
    /## Unusual\n\n- “.*” gains .* points; the 5 earlier changes of the rule else-after-return/,
  );
  expect(report.stdout).toContain('selfware night continue');
  const told = (await readFile(join(selfware.home, 'told'), 'utf8')).trim().split('\n');
  expect(told.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'needsPerson', anomaly: 'unexpectedGain', changes: 1 },
  ]);

  expect((await selfware.run(['status'])).stdout).toContain('The unattended run needs you. “');

  // The next process says it again.
  const second = await startRun();
  // While it waits, its figures can be scraped with the token of this machine.
  const token = (await readFile(join(selfware.home, 'metrics-token'), 'utf8')).trim();
  const address = `http://127.0.0.1:${metricsPort}/metrics`;
  const scraped = await (await fetch(address, { headers: { authorization: `Bearer ${token}` } })).text();
  expect(scraped).toContain('selfware_night_state{state="needsPerson"} 1\n');
  expect(scraped).toContain('genesis_improvements_deployed_total 6\n');
  expect(scraped).toMatch(/^genesis_learnings_since_training \d+$/m);
  // No model was evaluated.
  expect(scraped).not.toContain('genesis_current_model_accuracy');
  expect((await fetch(address)).status).toBe(401);
  // Nor does another branch end the wait, which a run needs while the person has its own checked out.
  second.kill('SIGKILL');
  const running = once(second, 'exit');
  await repository.git('checkout', '-q', paused.branch);
  await running;
  await startRun();
  const moved = await newest();
  expect([moved.branch === paused.branch, moved.state, moved.changes]).toEqual([false, 'needsPerson', []]);
  const answered = await selfware.run(['night', 'continue']);
  expect([answered.code, answered.stderr]).toEqual([0, '']);
  expect(answered.stdout).toContain('continues within seconds');
  // The second change gains as much as the first one, which is usual by now.
  await expect.poll(async () => (await newest()).changes.length, { interval: 1_000 }).toBe(1);
  expect((await newest()).unusual).toMatchObject([{ answered: true }]);
  const none = await selfware.run(['night', 'continue']);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('No unattended run waits for you.')]);
});
