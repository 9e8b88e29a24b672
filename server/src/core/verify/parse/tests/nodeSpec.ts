// Parses the output of Node's own runner with its spec reporter: `ℹ pass 2`.

import { createCounts, captureGroups, sumMatches, type TestCase, type TestCounts } from '../testCounts.ts';

/** The counts of a run; null if the text is not output of this reporter. */
export function parseNodeSpec(text: string): TestCounts | null {
  if (!/^ℹ pass \d+$/m.test(text)) return null;
  const names = captureGroups(text, /^[ \t]*✖ (.+?) \(\d+(?:\.\d+)?ms\)/gm);
  const failed = sumMatches(text, /^ℹ (?:fail|cancelled) (\d+)$/gm);
  const skipped = sumMatches(text, /^ℹ (?:skipped|todo) (\d+)$/gm);
  // A failing suite is listed like its tests, but is not a test. So the number in the summary counts.
  return createCounts(sumMatches(text, /^ℹ pass (\d+)$/gm), failed, skipped, names, collectCases(text));
}

/**
 * Parses the tests from their lines, which are indented under their suites. The line of a suite follows with its
 * result. The list of failures repeats some of these lines and is not parsed.
 */
function collectCases(text: string): TestCase[] {
  const cases: TestCase[] = [];
  const openSuites: string[] = [];
  for (const line of text.split('\n')) {
    if (/^ℹ tests \d+$/.test(line)) openSuites.length = 0;
    if (/^✖ failing tests:$/.test(line)) break;
    const [, indent = '', mark, name = '', millis, note] =
      /^([ \t]*)([▶✔✖﹣]) (.+?)(?: \((\d+(?:\.\d+)?)ms\))?( # (?:SKIP|[A-Z]+).*)?$/.exec(line) ?? [];
    if (mark === undefined) continue;
    const depth = Math.floor(indent.length / 2);
    if (mark === '▶') {
      openSuites[depth] = name;
      openSuites.length = depth + 1;
    } else if (millis !== undefined && openSuites[depth] === name && openSuites.length > depth)
      openSuites.length = depth;
    else if (millis !== undefined)
      cases.push({
        file: null,
        name: [...openSuites.slice(0, depth), name].join(' › '),
        outcome: note || mark === '﹣' ? 'skipped' : mark === '✔' ? 'passed' : 'failed',
        millis: Number(millis),
      });
  }
  return cases;
}
