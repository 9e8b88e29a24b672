// Makes edits that keep the behaviour of the code of a repository: the value of a return statement gets a name.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import { isTestFile } from '../../../server/src/core/paths/tests.ts';

/** A return statement. */
export interface Place {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

const SOURCE = /^(?:src|lib)\/.*(?<!\.d)\.[cm]?[jt]s$/;

/** The text with the statement `return e;` replaced by two: a constant, and its return, indented as linters demand. */
export function nameReturnedValue(text: string, { start, end }: Pick<Place, 'start' | 'end'>): string {
  const value = text
    .slice(start + 'return'.length, end)
    .replace(/;\s*$/, '')
    .trim();
  const before = text.slice(0, start);
  const indent = /[ \t]*$/.exec(before)![0];
  return `${before}const returned = ${value};\n${indent}return returned;${text.slice(end)}`;
}

/** All return statements in blocks of the repository's sources whose value is more than a name. */
export function findReturns(clone: string): readonly Place[] {
  const { stdout } = spawnSync('git', ['-C', clone, 'ls-files'], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((path) => SOURCE.test(path) && !isTestFile(path))
    .flatMap((path) => {
      const text = readFileSync(join(clone, path), 'utf8');
      const places: Place[] = [];
      const visit = (node: ts.Node): void => {
        if (
          ts.isReturnStatement(node) &&
          ts.isBlock(node.parent) &&
          node.expression &&
          !ts.isIdentifier(node.expression) &&
          !/\breturned\b|\/\//.test(node.getText())
        )
          places.push({ path, start: node.getStart(), end: node.end });
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
      return places;
    });
}
