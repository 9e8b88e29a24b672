// Data and declarations among the compared files are not compiled.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileAll } from '../../../server/src/adapters/harness/compile.ts';

test('JSON that tests import, and declarations, do not end the search', () => {
  const rootDir = mkdtempSync(join(tmpdir(), 'selfware-compile-'));
  try {
    writeFileSync(join(rootDir, 'map.json'), '{"a": 1}');
    writeFileSync(join(rootDir, 'types.d.ts'), 'export declare const b: number;\n');
    writeFileSync(join(rootDir, 'code.ts'), "import type { b } from './types.d.ts';\nexport const c: number = 1;\n");
    const targets = ['map.json', 'types.d.ts', 'code.ts'].map((path) => ({ path }));
    const emit = { compiler: {}, paths: {}, pathsBase: '' };
    const request = { targets, files: [], emit } as unknown as Parameters<typeof compileAll>[0];
    expect(Object.keys(compileAll(request, rootDir, true).newCode)).toEqual(['code.ts']);
  } finally {
    rmSync(rootDir, { recursive: true, force: true });
  }
});
