// Defines the result of analysing one language family, before ids, lines and the prefix for tests are added.

import type { Measures } from '../model.ts';
import type { FunctionUnit } from './functionUnit.ts';
import type { Finding } from '../rules/finding.ts';
import type { ModuleFacts } from './project/facts.ts';

export interface RawAnalysis {
  readonly units: readonly FunctionUnit[];
  readonly findings: readonly Finding[];
  readonly measures: Measures;
  /** Imports and exports, for languages in which they are read. */
  readonly module?: ModuleFacts;
}
