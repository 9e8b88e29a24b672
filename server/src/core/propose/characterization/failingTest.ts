// Writes a test that fails because of a call that breaks, in the style of the neighbouring tests.

import { posix } from 'node:path';
import { detectStyle } from '../style.ts';
import { testPlaceBeside, type TestPlace } from './testPlace.ts';
import { assertionOf as assertsAnswer, inQuotes } from './testText.ts';
import type { SourceTree } from '../../ports/sources.ts';

export interface BrokenCall {
  readonly path: string;
  readonly name: string;
  readonly exportedAs: string;
  readonly partner: { readonly path: string; readonly name: string; readonly exportedAs: string } | null;
  readonly call: string;
  /** What the call should equal; null if it only should not break. */
  readonly equals: string | null;
  /** What it should do, as the end of a sentence. */
  readonly expected: string;
  readonly kind: string;
}

/** A new test file, or text to add to an existing one. */
export function failingTest(tree: SourceTree, found: BrokenCall): { readonly path: string; readonly text: string } {
  const beside = testPlaceBeside(tree, found.path);
  const place = 'refused' in beside ? usualPlace(tree, found.path) : beside;
  const { runner, imports, call, style } = place;
  const end = style.semicolons ? ';' : '';
  const quoted = (text: string) => `${style.quote}${text.replaceAll(style.quote, '’')}${style.quote}`;
  const own = [found, ...(found.partner ? [found.partner] : [])];
  const head = [
    ...(runner === 'node'
      ? [
          `import assert from ${quoted('node:assert/strict')}${end}`,
          `import { ${call} } from ${quoted('node:test')}${end}`,
        ]
      : imports
        ? [`import { expect, ${call} } from ${quoted(runner === 'jest' ? '@jest/globals' : 'vitest')}${end}`]
        : []),
    ...importsOf(own, place).map((text) => `${text}${end}`),
  ];
  return {
    path: place.path,
    text: [
      ...head,
      '',
      `${call}(${quoted(titleOf(found))}, () => {`,
      `${style.indent}${assertionOf(found, place)}${end}`,
      `})${end}`,
      '',
    ].join(style.newline),
  };
}

function titleOf({ name, partner, kind }: BrokenCall): string {
  switch (kind) {
    case 'endless':
      return `${name} ends`;
    case 'roundTrip':
      return `${partner?.name ?? name} gives back what ${name} was given`;
    case 'order':
      return `${name} puts values in one order`;
    case 'settles':
      return `${name} changes nothing the second time`;
    default:
      return `${name} does not break`;
  }
}

function assertionOf({ call, equals }: BrokenCall, { runner, style }: TestPlace): string {
  if (equals !== null) return assertsAnswer({ call, answer: equals, promised: false }, runner, style.quote);
  const shown = inQuotes(call, style.quote);
  return runner === 'node' ? `assert.doesNotThrow(() => ${shown})` : `expect(() => ${shown}).not.toThrow()`;
}

/** One import for each file. */
function importsOf(own: readonly Pick<BrokenCall, 'path' | 'name' | 'exportedAs'>[], place: TestPlace): string[] {
  const [first] = own;
  return [...new Set(own.map(({ path }) => path))].map((path) => {
    const here = own.filter((one) => one.path === path);
    const unnamed = here.find(({ exportedAs }) => exportedAs === 'default');
    const named = [...new Set(here.filter((one) => one !== unnamed).map(spelled))];
    const parts = [unnamed?.name, named.length > 0 ? `{ ${named.join(', ')} }` : undefined].filter(Boolean);
    const specifier = path === first?.path ? place.specifier : specifierLike(place, path);
    return `import ${parts.join(', ')} from ${place.style.quote}${specifier}${place.style.quote}`;
  });
}

function spelled({ name, exportedAs }: Pick<BrokenCall, 'name' | 'exportedAs'>): string {
  return name === exportedAs ? name : `${exportedAs} as ${name}`;
}

/** For another file, written like the specifier of the tested one. */
function specifierLike({ path: place, specifier }: TestPlace, path: string): string {
  const bare = posix.relative(posix.dirname(place), path).replace(/\.[cm]?[jt]sx?$/, '');
  return `${bare.startsWith('.') ? bare : `./${bare}`}${/\.[cm]?[jt]sx?$/.exec(specifier)?.[0] ?? ''}`;
}

/** Beside the file, where no neighbour shows how tests are written. */
function usualPlace(tree: SourceTree, path: string): TestPlace {
  const root = tree.rootDir.replaceAll('\\', '/');
  const manifest = tree.read(`${root}/package.json`) ?? '';
  const runner = (/"(vitest|jest)"\s*:/.exec(manifest)?.[1] ?? 'node') as TestPlace['runner'];
  const stem = path.replace(/\.[cm]?[jt]sx?$/, '');
  const ending = /\.[cm]?[jt]sx?$/.exec(path)?.[0] ?? '.ts';
  return {
    path: `${stem}.test${ending.replace('x', '')}`,
    like: path,
    runner,
    imports: runner !== 'jest',
    specifier: `./${posix.basename(path)}`,
    call: 'test',
    style: detectStyle(tree.read(`${root}/${path}`) ?? ''),
  };
}
