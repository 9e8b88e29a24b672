// A finding names a recipe that refuses most places only after the recipe has made a change there.

import { expect, test } from 'vitest';
import type { Ports } from '../../../server/src/core/ports.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const { signal } = new AbortController();

/** A method of 17 lines. `separator`: what it reads of the method around its inner function. */
const method = (name: string, separator: string) => `  ${name}(lines: readonly string[]): string[] {
    const separator = '${separator}';
    function cutWords(text: string, limit: number): string {
      const words = text.split(CAPTURED);
      const short = words.filter((word) => word.length < limit);
      if (words.length <= limit) {
        return text;
      }
      if (short.length > limit) {
        return short.slice(0, limit).join(', ');
      }
      let width = 0;
      for (const word of words) {
        width = Math.max(width, word.length);
      }
      const cut = words.slice(0, limit).join(', ');
      return cut.padEnd(width, '.') + String(words.length);
    }

    return lines.map((line) => separator + cutWords(line, ${name.length}));
  }
`;
const tree = (captured: string) => ({
  'package.json': '{ "name": "printing", "main": "src/printer.ts" }',
  'tsconfig.json': '{ "compilerOptions": { "strict": true }, "include": ["src"] }',
  'src/printer.ts': `export class Printer {\n${method('titles', ' ')}\n${method('labels', '-')}}\n`.replaceAll(
    'CAPTURED',
    captured,
  ),
});

type World = Awaited<ReturnType<typeof createSessionWorld>>;

async function recipeOf(world: World, change: (ports: Ports) => Partial<Ports> = () => ({})): Promise<string | null> {
  const session = await world.session({ change });
  await session.analysis.analyse({ signal });
  const found = (await session.opportunities.shown()).filter(({ rule }) => rule === 'duplicate-code');
  expect(found).toHaveLength(1);
  return found[0]!.recipe;
}

/** Counts the recipes that are tried, or answers in their place. */
const listening =
  (tried: string[], answer?: () => Promise<never>) =>
  ({ jobs }: Ports): Partial<Ports> => ({
    jobs: {
      ...jobs,
      run: (name, ...more) => {
        if (name === 'applyRecipe') tried.push(name);
        return name === 'applyRecipe' && answer ? answer() : jobs.run(name, ...more);
      },
    },
  });

test('copies that a recipe merges name it', async () => {
  await using world = await createSessionWorld(tree("' '"));
  expect(await recipeOf(world)).toBe('merge-copies');
});

test('copies that a recipe refuses name none', async () => {
  await using world = await createSessionWorld(tree('separator'));
  expect(await recipeOf(world)).toBeNull();
});

test('a recipe is tried again only after a file of the finding has changed', async () => {
  await using world = await createSessionWorld(tree("' '"));
  const tried: string[] = [];
  expect(await recipeOf(world, listening(tried))).toBe('merge-copies');
  expect(tried).toHaveLength(1);
  world.tree.set('src/other.ts', 'export const other = 1;\n');
  expect(await recipeOf(world, listening(tried))).toBe('merge-copies');
  expect(tried).toHaveLength(1);
  world.tree.set('src/printer.ts', tree('separator')['src/printer.ts']);
  expect(await recipeOf(world, listening(tried))).toBeNull();
  expect(tried).toHaveLength(2);
  // The answer for the text as it was is still known.
  world.tree.set('src/printer.ts', tree("' '")['src/printer.ts']);
  expect(await recipeOf(world, listening(tried))).toBe('merge-copies');
  expect(tried).toHaveLength(2);
});

test('a trial without an answer is repeated by the next session', async () => {
  await using world = await createSessionWorld(tree("' '"));
  const failing = () => Promise.reject(new SelfwareError('timedOut', 'It took too long.'));
  expect(await recipeOf(world, listening([], failing))).toBeNull();
  expect(await recipeOf(world)).toBe('merge-copies');
});

test('an error without its cause names a recipe only if the compiler settings know causes', async () => {
  const settings = (target: string) => `{ "compilerOptions": { "strict": true, "target": "${target}" } }`;
  const code =
    "export function read(text: string): unknown {\n  try {\n    return load(text);\n  } catch (error) {\n    throw new Error('No settings.');\n  }\n}\nfunction load(text: string): unknown {\n  return JSON.parse(text);\n}\n";
  await using world = await createSessionWorld({
    'package.json': '{ "name": "settings" }',
    'tsconfig.json': settings('ES2020'),
    'src/read.ts': code,
  });
  const recipeOfCause = async () => {
    const session = await world.session();
    await session.analysis.analyse({ signal });
    return (await session.opportunities.shown()).find(({ rule }) => rule === 'lost-cause')!.recipe;
  };
  expect(await recipeOfCause()).toBeNull();
  world.tree.set('tsconfig.json', settings('ES2022'));
  expect(await recipeOfCause()).toBe('add-cause');
});
