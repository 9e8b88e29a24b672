// Tests of several steps on one object: exports of the same name, and titles.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import type { Case } from '../../../server/src/core/propose/characterization/caseText.ts';
import { createGuardingTest } from '../../../server/src/core/propose/characterization/guardingTest.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';

/** The export that tests are written for. */
interface Guarded {
  readonly path: string;
  readonly name: string;
  readonly qualifiedName: string;
  readonly exportedAs: string;
}

function written(
  files: Readonly<Record<string, string>>,
  test: string,
  cases: readonly Case[],
  about: string | Guarded,
) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-guarding-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const named =
    typeof about === 'string' ? { path: about, name: 'put', qualifiedName: 'put', exportedAs: 'put' } : about;
  const guarded = { ...named, cases };
  return createGuardingTest(guarded, { tests: [test], runner: 'vitest' }, createSourceTree(root), openProject);
}

function afterOf(made: ReturnType<typeof written>): string | null {
  return 'refused' in made ? made.refused : made.edit.after;
}

/** Makes a bag of one module, and puts something into it by a function of another one. */
function bagSteps(paths: readonly [maker: string, put: string], put: string, value: string): Case {
  const [maker, user] = paths;
  return {
    given: [],
    steps: [
      { before: 'const bag = new ', imported: { path: maker, name: 'Bag', exportedAs: 'Bag' }, after: '()' },
      { before: '', imported: { path: user, name: put, exportedAs: 'put' }, after: `(bag, "${value}")` },
    ],
    result: { value: '1', promised: false },
  };
}

test('steps with functions of the same name from two modules get no test', () => {
  const files = {
    'src/x.test.ts':
      "import { expect, it } from 'vitest';\nimport { x } from './x.js';\nit('is', () => { expect(x).toBe(1); });\n",
  };
  const both = [bagSteps(['src/a.ts', 'src/a.ts'], 'put', 'x'), bagSteps(['src/a.ts', 'src/b.ts'], 'put', 'x')];
  expect(written(files, 'src/x.test.ts', both, 'src/a.ts')).toEqual({
    refused: 'Two exports that its steps need have the same name.',
  });
  const named = [bagSteps(['src/a.ts', 'src/a.ts'], 'put', 'x'), bagSteps(['src/a.ts', 'src/b.ts'], 'putOther', 'x')];
  const after = afterOf(written(files, 'src/x.test.ts', named, 'src/a.ts'));
  expect(after).toContain("from './a.js'");
  expect(after).toContain("import { put as putOther } from './b.js'");
});

test('the titles of two tests of steps differ, also from those in the file', () => {
  const title = "it('put returns 1', () => { expect(put(new Bag(), 'a')).toBe(1); });";
  const bag = 'export class Bag { items = []; }\nexport function put(bag: Bag, item: string) { return 1; }\n';
  const files = {
    'src/bag.ts': bag,
    'src/bag.test.ts': `import { expect, it } from 'vitest';\nimport { Bag, put } from './bag.js';\n${title}\n`,
  };
  const cases = ['x', 'y', 'y'].map((value) => bagSteps(['src/bag.ts', 'src/bag.ts'], 'put', value));
  const after = afterOf(written(files, 'src/bag.test.ts', cases, 'src/bag.ts'));
  const titles = [...after!.matchAll(/it\((['"])(.*?)\1, /g)].map(([, , text]) => text);
  expect(titles).toEqual(['put returns 1', 'put(bag, "x") returns 1', 'put(bag, "y") returns 1', 'put returns 1 (3)']);
});

test('steps with a class join the group that is named after its variable', () => {
  const files = {
    'src/bag.ts': 'export class Bag {}\nexport function put(bag: Bag, item: string) { return 1; }\n',
    'src/bag.test.ts':
      "import { describe, expect, it } from 'vitest';\nimport { Bag, put } from './bag.js';\n" +
      "describe('bag', () => {\n  it('is', () => { expect(put(new Bag(), 'a')).toBe(1); });\n});\n",
  };
  const about = { path: 'src/bag.ts', name: 'Bag', qualifiedName: 'Bag', exportedAs: 'Bag' };
  const after = afterOf(written(files, 'src/bag.test.ts', [bagSteps(['src/bag.ts', 'src/bag.ts'], 'put', 'x')], about));
  expect(after).toMatch(/^describe\('bag', [^]*it\('put returns 1'[^]*\}\);\n$/m);
  expect(after!.match(/describe\(/g)).toHaveLength(1);
});

test('steps join the group that is named after the member, as the file calls its owner', () => {
  const groups = (title: string) =>
    "import { describe, expect, it } from 'vitest';\nimport { accepts } from './accepts.js';\n" +
    `describe('accepts', () => {\n  it('is', () => {});\n});\n` +
    `describe('${title}', () => {\n  it('is', () => { expect(accepts('a').types()).toEqual(['a']); });\n});\n`;
  const steps: Case = {
    given: [],
    steps: [
      {
        before: 'const accept = ',
        imported: { path: 'src/accepts.ts', name: 'Accepts', exportedAs: 'accepts' },
        after: '("b")',
      },
      { before: 'accept.types("c")', imported: null, after: '' },
    ],
    result: { value: 'false', promised: false },
  };
  const about = { path: 'src/accepts.ts', name: 'Accepts', qualifiedName: 'Accepts', exportedAs: 'accepts' };
  const code = 'export function accepts(text: string) { return { types: (...all: string[]) => [text, ...all] }; }\n';
  for (const title of ['accepts.types()', 'Accepts#types', '.types()']) {
    const files = { 'src/accepts.ts': code, 'src/accepts.test.ts': groups(title) };
    const after = afterOf(written(files, 'src/accepts.test.ts', [steps], about))!;
    expect(after.slice(after.indexOf(title))).toContain("it('types returns false'");
    expect(after.match(/describe\(/g)).toHaveLength(2);
  }
});
