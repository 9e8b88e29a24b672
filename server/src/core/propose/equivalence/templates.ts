// Equivalence of strings: a template in place of strings that are joined by `+`, if both convert every value alike.

import { ts } from 'ts-morph';
import { parseConcatenation, isStringNode } from '../../syntax/concatenation.ts';
import type { NodeEquivalence, EquivalenceProof } from './equivalence.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

/** A literal piece of the string, or an expression whose value is inserted. */
type Piece = string | ts.Expression;

/** Accepts `` `${a} and b` `` in place of `a + ' and b'`. */
export const concatenation: NodeEquivalence = (oldNode, changedNode, proof) => {
  if (!ts.isTemplateExpression(changedNode) || ts.isTaggedTemplateExpression(changedNode.parent)) return false;
  const { types } = proof;
  if (!types || !parseConcatenation(oldNode)) return false;
  const concatenation = parseConcatenation(oldNode, (part) => types.isString(part));
  if (!concatenation?.parts.every((part) => isStringNode(part) || types.isPlain(part))) return false;
  return areSamePieces(
    joinPieces(concatenation.parts.flatMap(collectPieces)),
    joinPieces(collectPieces(changedNode)),
    proof,
  );
};

/** True if both strings have the same literal pieces and equivalent expressions, in the same order. */
function areSamePieces(oldPieces: readonly Piece[], changedPieces: readonly Piece[], proof: EquivalenceProof): boolean {
  return (
    oldPieces.length === changedPieces.length &&
    oldPieces.every((piece, index) => {
      const counterpart = changedPieces[index]!;
      return typeof piece === 'string' || typeof counterpart === 'string'
        ? piece === counterpart
        : proof.isSame(piece, counterpart);
    })
  );
}

/** Splits an operand into its literal pieces and expressions. */
function collectPieces(part: ts.Expression): Piece[] {
  const inner = skipParentheses(part);
  if (ts.isStringLiteralLike(inner)) return [inner.text];
  if (!ts.isTemplateExpression(inner)) return [inner];
  return [
    inner.head.text,
    ...inner.templateSpans.flatMap(({ expression, literal }): Piece[] => [expression, literal.text]),
  ];
}

/** Joins adjacent literal pieces and drops empty ones. */
function joinPieces(pieces: readonly Piece[]): Piece[] {
  const joinedPieces: Piece[] = [];
  for (const piece of pieces) {
    const lastPiece = joinedPieces.at(-1);
    if (typeof piece === 'string' && typeof lastPiece === 'string')
      joinedPieces[joinedPieces.length - 1] = lastPiece + piece;
    else if (piece !== '') joinedPieces.push(piece);
  }
  return joinedPieces;
}
