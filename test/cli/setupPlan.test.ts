// What the command line says of the repository's tests before anything was set up.

import { expect, test } from 'vitest';
import { createCommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

test('the plan names what the test script runs, and the doctor does not call untried tests good', async () => {
  const repository = await createTemporaryRepository({
    'package.json': JSON.stringify({ name: 'x', scripts: { lint: 'eslint .', test: 'npm run lint && mocha' } }),
    'index.js': 'module.exports = 1;\n',
  });
  const selfware = await createCommandLine(repository.dir);
  try {
    const plan = await selfware.run(['setup', '--plan']);
    expect(plan.stdout).toContain('if its checks let no test run here, mocha');
    const doctor = await selfware.json(['doctor']);
    expect(doctor.code).toBe(1);
    expect(doctor.value.find(({ name }: { name: string }) => name === 'tests')).toMatchObject({
      outcome: 'degraded',
      action: 'If packages are missing, run `selfware setup`.',
    });
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
});
