// Finds the places in a file that match the pattern of a shape, and rewrites them. A shape is a pattern together with
// its replacement.

import { ts } from 'ts-morph';
import { createOriginLookup } from '../../syntax/nameOrigins.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { applyReplacements, type Replacement } from '../textEdit.ts';
import { createReplacement } from './createReplacement.ts';
import { findMissingNames, explainRefusal } from './rewritablePlace.ts';
import { matchesShape, parseShape, type Holes, type ParsedShape, type ShapeText } from './shape.ts';

/** A place that can be rewritten. */
export interface ShapePlace {
  readonly node: ts.Expression;
  readonly replacement: Replacement;
  /** Names that must be imported for the replacement, with their origins. */
  readonly missingImports: ReadonlyMap<string, string>;
}

/**
 * The places in the order of the text; none is inside another one. `refused`: the reasons why other matching places
 * must not be rewritten.
 */
export interface ShapePlaces {
  readonly places: readonly ShapePlace[];
  readonly refused: readonly string[];
  readonly shape: ParsedShape;
}

/** Maximum number of levels between a place and an earlier replacement that contains it. */
const MAX_DEPTH = 4;

/** Finds the places of a shape in a parsed file. Refuses if the text is not a shape. `path`: relative to the root. */
export function findShapePlaces(
  shapeText: ShapeText,
  path: string,
  sourceFile: ts.SourceFile,
): ShapePlaces | { readonly refused: string } {
  const shape = parseShape(path, shapeText);
  if ('refused' in shape) return shape;
  const origins = createOriginLookup(path, sourceFile);
  const places: ShapePlace[] = [];
  const refused: string[] = [];
  // A shape such as `f($a)` → `await f($a)` or `$a.req` → `$a.node.req` would match its own result again.
  const replacementContainsPattern = [shape.replacement, ...collectDescendants(shape.replacement)].some((node) =>
    matchesShape(shape.pattern, node, new Map()),
  );
  const visit = (node: ts.Node): void => {
    const holes: Holes = new Map();
    if (
      matchesShape(shape.pattern, node, holes, shape.holeKinds) &&
      !(replacementContainsPattern && isReplacedAlready(node, shape))
    ) {
      const expression = node as ts.Expression;
      const reason = explainRefusal(expression, holes, shape, origins);
      if (reason === null)
        places.push({
          node: expression,
          replacement: createReplacement(expression, shape.replacement, holes, sourceFile),
          missingImports: findMissingNames(expression, shape, origins),
        });
      else refused.push(reason);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return { places, refused, shape };
}

/** Rewrites these places in the text. */
export function rewritePlaces(text: string, places: readonly ShapePlace[]): string {
  return applyReplacements(
    text,
    places.map(({ replacement }) => replacement),
  );
}

/** True for a node that looks like the replacement, or that is inside code that does. */
function isReplacedAlready(node: ts.Node, { replacement }: ParsedShape): boolean {
  let ancestor = node;
  for (let depth = 0; ancestor && depth <= MAX_DEPTH; depth++) {
    if (matchesShape(replacement, ancestor, new Map())) return true;
    ancestor = ancestor.parent;
  }
  return false;
}
