// What is left alone says why, on the command line; the switch says where it stays pulled.

import { expect, test } from 'vitest';
import { createCommandLine } from '../helpers/commandLine.ts';
import { sampleProject } from '../helpers/sampleProject.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const PROTECTED = ['--set', 'charter.protectedPaths=["src/**"]'] as const;

thoroughTest(
  'an opportunity that is not proposed says why, since when and how to try again; a run counts what it passed over',
  async () => {
    const repository = await createTemporaryRepository(sampleProject);
    const selfware = await createCommandLine(repository.dir);
    try {
      const opportunities = (
        await selfware.json<{ id: string; rule: string; fixable: boolean; path: string }[]>(['analyse'])
      ).value;
      const { id, rule } = opportunities.find(
        ({ rule, path }) => rule === 'else-after-return' && path.startsWith('src/'),
      )!;
      const guarded = await selfware.run(['propose', id, ...PROTECTED]);
      expect([guarded.code, guarded.stdout]).toEqual([2, '']);
      expect(guarded.stderr.trim().split('\n').at(-1)).toMatch(
        new RegExp(`^selfware: Nothing is proposed for ${rule} in src/.*, protected: .*may not be changed.*by hand`),
      );

      const filed = JSON.parse((await selfware.run(['propose', id, '--no-verify', '--json'])).stdout);
      expect(filed.status).toBe('proposed');
      await selfware.decide();
      await selfware.run(['proposals', 'reject', filed.id, '--reason', 'Not my style.']);
      const rejected = await selfware.run(['propose', id, '--json']);
      expect([rejected.code, rejected.stdout]).toEqual([2, '']);
      expect(rejected.stderr).toMatch(
        /rejected before: .*Not my style \(since \d{4}-\d\d-\d\d \d\d:\d\d UTC\)\. `selfware propose \w+ --again`/,
      );
      expect((await selfware.run(['improve', '--opportunity', id, '--dry-run'])).code).toBe(2);
      expect(
        JSON.parse((await selfware.run(['propose', id, '--again', '--no-verify', '--json'])).stdout),
      ).toMatchObject({
        status: 'proposed',
      });

      const run = await selfware.run(['self-improve', '--dry-run', '--json', ...PROTECTED]);
      const summary = JSON.parse(run.stdout.trim().split('\n').at(-1)!);
      expect(summary.passedOver.protected).toBeGreaterThanOrEqual(1);
      const inPlaces = async (...places: string[]) =>
        JSON.parse(
          (await selfware.run(['improve', ...places, '--dry-run', '--json', ...PROTECTED])).stdout
            .trim()
            .split('\n')
            .at(-1)!,
        );
      expect((await inPlaces('src/')).passedOver).toEqual(summary.passedOver);
      expect(await inPlaces('package.json')).toMatchObject({ proposed: 0, passedOver: {} });
      expect((await selfware.run(['improve', 'nowhere.ts'])).stderr).toMatch(/There is no nowhere\.ts in/);
      const told = await selfware.run(['improve', '--dry-run', ...PROTECTED]);
      expect(told.stdout).toMatch(/places? (was|were) passed over: .*\d+ protected/);
      const events = (await selfware.json(['ledger', 'query', '--type', 'passedOver'])).value;
      expect(events.flatMap(({ data }: { data: { places: { by: string }[] } }) => data.places)).toContainEqual(
        expect.objectContaining({ by: 'protected', reason: expect.any(String) }),
      );
    } finally {
      await selfware.dispose();
      await repository.dispose();
    }
  },
);

test('stop and resume say in which repositories the switch is pulled', async () => {
  const [one, other] = await Promise.all([
    createTemporaryRepository(sampleProject),
    createTemporaryRepository(sampleProject),
  ]);
  const [selfware, second] = await Promise.all([createCommandLine(one.dir), createCommandLine(other.dir)]);
  try {
    const elsewhere = (args: readonly string[]) => second.run(args, { env: { SELFWARE_HOME: selfware.home } });
    expect((await selfware.run(['stop'])).stdout).toContain(`stays pulled in ${one.dir}`);
    await elsewhere(['stop']);
    expect((await selfware.json(['stop', '--all'])).value.pulled.sort()).toEqual([one.dir, other.dir].sort());
    const told = await selfware.run(['stop', '--all']);
    expect(told.stdout).toContain('2 repositories');
    for (const { dir } of [one, other]) expect(told.stdout).toContain(dir);
    await selfware.decide();
    expect((await selfware.run(['resume'])).stdout).toContain(`stays pulled in ${other.dir}`);
    expect((await selfware.json(['resume', '--all'])).value).toEqual({
      stopped: false,
      resumed: [other.dir],
      pulled: [],
    });
    expect((await elsewhere(['improve', '--dry-run'])).stderr).not.toContain('is stopped');
  } finally {
    await selfware.dispose();
    await Promise.all([second.dispose(), one.dispose(), other.dispose()]);
  }
});
