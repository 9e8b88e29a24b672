// Collects findings about a whole file: its size, and what it exports.

import { exportFinders, fileFinders } from '../rules/allFinders.ts';
import type { Finding } from '../rules/finding.ts';
import type { ModuleExports } from './script/exportedDeclaration.ts';

/** Findings of all rules about the exports of a module. */
export function findExportProblems(moduleExports: ModuleExports): Finding[] {
  return Object.values(exportFinders).flatMap(({ find }) => find(moduleExports));
}

/** Findings of all rules about a file as a whole. `codeLines`: number of lines that are neither blank nor comment. */
export function findFileProblems(text: string, codeLines: number): Finding[] {
  return Object.values(fileFinders).flatMap(({ find }) => find(text, codeLines));
}
