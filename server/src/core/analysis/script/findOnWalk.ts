// A TypeScript or JavaScript file looked at for a few rules alone: one walk, no binder, nothing counted that none of
// them asks.

import type { ts } from 'ts-morph';
import type { FunctionUnit } from '../functionUnit.ts';
import { linesBetween, type LineStarts } from '../lines.ts';
import { walkScript } from '../metrics/scriptMetrics.ts';
import type { RawAnalysis } from '../rawAnalysis.ts';
import { shapeFindings } from '../rules/functionShape.ts';
import { countCodeLines, largeFileFindings } from '../rules/largeFile.ts';
import { undocumentedExports } from '../rules/undocumentedExport.ts';
import { unexplainedExports } from '../rules/unexplainedExport.ts';
import { offeredBy } from './exportedApi.ts';

const NO_FLOW: ReadonlyMap<number, number> = new Map();

/** `asked`: some of `WALK_RULES`. What other rules find along the way is in the answer too; measures are not. */
export function findOnWalk(sourceFile: ts.SourceFile, lines: LineStarts, asked: ReadonlySet<string>): RawAnalysis {
  const { units } = walkScript(sourceFile, NO_FLOW, () => undefined, { brief: true });
  const offered = asked.has('undocumented-export') || asked.has('unexplained-export') ? offeredBy(sourceFile) : null;
  const shape = { canExtract: true, linesOf: (unit: FunctionUnit) => linesBetween(lines, unit), guardLine: () => null };
  return {
    units,
    findings: [
      ...(offered ? [...undocumentedExports(offered), ...unexplainedExports(offered)] : []),
      ...(asked.has('large-file') ? largeFileFindings(sourceFile.text, countCodeLines(sourceFile.text, false)) : []),
      ...units.flatMap((unit) => shapeFindings(unit, shape)),
    ],
    measures: {},
  };
}
