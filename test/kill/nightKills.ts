// Kills the real process of a night again and again: at random moments, and three times when it verifies one proposal,
// as if that proposal ended the process. Then lets the night end, and looks at what is left.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readLive } from '../../server/src/adapters/run/liveFile.ts';
import { resolveNightFolders } from '../../server/src/app/nights/nightFolders.ts';
import { cliEntry, createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { sharedCode } from '../helpers/compiledCode.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { answerMailbox } from '../helpers/mailboxAnswers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five'];
/** The function about whose proposal the process is killed, and the one that the wish is about. */
const [VICTIM, WISHED] = ['five', 'one'];
const WISH = `Round up in ${WISHED}: 49.5 counts as 50.`;
const DEATHS = 3;
const MAX_CHANGES = 4;
/** The prices make the answer to the wish cost about a third of the limit. */
const PRICES = { '*': { input: 1_000, output: 1_000 } };
const MAX_COST = 20;
/** From the start of the process to a kill at a random moment: up to the third change of a quiet machine. */
const KILL_WITHIN_MS = { least: 300, most: 6_300 };
/** A process that has not tried the proposal by then is killed as well. */
const MAX_WAIT_MS = 180_000;

/** What is left after the kills. `faults`: sentences; empty if all holds. */
export interface NightKillReport {
  readonly kills: number;
  /** Kills at the moment when the proposal about `VICTIM` was verified. */
  readonly killsOfVictim: number;
  readonly starts: number;
  readonly commits: number;
  readonly setAside: number;
  readonly questions: number;
  readonly money: number;
  readonly maxCost: number;
  readonly seconds: number;
  readonly faults: readonly string[];
}

interface MadeChange {
  readonly title: string;
  readonly commit: string;
  readonly proposal: string;
}
interface Missed {
  readonly what: string;
  readonly path: string;
  readonly reason: string;
}

/** `kills` in all, the first three about one proposal. */
export async function runNightKills(kills: number, random: () => number = Math.random): Promise<NightKillReport> {
  const repository = await createTemporaryRepository(gradesProject(NAMES));
  const selfware = await createCommandLine(repository.dir);
  const mailbox = join(selfware.home, 'mailbox');
  const answers = await answerMailbox(mailbox, () => editsOfWish());
  try {
    const settings = { 'approve.withoutTerminal': true, 'models.prices': PRICES };
    await writeFile(join(selfware.home, 'settings.json'), JSON.stringify(settings));
    await selfware.run(['tonight', 'add', WISH]);
    const night = [
      ...['night', '--for', '3h', '--no-wait', '--max-changes', String(MAX_CHANGES), '--no-acceptance'],
      ...['--proposer', `mailbox:${mailbox}`, '--max-cost', String(MAX_COST)],
      ...['--set', 'night.searchFurther=false'],
    ];
    return await killAndLook(repository, selfware, night, kills, random);
  } finally {
    await answers.stop();
    await selfware.dispose();
    await repository.dispose();
  }
}

async function killAndLook(
  repository: TemporaryRepository,
  selfware: CommandLine,
  night: readonly string[],
  kills: number,
  random: () => number,
): Promise<NightKillReport> {
  const startedAt = Date.now();
  const before = await repository.git('status', '--porcelain');
  let killsOfVictim = 0;
  let killed = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const isAimed = killsOfVictim < DEATHS && kill < DEATHS;
    const wait = isAimed
      ? (signal: AbortSignal) => waitForVictim(repository.dir, selfware.home, signal)
      : (signal: AbortSignal) => sleepBefore(random, signal);
    // At random moments, two candidates are in progress.
    const sideBySide = ['--set', `night.sideBySide=${isAimed ? 1 : 2}`];
    const hit = await killDuring(repository.dir, selfware.home, [...night, ...sideBySide], wait);
    if (hit.isKilled) killed += 1;
    if (hit.isKilled && isAimed && hit.isInTime) killsOfVictim += 1;
  }
  const last = await selfware.run(night);
  const faults: string[] = [];
  const expect = (isTrue: boolean, fault: string) => void (isTrue || faults.push(fault));
  expect(last.code === 0, `The last start has ended with ${last.code}: ${last.stderr}`);
  const { value } = await selfware.json(['report']);
  const changes = value.changes as readonly MadeChange[];
  const misses = value.misses as readonly Missed[];
  const all = (await selfware.json(['report', '--all'])).value as readonly unknown[];
  expect(all.length === 1, `There are ${all.length} nights.`);
  const commits = (await repository.git('log', '--reverse', '--format=%H', `main..${value.branch}`)).trim().split('\n');
  expect(changes.map(({ commit }) => commit).join() === commits.join(), 'The report lists other commits than git.');
  expect(new Set(changes.map(({ proposal }) => proposal)).size === changes.length, 'A proposal was committed twice.');
  expect(new Set(changes.map(({ title }) => title)).size === changes.length, 'A change was committed twice.');
  for (const { committed } of value.runs as readonly { readonly committed: number }[])
    expect(committed <= MAX_CHANGES, `A run has made ${committed} of at most ${MAX_CHANGES} changes.`);
  const aside = misses.filter(({ what }) => what === 'brokeDown');
  expect(changes.length + aside.length >= MAX_CHANGES, `Only ${changes.length} changes: ${JSON.stringify(misses)}`);
  const { money, questions } = value.spent as { readonly money: number; readonly questions: number };
  expect(money <= MAX_COST, `It has cost ${money} of at most ${MAX_COST}.`);
  expect(questions > 0, 'Nobody was asked, so the limit of money shows nothing.');
  if (killsOfVictim === DEATHS) {
    const ofVictim = aside.filter(({ path }) => path === `src/${VICTIM}.js`);
    expect(
      ofVictim.length === 1 && ofVictim[0]!.reason === `Its verification ended the process ${DEATHS} times.`,
      `The proposal that ended the process was not set aside after ${DEATHS} times: ${JSON.stringify(aside)}`,
    );
    const { stdout } = await selfware.run(['report']);
    expect(stdout.includes('Could not be checked to the end'), 'The report does not list what was set aside.');
  }
  expect((await repository.git('status', '--porcelain')) === before, 'The files of the user have changed.');
  expect((await selfware.json(['ledger', 'verify'])).value.intact === true, 'The ledger is damaged.');
  return {
    ...{ kills: killed, killsOfVictim, starts: kills + 1, commits: changes.length, setAside: aside.length },
    ...{ questions, money, maxCost: MAX_COST, seconds: (Date.now() - startedAt) / 1000, faults },
  };
}

/** Starts the night, and kills its process once `wait` resolves. `isInTime`: what `wait` resolved with. */
async function killDuring(
  dir: string,
  home: string,
  args: readonly string[],
  wait: (signal: AbortSignal) => Promise<boolean>,
): Promise<{ readonly isKilled: boolean; readonly isInTime: boolean }> {
  const child = spawn(process.execPath, [cliEntry, ...args, '--repo', dir], {
    env: { PATH: process.env['PATH'], HOME: home, SELFWARE_HOME: home, SELFWARE_IGNORE_LOAD: '1', ...sharedCode },
    stdio: 'ignore',
  });
  const exited = new AbortController();
  const end = once(child, 'exit').then(() => exited.abort());
  const isInTime = await wait(exited.signal);
  const isKilled = child.exitCode === null;
  if (isKilled) child.kill('SIGKILL');
  await end;
  return { isKilled, isInTime };
}

async function sleepBefore(random: () => number, signal: AbortSignal): Promise<boolean> {
  const { least, most } = KILL_WITHIN_MS;
  await sleep(least + random() * (most - least), undefined, { signal }).catch(() => undefined);
  return true;
}

/** Resolves with true once the process verifies the proposal about `VICTIM`; with false after a while, or at its end. */
async function waitForVictim(dir: string, home: string, signal: AbortSignal): Promise<boolean> {
  const { folder } = resolveNightFolders(dir, { HOME: home, SELFWARE_HOME: home });
  for (const until = Date.now() + MAX_WAIT_MS; Date.now() < until && !signal.aborted; await sleep(50)) {
    const live = await readLive(folder);
    const isVictim = live?.progress?.stage === 'verifying' && live.trying?.includes(VICTIM) === true;
    if (isVictim) return true;
  }
  return false;
}

/** The edits that do the wish. */
function editsOfWish(): readonly object[] {
  const test = [
    "import test from 'node:test';",
    "import assert from 'node:assert';",
    `import { ${WISHED} } from '../src/${WISHED}.js';`,
    `test('49.5 counts as 50 in ${WISHED}', () => assert.strictEqual(${WISHED}(49.5), 'B'));`,
    '',
  ].join('\n');
  return [
    { file: `src/${WISHED}.js`, search: 'value >= half', replace: 'Math.ceil(value) >= half' },
    { file: `test/${WISHED}Rounding.test.js`, content: test },
  ];
}
