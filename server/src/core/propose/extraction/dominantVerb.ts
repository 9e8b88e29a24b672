// Finds the verb that most calls in a run of statements have in common.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import { splitIntoWords } from '../syntax/prose.ts';
import { readCalledName, isVerb } from './nameWords.ts';

/**
 * Finds the verb with which the names of most called functions begin: more than half of the expression statements in
 * `nodes`, except logging, are such calls, and at least one of them mentions `subject`. The other words of each name
 * must be words of `nounWords`, in singular or plural. Methods such as `push` do not count. Null if there is no such verb.
 */
export function findDominantVerb(
  nodes: readonly ts.Node[],
  subject: string,
  nounWords: readonly string[],
): string | null {
  const counts = new Map<string, number>();
  const verbsWithSubject = new Set<string>();
  const statements = nodes.flatMap((node) => [node, ...collectDescendants(node)]).filter(ts.isExpressionStatement);
  for (const { expression } of statements) {
    const call = ts.isAwaitExpression(expression) ? expression.expression : expression;
    if (!ts.isCallExpression(call)) continue;
    const name = readCalledName(call);
    const [verb, ...object] = splitIntoWords(name);
    // For example, `dropIndices(column)` does not drop a column.
    if (!isVerb(verb) || !object.every((word) => nounWords.some((nounWord) => isSameNoun(word, nounWord)))) continue;
    // Names of methods of lists and strings do not show the purpose of the code.
    if (
      /^(push|get|set|map|filter|find|join|split|slice|test|match|replace|trim|log|sort|fill|some|every|includes|add|delete)$/.test(
        name,
      )
    )
      continue;
    counts.set(verb, (counts.get(verb) ?? 0) + 1);
    if ([call.expression, ...call.arguments].some((part) => part.getText().split(/\W+/).includes(subject)))
      verbsWithSubject.add(verb);
  }
  const [bestVerb] = [...counts].filter(([verb]) => verbsWithSubject.has(verb)).sort(([, a], [, b]) => b - a);
  return bestVerb && bestVerb[1] * 2 > statements.filter(({ expression }) => !isLogging(expression)).length
    ? bestVerb[0]
    : null;
}

/** True for code that begins with the usual name of a logger. */
function isLogging(expression: ts.Expression): boolean {
  return /^(console|debug|log|logger)\b/.test(expression.getText());
}

/** True for equal words, also if one of them has an additional `s` at its end. */
function isSameNoun(a: string, b: string): boolean {
  return a === b || `${a}s` === b || a === `${b}s`;
}
