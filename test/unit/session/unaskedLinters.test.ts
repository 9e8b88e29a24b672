// Linters that run no code of the repository are asked with every analysis: with the real `go vet` in a real sandbox.

import { expect, onTestFinished, test, vi } from 'vitest';
import type { Opportunity } from '../../../server/src/core/model.ts';
import { moveLintersFirst } from '../../../server/src/core/session/analyse/lintOpportunities.ts';
import { throwIfCancelled } from '../../../server/src/util/typedError.ts';
import { createPart } from '../../helpers/createPart.ts';
import { sandboxOf } from '../../adapters/sandbox/sandboxOf.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';

const GO = {
  'go.mod': 'module example.com/sample\n\ngo 1.18\n',
  'a.go':
    '// Package sample greets.\npackage sample\n\nimport "fmt"\n\n// Greet greets.\nfunc Greet(count int) string {\n\treturn fmt.Sprintf("%s", count)\n}\n',
};
const ESLINT = {
  'package.json': '{ "name": "linted", "devDependencies": { "eslint": "^9" } }\n',
  'eslint.config.mjs': 'throw new Error("This would be code of the repository.");\n',
  'node_modules/.bin/eslint': '',
  'src/a.js':
    'export function first(list) {\n  for (let i = 0; i < list.length; i++) if (list[i]) return list[i];\n}\n',
};
const NOT_RUN = 'Not run: ESLint. --linters shows the findings.';

test('what go vet finds is listed first, and ESLint waits until somebody asks for it', async () => {
  const files = { ...GO, ...ESLINT };
  await using given = await sandboxOf(files);
  await using world = await createSessionWorld(files);
  const session = await world.session({ change: () => ({ sandbox: given.sandbox }) });
  await session.analysis.analyse({ signal: never });
  // On a busy machine, the first build of Go may take longer than the linters get.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(never);
  onTestFinished(() => timeout.mockRestore());
  const { linters, trouble } = await session.analysis.lint({ signal: never, unasked: true });
  expect({ linters, trouble }).toEqual({ linters: expect.arrayContaining(['go vet']), trouble: [NOT_RUN] });
  const { shown } = await session.opportunities.listWithHidden();
  expect(shown[0]).toMatchObject({ rule: 'lint/vet/printf', path: 'a.go' });
  // Nothing is run again as long as the files stay the same.
  expect((await session.analysis.lint({ signal: never, unasked: true })).looked).toBe(0);
});

test('nothing is run in a repository of scripts, in an untrusted one, or if the setting is off', async () => {
  const lint = async (files: Readonly<Record<string, string>>, more: object) => {
    await using world = await createSessionWorld(files);
    const sandbox = { open: () => Promise.reject(new Error('Something ran.')) };
    const session = await world.session({
      change: (ports) => ({ sandbox: { ...ports.sandbox, ...sandbox } }),
      ...more,
    });
    await session.analysis.analyse({ signal: never });
    return (await session.analysis.lint({ signal: never, unasked: true })).trouble;
  };
  expect(await lint(ESLINT, {})).toEqual([NOT_RUN]);
  expect(await lint(GO, { trusted: false })).toEqual([]);
  expect(await lint(GO, { settings: { 'analysis.linters': false } })).toEqual([]);
});

test('a tree for which the time was too short is not tried again', async () => {
  await using world = await createSessionWorld(GO);
  let opened = 0;
  const session = await world.session({
    change: (ports) => ({
      sandbox: {
        ...ports.sandbox,
        isolation: async () => ({ ...(await ports.sandbox.isolation()), confined: true }),
        open: async (signal) => {
          opened += 1;
          throwIfCancelled(signal);
          return ports.sandbox.open(signal);
        },
      },
    }),
  });
  await session.analysis.analyse({ signal: never });
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  onTestFinished(() => timeout.mockRestore());
  const lint = async () => (await session.analysis.lint({ signal: never, unasked: true })).trouble;
  const ended = ['The linters were ended after 20 s; --linters gives them more time.'];
  expect([await lint(), await lint(), opened]).toEqual([ended, ended, 1]);
});

test('findings of linters come first only where most code is in the languages of these linters', () => {
  const finding = (rule: string, path: string) => createPart<Opportunity>({ rule, path });
  const list = [finding('long-function', 'a.ts'), finding('lint/ruff/E501', 'tools/b.py')];
  const rulesFor = (paths: readonly string[]) => moveLintersFirst(list, paths).map(({ rule }) => rule);
  expect(rulesFor(['a.ts', 'b.ts', 'tools/b.py', 'README.md'])).toEqual(['long-function', 'lint/ruff/E501']);
  expect(rulesFor(['a.ts', 'c.py', 'tools/b.py'])).toEqual(['lint/ruff/E501', 'long-function']);
});
