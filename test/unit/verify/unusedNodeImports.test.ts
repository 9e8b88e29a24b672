// Imports of Node's own modules that nothing reads go; all others stay.

import { expect, test } from 'vitest';
import { removeUnusedNodeImports } from '../../../server/src/core/verify/differential/unusedNodeImports.ts';

test.each([
  ['a default import', "import fs from 'node:fs';\nexport const a = 1;\n", 'export const a = 1;\n'],
  ['all names of a list', "import { join, sep } from 'path';\nexport const a = 1;\n", 'export const a = 1;\n'],
  ['a namespace', "import * as os from 'os';\nexport const a = 1;\n", 'export const a = 1;\n'],
  ['a part of a module', "import { readFile } from 'fs/promises';\nexport const a = 1;\n", 'export const a = 1;\n'],
  [
    'what is required',
    "const fs = require('fs');\nconst { join } = require('node:path');\nmodule.exports = 1;\n",
    'module.exports = 1;\n',
  ],
  [
    'one of two',
    "import fs from 'node:fs';\nimport path from 'node:path';\nexport const a = path.sep;\n",
    "import path from 'node:path';\nexport const a = path.sep;\n",
  ],
])('%s goes', (_what, text, expected) => {
  expect(removeUnusedNodeImports(text)).toBe(expected);
});

test.each([
  ['a name that is read', "import fs from 'node:fs';\nexport const a = fs;\n"],
  ['one name of a list that is read', "import { join, sep } from 'node:path';\nexport const a = sep;\n"],
  ['a name that stands elsewhere, whatever for', "import fs from 'node:fs';\nexport const a = { fs: 1 };\n"],
  ['in markup', "import Url from 'node:url';\nexport const a = <Url />;\n"],
  ['for its effects', "import 'node:fs';\nexport const a = 1;\n"],
  ['another module', "import a from './a.js';\nimport b from 'left-pad';\nexport const c = 1;\n"],
  ['what a folder of the repository may be called', "import events from 'events';\nexport const a = 1;\n"],
  ['what looks at how the process was started', "import test from 'node:test';\nexport const a = 1;\n"],
  [
    'another name for a part',
    "import { join as fs } from 'node:path';\nconst { join: a } = require('node:path');\nexport const b = 1;\n",
  ],
  ['a part that is made where it is missing', "const { join = start() } = require('node:path');\n"],
  ['what another function loads', "const fs = load('fs');\nmodule.exports = require;\n"],
  ['what a method loads', "const fs = module.require('fs');\nmodule.exports = 1;\n"],
  ['what is required with more words', "const fs = require('fs', 1);\nmodule.exports = 1;\n"],
  ['two declarations at once', "const fs = require('fs'), a = start();\n"],
  ['not at the top', "function f() {\n  const fs = require('fs');\n}\n"],
  ['beside a direct eval', "import fs from 'node:fs';\nexport const a = eval(b);\n"],
  ['the only thing that makes it a module', "import fs from 'node:fs';\nthis.a = 1;\n"],
])('%s stays', (_what, text) => {
  expect(removeUnusedNodeImports(text)).toBe(text);
});
