// A preview of a repository with many test files runs only those that reach the change, and nothing is applied on that.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { sampleProject } from '../helpers/sampleProject.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

const MANY = Array.from({ length: 40 }, (_, at) => [
  `test/other${at}.test.js`,
  `import { test } from 'node:test';\ntest('other ${at}', () => {});\n`,
]);
/** Fails with any change of the sources, and imports nothing of them. */
const READER = `import { equal } from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
for (const path of ['src/grade.ts', 'src/clamp.ts'])
  test(path, () => equal(readFileSync(path, 'utf8').length, {
    'src/grade.ts': ${sampleProject['src/grade.ts']!.length},
    'src/clamp.ts': ${sampleProject['src/clamp.ts']!.length},
  }[path]));
`;

let repository: Awaited<ReturnType<typeof createTemporaryRepository>>;
let selfware: CommandLine;

beforeAll(async () => {
  repository = await createTemporaryRepository({
    ...sampleProject,
    ...Object.fromEntries(MANY),
    'test/reader.test.js': READER,
  });
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

test('the tests that reach a change are enough to show it, and all run before it is applied', async () => {
  const shown = await selfware.run(['preview', '--time', '0']);
  expect(shown.stdout).toContain('\nNothing was changed. To apply it (all checks run first):\n');
  const { value } = await selfware.json(['preview', '--time', '0']);
  const { id, edits } = value.proposal;
  expect(value.proposal).toMatchObject({ status: 'proposed', strength: 'proven' });
  const tests = value.proposal.verdicts.find(({ gate }: { gate: string }) => gate === 'tests');
  expect(tests).toMatchObject({ outcome: 'passed', evidence: { onlyFiles: 1, passed: 1 } });
  expect(tests.reason).toBe(
    '1 test passed. Only 1 test file that can reach it ran; all tests run before it is applied.',
  );
  expect((await selfware.json(['proposals', 'show', id])).value).toMatchObject({ status: 'proposed', verdicts: [] });

  const approved = await selfware.run(['proposals', 'approve', id]);
  expect(approved.code).toBe(2);
  expect(approved.stderr).toMatch(/It does not pass, so it is not applied: .*1 test fails with the change/);
  for (const { path, before } of edits) expect(await repository.read(path)).toBe(before);
  expect((await selfware.json(['proposals', 'show', id])).value).toMatchObject({ status: 'refused' });
});
