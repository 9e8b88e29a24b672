// Small repositories with something to improve, for the tests of this folder.

import type { ImproveRequest } from '../../../server/src/core/session/cycleEvents.ts';
import type { MemoryCommand } from '../../helpers/memorySandbox.ts';

export const { signal: never } = new AbortController();

/** A command that hangs until it is ended. */
export const untilCancelled: MemoryCommand = (_texts, signal) =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve({ exitCode: null, outcome: 'cancelled' }), { once: true }),
  );

/** A flaw for several recipes each. */
export const flawed: Readonly<Record<string, string>> = {
  'src/a.ts': `import { one } from './one.ts';
import { two } from './one.ts';

/** Twice. */
export function a(value: number): number {
  if (value > 1) {
    return two(value);
  } else {
    return value * 2;
  }
}
`,
  'src/one.ts': `/** Once. */
export function one(value: number): number {
  return value;
}

/** Twice. */
export function two(value: number): number {
  const unused = 1;
  const doubled = value * 2;
  return doubled;
}
`,
  'src/two.ts': `import { one } from './one.ts';
/** A constant that stands between two flaws. */
export const between = 1;
/** Another one. */
export const another = 2;
import { two } from './one.ts';
/** And the last. */
export const last = 3;
`,
  'src/worse.ts': `/** Hard to follow. */
export function worse(a: any, b: any, c: any): any {
  if (a) {
    for (const x of b) {
      if (x) {
        while (c) {
          if (x > a) {
            eval(c);
          } else {
            c = c!.next as unknown as string;
          }
        }
      }
    }
  }
}
`,
};

/** The same, reached by imports, so that nobody has to be asked about a file. */
export const flawedAndReached: Readonly<Record<string, string>> = {
  ...flawed,
  'src/index.ts': "import './a.ts';\nimport './two.ts';\nimport './worse.ts';\n",
};

/** More places than are tried at once that cannot be touched, and a last one that can. */
export const hundred: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`guarded/f${index}.ts`, flawed['src/a.ts'] ?? ''])),
  ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`dirty/f${index}.ts`, flawed['src/a.ts'] ?? ''])),
  'z/last.ts': flawed['src/a.ts'] ?? '',
};

/** A file for each of these names, with one flaw of the same kind each; an index exports them all. */
export function flawedOnes(names: readonly string[]): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(
      names.map((name, at) => [
        `src/${name}.ts`,
        `/** A ${name}. */
export function ${name}(value: number): number {
  const unused = ${at};
  return value * ${at + 2};
}
`,
      ]),
    ),
    'src/index.ts': names.map((name) => `export { ${name} } from './${name}.ts';\n`).join(''),
  };
}

/** One cycle without a person, in which everything is approved; `changes` replace parts of the request. */
export function improving(changes: Partial<ImproveRequest> = {}): ImproveRequest {
  return {
    cycles: 1,
    dryRun: false,
    approval: 'strict',
    maxChanges: 100,
    signal: never,
    decide: async () => ({ verdict: 'approved', reason: null }),
    ...changes,
  };
}
