// Draws functions of a repository whose mutants are tried.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import { isTestFile } from '../../../server/src/core/paths/tests.ts';
import { sha256 } from '../../../server/src/util/hash.ts';

/** The lines of a function, counted from 1, both included. */
export interface Place {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** Paths of source files whose functions are drawn. */
const SOURCES = /^(?:src|lib)\/.*\.[cm]?[jt]s$/;
const MIN_LINES = 8;
const MAX_LINES = 60;

/** Draws `count` functions of 9 to 61 lines below `src` and `lib`. */
export function choosePlaces(dir: string, seed: number, count: number): readonly Place[] {
  const files = execFileSync('git', ['-C', dir, 'ls-files'], { encoding: 'utf8' }).split('\n');
  const functions = files
    .filter((path) => SOURCES.test(path) && !path.endsWith('.d.ts') && !isTestFile(path))
    .flatMap((path) => findFunctions(path, readFileSync(join(dir, path), 'utf8')));
  const hashPlace = ({ path, from }: Place) => sha256(`${seed} ${path} ${from}`);
  return functions.toSorted((a, b) => (hashPlace(a) < hashPlace(b) ? -1 : 1)).slice(0, count);
}

function findFunctions(path: string, text: string): Place[] {
  const sourceFile = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const functions: Place[] = [];
  const lineOf = (position: number) => sourceFile.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const [from, to] = [lineOf(node.getStart(sourceFile)), lineOf(node.getEnd())];
      if (to - from >= MIN_LINES && to - from <= MAX_LINES) functions.push({ path, from, to });
    } else ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return functions;
}
