// Our figures beside those of ESLint's `complexity` and SonarJS' `cognitive-complexity`, function by function.

import { expect } from 'vitest';
import type { FunctionUnit } from '../../server/src/core/analysis/functionUnit.ts';
import { findLineStarts, toRange } from '../../server/src/core/analysis/lines.ts';
import type { Point } from '../../server/src/core/analysis/metrics/scriptFrame.ts';
import { walkScript } from '../../server/src/core/analysis/metrics/scriptMetrics.ts';
import { parseScript } from '../../server/src/core/analysis/script/parseScript.ts';
import { detectLanguage } from '../../server/src/core/index/parse/language.ts';
import { pairUp } from './compare.ts';
import { knownDifferences } from './known.ts';
import { askPeers } from './peers.ts';
import type { Source } from './sources.ts';

/** Share of functions whose cognitive complexity is equal, known differences counted as differences. */
const MIN_COGNITIVE = 0.995;

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

/** Fails where a function differs for no reason that we know, or where too many do for one that we know. */
export function expectAlike(tally: Tally, leastFunctions: number): void {
  const known = [...tally.known.values()].flat();
  process.stdout.write(reportOf(tally));
  expect(tally.wrong).toEqual([]);
  expect(tally.alone).toEqual([]);
  // Fixtures that are broken on purpose.
  expect(tally.refused.filter((path) => !path.startsWith('test/fixtures/'))).toEqual([]);
  expect(tally.cyclomatic).toBeGreaterThanOrEqual(leastFunctions);
  expect(tally.cognitive).toBeGreaterThanOrEqual(leastFunctions);
  expect(1 - known.length / tally.cognitive).toBeGreaterThanOrEqual(MIN_COGNITIVE);
}

/** The top level of a CommonJS file has what a function around all of it would have. */
export function expectTopLevels(sources: readonly Source[], least: number): void {
  const commonJs = sources.filter(
    ({ path, text }) =>
      /^(eslint\/lib|mocha|postcss|semver|yaml)\/.*\.js$/.test(path) && !/^\s*(import|export)\b|^#!/m.test(text),
  );
  expect(commonJs.length).toBeGreaterThan(least);
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
}

/** Every function of these texts beside what the peers say of it. */
export function compare(sources: readonly Source[]): Tally {
  const tally: Tally = { cyclomatic: 0, cognitive: 0, refused: [], alone: [], wrong: [], known: new Map() };
  for (const source of sources) {
    const peers = askPeers(source.path, source.text);
    if (peers) compareFile(source, peers, tally);
    else tally.refused.push(source.path);
  }
  return tally;
}

function compareFile({ path, text }: Source, peers: NonNullable<ReturnType<typeof askPeers>>, tally: Tally): void {
  const lines = findLineStarts(text);
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
    return `${path}:${toRange(lines, unit.start, unit.start).startLine} ${unit.name}`;
  }
}

/** Our figures of every function of a text, with where their points come from. */
export function measured({ path, text }: Source): {
  readonly unit: FunctionUnit;
  readonly points: readonly Point[];
  readonly sourceFile: NonNullable<ReturnType<typeof parseScript>>;
}[] {
  const sourceFile = parseScript(path, text, detectLanguage(path))!;
  const { units, points } = walkScript(sourceFile, new Map(), () => undefined, { traced: true });
  return units.map((unit) => ({ unit, points: points.get(unit)!, sourceFile }));
}

/** What is alike, what differs for a reason that we know, and what the peers could not read. */
export function reportOf({ cyclomatic, cognitive, known, refused, wrong }: Tally): string {
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
