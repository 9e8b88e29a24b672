// Findings about Python code, and what a team's own configuration of Ruff leaves of them.

import { expect, test } from 'vitest';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const CODE = 'import json\n\n\ndef test_total():\n    total = sum([1])\n    total == 1\n';
const FAULT = 'python-fault `test_total`: the comparison has no effect: an `assert` or an assignment is missing.';
const UNUSED = 'python-unused `json` is imported but never used.';

/** The rule and the message of each finding that is listed in this repository. */
async function listedIn(files: Readonly<Record<string, string>>): Promise<string[]> {
  await using world = await createSessionWorld(files);
  const session = await world.session();
  const operation = { signal: new AbortController().signal };
  await session.analysis.analyse(operation);
  const shown = await session.opportunities.shown();
  return shown.map(({ rule, message }) => `${rule} ${message}`).sort();
}

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['no configuration', {}, [FAULT, UNUSED]],
  ['a configuration of other tools', { 'pyproject.toml': '[tool.black]\nline-length = 100\n' }, [FAULT, UNUSED]],
  ['a section for Ruff', { 'pyproject.toml': '[tool.ruff]\nline-length = 100\n' }, [FAULT]],
  ['a file for Ruff', { 'ruff.toml': 'line-length = 100\n' }, [FAULT]],
  ['a code that the configuration names', { '.ruff.toml': "lint.ignore = ['B015']\n" }, []],
  ['a configuration of another folder', { 'other/ruff.toml': '' }, [FAULT, UNUSED]],
  ['a configuration of the folder', { 'tests/ruff.toml': '' }, [FAULT]],
])('%s', async (_what, files, expected) => {
  expect(await listedIn({ 'tests/test_total.py': CODE, ...files })).toEqual(expected);
});
