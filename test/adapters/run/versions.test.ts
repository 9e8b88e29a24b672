// Offers of new versions, and their checks when the run ends or when they take too long.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeOffer, writeOffer } from '../../../server/src/adapters/run/versionOffers.ts';
import { createVersions } from '../../../server/src/adapters/run/versions.ts';
import { throwIfCurrent, throwIfRefusedBefore } from '../../../server/src/app/nights/takeOver/offerVersion.ts';
import { processesOf } from './processes.ts';

/** A hash in the form of real ones, in which the name can be read. */
const hashOf = (name: string) => Buffer.from(name).toString('hex').padEnd(16, '0').slice(0, 16);
const nameOf = (hash: string) => Buffer.from(hash, 'hex').toString().replaceAll('\0', '');
const versionOf = (name: string) => ({ version: '2.0.0', hash: hashOf(name), folder: '' });

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'selfware-versions-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Versions whose checks never end by themselves. `steps`: such as `offered next: null`. */
function hanging() {
  const steps: string[] = [];
  const time = { passedMs: 0 };
  const versions = createVersions({
    current: versionOf('own'),
    refused: [],
    folder,
    now: () => time.passedMs,
    createCheckCommand: () => ({
      command: process.execPath,
      args: ['-e', 'setInterval(() => undefined, 1000)', folder],
      cwd: folder,
      env: process.env,
    }),
    readAnswer: () => ({ reason: null, found: null }),
    onUse: () => undefined,
    onStep: (step, { hash }, reason) => void steps.push(`${step} ${nameOf(hash)}: ${reason}`),
  });
  const tick = () => versions.tick(() => undefined);
  return { versions, steps, time, tick };
}

test('the end of the run ends a check, and says nothing about the version', async () => {
  const { versions, steps, tick } = hanging();
  await writeOffer(folder, versionOf('next'), false);
  tick();
  await expect.poll(() => processesOf(folder)).toHaveLength(1);
  versions.end();
  await expect.poll(() => processesOf(folder)).toHaveLength(0);
  // The exit of a later process is heard after that of the check.
  await once(spawn(process.execPath, ['--version'], { stdio: 'ignore' }), 'exit');
  expect(steps).toEqual(['offered next: null']);
});

test('a check that takes too long is ended, with that as the reason', async () => {
  const { steps, time, tick } = hanging();
  await writeOffer(folder, versionOf('next'), false);
  tick();
  time.passedMs = 30 * 60_000 + 1;
  tick();
  await expect.poll(() => steps).toEqual(['offered next: null', 'refused next: Its check took more than 30 minutes.']);
});

test('an offer that an earlier run did not read is dropped', async () => {
  const { versions, steps, tick } = hanging();
  await writeOffer(folder, versionOf('older'), true);
  versions.begin();
  tick();
  expect(steps).toEqual([]);
});

test('an offer that arrives while the run looks for one is not lost', async () => {
  for (let count = 0; count < 100; count += 1) {
    let hasWritten = false;
    const writing = writeOffer(folder, versionOf(`n${count}`), false).then(() => (hasWritten = true));
    let taken = null;
    // The system replaces the file in another thread, at any moment of this loop.
    while (taken === null && !hasWritten) {
      for (let look = 0; look < 200; look += 1) taken ??= takeOffer(folder);
      await new Promise(setImmediate);
    }
    await writing;
    expect((taken ?? takeOffer(folder))?.offer).toEqual(versionOf(`n${count}`));
  }
});

test('an automatic offer does not replace that of a person', async () => {
  await writeOffer(folder, versionOf('asked'), true);
  await writeOffer(folder, versionOf('other'), false);
  expect(takeOffer(folder)).toMatchObject({ offer: { hash: hashOf('asked') }, again: true });
  await writeOffer(folder, versionOf('first'), false);
  await writeOffer(folder, versionOf('second'), false);
  expect(takeOffer(folder)).toMatchObject({ offer: { hash: hashOf('second') } });
});

test('a person who offers a refused version is told how to offer it once more', () => {
  expect(() => throwIfRefusedBefore(versionOf('other'), [hashOf('next')])).not.toThrow();
  expect(() => throwIfRefusedBefore(versionOf('next'), [hashOf('next')])).toThrow(
    expect.objectContaining({ reason: 'unavailable', action: expect.stringContaining('--again') as string }),
  );
});

test('the version that the run works with already is not offered', () => {
  expect(() => throwIfCurrent(versionOf('next'), { hash: hashOf('own') })).not.toThrow();
  expect(() => throwIfCurrent(versionOf('own'), { hash: hashOf('own') })).toThrow('works with version 2.0.0');
});
