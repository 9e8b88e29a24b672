// Files that are measured and never reported.

import { isDeclarationPath, isLeftAlone } from './project/conventions.ts';
import { isTestData } from '../paths/tests.ts';

/** Written by a program, declared for code that is elsewhere, read by tests, or loaded by tools. */
export function isUnseen(path: string, generated: boolean): boolean {
  return generated || isDeclarationPath(path) || isTestData(path) || isLeftAlone(path);
}
