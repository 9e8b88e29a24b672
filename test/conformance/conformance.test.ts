// Our figures are those of ESLint's `complexity` and SonarJS' `cognitive-complexity`, function by function, on real
// sources.

import { expect, test } from 'vitest';
import type { FunctionUnit } from '../../server/src/core/analysis/functionUnit.ts';
import { lineStartsOf, rangeOf } from '../../server/src/core/analysis/lines.ts';
import type { Point } from '../../server/src/core/analysis/metrics/scriptFrame.ts';
import { walkScript } from '../../server/src/core/analysis/metrics/scriptMetrics.ts';
import { parseScript } from '../../server/src/core/analysis/script/parseScript.ts';
import { languageOf } from '../../server/src/core/index/language.ts';
import { cases } from './cases.ts';
import { pairUp } from './compare.ts';
import { knownDifferences } from './known.ts';
import { askPeers } from './peers.ts';
import { realSources, type Source } from './sources.ts';

const LEAST_FUNCTIONS = 5_000;
/** Share of functions whose cognitive complexity is equal, known differences counted as differences. */
const LEAST_COGNITIVE = 0.995;

interface Tally {
  cyclomatic: number;
  cognitive: number;
  readonly refused: string[];
  /** Functions that only one side knows. */
  readonly alone: string[];
  /** Without a reason that we know. */
  readonly wrong: string[];
  readonly known: Map<string, string[]>;
}

test('real sources: every function', { timeout: 600_000 }, () => {
  const tally = compare(realSources());
  const known = [...tally.known.values()].flat();
  process.stdout.write(reportOf(tally));
  expect(tally.wrong).toEqual([]);
  expect(tally.alone).toEqual([]);
  // Fixtures that are broken on purpose.
  expect(tally.refused.filter((path) => !path.startsWith('test/fixtures/'))).toEqual([]);
  expect(tally.cyclomatic).toBeGreaterThanOrEqual(LEAST_FUNCTIONS);
  expect(tally.cognitive).toBeGreaterThanOrEqual(LEAST_FUNCTIONS);
  expect(1 - known.length / tally.cognitive).toBeGreaterThanOrEqual(LEAST_COGNITIVE);
});

test('the top level of a file: what a function around all of it would have', () => {
  const commonJs = realSources().filter(
    ({ path, text }) =>
      /^(eslint\/lib|mocha|postcss|semver|yaml)\/.*\.js$/.test(path) && !/^\s*(import|export)\b|^#!/m.test(text),
  );
  expect(commonJs.length).toBeGreaterThan(200);
  for (const { path, text } of commonJs) {
    const whole = askPeers(path, `(function () {${text}\n})`);
    const { unit, points, sourceFile } = measured({ path, text }).find(({ unit: { kind } }) => kind === 'topLevel')!;
    const theirs = whole?.cognitive.at(-1)?.figure;
    const known = knownDifferences.some((difference) => difference.cognitive(unit, points, sourceFile) === theirs);
    expect({ path, cyclomatic: unit.cyclomatic, cognitive: known ? theirs : unit.cognitive }).toEqual({
      path,
      cyclomatic: whole?.cyclomatic.at(-1)?.figure,
      cognitive: theirs,
    });
  }
});

test('an accessor field is a field here; ESLint, which does not know the word, counts its value where the class stands', () => {
  const source = { path: 'case.ts', text: 'function f() { class A { accessor x = a ? 1 : 2; } }' };
  expect(measured(source).map(({ unit: { kind, cyclomatic } }) => ({ kind, cyclomatic }))).toEqual([
    { kind: 'fieldInitialiser', cyclomatic: 2 },
    { kind: 'function', cyclomatic: 1 },
    { kind: 'topLevel', cyclomatic: 1 },
  ]);
  expect(askPeers(source.path, source.text)?.cyclomatic.map(({ figure }) => figure)).toEqual([2]);
});

test.each(cases)('$path: $text', (source) => {
  const tally = compare([source]);
  expect({ ...tally, known: [...tally.known] }).toMatchObject({ refused: [], alone: [], wrong: [], known: [] });
  expect(tally.cyclomatic).toBeGreaterThan(0);
});

function compare(sources: readonly Source[]): Tally {
  const tally: Tally = { cyclomatic: 0, cognitive: 0, refused: [], alone: [], wrong: [], known: new Map() };
  for (const source of sources) {
    const peers = askPeers(source.path, source.text);
    if (peers) compareFile(source, peers, tally);
    else tally.refused.push(source.path);
  }
  return tally;
}

function compareFile({ path, text }: Source, peers: NonNullable<ReturnType<typeof askPeers>>, tally: Tally): void {
  const lines = lineStartsOf(text);
  const units = measured({ path, text }).filter(({ unit }) => unit.kind !== 'topLevel');
  const functions = units.filter(({ unit }) => unit.kind !== 'staticBlock' && unit.kind !== 'fieldInitialiser');
  const cyclomatic = pairUp(
    path,
    text,
    units.map(({ unit }) => unit),
    peers.cyclomatic,
  );
  const cognitive = pairUp(
    path,
    text,
    functions.map(({ unit }) => unit),
    peers.cognitive,
  );
  tally.cyclomatic += cyclomatic.pairs.length;
  tally.cognitive += cognitive.pairs.length;
  tally.alone.push(...cyclomatic.alone, ...cognitive.alone);
  for (const { unit, peer } of cyclomatic.pairs)
    if (unit.cyclomatic !== peer.figure)
      tally.wrong.push(`${placeOf(unit)}: cyclomatic ${unit.cyclomatic}, ESLint ${peer.figure}`);
  for (const { unit, peer } of cognitive.pairs) {
    if (unit.cognitive === peer.figure) continue;
    const { points, sourceFile } = functions.find((one) => one.unit === unit)!;
    const reason = knownDifferences.find(
      (difference) => difference.cognitive(unit, points, sourceFile) === peer.figure,
    );
    const line = `${placeOf(unit)}: cognitive ${unit.cognitive}, SonarJS ${peer.figure}`;
    if (reason) tally.known.set(reason.name, [...(tally.known.get(reason.name) ?? []), line]);
    else tally.wrong.push(line);
  }

  function placeOf(unit: FunctionUnit): string {
    return `${path}:${rangeOf(lines, unit.start, unit.start).startLine} ${unit.name}`;
  }
}

function measured({ path, text }: Source): {
  readonly unit: FunctionUnit;
  readonly points: readonly Point[];
  readonly sourceFile: NonNullable<ReturnType<typeof parseScript>>;
}[] {
  const sourceFile = parseScript(path, text, languageOf(path))!;
  const { units, points } = walkScript(sourceFile, new Map(), () => undefined, { traced: true });
  return units.map((unit) => ({ unit, points: points.get(unit)!, sourceFile }));
}

function reportOf({ cyclomatic, cognitive, known, refused, wrong }: Tally): string {
  const different = [...known.values()].flat().length;
  const unexplained = (word: string): number => wrong.filter((line) => line.includes(`: ${word} `)).length;
  const lines = [
    `Cyclomatic complexity as ESLint: ${cyclomatic - unexplained('cyclomatic')} of ${cyclomatic} functions.`,
    `Cognitive complexity as SonarJS: ${cognitive - different - unexplained('cognitive')} of ${cognitive} functions.`,
  ];
  for (const { name, why } of knownDifferences)
    lines.push(
      `${known.get(name)?.length ?? 0} × ${name}: ${why}`,
      ...(known.get(name) ?? []).map((line) => `  ${line}`),
    );
  return [...lines, ...refused.map((path) => `Refused by the peers' parsers: ${path}`), ''].join('\n');
}
