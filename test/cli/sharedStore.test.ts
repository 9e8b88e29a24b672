// The doctor tries the shared index for real, and says why another one serves.

import { expect, test } from 'vitest';
import { createCommandLine } from '../helpers/commandLine.ts';
import { startS3Server } from '../helpers/s3Server.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

test.each(['honoured', 'ignored'] as const)('a bucket where conditional puts are %s', async (conditionalPuts) => {
  const server = await startS3Server({ conditionalPuts });
  const repository = await createTemporaryRepository({ 'a.ts': 'export const a = 1;\n' });
  const selfware = await createCommandLine(repository.dir);
  try {
    const asked = ['doctor', '--json', '--set', 'index.store=s3://bucket/team'];
    const { stdout } = await selfware.run(asked, { env: server.env });
    const found = (JSON.parse(stdout) as readonly { readonly name: string }[]).find(
      ({ name }) => name === 'index store',
    );
    const refused = { outcome: 'degraded', detail: expect.stringContaining('It ignores conditional puts') };
    expect(found).toMatchObject(conditionalPuts === 'honoured' ? { outcome: 'good', detail: 'LanceDB' } : refused);
  } finally {
    await selfware.dispose();
    await repository.dispose();
    await server.close();
  }
});
