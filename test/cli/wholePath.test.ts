// The command line from an index to an applied change and back, on a real repository with real checks.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { npmProject } from '../helpers/sampleProject.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

let repository: Awaited<ReturnType<typeof createTemporaryRepository>>;
let selfware: CommandLine;

beforeAll(async () => {
  repository = await createTemporaryRepository(npmProject);
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

test('index counts, and a second one embeds nothing', async () => {
  const first = await selfware.json(['index']);
  expect(first.code).toBe(0);
  expect(first.value).toMatchObject({ files: Object.keys(npmProject).length, skipped: [], store: 'lancedb' });
  expect(first.value.symbols).toBeGreaterThanOrEqual(3);
  expect(first.value.embedded).toBe(first.value.chunks);
  expect(first.value.tokens).toBeLessThanOrEqual(first.value.budgetTokens);
  const second = await selfware.json(['index']);
  expect(second.value).toMatchObject({ embedded: 0, files: first.value.files, chunks: first.value.chunks });
});

test('search finds the definition, alone and as a warm process', async () => {
  const { value } = await selfware.json(['search', 'clamp']);
  expect(value[0]).toMatchObject({ path: 'src/clamp.ts' });
  const warm = await selfware.run(['search', '--stdin'], { input: '"grade"\n"keeps a value within bounds"\n' });
  const answers = warm.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map((hits) => hits[0].path)).toEqual(['src/grade.ts', 'src/clamp.ts']);
});

test('context stays within the budget', async () => {
  const { value } = await selfware.json(['context', 'change the grades', '--budget', '8000']);
  expect(value.tokens).toBeLessThanOrEqual(8000);
  expect(value.items.length).toBeGreaterThan(0);
});

test('analyse reports opportunities and says so by its exit code; SARIF has the same ones', async () => {
  const { value, code } = await selfware.json(['analyse']);
  expect(code).toBe(1);
  const rules = value.map((opportunity: { rule: string }) => opportunity.rule);
  expect(rules).toEqual(expect.arrayContaining(['unused-import', 'else-after-return']));
  // Off unless somebody asks.
  expect(rules).not.toContain('undocumented-export');
  expect((await selfware.json(['analyse', '--rule', 'undocumented-export'])).value).not.toEqual([]);
  const sarif = JSON.parse((await selfware.run(['analyse', '--format', 'sarif'])).stdout);
  expect(sarif.runs[0].results).toHaveLength(value.length);
  const clean = await selfware.json(['analyse', 'src/clamp.ts']);
  expect(clean).toMatchObject({ code: 0, value: [] });
});

test('metrics and score', async () => {
  const metrics = await selfware.json(['metrics', 'src/grade.ts']);
  expect(metrics.value).toEqual([
    expect.objectContaining({ name: '(top level)', kind: 'topLevel', cyclomatic: 1 }),
    expect.objectContaining({ name: 'grade', cyclomatic: 3, parameters: 1 }),
  ]);
  const score = await selfware.json(['score']);
  expect(score.value.ruler.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(score.value.max).toBe(1000);
  expect(score.value.categories.testCoverage).toMatchObject({
    points: null,
    unknown: ['test coverage'],
    inputs: [{ name: 'test coverage', points: null, max: 250 }],
  });
  const explained = (await selfware.run(['score', '--explain', 'code-quality'])).stdout;
  expect(explained).toMatch(/of (?:1,000 points|the [\d,]+ points that can be measured here, of 1,000)/);
  expect(explained).toMatch(/^ {4}dead code: [\d.]+ of 83\.33/m);
  expect(explained).not.toContain('safety');
  expect(explained).toMatch(/costs most:\n {6}-[\d.]+ {2}src\/\S+:\d+/);
  for (const { path, points, opportunity } of score.value.places)
    expect([typeof path, points > 0, opportunity === null || typeof opportunity === 'string']).toEqual([
      'string',
      true,
      true,
    ]);
  expect((await selfware.run(['score', '--explain', 'beauty'])).stderr).toContain('There is no category beauty.');
});

test('preview verifies a proposal and changes nothing', async () => {
  const before = await fingerprint();
  const { value, code } = await selfware.json(['preview', '--time', '0']);
  expect(code).toBe(0);
  expect(value.proposal).toMatchObject({ status: 'verified' });
  expect(
    value.proposal.verdicts.map((verdict: { gate: string; outcome: string }) => `${verdict.gate} ${verdict.outcome}`),
  ).toEqual([
    'applies passed',
    'syntax passed',
    'charter passed',
    'integrity passed',
    'score passed',
    'types passed',
    'lint unknown',
    'tests passed',
    'differential passed',
    'guard unknown',
  ]);
  expect(value.proposal.pointsAfter.total).toBeGreaterThan(value.proposal.pointsBefore.total);
  expect(await fingerprint()).toBe(before);
});

test('approve applies with a checkpoint, rollback restores the bytes', async () => {
  const before = await fingerprint();
  const improved = await selfware.run(['improve']);
  expect(improved.code, improved.stderr).toBe(1);
  expect(improved.stdout).toMatch(/\d+ waits? for a decision/);
  const waiting = await selfware.json(['proposals', 'list']);
  const { id, edits } = waiting.value.at(-1);
  const applied = await selfware.json(['proposals', 'approve', id]);
  expect(applied.value.proposal.status).toBe('kept');
  expect(await repository.read(edits[0].path)).toBe(edits[0].after);
  expect(await fingerprint()).not.toBe(before);

  const rolledBack = await selfware.run(['checkpoints', 'rollback', applied.value.checkpoint.id]);
  expect(rolledBack.code, rolledBack.stderr).toBe(0);
  expect(await fingerprint()).toBe(before);
  const again = await selfware.run(['checkpoints', 'rollback', applied.value.checkpoint.id]);
  expect(again).toMatchObject({ code: 2 });
  expect(again.stderr).toContain('already been rolled back');
});

test('the charter lets through what it may with --auto, up to the limit, and the ledger holds', async () => {
  const { stdout, code } = await selfware.run([
    'improve',
    '--auto',
    '--approval',
    'minimal',
    '--cycles',
    '5',
    '--max-changes',
    '1',
    // The rules that are on have nothing left here: what was rolled back is not tried again.
    '--rule',
    'undocumented-export',
    '--json',
  ]);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(events.at(-1)).toMatchObject({ applied: 1, kept: 1, rolledBack: 0 });
  expect(events.at(-1).pointsAfter.total).toBeGreaterThan(events.at(-1).pointsBefore.total);
  expect(events.at(-2)).toMatchObject({ type: 'stopped' });
  const verified = await selfware.json(['ledger', 'verify']);
  expect(verified).toMatchObject({ code: 0, value: { intact: true } });
});

test('stop refuses to apply until resume', async () => {
  const repository = await createTemporaryRepository(npmProject);
  const selfware = await createCommandLine(repository.dir);
  await selfware.decide();
  await selfware.run(['improve']);
  const [proposal] = (await selfware.json(['proposals', 'list'])).value;
  await selfware.run(['stop']);
  const refused = await selfware.run(['proposals', 'approve', proposal.id]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('selfware resume');
  await selfware.run(['resume']);
  expect((await selfware.run(['proposals', 'approve', proposal.id])).code).toBe(0);
  await selfware.dispose();
  await repository.dispose();
});

test('status and doctor', async () => {
  const status = await selfware.json(['status']);
  expect(status.value).toMatchObject({ state: 'idle', trusted: true });
  const doctor = await selfware.json(['doctor']);
  // How commands can be shut in is the machine's to say.
  expect(
    doctor.value.filter(
      (finding: { name: string; outcome: string }) => finding.outcome !== 'good' && finding.name !== 'isolation',
    ),
  ).toEqual([]);
  expect(doctor.value.map((finding: { name: string }) => finding.name)).toContain('isolation');
});

/** HEAD, branches, index, status and every tracked or untracked byte. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  hash
    .update(await repository.git('rev-parse', 'HEAD'))
    .update(await repository.git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/stash'));
  hash.update(await repository.git('status', '--porcelain')).update(await repository.git('diff', 'HEAD'));
  return hash.digest('hex');
}
