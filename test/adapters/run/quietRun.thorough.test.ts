// A run of three days in which nothing new is found asks no more after its first turn: neither for changes, nor in trials
// of rules. The clock jumps to the end of each wait; everything else is real.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NightRequest } from '../../../server/src/app/nights/night.ts';
import { runNight } from '../../../server/src/app/nights/runNight.ts';
import { answerMailbox, type MailboxAnswers } from '../../helpers/mailboxAnswers.ts';
import { manifestOf } from '../../helpers/manifest.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

const HOUR_MS = 3_600_000;
const log = { write: () => undefined };

let repository: TemporaryRepository;
let home: string;
let mail: MailboxAnswers;
const environment = () => ({ PATH: process.env['PATH'], SELFWARE_HOME: home, SELFWARE_IGNORE_LOAD: '1' });

/** A function that is too complex for a recipe, so that only a proposer can make it simpler. */
const COMPLEX = `/** Rates a value. */
export function rate(value, low, high, strict) {
  let result = 0;
  for (let index = 0; index < value.length; index++) {
    if (value[index] > low) {
      if (strict && value[index] < high) {
        for (const part of [low, high]) {
          if (part > index) result += part;
          else if (part === index && strict) result -= part;
        }
      } else if (value[index] === high) {
        result += strict ? 1 : 2;
      }
    }
  }
  return result;
}
`;

beforeEach(async () => {
  const tested =
    "import test from 'node:test';\nimport { rate } from '../src/rate.js';\ntest('rate', () => void rate([1], 0, 2, true));\n";
  repository = await createTemporaryRepository({
    'package.json': manifestOf('quiet'),
    'src/rate.js': COMPLEX,
    'test/a.test.js': tested,
  });
  home = await mkdtemp(join(tmpdir(), 'selfware-quiet-'));
  mail = await answerMailbox(join(home, 'mail'), () => []);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await mail.stop();
  await repository.dispose();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs for 72 simulated hours. Returns the number of questions at the start of each wait, and at the end. */
async function askedAtEachWait(): Promise<readonly number[]> {
  const realNow = Date.now;
  let jumped = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + jumped);
  const counts: number[] = [];
  const personSettings = { 'models.answerSeconds': 60, 'night.searchFurther': false };
  const request: NightRequest = {
    ...{ rootDir: repository.dir, personSettings, env: environment(), log, waits: true },
    signal: new AbortController().signal,
    plan: { until: Date.now() + 72 * HOUR_MS, maxChanges: 5, proposer: `mailbox:${join(home, 'mail')}`, places: null },
    onEvent(event) {
      if (event.type !== 'waiting') return;
      counts.push(mail.asked.length);
      jumped += Math.max(0, (event.until ?? 0) - Date.now());
    },
  };
  const night = await runNight(request);
  expect(night.runs.at(-1)!.reason).toMatch(/^Its time is up/);
  counts.push(mail.asked.length);
  return counts;
}

test('a run of 72 hours without a new finding asks in its first turn alone', async () => {
  const counts = await askedAtEachWait();
  console.log(
    counts,
    mail.asked.map(({ task }) => task),
  );
  expect(counts.length).toBeGreaterThan(4);
  expect(counts[0]).toBeGreaterThan(0);
  expect(new Set(counts)).toEqual(new Set([counts[0]]));
});
