// Inserts calls into the candidate that record during one run that they were reached. Line numbers stay the same.

import type { MutantPlan } from './planMutants.ts';

/**
 * The text with a call for each probe. `logFile`: an absolute path. The number of each reached probe is appended to
 * that file, once per global object, because test runners such as Jest have several in one process.
 */
export function insertProbes(path: string, text: string, probes: MutantPlan['probes'], logFile: string): string {
  const isTyped = /\.[cm]?tsx?$/.test(path);
  const insertions = probes
    .filter((probe) => probe.path === path)
    .flatMap(({ id, at, end }) =>
      end === null
        ? [{ at, text: `;${createRecordingCall(id, logFile, isTyped)}; ` }]
        : [
            { at, text: `(${createRecordingCall(id, logFile, isTyped)}, ` },
            { at: end, text: ')' },
          ],
    )
    .toSorted((a, b) => b.at - a.at);
  return insertions.reduce(
    (result, inserted) => `${result.slice(0, inserted.at)}${inserted.text}${result.slice(inserted.at)}`,
    text,
  );
}

/**
 * The expression that records a probe, once per global object. Its syntax is ECMAScript 5, because old tools that
 * transform code for tests, such as an old nyc, cannot parse more. It needs Node 20.16, 22.3 or newer, because it gets
 * Node's file system module from `process.getBuiltinModule`, even if tests replace that module.
 */
function createRecordingCall(id: number, logFile: string, isTyped: boolean): string {
  const globals = isTyped ? '(globalThis as any)' : 'globalThis';
  const anyType = isTyped ? ': any' : '';
  const writeCode = `${globals}.process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(logFile)}, id + "\\n")`;
  const recordFunction = `function (id${anyType}) { return seen.has(id) || (seen.add(id), ${writeCode}); }`;
  const recorder = `(function (seen${anyType}) { return ${recordFunction}; })(new Set())`;
  // The property is not enumerable, so that Mocha's `--check-leaks` does not report it as a leaked global variable.
  const definition = `Object.defineProperty(${globals}, "__selfwareProbe", { value: ${recorder} }).__selfwareProbe`;
  return `(${globals}.__selfwareProbe || ${definition})(${id})`;
}

/** The numbers of the probes in the text of the log file. */
export function parseReachedProbes(text: string): ReadonlySet<number> {
  return new Set(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map(Number),
  );
}
