// Recognises files that are measured but get no opportunities.

import { isDeclarationPath, isLeftAlone } from './project/conventions.ts';
import { isTestData } from '../paths/tests.ts';

/**
 * True for generated files, declaration files, files that tests read, and code that is left as it is (`isLeftAlone`).
 */
export function isWithoutOpportunities(path: string, isGenerated: boolean): boolean {
  return isGenerated || isDeclarationPath(path) || isTestData(path) || isLeftAlone(path);
}
