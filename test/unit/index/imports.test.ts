// What files import, and which file of the repository that is.

import { expect, test } from 'vitest';
import { buildImportGraph } from '../../../server/src/core/index/graph/importGraph.ts';
import { findImports } from '../../../server/src/core/index/parse/imports.ts';
import { detectLanguage } from '../../../server/src/core/index/parse/language.ts';
import type { Language } from '../../../server/src/core/model.ts';
import { parser } from './support.ts';

const cases: readonly (readonly [Language, string, readonly string[]])[] = [
  [
    'typescript',
    `import a from './a.ts';\nimport type { B } from 'b';\nexport * from '../c';\nimport x = require('x');\nconst d = await import('./d.ts');\nconst e = require("./e");\n`,
    ['./a.ts', 'b', '../c', 'x', './d.ts', './e'],
  ],
  ['javascript', `const a = require('a'), b = require(\`./b\`);\nimport('./' + name);\n`, ['a', './b']],
  [
    'python',
    `import a.b as c, d\nfrom .e import f\nfrom . import g, h as i\nfrom ..j.k import *\ndef late():\n    import l\n`,
    ['a.b', 'd', '.e', '.e.f', '.g', '.h', '..j.k', 'l'],
  ],
  [
    'rust',
    `use crate::a::{b, c::{d, self}};\nuse std::io as stdio;\nuse super::e::*;\nmod f;\nmod g { use h::i; }\n`,
    ['crate::a::b', 'crate::a::c::d', 'crate::a::c', 'std::io', 'super::e', 'self::f', 'h::i'],
  ],
  ['go', `package p\nimport (\n"fmt"\nx "example.com/m/y"\n)\nimport . "z"\n`, ['fmt', 'example.com/m/y', 'z']],
  ['java', `package p;\nimport a.b.C;\nimport static d.E.f;\nimport g.*;\n`, ['a.b.C', 'd.E.f', 'g.*']],
  ['c', `#include "a/b.h"\n#include <stdio.h>\n#ifdef X\n#include "c.h"\n#endif\n`, ['a/b.h', '<stdio.h>', 'c.h']],
  ['cpp', `#include "a.hpp"\n`, ['a.hpp']],
];

test.each(cases)('%s', async (language, text, expected) => {
  const tree = (await parser.parse(language, text))!;
  expect(findImports(tree, language)).toEqual(expected);
  tree.delete();
});

/** Files with their imports → edges as `from > to`. */
function edgesOf(files: Readonly<Record<string, readonly string[]>>): string[] {
  const records = Object.entries(files).map(([path, imports]) => ({ path, imports, language: detectLanguage(path) }));
  return [...buildImportGraph(records).edges].flatMap(([from, targets]) => targets.map((to) => `${from} > ${to}`));
}

test.each([
  [
    'relative with and without extension',
    {
      'src/a.ts': ['./b', './c.ts', './d.js', './e', '..', 'react'],
      'src/b.ts': [],
      'src/c.ts': [],
      'src/d.ts': [],
      'src/e/index.tsx': [],
      'index.ts': [],
    },
    [
      'src/a.ts > src/b.ts',
      'src/a.ts > src/c.ts',
      'src/a.ts > src/d.ts',
      'src/a.ts > src/e/index.tsx',
      'src/a.ts > index.ts',
    ],
  ],
  [
    'aliases',
    {
      'app/src/a.ts': ['@/store/user', '#lib/x.ts', '@scope/package'],
      'app/src/store/user.ts': [],
      'other/store/user.ts': [],
      'app/src/x.ts': [],
    },
    ['app/src/a.ts > app/src/store/user.ts', 'app/src/a.ts > app/src/x.ts'],
  ],
  [
    'python',
    { 'p/a.py': ['.b', '..q', 'p.c', 'os', '.'], 'p/b.py': [], 'q/__init__.py': [], 'p/c.py': [], 'p/__init__.py': [] },
    ['p/a.py > p/b.py', 'p/a.py > q/__init__.py', 'p/a.py > p/c.py', 'p/a.py > p/__init__.py'],
  ],
  [
    'names that Python imports from a package, where they are modules',
    {
      'tests/test_a.py': ['p', 'p.a', 'p.Thing', 'json', 'json.tool'],
      'p/__init__.py': ['.q', '.q.b', '.q.other'],
      'p/a.py': [],
      'p/q/b.py': [],
    },
    ['tests/test_a.py > p/__init__.py', 'tests/test_a.py > p/a.py', 'p/__init__.py > p/q/b.py'],
  ],
  [
    'rust',
    {
      'src/main.rs': ['self::a', 'crate::b::c::Thing', 'std::io'],
      'src/a.rs': [],
      'src/b/c.rs': [],
      'src/b/mod.rs': [],
    },
    ['src/main.rs > src/a.rs', 'src/main.rs > src/b/c.rs'],
  ],
  [
    'go',
    { 'main.go': ['example.com/m/x/y', 'fmt'], 'x/y/a.go': [], 'x/y/a_test.go': [], 'y/b.go': [] },
    ['main.go > x/y/a.go', 'x/y/a_test.go > x/y/a.go'],
  ],
  ['java', { 'src/p/A.java': ['p.B', 'java.util.List'], 'src/p/B.java': [] }, ['src/p/A.java > src/p/B.java']],
  [
    'c',
    { 'src/a.c': ['a.h', '<lib/b.h>', '<string.h>'], 'src/a.h': [], 'include/lib/b.h': [], 'other/string.h': [] },
    ['src/a.c > src/a.h', 'src/a.c > include/lib/b.h'],
  ],
  ['cycles and itself', { 'a.ts': ['./b', './a'], 'b.ts': ['./a', './a.ts'] }, ['a.ts > b.ts', 'b.ts > a.ts']],
] as const)('resolves %s', (_name, files, expected) => {
  expect(edgesOf(files)).toEqual(expected);
});

test('what many files import ranks first, and ranks sum to one', () => {
  const graph = buildImportGraph(
    ['a', 'b', 'c', 'hub'].map((name) => ({
      path: `${name}.ts`,
      language: 'typescript' as const,
      imports: name === 'hub' ? [] : ['./hub'],
    })),
  );
  expect(graph.inDegree.get('hub.ts')).toBe(3);
  expect([...graph.rank].sort((a, b) => b[1] - a[1])[0]![0]).toBe('hub.ts');
  expect([...graph.rank.values()].reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
  expect(buildImportGraph([]).rank.size).toBe(0);
});
