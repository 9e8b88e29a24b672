// The world of compared code. Each of many processes enters it, so that must load no more than it has to.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const world = pathToFileURL(join(import.meta.dirname, '../../../server/src/adapters/harness/world.ts')).href;

/** The value of an expression in a process of its own, which has entered the world. */
function inWorld(expression: string): unknown {
  const program = `
    import { writeSync } from 'node:fs';
    const print = writeSync;
    const { enterWorld } = await import(${JSON.stringify(world)});
    enterWorld();
    print(1, JSON.stringify(${expression}));`;
  const args = ['--no-warnings', '--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

test('the client of half a megabyte, which `fetch` and `WebSocket` would use, is not loaded', () => {
  expect(inWorld("process.moduleLoadList.filter((name) => name.includes('undici/undici'))")).toEqual([]);
});

test.each(['http.get', 'fetch', 'WebSocket'])('%s is refused', (name) => {
  const http = "const http = process.getBuiltinModule('node:http');";
  const call = `(() => { ${http} try { ${name}('http://localhost:1'); } catch (error) { return error.message; } })()`;
  expect(inWorld(call)).toBe(`${name} is out of reach here.`);
});
