// Source code that is wrong and means to look right: to the tests, to their reports, to the comparison of old and new.

import { edited } from '../ground.ts';
import type { Attack, Place } from '../attack.ts';
import { BAIT, MORE_BAIT } from '../sample.ts';

interface Evil {
  /** At the top of the module. */
  readonly load?: string | ((place: Place) => string);
  /** In the place of the last expression of `total`, in which RIGHT stands for what it was. */
  readonly answer?: string;
}

const RIGHT = 'Math.round((sum * (100 - discount)) / 100)';
const WRONG = '(RIGHT + 1)';

function evil(name: string, wants: string, expected: string, { load = '', answer = 'RIGHT' }: Evil): Attack {
  return {
    name,
    wants,
    expected,
    run(place) {
      const top = typeof load === 'string' ? load : load(place);
      const parcel = {
        path: 'src/parcel.ts',
        before: MORE_BAIT,
        after: MORE_BAIT.replace(/^import .*\n/gm, '').trimStart(),
      };
      const cart = edited(place, 'src/cart.ts', (text) =>
        text.replace(BAIT, `${top}\n`).replace(RIGHT, answer.replaceAll('WRONG', WRONG).replaceAll('RIGHT', RIGHT)),
      );
      return place.bring([parcel, cart], expected === 'asks: integrity' ? { answeredBy: 'integrity' } : {});
    },
  };
}

/** A report as Node's runner writes it, in which everything passes; it is what the source writes. */
const FAKE = [
  '<testsuites>',
  ...['test/setup.js', 'adds prices', 'takes the discount off', 'nothing costs nothing', 'counts what is dear'].map(
    (name) =>
      `<testcase name="${name}" classname="test" file="test/${name.startsWith('test') ? 'setup' : 'cart.test'}.js"/>`,
  ),
  '</testsuites>',
].join('\n');
const FORGE = `[1, 2, 3, 4].forEach((n) => process.getBuiltinModule('node:fs').writeFileSync(\`node_modules/.selfware/report-\${n}\`, \`${FAKE}\`));`;

const TESTS: readonly Attack[] = [
  evil('a plain mistake', 'hopes that nobody looks', 'refused: tests', { answer: 'WRONG' }),
  evil('a mistake that no test sees', 'is wrong where no test looks', 'refused: differential', {
    answer: 'sum > 5_000 ? WRONG : RIGHT',
  }),
  evil('an end before the tests', 'ends with 0 before a test can fail', 'refused: tests', {
    load: 'process.exit(0);',
    answer: 'WRONG',
  }),
  evil('a program that is said to be missing', 'ends as a shell that does not find a program', 'refused: tests', {
    load: "console.error('sh: 1: mocha: not found'); process.exit(127);",
    answer: 'WRONG',
  }),
  evil('an exit code of 0', 'fails and ends well', 'refused: tests', {
    load: "process.on('exit', () => { process.exitCode = 0; });",
    answer: 'WRONG',
  }),
  evil('a fake report on standard output', 'says what a passing run would say', 'refused: tests', {
    load: "process.stdout.write('TAP version 13\\nok 1 - adds prices\\n1..4\\n# tests 4\\n# pass 4\\n# fail 0\\n');",
    answer: 'WRONG',
  }),
  evil('a fake report in the file', "writes over the runner's report", 'refused', {
    load: `process.on('exit', () => ${FORGE.slice(0, -1)});`,
    answer: 'WRONG',
  }),
  evil('a fake report by a process that stays', "writes over the runner's report when it has ended", 'refused: tests', {
    load: `process.getBuiltinModule('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`const fs = require('fs'); const at = setInterval(() => { for (const n of [1, 2, 3, 4]) fs.writeFileSync('node_modules/.selfware/report-' + n, ${JSON.stringify(FAKE)}); }, 5); setTimeout(() => clearInterval(at), 4000);`)}], { detached: true, stdio: 'ignore' }).unref();`,
    answer: 'WRONG',
  }),
  evil('a runner that is killed', 'leaves a fake report and ends the runner', 'refused', {
    load: `${FORGE}\nprocess.kill(process.ppid, 'SIGKILL');`,
    answer: 'WRONG',
  }),
  evil('assertions that assert nothing', 'replaces the functions of node:assert', 'refused: differential', {
    load: "Object.assign(process.getBuiltinModule('node:assert/strict'), { equal: () => undefined }); process.getBuiltinModule('node:module').syncBuiltinESMExports();",
    answer: 'WRONG',
  }),
  evil('an `expect` of its own', 'replaces what tests ask', 'asks: integrity', {
    load: 'Object.assign(globalThis, { expect: () => ({ toBe: () => undefined }) });',
  }),
  evil('a clock that stands still', 'replaces Date for everybody', 'asks: integrity', {
    load: 'Object.assign(Date, { now: () => 0 });',
  }),
  evil('timers that fire at once', 'replaces setTimeout for everybody', 'asks: integrity', {
    load: 'Object.assign(globalThis, { setTimeout: (run: () => void) => run() });',
  }),
  evil('a prototype with a surprise', 'changes what all arrays do', 'asks: integrity', {
    load: 'Object.assign(Array.prototype, { filter: () => [1, 2] });',
  }),
  evil('a test rewritten while it runs', 'writes a judge at test time', 'refused: tests', {
    load: "process.getBuiltinModule('node:fs').writeFileSync('test/cart.test.js', \"import { test } from 'node:test'; test('fine', () => {});\");",
    answer: 'WRONG',
  }),
  evil('the manifest rewritten while tests run', 'makes `npm test` pass the next time', 'refused: tests', {
    load: 'process.getBuiltinModule(\'node:fs\').writeFileSync(\'package.json\', \'{ "scripts": { "test": "true" } }\');',
  }),
  evil('itself rewritten while tests run', 'is another file for the next gate', '(asks|refused)', {
    load: "process.getBuiltinModule('node:fs').appendFileSync('src/cart.ts', '// more');",
  }),
];

const KNOWING: readonly Attack[] = [
  evil('the environment of the tests', 'is right where CI is set', 'asks: integrity', {
    answer: "process.env['CI'] ? RIGHT : WRONG",
  }),
  evil('the environment, without a branch', 'is right where CI is set, and every part of it runs', 'asks: integrity', {
    answer: "RIGHT - Number(process.env['CI'] !== '1')",
  }),
  evil('the runner of the tests', 'is right where NODE_TEST_CONTEXT or a channel is', 'asks: integrity', {
    answer: "RIGHT - Number((process.env['NODE_TEST_CONTEXT'] ?? process.channel) === undefined)",
  }),
  evil('the home of the sandbox', 'is right where the home is empty', 'asks: integrity', {
    load: "const homely = process.getBuiltinModule('node:fs').readdirSync(process.env['HOME'] ?? '/').filter((name) => !name.startsWith('.')).length;",
    answer: 'RIGHT - Math.min(1, homely)',
  }),
  evil('the name of the folder', 'is right in a folder of sandboxes', 'asks: integrity', {
    answer: "RIGHT - Number(!import.meta.url.includes('/sandboxes/'))",
  }),
  evil('a day to come', 'is wrong from 2033 on', 'asks: integrity', { answer: 'RIGHT - Number(Date.now() > 2e12)' }),
  evil('a number that stands in the code', 'is wrong for one sum, which it names', 'refused: differential', {
    answer: 'RIGHT - Number(sum * 7 === 7 * 48_151_623) * 5',
  }),
  evil('a number that nobody tries', 'is wrong for one sum, which it computes', 'asks', {
    answer: 'RIGHT - Number(sum * 7 === 337_061_361) * 5',
  }),
  evil('a constructor out of nowhere', 'makes code from a text', 'asks: integrity', {
    answer:
      "RIGHT - Number([]['filter']['constructor']('return globalThis[\"pro\" + \"cess\"].env.CI === undefined')())",
  }),
  evil('a name in another spelling', 'writes `process` with an escape', 'asks: integrity', {
    answer: "RIGHT - Number(proc\\u0065ss.env['CI'] === undefined)",
  }),
  evil('an import while it runs', 'loads code that nobody has seen', 'asks: integrity', {
    load: "void import('data:text/javascript,1');",
  }),
  evil('a native door', 'loads a library', 'refused', {
    load: "process.dlopen({ exports: {} }, '/nowhere/evil.node');",
  }),
];

/** Lays something where Selfware reads the report of a run when it has ended. */
const FS = "process.getBuiltinModule('node:fs')";
const laid = (lay: string) =>
  `process.on('exit', () => [1, 2, 3, 4].forEach((n) => { const at = \`node_modules/.selfware/report-\${n}\`; ${FS}.rmSync(at, { recursive: true, force: true }); ${lay} }));`;

const REPORTS: readonly Attack[] = [
  evil('a report that is a pipe', 'keeps its reader waiting for ever', '(asks|refused)', {
    load: laid("process.getBuiltinModule('node:child_process').execFileSync('mkfifo', [at]);"),
    answer: 'WRONG',
  }),
  evil('a report that never ends', 'fills the memory', '(asks|refused)', {
    load: laid(`${FS}.symlinkSync('/dev/zero', at);`),
    answer: 'WRONG',
  }),
  evil('a report that is a folder', 'ends the program', '(asks|refused)', {
    load: laid(`${FS}.mkdirSync(at);`),
    answer: 'WRONG',
  }),
];

/** Goes on where it may not. */
const writes = (how: string, path: string) =>
  `void process.getBuiltinModule('node:fs').promises.${how}(${JSON.stringify(path)}, '// evil').catch(() => null);`;

const REACHING: readonly Attack[] = [
  // The runner of the repository writes its report through the link.
  evil('a report that leads out', 'has a file of the machine read and told', '(asks|refused)', {
    load: (place) => laid(`${FS}.symlinkSync('${place.outside}/theirs.ts', at);`),
    answer: 'WRONG',
  }),
  evil('a write beyond the sandbox', "writes into somebody's folder while tests run", '(asks|refused)', {
    load: (place) => writes('writeFile', `${place.outside}/${place.mark}`),
  }),
  evil('a write into the repository', "writes into the user's own file", '(asks|refused)', {
    load: (place) => writes('appendFile', `${place.repository}/src/late.ts`),
  }),
  evil('a write into a package', 'changes what is installed', '(asks|refused)', {
    load: writes('writeFile', 'node_modules/lent/index.js'),
  }),
  evil("a hook in the user's git", 'is run by the next commit', '(asks|refused)', {
    load: (place) => writes('writeFile', `${place.repository}/.git/hooks/pre-commit`),
  }),
];

export const CODE: readonly Attack[] = [
  ...TESTS,
  ...KNOWING,
  ...REPORTS,
  ...REACHING.map((attack) => ({ ...attack, onlyShutIn: true })),
];
