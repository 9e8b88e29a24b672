// Finds the mutants of a change of Python code: those in touched lines, and those in the functions around them.

import type { Node } from 'web-tree-sitter';
import type { FileEdit } from '../../../model.ts';
import { findParsedMutants, isAnyTouched, type TreeParser } from '../parsedMutants.ts';
import type { FoundMutant } from '../planMutants.ts';
import { isTouched, formatMutantChange } from '../touchedLines.ts';
import { isUnmutatedPythonNode, findPythonReplacements } from './mutators.ts';

/** Matches files whose mutants pytest can judge. */
export const PYTHON_PATTERN = /\.pyw?$/;

const COMPOUND_PATTERN = /^(?:if|while|for|with|try|match)_statement$|^(?:function|class|decorated)_definition$/;

/**
 * The mutants of these edits. `isTest`: true for files that are tests, which get no mutants. Throws the errors of
 * parsing.
 */
export function findPythonMutants(
  parser: TreeParser<'python'>,
  edits: readonly FileEdit[],
  isTest: (edit: FileEdit) => boolean,
): Promise<readonly FoundMutant[]> {
  const isWanted: Parameters<typeof findParsedMutants>[3] = (edit) => PYTHON_PATTERN.test(edit.path) && !isTest(edit);
  return findParsedMutants(parser, 'python', edits, isWanted, collectMutants);
}

function collectMutants(path: string, root: Node, text: string, touched: ReadonlySet<number>): FoundMutant[] {
  const mutants: FoundMutant[] = [];
  const visit = (node: Node, isInside: boolean): void => {
    if (isUnmutatedPythonNode(node)) return;
    const isAround =
      isInside || (node.type === 'function_definition' && isAnyTouched(touched, getFirstLine(node), getLastLine(node)));
    for (const replacement of findPythonReplacements(node)) {
      const firstLine = findLineAt(text, replacement.start);
      const lastLine = findLineAt(text, replacement.end);
      if (!isAround && !touched.has(firstLine)) continue;
      mutants.push({
        ...replacement,
        path,
        line: firstLine,
        touched: isTouched(touched, firstLine, lastLine),
        shown: formatMutantChange(text.slice(replacement.start, replacement.end), replacement.text),
        probe: null,
        reach: findStatementLines(node),
        ...(isInBody(node) ? {} : { atLoad: true }),
      });
    }
    for (const child of node.namedChildren) visit(child, isAround);
  };
  visit(root, false);
  return mutants;
}

/** True for code that runs when a function is called. Default values of parameters run when the module is loaded. */
function isInBody(node: Node): boolean {
  for (let ancestor = node; ancestor.parent; ancestor = ancestor.parent)
    if (ancestor.parent.type === 'function_definition')
      return ancestor.parent.childForFieldName('body')?.equals(ancestor) ?? false;
  return false;
}

/**
 * First and last line (1-based) of the statement that contains the node. Of a compound statement, only the part with
 * the node.
 */
function findStatementLines(node: Node): readonly [number, number] {
  let statement = node;
  for (
    ;
    statement.parent && statement.parent.type !== 'block' && statement.parent.type !== 'module';
    statement = statement.parent
  )
    if (COMPOUND_PATTERN.test(statement.parent.type) || /_clause$/.test(statement.parent.type)) break;
  const part =
    COMPOUND_PATTERN.test(statement.type) || /_clause$/.test(statement.type)
      ? (statement.childForFieldName('condition') ?? node)
      : statement;
  return [getFirstLine(part), getLastLine(part)];
}

function getFirstLine(node: Node): number {
  return node.startPosition.row + 1;
}

function getLastLine(node: Node): number {
  return node.endPosition.row + 1;
}

function findLineAt(text: string, offset: number): number {
  let line = 1;
  for (let index = text.indexOf('\n'); index >= 0 && index < offset; index = text.indexOf('\n', index + 1)) line += 1;
  return line;
}
