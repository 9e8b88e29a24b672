// Kills the real process of a night again and again: in one repository three times while it verifies one proposal, as if
// that proposal ended the process; in another one at random moments. Then lets the night end, and looks at what is left.

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
/** The function about whose proposal the process is killed, and the others of that repository. */
const VICTIM = 'five';
const FEW_NAMES = ['one', 'two', VICTIM];
/** The function that the wish is about. */
const WISHED = 'one';
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
  const startedAt = Date.now();
  const aimed = await onGround(FEW_NAMES, killVictim);
  const others = await onGround(NAMES, (ground) => killAtRandom(ground, kills - DEATHS, random));
  return {
    ...{ kills: aimed.kills + others.kills, killsOfVictim: aimed.kills, starts: kills + 2 },
    ...{ commits: aimed.commits + others.commits, setAside: aimed.setAside + others.setAside },
    ...{ questions: others.questions, money: others.money, maxCost: MAX_COST },
    seconds: (Date.now() - startedAt) / 1000,
    faults: [...aimed.faults, ...others.faults],
  };
}

interface Ground {
  readonly repository: TemporaryRepository;
  readonly selfware: CommandLine;
}

async function onGround<T>(names: readonly string[], work: (ground: Ground) => Promise<T>): Promise<T> {
  const repository = await createTemporaryRepository(gradesProject(names));
  const selfware = await createCommandLine(repository.dir);
  try {
    const settings = { 'approve.withoutTerminal': true, 'models.prices': PRICES };
    await writeFile(join(selfware.home, 'settings.json'), JSON.stringify(settings));
    return await work({ repository, selfware });
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
}

/** Kills the process each time that it verifies the proposal about `VICTIM`. The others are committed. */
async function killVictim(ground: Ground) {
  const night = nightWith(MAX_CHANGES, 1);
  let kills = 0;
  for (let death = 0; death < DEATHS; death += 1) {
    const { isKilled, isInTime } = await killDuring(ground, night, (pid, signal) => waitForVictim(ground, pid, signal));
    if (isKilled && isInTime) kills += 1;
  }
  const end = await endAndLook(ground, night);
  const { faults, changes, misses } = end;
  const aside = misses.filter(({ what }) => what === 'brokeDown');
  const reason = `Its verification ended the process ${DEATHS} times.`;
  if (kills !== DEATHS) faults.push(`The proposal was verified ${kills} times.`);
  if (aside.length !== 1 || aside[0]!.path !== `src/${VICTIM}.js` || aside[0]!.reason !== reason)
    faults.push(`It was not set aside after ${DEATHS} times: ${JSON.stringify(aside)}`);
  if (changes.length !== FEW_NAMES.length - 1) faults.push(`${changes.length} others were committed.`);
  const { stdout } = await ground.selfware.run(['report']);
  if (!stdout.includes('Could not be checked to the end')) faults.push('The report does not list what was set aside.');
  return { kills, commits: changes.length, setAside: aside.length, faults };
}

/** Kills the process of a run with a wish and a limit of money at random moments, with two candidates in progress. */
async function killAtRandom(ground: Ground, times: number, random: () => number) {
  const { selfware } = ground;
  const mailbox = join(selfware.home, 'mailbox');
  const answers = await answerMailbox(mailbox, () => editsOfWish());
  try {
    await selfware.run(['tonight', 'add', WISH]);
    const asking = ['--no-acceptance', '--proposer', `mailbox:${mailbox}`, '--max-cost', String(MAX_COST)];
    const night = [...nightWith(MAX_CHANGES, 2), ...asking];
    let kills = 0;
    for (let time = 0; time < times; time += 1)
      if ((await killDuring(ground, night, (_, signal) => sleepBefore(random, signal))).isKilled) kills += 1;
    const { faults, changes, misses, value } = await endAndLook(ground, night);
    const setAside = misses.filter(({ what }) => what === 'brokeDown').length;
    // A proposal whose verification was killed three times by chance is set aside.
    if (changes.length + setAside < MAX_CHANGES)
      faults.push(`Only ${changes.length} changes: ${JSON.stringify(misses)}`);
    const { money, questions } = value.spent as { readonly money: number; readonly questions: number };
    if (money > MAX_COST) faults.push(`It has cost ${money} of at most ${MAX_COST}.`);
    if (questions === 0 || money === 0) faults.push('Nothing was paid, so the limit of money shows nothing.');
    return { kills, commits: changes.length, setAside, questions, money, faults };
  } finally {
    await answers.stop();
  }
}

function nightWith(maxChanges: number, sideBySide: number): readonly string[] {
  return [
    ...['night', '--for', '3h', '--no-wait', '--max-changes', String(maxChanges)],
    ...['--set', 'night.searchFurther=false', '--set', `night.sideBySide=${sideBySide}`],
  ];
}

/** Lets the night end, and looks at what always has to hold. */
async function endAndLook({ repository, selfware }: Ground, night: readonly string[]) {
  const faults: string[] = [];
  const expect = (isTrue: boolean, fault: string) => void (isTrue || faults.push(fault));
  const last = await selfware.run(night);
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
  // A run that had ended begins another one on the same branch, with a limit of its own.
  for (const { committed } of value.runs as readonly { readonly committed: number }[])
    expect(committed <= MAX_CHANGES, `A run has made ${committed} of at most ${MAX_CHANGES} changes.`);
  expect((await repository.git('status', '--porcelain')) === '', 'The files of the user have changed.');
  expect((await selfware.json(['ledger', 'verify'])).value.intact === true, 'The ledger is damaged.');
  return { faults, changes, misses, value };
}

/** Starts the night, and kills its process once `wait` resolves. `isInTime`: what `wait` resolved with. */
async function killDuring(
  { repository, selfware: { home } }: Ground,
  args: readonly string[],
  wait: (pid: number, signal: AbortSignal) => Promise<boolean>,
): Promise<{ readonly isKilled: boolean; readonly isInTime: boolean }> {
  const child = spawn(process.execPath, [cliEntry, ...args, '--repo', repository.dir], {
    env: { PATH: process.env['PATH'], HOME: home, SELFWARE_HOME: home, SELFWARE_IGNORE_LOAD: '1', ...sharedCode },
    stdio: 'ignore',
  });
  const exited = new AbortController();
  const end = once(child, 'exit').then(() => exited.abort());
  const isInTime = await wait(child.pid!, exited.signal);
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

/**
 * Resolves with true once the process verifies the proposal about `VICTIM`; with false after a while, or at its end. The
 * process before it has left its state.
 */
async function waitForVictim(
  { repository, selfware: { home } }: Ground,
  pid: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { folder } = resolveNightFolders(repository.dir, { HOME: home, SELFWARE_HOME: home });
  for (const until = Date.now() + MAX_WAIT_MS; Date.now() < until && !signal.aborted; await sleep(50)) {
    const live = await readLive(folder);
    const isVictim = live?.progress?.stage === 'verifying' && live.trying?.includes(VICTIM) === true;
    if (live?.pid === pid && isVictim) return true;
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
