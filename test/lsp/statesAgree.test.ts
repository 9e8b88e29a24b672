// The sidebar's count and its list are of the same moment, also where an analysis goes on while they are asked for.

import { expect, test } from 'vitest';
import type { Session } from '../../server/src/core/session.ts';
import type { Repository } from '../../server/src/lsp/serverContext.ts';
import { createStates } from '../../server/src/lsp/sidebar/stateOf.ts';
import { createSessionWorld } from '../helpers/memorySessionPorts.ts';

const files = {
  'package.json': '{ "type": "module" }\n',
  'src/a.ts': 'export const a = 1;\n',
  'src/b.ts': "import { a } from './a.ts';\n/** A constant. */\nexport const used = 1;\n",
};

test('what was found between list and status is counted and listed', async () => {
  await using world = await createSessionWorld(files);
  const session = await world.session();
  // The list is asked for first: the analysis ends before the status is asked for.
  const meanwhile: Session = {
    ...session,
    async status() {
      await session.analysis.analyse({ signal: new AbortController().signal });
      return session.status();
    },
  };
  const repository = {
    uri: 'file:///repository',
    rootDir: '/repository',
    progress: null,
    indexSwitch: { paused: false },
    settings: null,
    notices: [],
    generation: 1,
    session: async () => meanwhile,
  } as unknown as Repository;
  const states = createStates({
    documents: { all: () => [] } as never,
    nights: () => Promise.reject(new Error('Not expected.')),
  });
  const { opportunityCount } = await states.state(repository);
  expect(opportunityCount).toBe(1);
  expect((await states.opportunities(repository)).list).toHaveLength(opportunityCount);
});
