// Writes a test that fails because a call breaks, in the style of the neighbouring tests.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import { detectStyle } from '../fileStyle.ts';
import { chooseTestPlaceNextTo, type TestPlace } from './testPlace.ts';
import { createAssertion as assertsAnswer, changeQuotes } from './testText.ts';
import type { SourceTree } from '../../ports/sources.ts';

/**
 * A call that shows a defect of the function `name` in `path`. `partner`: the other function of a round trip, which the
 * call uses as well; null for other kinds of defects.
 */
export interface BrokenCall {
  readonly path: string;
  readonly name: string;
  readonly exportedAs: string;
  readonly partner: { readonly path: string; readonly name: string; readonly exportedAs: string } | null;
  readonly call: string;
  /** The expression that the result should equal; null if the call only must not fail. */
  readonly equals: string | null;
  /** The expression that the result must not equal. */
  readonly unlike?: string;
  /** The expression that the test checks instead of `testFunction`; it awaits the result or reads its type. */
  readonly tested?: string;
  /** The behaviour of the call, as the end of a sentence. */
  readonly observed: string;
  /** The expected behaviour of the call, as the end of a sentence. */
  readonly expected: string;
  /** The kind of defect, which decides the title of the test. */
  readonly kind: string;
}

/** The path and the text of a test, or a sentence with the reason why there is none. */
export type FailingTest = { readonly path: string; readonly text: string } | { readonly refused: string };

/**
 * The time in milliseconds, as code, after which the test stops a call that does not end. It is below the usual time
 * limits of runners for a test.
 */
const CALL_TIME_LIMIT_MS = '4_000';

/** The first line of a test that was written without an example. */
const UNSURE_NOTE =
  '// No test beside the function shows how tests run here: adapt the runner and the imports if they differ.';

/** Matches an expression that waits for a promise. */
const WAIT_PATTERN = /^(?:typeof )?await /;

/**
 * The path and the text of a test file with imports and one test. If a file exists at the path, the caller adds the
 * text to it. Without a neighbouring test as an example, the test is put next to the file. Refuses if the call does not
 * end and the runner could not stop the test.
 */
export function createFailingTest(tree: SourceTree, brokenCall: BrokenCall): FailingTest {
  const neighbouringPlace = chooseTestPlaceNextTo(tree, brokenCall.path);
  const place = 'refused' in neighbouringPlace ? findUsualPlace(tree, brokenCall.path) : neighbouringPlace;
  const { runner, importsRunner, testFunction, style } = place;
  const isEndless = brokenCall.kind === 'endless';
  if (isEndless && !canUseThread(place, brokenCall.path))
    return {
      refused: `A test of it would hang: a call that does not end cannot be stopped by ${RUNNER_NAMES[runner]}.`,
    };
  const semicolon = style.semicolons ? ';' : '';
  const addQuotes = (text: string) => `${style.quote}${text.replaceAll(style.quote, '’')}${style.quote}`;
  const calls = [brokenCall, ...(brokenCall.partner ? [brokenCall.partner] : [])];
  const headLines = [
    ...('refused' in neighbouringPlace ? [UNSURE_NOTE] : []),
    ...(runner === 'node'
      ? [
          `import assert from ${addQuotes('node:assert/strict')}${semicolon}`,
          `import { ${testFunction} } from ${addQuotes('node:test')}${semicolon}`,
        ]
      : importsRunner
        ? [
            `import { expect, ${testFunction} } from ${addQuotes(runner === 'jest' ? '@jest/globals' : 'vitest')}${semicolon}`,
          ]
        : []),
    ...(isEndless
      ? [
          `import { once } from ${addQuotes('node:events')}${semicolon}`,
          `import { Worker } from ${addQuotes('node:worker_threads')}${semicolon}`,
        ]
      : createImportStatements(calls, place).map((text) => `${text}${semicolon}`)),
  ];
  return {
    path: place.path,
    text: [
      ...headLines,
      '',
      `${testFunction}(${addQuotes(createTitle(brokenCall))}, ${isEndless || WAIT_PATTERN.test(brokenCall.tested ?? '') ? 'async ' : ''}() => {`,
      ...(isEndless ? createEndlessLines : createAssertionLines)(brokenCall, place).map(
        (line) => `${style.indent}${line}`,
      ),
      `})${semicolon}`,
      '',
    ].join(style.newline),
  };
}

/** The names of runners in refusals. */
const RUNNER_NAMES: Readonly<Record<TestPlace['runner'], string>> = {
  node: 'the runner of Node',
  jest: 'Jest',
  vitest: 'Vitest',
};

/**
 * True if a thread of the test can load the file: the runner of Node loads files as its threads do, and Vitest does so
 * for plain JavaScript.
 */
function canUseThread({ runner, specifier }: TestPlace, path: string): boolean {
  // A thread cannot resolve a specifier without its extension.
  const isFile = specifier.startsWith('.') && /\.[cm]?[jt]s$/.test(specifier);
  return isFile && (runner === 'node' || (runner === 'vitest' && /\.m?js$/.test(path)));
}

/** Writes the lines of a test that ends although the call does not: the call runs in a thread, which can be stopped. */
function createEndlessLines(
  { call, name, exportedAs }: BrokenCall,
  { runner, style, specifier }: TestPlace,
): readonly string[] {
  const semicolon = style.semicolons ? ';' : '';
  const addQuotes = (text: string) => `${style.quote}${text}${style.quote}`;
  const member = name === exportedAs ? name : `${exportedAs}: ${name}`;
  const code = `.then(({ ${member} }) => ${call})`.replace(/[\\`]|\$(?=\{)/g, '\\$&');
  return [
    `const { href } = new URL(${addQuotes(specifier)}, import.meta.url)${semicolon}`,
    `const worker = new Worker(\`${'import'}('\${href}')${code}\`, { eval: true })${semicolon}`,
    `const timer = setTimeout(() => worker.terminate(), ${CALL_TIME_LIMIT_MS})${semicolon}`,
    `const [exitCode] = await once(worker, ${addQuotes('exit')})${semicolon}`,
    `clearTimeout(timer)${semicolon}`,
    runner === 'node' ? `assert.equal(exitCode, 0)${semicolon}` : `expect(exitCode).toBe(0)${semicolon}`,
  ];
}

/** The title of the test, which states the expected behaviour. */
function createTitle({ name, partner, kind }: BrokenCall): string {
  switch (kind) {
    case 'endless':
      return `${name} ends`;
    case 'roundTrip':
      return `${partner?.name ?? name} gives back what ${name} was given`;
    case 'order':
      return `${name} puts values in one order`;
    case 'settles':
      return `${name} changes nothing the second time`;
    case 'wrongType':
      return `${name} returns what its type says`;
    default:
      return `${name} does not break`;
  }
}

/** Writes the lines of the assertion about a call that ends. */
function createAssertionLines(brokenCall: BrokenCall, { runner, style }: TestPlace): readonly string[] {
  const { call, equals, unlike, tested = call, observed } = brokenCall;
  const semicolon = style.semicolons ? ';' : '';
  if (equals !== null)
    return [`${assertsAnswer({ call, answer: equals, promised: false }, runner, style.quote)}${semicolon}`];
  const quotedCall = changeQuotes(tested, style.quote);
  if (unlike !== undefined) {
    const value = changeQuotes(unlike, style.quote);
    return runner === 'node'
      ? [`assert.notDeepEqual(${quotedCall}, ${value})${semicolon}`]
      : [`expect(${quotedCall}).not.toEqual(${value})${semicolon}`];
  }
  // An error that explains what is wrong with the input is correct behaviour, so the test forbids only errors of the
  // observed class.
  const [, errorClass] = /^throws (\w+): /.exec(observed) ?? [];
  if (errorClass !== undefined && WAIT_PATTERN.test(tested)) {
    const caught = `${quotedCall}.catch((error) => error)`;
    return runner === 'node'
      ? [`assert.equal((${caught}) instanceof ${errorClass}, false)${semicolon}`]
      : [`expect(${caught}).not.toBeInstanceOf(${errorClass})${semicolon}`];
  }
  if (runner !== 'node') return [`expect(() => ${quotedCall}).not.toThrow(${errorClass ?? ''})${semicolon}`];
  if (errorClass === undefined) return [`assert.doesNotThrow(() => ${quotedCall})${semicolon}`];
  return [
    'try {',
    `${style.indent}${/^\[/.test(quotedCall) ? 'void ' : ''}${quotedCall}${semicolon}`,
    '} catch (error) {',
    `${style.indent}assert.equal(error instanceof ${errorClass}, false, String(error))${semicolon}`,
    '}',
  ];
}

/** Creates the import statements, one for each file, without semicolons. */
function createImportStatements(
  calls: readonly Pick<BrokenCall, 'path' | 'name' | 'exportedAs'>[],
  place: TestPlace,
): string[] {
  const [firstCall] = calls;
  return [...new Set(calls.map(({ path }) => path))].map((path) => {
    const callsOfFile = calls.filter((call) => call.path === path);
    const defaultImport = callsOfFile.find(({ exportedAs }) => exportedAs === 'default');
    const namedImports = [...new Set(callsOfFile.filter((call) => call !== defaultImport).map(formatImportedName))];
    const parts = [defaultImport?.name, namedImports.length > 0 ? `{ ${namedImports.join(', ')} }` : undefined].filter(
      Boolean,
    );
    const specifier = path === firstCall?.path ? place.specifier : formatSpecifierLike(place, path);
    return `import ${parts.join(', ')} from ${place.style.quote}${specifier}${place.style.quote}`;
  });
}

/** The name as an import statement writes it: `a`, `b as a`. */
function formatImportedName({ name, exportedAs }: Pick<BrokenCall, 'name' | 'exportedAs'>): string {
  return name === exportedAs ? name : `${exportedAs} as ${name}`;
}

/** The specifier of another file, in the form in which the test imports the tested file. */
function formatSpecifierLike({ path: testPath, specifier }: TestPlace, path: string): string {
  const withoutExtension = posix.relative(posix.dirname(testPath), path).replace(SCRIPT_PATTERN, '');
  return `${withoutExtension.startsWith('.') ? withoutExtension : `./${withoutExtension}`}${SCRIPT_PATTERN.exec(specifier)?.[0] ?? ''}`;
}

/** Finds the usual place next to the file if no neighbouring test can serve as an example. */
function findUsualPlace(tree: SourceTree, path: string): TestPlace {
  const root = tree.rootDir.replaceAll('\\', '/');
  const manifest = tree.read(`${root}/package.json`) ?? '';
  const runner = (/"(vitest|jest)"\s*:/.exec(manifest)?.[1] ?? 'node') as TestPlace['runner'];
  const stem = path.replace(SCRIPT_PATTERN, '');
  const extension = SCRIPT_PATTERN.exec(path)?.[0] ?? '.ts';
  return {
    path: `${stem}.test${extension.replace('x', '')}`,
    example: path,
    runner,
    importsRunner: runner !== 'jest',
    specifier: `./${posix.basename(path)}`,
    testFunction: 'test',
    style: detectStyle(tree.read(`${root}/${path}`) ?? ''),
  };
}
