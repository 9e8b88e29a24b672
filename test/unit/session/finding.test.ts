// What rules find that were asked for alone: the same as a whole analysis has of them, for less.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rules, WALK_RULES } from '../../../server/src/core/analysis/rules.ts';
import type { RuleId } from '../../../server/src/core/rules/allRules.ts';
import type { Opportunity } from '../../../server/src/core/model.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import type { Jobs, JobTable } from '../../../server/src/core/jobs.ts';

const operation = { signal: new AbortController().signal };
const root = join(import.meta.dirname, '..', '..', '..');
const walked = [...WALK_RULES] as RuleId[];

const knot = (name: string) =>
  `export function ${name}(list: number[]): number {\n  let sum = 0;\n  for (const a of list) for (const b of list) for (const c of list) for (const d of list) if (a > b && c > d) sum += a;\n  return sum;\n}\n`;
const files = {
  'src/tangled.ts': `import { sum, nothing } from './sum.ts';\n${knot('tangled')}// Adds the two numbers that it is given.\nexport function plain(a: number, b: number, c: number, d: number, e: number, f: number, g: number): number {\n  return sum(a) + b + c + d + e + f + g;\n}\n\n/** None of them. */\nexport type None = never;\n`,
  'src/sum.ts': `/** @internal */\nexport const sum = (a: number): number => a;\nexport const total = function (list: number[]) {\n  const first = list[0];\n  const last = list.at(-1);\n  return first! + last!;\n};\n`,
  'src/hidden.ts': `// selfware-ignore-next-line cognitive-complexity: it mirrors the table\n${knot('hidden')}`,
  'src/broken.ts': `${knot('broken')}export function (\n`,
  'src/tangled.test.ts': knot('inTest'),
  'lib/api.d.ts': 'export function api(a: number): number;\n',
  'tool/run.py': 'def run(a, b, c, d, e, f, g):\n    return a\n',
  'src/ranking.ts': readFileSync(
    join(root, 'server', 'src', 'core', 'session', 'analyse', 'projectFindings.ts'),
    'utf8',
  ),
  'src/walk.ts': readFileSync(join(root, 'server', 'src', 'core', 'analysis', 'metrics', 'scriptMetrics.ts'), 'utf8'),
};

function watched(jobs: Jobs, seen: string[]): { jobs: Jobs } {
  return {
    jobs: {
      ...jobs,
      async run<K extends keyof JobTable>(job: K, input: JobTable[K]['input'], signal: AbortSignal) {
        for (const { path, only } of job === 'analyse' ? (input as JobTable['analyse']['input']) : [])
          seen.push(`${path} ${only?.length ?? 'all'}`);
        return jobs.run(job, input, signal);
      },
    },
  };
}

async function wholly(
  session: Session,
  asked: readonly string[],
): Promise<{ shown: Opportunity[]; hidden: { opportunity: Opportunity; by: string }[] }> {
  const { shown, hidden } = await session.opportunities.listWithHidden();
  return {
    shown: shown.filter(({ rule }) => asked.includes(rule)),
    hidden: hidden.filter(({ opportunity }) => asked.includes(opportunity.rule)) as never,
  };
}

test('the same opportunities, in the same order and with the same reasons, as a whole analysis has of these rules', async () => {
  await using world = await createSessionWorld(files);
  const settings = { 'analysis.rules': Object.fromEntries(rules.map(({ id, severity }) => [id, severity])) };
  for (const asked of [
    ['cognitive-complexity', 'undocumented-export', 'unexplained-export'],
    walked,
    ['unused-import', 'prefer-const', 'cognitive-complexity'],
  ] as RuleId[][]) {
    const alone = await world.session({ settings });
    const found = await alone.analysis.findByRules(asked, operation);
    const why = await found.explain(found.shown);
    await alone.close();
    await using other = await createSessionWorld(files);
    const session = await other.session({ settings });
    await session.analysis.analyse(operation);
    const expected = await wholly(session, asked);
    expect(new Set(found.shown.map(({ rule }) => rule)).size).toBeGreaterThan(1);
    expect(found.shown).toEqual(expected.shown);
    expect(found.hidden).toEqual(expected.hidden);
    expect(why).toEqual(await session.opportunities.explainRanks(expected.shown));
  }
});

test('each file is looked at for these rules alone, nothing is kept, and the session goes on as if nobody had asked', async () => {
  await using world = await createSessionWorld(files);
  const seen: string[] = [];
  const session = await world.session({ change: ({ jobs }) => watched(jobs, seen) });
  await session.analysis.findByRules(['cognitive-complexity'], operation);
  expect(seen.sort()).toEqual(
    Object.keys(files)
      .sort()
      .map((path) => `${path} 1`),
  );
  expect(await session.opportunities.shown()).toEqual([]);
  expect((await session.status()).points).toBeNull();
  expect((await session.ledger.query({})).filter(({ type }) => type === 'points')).toEqual([]);
  expect(await session.analysis.analyse(operation)).toMatchObject({ analysed: Object.keys(files).length, reused: 0 });
  expect((await session.analysis.score()).total).not.toBeNull();
});

test('what a whole analysis has left is used, and only what has changed since is read', async () => {
  await using world = await createSessionWorld(files);
  const first = await world.session();
  await first.analysis.analyse(operation);
  await first.close();
  const seen: string[] = [];
  const session = await world.session({ change: ({ jobs }) => watched(jobs, seen) });
  world.tree.set('src/sum.ts', knot('sum'));
  const { shown, hidden } = await session.analysis.findByRules(['cognitive-complexity'], operation);
  expect(seen).toEqual(['src/sum.ts all']);
  expect([...shown, ...hidden.map(({ opportunity }) => opportunity)].map(({ path }) => path)).toContain('src/sum.ts');
});
