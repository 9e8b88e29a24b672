// Analyses one file in a language that tree-sitter parses: metrics, and the rules that apply to any language.

import type { Node } from 'web-tree-sitter';
import type { Language } from '../../model.ts';
import type { FunctionUnit } from '../functionUnit.ts';
import { countLines, type LineStarts } from '../lines.ts';
import type { RawAnalysis } from '../rawAnalysis.ts';
import { findShapeProblems } from '../functionShape.ts';
import { findFileProblems } from '../wholeFileFindings.ts';
import { countCodeLines } from '../shared/codeLines.ts';
import { LANGUAGE_TABLES } from './languageTables.ts';
import { walkTree } from './treeMetrics.ts';

/**
 * Analyses a parsed file. `lines`: the line starts of the whole text. The result is empty if there is no table for the
 * language.
 */
export function analyseTree(root: Node, text: string, language: Language, lines: LineStarts): RawAnalysis {
  const table = LANGUAGE_TABLES[language];
  if (!table) return { units: [], findings: [], measures: {} };
  const { units, flow } = walkTree(root, text, table, lines);
  const functionContext = {
    canExtract: false,
    countLines: (unit: FunctionUnit) => countLines(lines, unit),
    findGuardLine: () => null,
  };
  return {
    units,
    findings: [
      ...units.flatMap((unit) => findShapeProblems(unit, functionContext)),
      ...findFileProblems(text, countCodeLines(text, table.hashComments)),
    ],
    measures: { files: 1, ...flow },
  };
}
