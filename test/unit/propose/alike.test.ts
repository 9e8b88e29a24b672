// One recipe on several places of a file as one change.

import { expect, test } from 'vitest';
import { analyseSource } from '../../../server/src/core/analysis/analyse.ts';
import type { Opportunity } from '../../../server/src/core/model.ts';
import { planJointChange } from '../../../server/src/core/propose/jointChange.ts';
import { memoryTree, opportunityAt } from './recipeCase.ts';

const path = 'src/links.ts';

type Choice = (found: readonly Opportunity[]) => readonly Opportunity[];

function alike(text: string, rule: string, wanted?: Choice) {
  return alikeIn(path, text, rule, wanted);
}

function alikeIn(path: string, text: string, rule: string, wanted?: Choice) {
  const plain = { path, language: 'typescript', tree: null, symbols: null, generated: false } as const;
  const analyse = (current: string) => analyseSource({ ...plain, text: current }).opportunities;
  const all = analyse(text);
  const recipe = all.find((one) => one.rule === rule)?.recipe;
  const found = all.filter((one) => one.recipe === recipe);
  const [first, ...rest] = found;
  if (!first) throw new Error(`No ${rule}.`);
  return planJointChange(first, wanted?.(rest) ?? rest, memoryTree({ [path]: text }), analyse);
}

// With templates enough to show that they are the file's own form.
const links = `export function links(name: string, id: number): string[] {
  const style = [\`\${name}\`, \`\${id}\`, \`\${name}.\`];
  return [...style, '/docs/' + name + '/', '/docs/' + id + '#top'];
}

// Says where it is.
export function place(name: string): string {
  return 'at ' + name + '.';
}

// Says who it is.
export function person(name: string): string {
  return 'by ' + name + '.';
}

/** Says nothing. */
export function nobody(): string {
  return '';
}
`;

test('all places that the recipe mends, in one edit, and nothing else', () => {
  const outcome = alike(links, 'string-concat');
  if ('refused' in outcome) throw new Error(outcome.refused);
  expect(outcome.opportunities).toHaveLength(4);
  expect(new Set(outcome.opportunities).size).toBe(4);
  expect(outcome.title).toMatch(/, and 3 more in links\.ts$/);
  expect(outcome.edits).toEqual([
    {
      path,
      before: links,
      after: links
        .replace("'/docs/' + name + '/'", '`/docs/${name}/`')
        .replace("'/docs/' + id + '#top'", '`/docs/${id}#top`')
        .replace("'at ' + name + '.'", '`at ${name}.`')
        .replace("'by ' + name + '.'", '`by ${name}.`'),
    },
  ]);
});

test('only those that are wanted: one that was refused or dismissed stays', () => {
  const outcome = alike(links, 'string-concat', (rest) => rest.filter(({ symbol }) => symbol === 'place'));
  if ('refused' in outcome) throw new Error(outcome.refused);
  expect(outcome.opportunities).toHaveLength(2);
  expect(outcome.edits[0]!.after).toContain("'by ' + name + '.'");
  expect(outcome.edits[0]!.after).toContain('`at ${name}.`');
});

test('comments of several exports', () => {
  const outcome = alike(links, 'undocumented-export');
  if ('refused' in outcome) throw new Error(outcome.refused);
  expect(outcome.edits[0]!.after).toContain('/** Says where it is. */\nexport function place');
  expect(outcome.edits[0]!.after).toContain('/** Says who it is. */\nexport function person');
});

test('alone, or a change that a person names: none', () => {
  expect(alike(links, 'string-concat', () => [])).toEqual({ refused: 'Nothing else in the file is like it.' });
});

const textOf = (at: number) => `export const text${at} = (name: string): string => 'the ${at} ' + name + '.';\n`;

test('at most 25 at a time, and it says that there are more', () => {
  const style = 'export const style = (name: string): string => `${name}`;\n';
  const outcome = alike(
    Array.from({ length: 30 }, (_, at) => style.replace('style', `style${at}`)).join('') +
      Array.from({ length: 30 }, (_, at) => textOf(at)).join(''),
    'string-concat',
  );
  if ('refused' in outcome) throw new Error(outcome.refused);
  expect(outcome.opportunities).toHaveLength(25);
  expect(outcome.rationale).toMatch(/The file has more such places\. They are left for another change/);
});

const unused = `import { a, b } from './letters.ts';
import { c } from './more.ts';

export function first(): number {
  const left = 1;
  return b;
}

export function second(): number {
  const left = 1;
  return b;
}
`;

test.each(['src/words.ts', 'test/words.test.ts'])('what one recipe mends in %s is one change, over rules', (path) => {
  const outcome = alikeIn(path, unused, 'unused-import');
  if ('refused' in outcome) throw new Error(outcome.refused);
  const imported = unused.replace('a, b', 'b').replace("import { c } from './more.ts';\n", '');
  const after = imported.replaceAll('  const left = 1;\n', '');
  expect(outcome.edits.map((edit) => edit.after)).toEqual([after]);
});

test('two that are called the same, though what stands next to one has gone with the other', () => {
  const named = (title: string) => `  test('${title}', () => {\n    const sent = make('a');\n    go();\n  });\n`;
  const tests = ['one', 'two', 'three'].map(named).join('');
  const text = `import { go, make, test } from './kit.ts';\n\nexport function run() {\n${tests}}\n`;
  const outcome = alikeIn('test/sent.test.ts', text, 'unused-local');
  if ('refused' in outcome) throw new Error(outcome.refused);
  expect(outcome.edits[0]!.after).toBe(text.replaceAll("const sent = make('a')", "make('a')"));
});

test('what no look at the file alone finds, by its line', () => {
  const text = 'export const a = 1;\n\nexport const b = a + 1;\n\nexport const c = b + 1;\n';
  const found = (line: number, symbol: string) => opportunityAt('unexport', path, text, { line, symbol });
  const at = (line: number, symbol: string): Opportunity => ({ ...found(line, symbol), id: symbol });
  const tree = memoryTree({ [path]: text, 'src/use.ts': "import { c } from './links.ts';\nc;\n" });
  const outcome = planJointChange(at(3, 'b'), [at(1, 'a'), at(5, 'c')], tree, () => []);
  const after = text.replace('export const a', 'const a').replace('export const b', 'const b');
  expect(outcome).toMatchObject({ opportunities: ['b', 'a'], edits: [{ after }] });
});

test('no more lines than anybody reads', () => {
  const steps = '    step();\n'.repeat(30);
  const long = (at: number) => `export function long${at}(on: boolean): void {\n  if (on) {\n${steps}  }\n}\n`;
  const early = (at: number) => `export function early${at}(on: boolean): void {\n  if (!on) return;\n  step();\n}\n`;
  const text = [...[1, 2, 3, 4].map(long), ...[1, 2, 3, 4].map(early)].join('') + '// words\n'.repeat(200);
  const found = (line: number) => opportunityAt('guard-clauses', path, text, { line, symbol: 'if' });
  const at = (line: number): Opportunity => ({ ...found(line), id: `${line}` });
  const outcome = planJointChange(at(2), [at(36), at(70), at(104)], memoryTree({ [path]: text }), () => []);
  const rationale = expect.stringContaining('more such places') as string;
  expect(outcome).toMatchObject({ opportunities: ['2', '36', '70'], rationale });
});
