// The sidebar's count and its list are of the same moment, also where an analysis goes on while they are asked for; and
// it knows all files of a kept change, not only those that it shows.

import { expect, test } from 'vitest';
import type { Session } from '../../server/src/core/session.ts';
import type { Repository } from '../../server/src/lsp/serverContext.ts';
import { createStates } from '../../server/src/lsp/sidebar/stateOf.ts';
import { createSessionWorld } from '../helpers/memorySessionPorts.ts';
import { createPart } from '../helpers/createPart.ts';

const files = {
  'package.json': '{ "type": "module" }\n',
  'src/a.ts': 'export const a = 1;\n',
  'src/b.ts': "import { a } from './a.ts';\n/** A constant. */\nexport const used = 1;\n",
};

function repositoryOf(session: Session): Repository {
  return createPart<Repository>({
    uri: 'file:///repository',
    rootDir: '/repository',
    progress: null,
    indexSwitch: { paused: false },
    settings: null,
    notices: [],
    generation: 1,
    session: async () => session,
  });
}

function statesOfNothingOpen() {
  return createStates({
    documents: { all: () => [] } as never,
    nights: () => Promise.reject(new Error('Not expected.')),
  });
}

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
  const repository = repositoryOf(meanwhile);
  const states = statesOfNothingOpen();
  const { opportunityCount } = await states.state(repository);
  expect(opportunityCount).toBe(1);
  expect((await states.opportunities(repository)).list).toHaveLength(opportunityCount);
});

test('every file of a kept change is known, also those that the sidebar does not list', async () => {
  const paths = Array.from({ length: 7 }, (_, at) => `src/part${at}.ts`);
  const before = "import { a } from './a.ts';\n/** A constant. */\nexport const used = 1;\n";
  const edits = paths.map((path) => ({ path, before, after: before.replace(/import .*\n/, '') }));
  await using world = await createSessionWorld({
    ...files,
    ...Object.fromEntries(paths.map((path) => [path, before])),
  });
  const session = await world.session({
    change: ({ jobs }) => ({
      jobs: {
        ...jobs,
        run: async (name, input, signal) =>
          name === 'applyRecipe'
            ? ({ edits, title: 'All', rationale: '' } as never)
            : name === 'alike'
              ? ({ refused: '' } as never)
              : jobs.run(name, input, signal),
      },
    }),
  });
  const { signal } = new AbortController();
  const { proposal } = await session.proposals.propose({ signal });
  const { id } = await session.verification.verify(proposal!.id, { signal });
  expect((await session.changes.apply({ proposal: id, by: 'person', signal })).proposal.status).toBe('kept');
  const repository = repositoryOf(session);
  const states = statesOfNothingOpen();
  expect((await states.state(repository)).checkpoints[0]).toMatchObject({ pathCount: 7, paths: paths.slice(0, 5) });
  expect(paths.filter((path) => !states.holdsChange(repository, path))).toEqual([]);
  expect(states.holdsChange(repository, 'src/a.ts')).toBe(false);
});
