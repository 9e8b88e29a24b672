// The gate guard on Python: what pytest notices of mutants in one run, with real tests in a real sandbox.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { locateHarness } from '../../../../server/src/app/programPaths.ts';
import { isTestEdit } from '../../../../server/src/core/paths/testEdits.ts';
import { planMutants } from '../../../../server/src/core/verify/guard/planMutants.ts';
import { findPythonMutants } from '../../../../server/src/core/verify/guard/python/findMutants.ts';
import { selectEditsForRunner } from '../../../../server/src/core/verify/guard/editsForRunner.ts';
import { addPlugin } from '../../../../server/src/core/verify/guard/python/inPytest.ts';
import { determineSurvivors } from '../../../../server/src/core/verify/guard/survivors.ts';
import type { ProofContext } from '../../../../server/src/core/verify/proof.ts';
import { never } from '../../../adapters/sandbox/sandboxOf.ts';
import { parser } from '../../index/support.ts';
import { contextOf, edit, mutantsOnly, toldBy, verifying, watched } from '../verifying.ts';
import { thoroughTest } from '../../../helpers/thorough.ts';

const before = `import functools

RATE = 10


def price(count, each):
    if count <= 0:
        return 0
    total = count * each
    if count >= 10:
        total = total - total // RATE
    return total


@functools.lru_cache
def twice(n):
    return n + n
`;
const after = before.replace(
  '    total = count * each\n    if count >= 10:\n        total = total - total // RATE\n    return total\n',
  '    total = count * each\n    return total - total // RATE if count >= 10 else total\n',
);
const strong = `import pytest
from shop.price import price

@pytest.fixture(scope="module")
def ten():
    return price(10, 5)

def test_nothing():
    assert price(0, 5) == 0 and price(-1, 5) == 0 and price(1, 5) == 5 and price(9, 5) == 45

def test_many(ten):
    assert ten == 45

def test_more(ten):
    assert price(20, 5) == 90 and price(30, 7) == 189
`;
const weak = `from shop.price import price

def test_a_price_is_a_number():
    assert isinstance(price(3, 5), int) and isinstance(price(30, 5), int)
`;
const none = 'from shop.price import twice\n\ndef test_it():\n    assert twice(2) == 4\n';

const python = locateHarness(false).python;
const proof: ProofContext = {
  ...mutantsOnly,
  python,
  planMutants: async (edits, most) =>
    planMutants(edits, most, isTestEdit, await findPythonMutants(parser, edits, isTestEdit)),
};

/** `guardMutants`: a few suffice where each gets a run of its own. */
async function guarded(tests: string, more: Readonly<Record<string, string>> = {}, guardMutants = 20) {
  await using given = await verifying({
    'pyproject.toml': '[project]\nname = "shop"\n',
    'shop/__init__.py': '',
    'shop/price.py': before,
    'tests/test_price.py': tests,
    ...more,
  });
  const { sandbox, lines } = watched(given);
  const verification = await given.verify([edit('shop/price.py', before, after)], {
    sandbox,
    proof: { ...proof, settings: { ...proof.settings, guardMutants } },
    reachingTests: async () => ['tests/test_price.py'],
  });
  return {
    guard: toldBy('guard', verification),
    evidence: verification.verdicts.find(({ gate }) => gate === 'guard')?.evidence,
    runs: lines.filter((line) => line.includes('pytest')).length,
  };
}

test('strong tests notice the mutants, in one run', async () => {
  const { guard, evidence, runs } = await guarded(strong);
  expect(guard).toMatch(/^guard passed: Strong: the tests notice 1\d of 1\d mutants of the touched lines/);
  expect(evidence).toMatchObject({ unreached: 0, invalid: 0 });
  // Without the change, with it, and all mutants together.
  expect(runs).toBeLessThanOrEqual(4);
});

test('weak tests are told with what they miss', async () => {
  const { guard, evidence } = await guarded(weak);
  expect(guard).toMatch(
    /^guard unknown: Weak: the tests notice \d of 1\d mutants .+ Not noticed: shop\/price\.py:\d+ /,
  );
  expect(evidence?.['survived']).toBeGreaterThan(3);
});

test('lines that no test reaches are named', async () => {
  expect((await guarded(none)).guard).toBe('guard unknown: Weak: no test reaches shop/price.py:10.');
});

thoroughTest('tests that start a process may reach a mutant there, so it gets a run of its own', async () => {
  const inProcess = `import subprocess, sys

def test_it():
    out = subprocess.run([sys.executable, "-c", "from shop.price import price; print(price(20, 5), price(9, 5))"], capture_output=True, text=True)
    assert out.stdout == "90 45\\n", out.stderr
`;
  const { guard, runs } = await guarded(inProcess, {}, 4);
  expect(guard).toMatch(/the tests notice (?:[1-4] of 4|all [1-4]) mutants/i);
  expect(runs).toBeGreaterThan(5);
});

thoroughTest('a module that only a test imports, and code that runs when it is loaded', async () => {
  const late =
    'def test_it():\n    from shop.price import price\n    assert price(20, 5) == 90 and price(9, 5) == 45\n';
  expect((await guarded(late)).guard).toMatch(/the tests notice [5-9]|the tests notice 1\d/);
});

thoroughTest(
  'what tests call while they are collected is seen, and if it cannot be, a mutant gets a run of its own',
  async () => {
    const atOnce = `import pytest
from shop.price import price

@pytest.mark.parametrize("got, wanted", [(price(20, 5), 90), (price(9, 5), 45), (price(10, 5), 45)])
def test_it(got, wanted):
    assert got == wanted
`;
    expect((await guarded(atOnce, {}, 6)).guard).toMatch(/the tests notice [56] of [56] mutants/);
    const traced = { 'tests/conftest.py': 'import sys\nsys.settrace(None)\n' };
    expect((await guarded(atOnce, traced, 4)).guard).toMatch(/the tests notice (?:[2-4] of 4|all [2-4]) mutants/i);
  },
);

test('the folder of our plugin comes last in the path of modules, in every style of quoting', () => {
  const line = (command: string) =>
    addPlugin({ source: '', command: [command], shell: true }, "/a 'b", '/order').command[0];
  expect(line('PYTHONPATH=src python3 -m pytest')).toBe("PYTHONPATH=src:'/a '\\''b' python3 -m pytest");
  expect(line(`A=1 PYTHONPATH='x y':"z" pytest`)).toBe(`A=1 PYTHONPATH='x y':"z":'/a '\\''b' pytest`);
  expect(line('pytest PYTHONPATH')).toBe('pytest PYTHONPATH');
  const env = addPlugin(
    { source: '', command: ['pytest'], shell: false, env: { PYTHONPATH: 'src', PYTEST_ADDOPTS: '-x' } },
    '/p',
    '/order',
  ).env;
  expect(env).toMatchObject({ PYTHONPATH: 'src:/p', PYTEST_ADDOPTS: '-x -p selfware_guard' });
});

test('a runner judges only mutants of its language', () => {
  const edits = [edit('a.py', '', ''), edit('a.ts', '', '')];
  const paths = (runner: Parameters<typeof selectEditsForRunner>[0]) =>
    selectEditsForRunner(runner, edits).map(({ path }) => path);
  expect([paths('pytest'), paths('vitest'), paths(null)]).toEqual([['a.py'], ['a.ts'], ['a.py', 'a.ts']]);
});

thoroughTest('a change of which the tests can judge only one language is weakly guarded', async () => {
  const files = { 'web/pay.ts': 'export const pay = (n: number) => n + 1;\n' };
  await using given = await verifying({
    'pyproject.toml': '[project]\nname = "shop"\n',
    'shop/__init__.py': '',
    'shop/price.py': before,
    'tests/test_price.py': strong,
    ...files,
  });
  const edits = [
    edit('shop/price.py', before, after),
    edit('web/pay.ts', files['web/pay.ts'], files['web/pay.ts'].replace('n + 1', '1 + n')),
  ];
  expect(
    toldBy('guard', await given.verify(edits, { proof, reachingTests: async () => ['tests/test_price.py'] })),
  ).toBe('guard unknown: Weak: the tests of pytest can notice no mistake in web/pay.ts.');
  expect(
    await determineSurvivors(contextOf(given, { proof }), { path: 'web/pay.ts', text: files['web/pay.ts'] }, 30, never),
  ).toEqual({ refused: 'The tests that run here are not written for the language of web/pay.ts.' });
});

/** What a program prints that uses the modules of the plugin. */
async function printed(program: string): Promise<string> {
  const env = { ...process.env, PYTHONPATH: python!, PYTHONDONTWRITEBYTECODE: '1' };
  return (await promisify(execFile)('python3', ['-c', program], { env })).stdout;
}

test('a process that a test left behind neither delays nor hides the answer', async () => {
  const program = `import os, time, selfware_guard

def work():
    if os.fork() == 0:
        time.sleep(60)
    return "done"

started = time.time()
print(selfware_guard.in_child(work, 20), time.time() - started < 15)
`;
  expect(await printed(program)).toBe('done True\n');
});

test('a process that multiprocessing starts afresh is seen', async () => {
  const program = `import multiprocessing, os, selfware_guard

class Order:
    def wanted(self):
        return {}

plugin = selfware_guard.Plugin(Order())
plugin.run_control([])
print(plugin.spawned)
process = multiprocessing.get_context("spawn").Process(target=os.getpid)
process.start()
process.join()
print(plugin.spawned)
`;
  expect(await printed(program)).toBe('False\nTrue\n');
});

test('equal functions of two files are told apart', async () => {
  const program = `from selfware_lines import Recorder

recorder = Recorder({"/a.py": {2}, "/b.py": {2}})
functions = {}
for name in ("/a.py", "/b.py"):
    exec(compile("def f():\\n    return 1\\n", name, "exec"), functions)
    recorder.start()
    functions["f"]()
    recorder.stop()
print(sorted(recorder.seen))
`;
  expect(await printed(program)).toBe("[('/a.py', 2), ('/b.py', 2)]\n");
});
