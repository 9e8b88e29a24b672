// The table of commands: a command line makes only the command that it names.

import { expect, test } from 'vitest';
import { commands } from '../../server/src/cli/program.ts';

test('each command has the name under which it stands in the table', () => {
  const names = Object.entries(commands).map(([name, factory]) => [name, factory(() => undefined).name()]);
  expect(names.length).toBeGreaterThan(30);
  expect(names).toEqual(Object.keys(commands).map((name) => [name, name]));
});
