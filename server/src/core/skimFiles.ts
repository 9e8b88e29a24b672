// Files from bytes to what a few rules find in them, by the quick parser alone.

import { complexUnits } from './analysis/functionUnit.ts';
import { lineStartsOf, rangeOf, type LineStarts } from './analysis/lines.ts';
import { allMetricsOf } from './analysis/metrics/functionMetrics.ts';
import { opportunitiesOf } from './analysis/opportunities.ts';
import type { LazyParser } from './analysis/skim/lazyTree.ts';
import { createSkim, type SkimScript } from './analysis/skim/skimScript.ts';
import { mentionsSuppressions } from './analysis/suppressionComments.ts';
import { isTestFile } from './analysis/testFile.ts';
import { isUnseen } from './analysis/unseen.ts';
import { nothingFound } from './analyseFile.ts';
import { decodeSource } from './index/decode.ts';
import { looksGenerated } from './index/generated.ts';
import { languageOf } from './index/language.ts';
import type { FileAnalysis, JobTable } from './indexPorts.ts';

type File = JobTable['skim']['input'][number];

/** The job `skim`. */
export function createSkimJob(parser: LazyParser): (files: readonly File[]) => Promise<readonly (FileAnalysis | null)[]> {
  const skim = createSkim(parser);
  return async (files) => files.map((file) => skimFile(skim, file));
}

/** As `analyseFile` has it, but that a file without a finding comes without its functions. Null: this way cannot tell. */
export function skimFile(skim: SkimScript, file: File): FileAnalysis | null {
  const { path } = file;
  const decoded = decodeSource(file.bytes);
  if ('reason' in decoded) return { ...nothingFound(file), trouble: decoded.reason };
  const { text } = decoded;
  // Where the comments of a text are, the compiler knows.
  if (mentionsSuppressions(text)) return null;
  const language = languageOf(path, text);
  const generated = looksGenerated(path, text);
  if (language === null) return { ...nothingFound(file), generated };
  let starts: LineStarts | null = null;
  const lines = (): LineStarts => (starts ??= lineStartsOf(text));
  // Of tests, the rules that are asked for say nothing.
  const asked = isUnseen(path, generated) || isTestFile(path) ? null : new Set(file.only);
  const read = skim({ path, text, language, lines, asked });
  if (!read) return null;
  const findings = read.findings.filter(({ rule }) => asked?.has(rule));
  const symbols = read.scopes.map(({ path: name, start, end }) => ({ path: name, range: rangeOf(lines(), start, end) }));
  const known = { ...nothingFound(file), language, generated, imports: read.imports };
  if (findings.length === 0) return known;
  return { ...known, functions: allMetricsOf(complexUnits(read.units), path, lines()), opportunities: opportunitiesOf({ path, text, lines: lines(), symbols }, findings) };
}
