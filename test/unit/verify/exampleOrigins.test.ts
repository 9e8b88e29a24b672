// A call of a default export is an example only for the file that declares it.

import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { collectExamples, DOCUMENTATION_FILE } from '../../../server/src/core/verify/counterexamples/examples.ts';
import { createExampleOrigins } from '../../../server/src/core/verify/counterexamples/origins/exampleOrigins.ts';

/** The examples that the test gives for the file with this path, by name. */
function examplesFor(path: string, files: Readonly<Record<string, string>>, testFile = 'test/main.js') {
  const parse = (name: string, text: string) => ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const load = (name: string) => (files[name] === undefined ? null : parse(name, files[name]));
  const opened = load(testFile)!;
  const examples = [...collectExamples([opened], load, createExampleOrigins(path, load))];
  return Object.fromEntries(examples.filter(([name]) => !name.startsWith('require')));
}

/** In the form of the package gray-matter. */
const PACKAGE = {
  'package.json': '{ "name": "matter", "main": "index.js", "devDependencies": { "kind-of": "1" } }',
  'index.js': `
    const engine = require('./lib/engine');
    const stringify = require('./lib/stringify');
    function matter(input, options) { return engine(input, options); }
    matter.stringify = function(file, data) { return stringify(file, data); };
    matter.engine = engine;
    module.exports = matter;
  `,
  'lib/engine.js': 'module.exports = function(name, options) { return options.engines[name]; };',
  'lib/stringify.js': 'module.exports = function(file, data, options) { return file; };',
  'lib/used.js': "exports = module.exports = require('./engine');",
  'test/main.js': `
    var matter = require('..');
    var kindOf = require('kind-of');
    const assert = require('assert');
    matter('abc', { language: 'yaml' });
    matter.stringify('foo', 'bar');
    matter.engine('yaml');
    kindOf('text');
    assert('message');
  `,
};

test('calls of the main function of a package are examples for its file alone', () => {
  const ofMain = [['abc', { $: 'record', fields: [['language', 'yaml']] }]];
  expect(examplesFor('index.js', PACKAGE)).toMatchObject({ default: ofMain, stringify: [['foo', 'bar']] });
  expect(examplesFor('lib/engine.js', PACKAGE)).toEqual({ engine: [['yaml']] });
  // `matter.stringify` is another function than `stringify`.
  expect(examplesFor('lib/stringify.js', PACKAGE)).toEqual({});
});

test('the file is found by its own path, by the name of the package, and in its documentation', () => {
  const by = (text: string, name = 'test/main.js') => ({ ...PACKAGE, [name]: text });
  const engine = [['yaml']];
  for (const specifier of ['../lib/engine', '../lib/engine.js', 'matter/lib/engine'])
    expect(examplesFor('lib/engine.js', by(`const get = require('${specifier}'); get('yaml');`))).toEqual({
      default: engine,
    });
  for (const specifier of ['../index', '../', '../index.js', 'matter']) {
    const files = by(`import matter from '${specifier}'; const other = require('${specifier}'); other('yaml');`);
    expect(examplesFor('index.js', files)).toEqual({ default: engine });
    expect(examplesFor('lib/engine.js', files)).toEqual({});
  }
  const readme = by("const matter = require('matter');\nmatter('yaml');", DOCUMENTATION_FILE);
  expect(examplesFor('index.js', readme, DOCUMENTATION_FILE)).toEqual({ default: engine });
  expect(examplesFor('lib/engine.js', readme, DOCUMENTATION_FILE)).toEqual({});
});

test('a module that passes an export on is followed', () => {
  const engine = [['yaml']];
  const passing: readonly (readonly [index: string, isPassed: boolean])[] = [
    ["module.exports = require('./lib/engine');", true],
    ["exports = module.exports = require('./lib/engine.js');", true],
    ["const get = require('./lib/engine');\nmodule.exports = get;", true],
    ["module.exports = require('./lib/used');", true],
    ["export { default } from './lib/engine';", true],
    ["import get from './lib/engine';\nexport default get;", true],
    ["module.exports = require('./lib/stringify');", false],
    ["const get = require('./lib/engine');\nmodule.exports = (name) => get(name);", false],
    ["import get from './lib/engine';\nexport default function main(name) { return get(name); }", false],
  ];
  for (const [index, isPassed] of passing) {
    const files = { ...PACKAGE, 'index.js': index, 'test/main.js': "const get = require('..'); get('yaml');" };
    expect([index, examplesFor('lib/engine.js', files)]).toEqual([index, isPassed ? { default: engine } : {}]);
  }
});

test('what is not certain stays an example', () => {
  const kept = { default: [['yaml']] };
  const call = (specifier: string) => `const get = require('${specifier}'); get('yaml');`;
  const unclear = [
    "module.exports = wrap(require('./lib/engine'));",
    "let get = require('./lib/other');\nget = require('./lib/engine');\nmodule.exports = get;",
    "module.exports = require('./lib/other');\nmodule.exports = require('./lib/engine');",
  ];
  const other = 'module.exports = (name) => name;';
  for (const index of unclear)
    expect(
      examplesFor('lib/engine.js', {
        ...PACKAGE,
        'lib/other.js': other,
        'index.js': index,
        'test/main.js': call('..'),
      }),
    ).toEqual(kept);
  for (const specifier of ['@/lib/engine', '#engine', '../gone'])
    expect(examplesFor('lib/engine.js', { ...PACKAGE, 'test/main.js': call(specifier) })).toEqual(kept);
});

test('the main file of a package may be one that is built', () => {
  const built = (main: string) => ({
    'package.json': JSON.stringify({ name: 'slug', main }),
    'src/index.ts': 'export default function slug(text: string) { return text; }',
    'src/trim.ts': 'export default function trim(text: string) { return text; }',
    'test/main.js': "const slug = require('..'); slug('a b');",
  });
  expect(examplesFor('src/index.ts', built('dist/index.js'))).toEqual({ default: [['a b']] });
  expect(examplesFor('src/trim.ts', built('dist/index.js'))).toEqual({});
  // Nobody knows what this is built of.
  expect(examplesFor('src/trim.ts', built('bundle/all.js'))).toEqual({ default: [['a b']] });
});

test('a function that the test declares itself is another one, unless it passes its arguments on', () => {
  const by = (body: string) => ({
    ...PACKAGE,
    'test/main.js': `const matter = require('..');\nfunction engine(name) { ${body} }\nengine('yaml');`,
  });
  expect(examplesFor('lib/engine.js', by("return matter.read('fixtures/' + name);"))).toEqual({});
  expect(examplesFor('lib/engine.js', by('return matter.engine(name);'))).toEqual({ engine: [['yaml']] });
});

test('a call by the name of an index is an example for the file that exports the function by default', () => {
  const files = {
    'src/index.js':
      "export { default as interpolateHue } from './hue.js';\nexport { spell as word } from './word.js';\n",
    'src/hue.js': 'export default function(a, b) { return (t) => a + b * t; }',
    'src/word.js': 'export function spell(text) { return text; }',
    'test/main.js': `
      import { interpolateHue, word as tell } from '../src/index.js';
      interpolateHue(10, 20);
      tell('foo');
    `,
  };
  expect(examplesFor('src/hue.js', files).default).toEqual([[10, 20]]);
  expect(examplesFor('src/word.js', files).spell).toEqual([['foo']]);
});
