// Finds comparisons whose limit has moved. Equal results of generated inputs are weak evidence for them, because the
// old and the new code differ only at or near the limit.

import { ts } from 'ts-morph';

const SyntaxKind = ts.SyntaxKind;
const printer = ts.createPrinter({ removeComments: true });

/** A comparison `smaller < larger` or `smaller <= larger`. */
interface Comparison {
  readonly shown: string;
  readonly smaller: string;
  readonly larger: string;
  readonly isStrict: boolean;
}

/**
 * A sentence for each comparison of the old code that the new code makes with other strictness (`>=` for `>`), or with
 * another number. Omits comparisons that occur equally often in both texts. Both texts are JavaScript.
 */
export function findMovedLimits(before: string, after: string): readonly string[] {
  const [removed, added] = findDifference(collectComparisons(before), collectComparisons(after));
  return removed.flatMap((oldComparison) => {
    const newComparison = added.find((candidate) => isMoved(oldComparison, candidate));
    if (!newComparison) return [];
    const where =
      oldComparison.isStrict === newComparison.isStrict ? 'between these numbers' : 'where both sides are equal';
    return [
      `\`${oldComparison.shown}\` became \`${newComparison.shown}\`: that makes a difference only ${where}, and no input is known to have been there.`,
    ];
  });
}

/** True if both comparisons differ only in strictness, or only in a number on one side. */
function isMoved(oldComparison: Comparison, newComparison: Comparison): boolean {
  const isSameSmaller = oldComparison.smaller === newComparison.smaller;
  const isSameLarger = oldComparison.larger === newComparison.larger;
  if (oldComparison.isStrict !== newComparison.isStrict) return isSameSmaller && isSameLarger;
  return (
    (isSameSmaller && isNumber(oldComparison.larger) && isNumber(newComparison.larger)) ||
    (isSameLarger && isNumber(oldComparison.smaller) && isNumber(newComparison.smaller))
  );
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

/**
 * The comparisons that occur only in the first array, and those that occur only in the second. Repetitions count
 * separately.
 */
function findDifference(
  oldComparison: readonly Comparison[],
  newComparison: readonly Comparison[],
): readonly [readonly Comparison[], readonly Comparison[]] {
  const unmatched = [...newComparison];
  const onlyOld = oldComparison.filter((comparison) => {
    const index = unmatched.findIndex((candidate) => createKey(candidate) === createKey(comparison));
    if (index >= 0) unmatched.splice(index, 1);
    return index < 0;
  });
  return [onlyOld, unmatched];
}

const createKey = ({ smaller, larger, isStrict }: Comparison): string => JSON.stringify([smaller, larger, isStrict]);

function collectComparisons(code: string): readonly Comparison[] {
  const sourceFile = ts.createSourceFile('emitted.jsx', code, ts.ScriptTarget.Latest, false, ts.ScriptKind.JSX);
  const comparisons: Comparison[] = [];
  const print = (node: ts.Node): string => printer.printNode(ts.EmitHint.Unspecified, node, sourceFile);
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const isAscending = kind === SyntaxKind.LessThanToken || kind === SyntaxKind.LessThanEqualsToken;
      if (isAscending || kind === SyntaxKind.GreaterThanToken || kind === SyntaxKind.GreaterThanEqualsToken) {
        const [left, right] = [print(node.left), print(node.right)];
        comparisons.push({
          shown: print(node),
          smaller: isAscending ? left : right,
          larger: isAscending ? right : left,
          isStrict: kind === SyntaxKind.LessThanToken || kind === SyntaxKind.GreaterThanToken,
        });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return comparisons;
}
