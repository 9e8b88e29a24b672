// Ruff, Clippy, go vet and go fix as recipes: with the real programs where this machine has them, and on what they
// print everywhere.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { findLinterFolder, languageLinters } from '../../../server/src/core/verify/detect/languageLinters.ts';
import { sandboxOf } from '../../adapters/sandbox/sandboxOf.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';
import { sample, thoroughTest } from '../../helpers/thorough.ts';

interface Case {
  readonly name: string;
  /** Ends with 0 where the program is there and new enough. */
  readonly probe: readonly [string, ...string[]];
  readonly files: Readonly<Record<string, string>>;
  readonly path: string;
  readonly rules: readonly string[];
  readonly rule: string;
  readonly from: string;
  readonly to: string;
  readonly verdicts: string[];
}

const rust =
  '//! Sums. é\r\n\r\n/// The sum.\r\npub fn sum(list: &[i32]) -> i32 {\r\n    let total = list.iter().sum();\r\n    return total;\r\n}\r\n\r\n/// Whether there is none.\r\npub fn empty(list: &[i32]) -> bool {\r\n    let _ = "é"; list.len() == 0\r\n}\r\n\r\n#[cfg(test)]\r\nmod tests {\r\n    #[test]\r\n    fn sums() {\r\n        assert_eq!(super::sum(&[1, 2]), 3);\r\n    }\r\n}\r\n';
const python =
  '# é\nimport os\nfrom typing import List\n\n\ndef total(values: List[int]) -> int:\n    """The sum."""\n    return sum(values)\n';
const go =
  '// Package sample adds. é\npackage sample\n\n// Sum adds.\nfunc Sum(list []int) int {\n\ttotal := 0\n\tfor i := 0; i < len(list); i++ {\n\t\ttotal += list[i]\n\t}\n\tvar kept interface{} = total\n\t_ = kept\n\treturn total\n}\n';
const vet =
  '// Package sample adds. é\npackage sample\n\n// Keep keeps.\nfunc Keep(kept int) int {\n\tkept = kept\n\treturn kept\n}\n\n// Twice doubles.\nfunc Twice(one int) int {\n\ttwo := one * 2\n\tsame := two\n\treturn same\n}\n';

const cases: readonly Case[] = [
  {
    name: 'Clippy',
    probe: ['cargo', 'clippy', '--version'],
    files: {
      '.gitignore': 'target\n',
      'Cargo.toml':
        '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n\n[lints.clippy]\nneedless_return = "warn"\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "sample"\nversion = "0.1.0"\n',
    },
    path: 'src/lib.rs',
    rules: ['lint/clippy/len_zero', 'lint/clippy/needless_return'],
    rule: 'lint/clippy/needless_return',
    from: 'return total;',
    to: 'total',
    verdicts: ['lint passed', 'tests passed'],
  },
  {
    name: 'Ruff',
    probe: ['ruff', '--version'],
    files: { 'ruff.toml': '[lint]\nselect = ["F", "UP"]\n' },
    path: 'a.py',
    rules: ['lint/ruff/F401', 'lint/ruff/UP006'],
    rule: 'lint/ruff/F401',
    from: 'import os\n',
    to: '',
    verdicts: ['lint passed'],
  },
  {
    name: 'go vet',
    probe: ['go', 'vet', '-fix', '-json', 'fmt'],
    files: { 'go.mod': 'module example.com/sample\n\ngo 1.22\n' },
    path: 'vet.go',
    rules: ['lint/vet/assign'],
    rule: 'lint/vet/assign',
    from: '\tkept = kept\n',
    to: '',
    verdicts: ['lint passed'],
  },
  {
    name: 'go fix',
    probe: ['go', 'fix', '-json', 'fmt'],
    files: { 'go.mod': 'module example.com/sample\n\ngo 1.22\n' },
    path: 'a.go',
    rules: ['lint/gofix/any', 'lint/gofix/rangeint'],
    rule: 'lint/gofix/rangeint',
    from: 'for i := 0; i < len(list); i++ {',
    to: 'for i := range list {',
    verdicts: ['lint passed'],
  },
];
const sources: Readonly<Record<string, string>> = { 'src/lib.rs': rust, 'a.py': python, 'a.go': go, 'vet.go': vet };
const installed = cases.filter(
  ({ probe: [program, ...words] }) => spawnSync(program, words, { stdio: 'ignore' }).status === 0,
);

test.each(sample(installed, 1).map((one) => [one.name, one] as const))(
  '%s: what it can mend is found, one rule is mended alone, and it finds less then',
  async (_, { files, path, rules, rule, from, to, verdicts }) => {
    const text = sources[path]!;
    await using given = await sandboxOf({ ...files, [path]: text });
    await using world = await createSessionWorld({ ...files, [path]: text });
    const session = await world.session({
      change: () => ({ sandbox: given.sandbox }),
      settings: { 'charter.approval': 'minimal', 'verify.guardSeconds': 0, 'verify.testCommand': '' },
    });
    await session.analysis.analyse({ signal: never });
    const { opportunities, trouble } = await session.analysis.lint({ signal: never });
    expect({ rules: opportunities.map((one) => one.rule).sort(), trouble }).toEqual({ rules, trouble: [] });
    const { proposal } = await session.proposals.propose({
      opportunity: opportunities.find((one) => one.rule === rule)!.id,
      signal: never,
    });
    expect(proposal?.edits).toEqual([{ path, before: text, after: text.replace(from, to) }]);
    const verified = await session.verification.verify(proposal!.id, { signal: never });
    expect(
      verified.verdicts.map(
        ({ gate, outcome, reason }) => `${gate} ${outcome}${outcome === 'failed' ? `: ${reason}` : ''}`,
      ),
    ).toEqual(expect.arrayContaining(verdicts));
    expect(verified.status).toBe('verified');
    expect(await session.proposals.explainNeedToAsk(proposal!.id)).not.toBeNull();
  },
);

test('a program that is meant and not installed is said, and asked again once it is there', async () => {
  const files = { 'ruff.toml': '', 'a.py': python };
  vi.stubEnv(
    'PATH',
    (process.env['PATH'] ?? '')
      .split(delimiter)
      .filter((dir) => !existsSync(join(dir, 'ruff')))
      .join(delimiter),
  );
  await using given = await sandboxOf(files);
  await using world = await createSessionWorld(files);
  const session = await world.session({ change: () => ({ sandbox: given.sandbox }) });
  await session.analysis.analyse({ signal: never });
  for (let time = 0; time < 2; time++)
    expect(await session.analysis.lint({ signal: never })).toMatchObject({
      looked: 0,
      opportunities: [],
      trouble: ['Ruff is configured here, but `ruff` is not installed.'],
    });
  vi.unstubAllEnvs();
});

test.each([
  ['app/a.py', { 'pyproject.toml': '[project]\nname = "a"\n\n[tool.ruff.lint]\nselect = ["F"]\n' }, 'ruff', ''],
  ['app/a.py', { 'pyproject.toml': '[project]\nname = "a"\n' }, 'ruff', null],
  ['app/deep/a.py', { 'pyproject.toml': '[project]\n', 'app/.ruff.toml': '' }, 'ruff', 'app'],
  [
    'native/a/src/x.rs',
    { 'native/Cargo.toml': '[workspace.lints.clippy]\nall = "warn"\n', 'native/a/Cargo.toml': '' },
    'clippy',
    'native',
  ],
  [
    'native/src/x.rs',
    { 'native/Cargo.toml': '', 'native/src/lib.rs': '#![warn(clippy::pedantic)]\n' },
    'clippy',
    'native',
  ],
  ['src/x.rs', { 'Cargo.toml': '[package]\n' }, 'clippy', null],
  ['tools/gen/x.go', { 'go.mod': '', 'tools/go.mod': '' }, 'vet', 'tools'],
  ['x.go', {}, 'vet', null],
] as const)('%s beside %j: %s runs from %j', async (path, files, kind, home) => {
  await using given = await sandboxOf({ ...files, [path]: '' });
  const worktree = await given.open();
  const language = languageLinters.find(({ createLinter }) => createLinter({ folder: '' } as never).kind === kind)!;
  expect(await findLinterFolder(language, path, worktree)).toBe(home);
});

thoroughTest('two linters that look at one file: what they find less together counts', async () => {
  // Stands for a Go that may not be there: says what the text holds, and takes it away where it is asked to.
  const program = `#!/usr/bin/env node
const fs = require('node:fs');
const [verb, ...words] = process.argv.slice(2);
const [rule, mark] = verb === 'vet' ? ['assign', 'kept = kept'] : ['any', 'interface{}'];
const text = fs.readFileSync('a.go', 'utf8');
if (!words.includes('-json')) fs.writeFileSync('a.go', text.replace(mark, verb === 'vet' ? '' : 'any'));
else console.log(JSON.stringify({ 'example.com/sample': text.includes(mark) ? { [rule]: [{ posn: 'a.go:6:2', message: mark, suggested_fixes: [{}] }] } : {} }, null, '\\t'));
`;
  const text = go.replace('\t_ = kept\n', '\tkept = kept\n\t_ = kept\n');
  const files = { 'go.mod': 'module example.com/sample\n', 'a.go': text, '.gitignore': 'node_modules\n' };
  await using given = await sandboxOf(files);
  await given.repository.write('node_modules/.bin/go', program);
  await chmod(join(given.repository.dir, 'node_modules/.bin/go'), 0o755);
  await using world = await createSessionWorld(files);
  const session = await world.session({
    change: () => ({ sandbox: given.sandbox }),
    settings: { 'verify.guardSeconds': 0 },
  });
  await session.analysis.analyse({ signal: never });
  const { opportunities, trouble } = await session.analysis.lint({ signal: never });
  expect({ rules: opportunities.map(({ rule }) => rule).sort(), trouble }).toEqual({
    rules: ['lint/gofix/any', 'lint/vet/assign'],
    trouble: [],
  });
  const lintOf = async (id: string) =>
    (await session.verification.verify(id, { signal: never })).verdicts.find(({ gate }) => gate === 'lint');
  const { proposal } = await session.proposals.propose({
    opportunity: opportunities.find(({ rule }) => rule === 'lint/gofix/any')!.id,
    signal: never,
  });
  expect(proposal?.edits).toEqual([{ path: 'a.go', before: text, after: text.replace('interface{}', 'any') }]);
  expect(await lintOf(proposal!.id)).toMatchObject({
    outcome: 'passed',
    reason: 'No lint problem any more; 1 lint problem without the change.',
    evidence: { problemsBefore: 2, problems: 1 },
  });
});
