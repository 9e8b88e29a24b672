// Findings about a whole file: its size, and what it exports.

import { exportFinders, fileFinders } from '../rules/allFinders.ts';
import type { Finding } from '../rules/finding.ts';
import type { OfferedByModule } from './script/exportedDeclaration.ts';

export function exportFindings(offered: OfferedByModule): Finding[] {
  return Object.values(exportFinders).flatMap(({ find }) => find(offered));
}

export function fileFindings(text: string, codeLines: number): Finding[] {
  return Object.values(fileFinders).flatMap(({ find }) => find(text, codeLines));
}
