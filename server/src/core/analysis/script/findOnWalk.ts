// Analyses a TypeScript or JavaScript file for a few rules only: one walk, no binder, and no figures that these rules
// do not need.

import type { ts } from 'ts-morph';
import type { FunctionUnit } from '../functionUnit.ts';
import { countLines, type LineStarts } from '../lines.ts';
import { walkScript } from '../metrics/scriptMetrics.ts';
import type { RawAnalysis } from '../rawAnalysis.ts';
import { findShapeProblems } from '../functionShape.ts';
import { exportFinders, fileFinders } from '../../rules/allFinders.ts';
import { findExportProblems, findFileProblems } from '../wholeFileFindings.ts';
import { countCodeLines } from '../shared/codeLines.ts';
import { collectModuleExports } from './exportedApi.ts';

const NO_DEAD_RANGES: ReadonlyMap<number, number> = new Map();

/**
 * Finds the problems that the requested rules are about. `requested`: some of `WALK_RULES`. The result may include
 * findings of other rules, and has no measures.
 */
export function findOnWalk(sourceFile: ts.SourceFile, lines: LineStarts, requested: ReadonlySet<string>): RawAnalysis {
  const { units } = walkScript(sourceFile, NO_DEAD_RANGES, () => undefined, { brief: true });
  const isRequested = (finders: object) => Object.keys(finders).some((rule) => requested.has(rule));
  const moduleExports = isRequested(exportFinders) ? collectModuleExports(sourceFile) : null;
  const functionContext = {
    canExtract: true,
    countLines: (unit: FunctionUnit) => countLines(lines, unit),
    findGuardLine: () => null,
  };
  return {
    units,
    findings: [
      ...(moduleExports ? findExportProblems(moduleExports) : []),
      ...(isRequested(fileFinders) ? findFileProblems(sourceFile.text, countCodeLines(sourceFile.text, false)) : []),
      ...units.flatMap((unit) => findShapeProblems(unit, functionContext)),
    ],
    measures: {},
  };
}
