// Finds the mutants of a change of Go code: those in touched lines, and those in the functions around them.

import type { Node } from 'web-tree-sitter';
import type { FileEdit } from '../../../model.ts';
import { looksGenerated } from '../../../paths/generated.ts';
import { findParsedMutants, isAnyTouched, type TreeParser } from '../parsedMutants.ts';
import type { FoundMutant } from '../planMutants.ts';
import { isTouched, formatMutantChange } from '../touchedLines.ts';
import { isUnmutatedGoNode, findGoReplacements } from './mutators.ts';
import type { GoMutantLocation } from './goMutationOrder.ts';

/** Matches files whose mutants `go test` can judge. */
export const GO_FILE = /\.go$/;

const FUNCTION_PATTERN = /^(?:function_declaration|method_declaration|func_literal)$/;

/**
 * The mutants of these edits. `isTest`: true for an edit of a test, which gets no mutants. Generated files and copies
 * of other projects get none either. Throws the errors of parsing.
 */
export function findGoMutants(
  parser: TreeParser<'go'>,
  edits: readonly FileEdit[],
  isTest: (edit: FileEdit) => boolean,
): Promise<readonly FoundMutant[]> {
  const isWanted: Parameters<typeof findParsedMutants>[3] = (edit) =>
    GO_FILE.test(edit.path) && !isTest(edit) && !looksGenerated(edit.path, edit.after);
  return findParsedMutants(parser, 'go', edits, isWanted, collectMutants);
}

function collectMutants(path: string, root: Node, text: string, touched: ReadonlySet<number>): FoundMutant[] {
  const mutants: FoundMutant[] = [];
  const lineAt = createLineFinder(text);
  const visit = (node: Node, isInside: boolean, body: Node | null, enclosing: Node | null): void => {
    if (isUnmutatedGoNode(node)) return;
    const isFunction = FUNCTION_PATTERN.test(node.type);
    const isAround =
      isInside || (isFunction && isAnyTouched(touched, node.startPosition.row + 1, node.endPosition.row + 1));
    for (const { shown, ...replacement } of findGoReplacements(node)) {
      const firstLine = lineAt(replacement.start);
      const goLocation = body && findGoLocation(body, node);
      if (!isAround && !touched.has(firstLine)) continue;
      mutants.push({
        ...replacement,
        path,
        line: firstLine,
        touched: isTouched(touched, firstLine, lineAt(replacement.end)),
        shown: formatMutantChange(
          text.slice(replacement.start, replacement.end),
          shown ?? toReadableText(replacement.text),
        ),
        probe: null,
        ...(enclosing ? { within: [enclosing.startIndex, enclosing.endIndex] as const } : {}),
        ...(goLocation ? { go: goLocation } : {}),
      });
    }
    for (const child of node.namedChildren)
      visit(
        child,
        isAround,
        body ?? (isFunction ? node.childForFieldName('body') : null),
        isFunction ? node : enclosing,
      );
  };
  visit(root, false, null, null);
  return mutants;
}

/** The replacement for a person: empty for a removed statement. */
function toReadableText(text: string): string {
  return text.startsWith('if false {') ? '' : text;
}

/**
 * The body of the outermost function around the node, and the statement that runs if the node is reached. Null for a
 * node outside of the body.
 */
function findGoLocation(body: Node, node: Node): GoMutantLocation | null {
  // Outside of its body, a Go function only has types; there are no default values.
  if (node.startIndex < body.startIndex || node.endIndex > body.endIndex) return null;
  const results = body.parent?.childForFieldName('result') ?? null;
  return {
    body: [body.startIndex + 1, body.endIndex - 1],
    probe: findProbeOffset(node, body),
    returns: results !== null && results.text !== '()',
    labels: body
      .descendantsOfType('label_name')
      .flatMap((label) => (label ? [[label.startIndex, label.endIndex] as const] : [])),
  };
}

/** The start of the innermost statement of a list that contains the node; the start of the body if there is none. */
function findProbeOffset(node: Node, body: Node): number {
  for (let ancestor = node; ancestor.parent && ancestor.id !== body.id; ancestor = ancestor.parent)
    if (ancestor.parent.type === 'statement_list') return ancestor.startIndex;
  return body.startIndex + 1;
}

/** Creates a function that returns the 1-based line of an offset. */
function createLineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) starts.push(index + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
