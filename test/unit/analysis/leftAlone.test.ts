// What is found by no rule because of where it stands: examples, migrations, other people's code, programs that serve
// nobody.

import { expect, test } from 'vitest';
import { looksGenerated } from '../../../server/src/core/paths/generated.ts';
import { analyseWithTree } from './analyseCase.ts';

const UNUSED = `import { a } from './a.ts';\n\nexport const b = 1;\n`;
const COPIES =
  'export const names = (of) => [...Object.keys(of)];\nexport const values = (of) => [...Object.values(of)];\n';

async function rulesIn(path: string, text: string): Promise<string[]> {
  return (await analyseWithTree(path, text, { generated: looksGenerated(path, text) })).opportunities.map(
    ({ rule }) => rule,
  );
}

test.each([
  'examples/shop/page.ts',
  'packages/ui/examples/page.ts',
  'demo/page.ts',
  'example-app/page.ts',
  'server/migrations/20220909203454-fix.js',
  'db/migrations/001_start.ts',
  'src/upgrades/1.5.0/flags.js',
  'migrations/v2/start.ts',
  'contrib/theme/page.ts',
  'dev/page.ts',
  'playground/page.ts',
  'packages/create/starter/page.ts',
  'templates/page.ts',
  'dev-examples/editor/page.ts',
  'packages/ui-playground/src/page.ts',
  'server/db/migrations-sqlite/2.5.1.js',
])('%s is left alone', async (path) => {
  expect(await rulesIn(path, UNUSED)).toEqual([]);
});

test.each([
  'src/page.ts',
  'src/examples/page.ts',
  'packages/ui/src/demo/page.ts',
  'src/migrations/runner.ts',
  'lib/exampleList.ts',
  'src/editor/contrib/fold.ts',
  'src/starters/page.ts',
  'src/templates/page.ts',
  'src/code-samples/page.ts',
  'scripts/page.ts',
  'src/dev/page.ts',
])('%s is looked at', async (path) => {
  expect(await rulesIn(path, UNUSED)).toEqual(['unused-import']);
});

test.each(['scripts/count.ts', 'karma.conf.js', 'tools/words.ts', 'vite.config.ts', 'typedoc.mjs'])(
  'what %s costs is nobody’s concern',
  async (path) => {
    expect(await rulesIn(path, COPIES)).toEqual([]);
  },
);

test('elsewhere it is', async () => {
  expect(await rulesIn('src/count.ts', COPIES)).toEqual(['needless-copy', 'needless-copy']);
});

const TESTS = `${UNUSED}describe('a', () => it('b', () => {}));\n`;

test.each([
  ['test/config.test.ts', TESTS, ['unused-import']],
  ['test/posts.ts', TESTS, ['unused-import']],
  ['test/helpers.ts', UNUSED, ['unused-import']],
  ['test/format/jsx/await.ts', UNUSED.replace('export ', ''), []],
  ['test/statsCases/asset/index.ts', TESTS, []],
  ['tests/format/union.ts', UNUSED, []],
  ['tests/format/union.test.ts', TESTS, ['unused-import']],
  ['test/words.ts', `${UNUSED.replace('export ', '')}module Inner {\n  export const c = 1;\n}\n`, []],
  ['tests/unit/stubs/content.ts', UNUSED, []],
  ['test/ts/Component.test.tsx', TESTS, []],
  ['test/tsx/Component.test.tsx', TESTS, ['unused-import']],
])('of tests, %s: what nothing reads in it', async (path, text, found) => {
  expect(await rulesIn(path, text)).toEqual(found);
});

/** Code that names files of its sources, as if it imported them. */
const OF_SOURCES = "const area = (name) => load('../charts/' + name, '../charts/line');\nconst bar = area;\n";
const COMPILED =
  '"use strict";\n/*!\n// Common to both sides\n*/\nvar _a;\nObject.defineProperty(exports, "__esModule", { value: true });\nexports.a = 1;\n';
const BROWSERIFIED =
  '/**\n * A library v1.2\n */\n;(function(f) {\n    if (typeof exports === "object" && typeof module !== "undefined") {\n        module.exports = f()\n    }\n})\n';

const ROLLED_UP =
  "(function (PluginManager, Tools) {\n    'use strict';\n\n    PluginManager = PluginManager && Object.prototype.hasOwnProperty.call(PluginManager, 'default') ? PluginManager['default'] : PluginManager;\n";

test.each([
  ['src/util.js', COMPILED],
  ['src/plugins/lists.js', ROLLED_UP],
  ['src/Readable.js', '// v0.4.4 - https://github.com/somebody/readable/commit/49d345a455\n\nvar a = 1;\n'],
  ['src/zip.js', '/*! zip-tool 1.2.0 | https://github.com/somebody/zip/releases/tag/v1.2.0 */\nvar a = 1;\n'],
  ['docs/assets/Transformer.js', BROWSERIFIED],
  ['lib/tool.js', '/******/ (() => { // webpackBootstrap\n'],
  ['docs/assets/javascripts/codemirror/lib/codemirror.js', '// words\n'],
  ['public/js/jquery-2.1.4.js', '// words\n'],
  ['static/d3.v4.js', '// words\n'],
  ['docs/src/assets/js/ponyfill@2.js', '// words\n'],
  ['src/js/vendors/query.ts', '// words\n'],
  ['packages/tool-vendored/src/query.ts', '// words\n'],
  ['lib.esm/fetch.js', 'export const a = 1;\n//# sourceMappingURL=fetch.js.map\n'],
  [
    'src/svg/Undo.tsx',
    "import type { SVGProps } from 'react';\n\nconst SvgUndo = (props: SVGProps<SVGSVGElement>) => (\n",
  ],
  [
    'src/svg/Redo.tsx',
    'import * as React from "react";\nimport type { SVGProps } from "react";\nconst SvgRedo = (props: SVGProps<SVGSVGElement>) => <svg {...props} />;\nexport default SvgRedo;\n',
  ],
  ['public/lib/pdfjs/pdf.mjs', '// words\n'],
  ['tools/archive.umd.js', '// words\n'],
  ['src/assets/private/three.js', 'var a = 1;\n'.repeat(10_001)],
  ['build/area.esm.js', `/*!\n * Charts v6\n */\nvar __defProp = Object.defineProperty;\n${OF_SOURCES}`],
  ['dist/area.esm.js', `import * as core from "charts/core";\n${OF_SOURCES}export {\n  area as default,\n  bar\n};\n`],
  ['dist/bar.mjs', `${OF_SOURCES}export { area as default, bar };\n`],
])('%s is somebody else’s', (path, text) => {
  expect(looksGenerated(path, text)).toBe(true);
});

test.each([
  ['src/util.ts', COMPILED],
  [
    'lib/interop.js',
    '"use strict";\n\nconst own = require("./own");\nexports.own = own;\nif (own.modern) {\n  Object.defineProperty(exports, "__esModule", { value: true });\n}\n',
  ],
  ['src/jquery.js', '// words\n'],
  ['src/Redo.tsx', 'import * as React from "react";\nconst Redo = () => <p />;\nexport default Redo;\n'],
  ['src/assets/private/scene.js', 'var a = 1;\n'.repeat(9_000)],
  ['src/lib/tool.js', 'var a = 1;\n'.repeat(10_001)],
  ['public/src/client/topic.js', '// words\n'],
  ['src/issue.js', '// since 1.2.0, see https://github.com/somebody/zip/issues/12\nvar a = 1;\n'],
  ['src/maps.js', '//# sourceMappingURL=is what we look for\nexport const a = 1;\n'],
  ['src/plugin.js', "(function (window) {\n  'use strict';\n\n  var tools = window.tools;\n"],
  ['src/bundler/webpackRuntime.js', 'export const name = "webpack";\n'],
  ['dist/byHand.js', `${OF_SOURCES}export const more = area;\nexport { bar };\n`],
  ['src/area.js', `${OF_SOURCES}export { area as default, bar };\n`],
  ['src/helpers.js', 'const text = `\n  var __defProp = Object.defineProperty;`;\n'],
])('%s is our own', (path, text) => {
  expect(looksGenerated(path, text)).toBe(false);
});
