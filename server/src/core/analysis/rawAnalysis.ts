// The result of analysing a file in one language family. `analyse.ts` adds ids and lines, and puts a prefix before the
// names of measures of test files.

import type { Measures } from '../model.ts';
import type { FunctionUnit } from './functionUnit.ts';
import type { Finding } from '../rules/finding.ts';
import type { ModuleFacts } from './project/facts.ts';

/** The findings, measures and functions of one file, before ids and lines are added. */
export interface RawAnalysis {
  readonly units: readonly FunctionUnit[];
  readonly findings: readonly Finding[];
  readonly measures: Measures;
  /** By measure: the offset of the first place that counts towards it, for measures that have such places. */
  readonly firstOffsets?: Readonly<Record<string, number>>;
  /** Imports and exports, for languages in which they are read. */
  readonly module?: ModuleFacts;
}
