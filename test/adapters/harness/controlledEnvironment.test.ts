// The world of compared code. Each of many processes enters it, so that must load no more than it has to.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import harmless from './harmlessBuiltins.json' with { type: 'json' };

const world = pathToFileURL(
  join(import.meta.dirname, '../../../server/src/adapters/harness/controlledEnvironment.ts'),
).href;

/** The value of an expression in a process of its own, which has entered the world. */
function inWorld(expression: string): unknown {
  const program = `
    import { writeSync } from 'node:fs';
    const print = writeSync;
    const { controlEnvironment } = await import(${JSON.stringify(world)});
    const world = controlEnvironment();
    print(1, JSON.stringify(${expression}));`;
  const args = ['--no-warnings', '--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 10_000 }));
}

test('the client of half a megabyte, which `fetch` and `WebSocket` would use, is not loaded', () => {
  expect(inWorld("process.moduleLoadList.filter((name) => name.includes('undici/undici'))")).toEqual([]);
});

test.each(['http.get', 'fetch', 'WebSocket'])('%s is refused', (name) => {
  const http = "const http = process.getBuiltinModule('node:http');";
  const call = `(() => { ${http} try { ${name}('http://localhost:1'); } catch (error) { return error.message; } })()`;
  expect(inWorld(call)).toBe(`${name} is out of reach here.`);
});

test.each([
  ["new (load('child_process').ChildProcess)().spawn({ file: 'ls', args: ['ls'] })", 'child_process.ChildProcess'],
  ["load('child_process')._forkChild(1)", 'child_process._forkChild'],
  ["new (load('dgram').Socket)('udp4').bind(0)", 'dgram.Socket'],
  ["new (load('dns').Resolver)().resolve4('localhost', () => {})", 'dns.Resolver.resolve4'],
  ["new (load('dns').promises.Resolver)().reverse('127.0.0.1')", 'dns.promises.Resolver.reverse'],
  ["load('dns').promises.lookup('localhost')", 'dns.promises.lookup'],
  ["load('dns/promises').resolve('localhost')", 'dns.promises.resolve'],
  ["new (load('net').Socket)().connect(1)", 'net.Socket.connect'],
  ["new (load('http').Server)().listen(0)", 'net.Server.listen'],
  ["new (load('http').ClientRequest)('http://localhost:1')", 'net.createConnection'],
  ["new (load('http').WebSocket)('ws://localhost:1')", 'http.WebSocket'],
  ["load('cluster').fork()", 'cluster.fork'],
  ["new (load('wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } })", 'wasi.WASI'],
  ["process.report.writeReport('made.json')", 'process.report.writeReport'],
  ["process.binding('spawn_sync')", 'process.binding'],
  ["process.binding('fs').mkdir('made', 0o777, false)", 'process.binding'],
  ["new (load('inspector').Session)().connect()", 'inspector.Session.connect'],
  ["new (load('inspector/promises').Session)().connect()", 'inspector.Session.connect'],
  ["process.execve('/bin/true', ['true'])", 'process.execve'],
  ['process.seteuid(0)', 'process.seteuid'],
  ["load('trace_events').createTracing({ categories: ['v8'] })", 'trace_events.createTracing'],
  ["load('module').register('data:text/javascript,')", 'module.register'],
  ["load('module').enableCompileCache('made')", 'module.enableCompileCache'],
])('%s is refused and recorded', (call, name) => {
  const attempt = `try { ${call}; } catch (error) { return [error.message, world.readEffect()]; }`;
  const run = `(() => { const load = process.getBuiltinModule; ${attempt} })()`;
  expect(inWorld(run)).toEqual([`${name} is out of reach here.`, name]);
});

test('what only reads or computes stays', () => {
  const used = [
    "load('fs').readFileSync('package.json').length > 0",
    "typeof process.binding('buffer') === 'object'",
    "new (load('http').Agent)({ keepAlive: true }).maxSockets === Infinity",
    "load('net').isIP('::1') === 6",
    "class Response extends load('http').ServerResponse {}, true",
  ];
  for (const expression of used)
    expect(
      inWorld(
        `(() => { const load = process.getBuiltinModule; return ${expression.replace(/^class (.*), true$/, '(class $1, true)')}; })()`,
      ),
    ).toBe(true);
});

/** Modules that only compute, read, or act by functions of other modules. */
const HARMLESS_MODULES = matchesAny(harmless.modules);
/** Functions that only compute, read, act within the process, or act by functions of other modules. */
const HARMLESS = new Map(Object.entries(harmless.functions).map(([module, names]) => [module, matchesAny(names)]));

function matchesAny(patterns: readonly string[]): RegExp {
  return new RegExp(`^(?:${patterns.join('|')})$`);
}

test('each function of Node that is not refused is on a list of harmless ones', () => {
  const program = `
    import { createRequire, builtinModules } from 'node:module';
    import { writeSync } from 'node:fs';
    const print = writeSync;
    const load = createRequire(import.meta.url);
    // Loading these takes long; they act by functions of other modules.
    const names = builtinModules.map((name) => name.replace(/^node:/, '')).filter((name) => !/^(?:repl|test)\\b/.test(name));
    const functions = (owner) => Object.entries(Object.getOwnPropertyDescriptors(owner))
      .flatMap(([name, { value }]) => (typeof value === 'function' && name !== 'constructor' ? [[name, value]] : []));
    const open = names.flatMap((module) => functions(load('node:' + module)).map((entry) => [module, ...entry]));
    const { controlEnvironment } = await import(${JSON.stringify(world)});
    controlEnvironment();
    const now = names.flatMap((module) => functions(load('node:' + module)).map((entry) => [module, ...entry]));
    // The harness replaces some functions by pinned ones: only those count as refused that are named so.
    const left = now.filter(([, , value]) => value.name !== 'throwRefusal');
    const listed = left.flatMap(([module, name, value]) => [
      [module, name],
      ...(/^[A-Z]/.test(name) && value.prototype
        ? functions(value.prototype).filter(([, method]) => method.name !== 'throwRefusal').map(([method]) => [module, name + '#' + method])
        : []),
    ]);
    print(1, JSON.stringify({ listed, known: open.length }));`;
  const args = ['--no-warnings', '--input-type=module', '--eval', program];
  const { listed, known } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as {
    readonly listed: readonly (readonly [module: string, name: string])[];
    readonly known: number;
  };
  expect(known).toBeGreaterThan(500);
  const doors = listed.filter(
    ([module, name]) => !HARMLESS_MODULES.test(module) && !(HARMLESS.get(module)?.test(name) ?? false),
  );
  expect(doors.map((door) => door.join('.'))).toEqual([]);
});
