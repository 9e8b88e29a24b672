// Finds names for runs of statements without a result, by the variable that they write to or by the values that they
// reject.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import { splitIntoWords } from '../syntax/prose.ts';
import { collectCandidateNodes, type ExtractionCandidate } from './extractionCandidates.ts';
import type { Flow } from './dataFlow.ts';
import type { Neighbours } from './neighbours.ts';
import { readCalledName, joinInCamelCase, isMeaningful, toNoun, findLeftmostName } from './nameWords.ts';
import { listBoundNames } from '../../syntax/names.ts';

/** Verbs for checks. */
const CHECKING_VERBS = ['validate', 'check', 'assert', 'verify', 'ensure'];
/** Matches methods that add something to their object. */
const GROW_PATTERN = /^(push|unshift|add|set|append)$/;
/** Matches the methods of `GROW_PATTERN` whose names are specific enough to be the verb of the new name. */
const SPECIFIC_GROW_PATTERN = /^(add|set|append)$/;
/** Verbs for adding elements to a list. */
const COLLECTING_VERBS = ['collect', 'gather', 'add'];
/** Verbs for setting several properties of an object. */
const FILLING_VERBS = ['populate', 'fill', 'update', 'apply'];
/** Verbs for setting one property of an object. */
const SETTING_VERBS = ['set', 'update'];

/**
 * Finds a name for statements that only throw if a check fails, such as `validateToken`. The verb is that of
 * neighbouring functions without a result. Null if the statements have a result or other effects, or if no noun or verb
 * is found.
 */
export function nameFromChecks(
  candidate: ExtractionCandidate,
  flow: Pick<Flow, 'output' | 'inputs' | 'returns'>,
  neighbours: Neighbours,
): string | null {
  if (
    flow.output ||
    flow.returns ||
    findEffects(candidate).length > 0 ||
    !collectCandidateNodes(candidate).some(ts.isThrowStatement)
  )
    return null;
  const tests = collectCandidateNodes(candidate).flatMap((node) => (ts.isIfStatement(node) ? [node.expression] : []));
  const nounWords = findSubject(tests, flow);
  const verb = nounWords && neighbours.findVerbFor('nothing', CHECKING_VERBS);
  return verb ? joinInCamelCase([verb, ...nounWords]) : null;
}

/**
 * Finds a name by the only variable to which the statements write: `collectErrors` for `errors.push(…)`,
 * `populateStyle` for `style.a = …; style.b = …`, `setStyleColor` for one property. The verb comes from the calls
 * (`add`, `set`, `append`) or from neighbouring functions without a result. Null if the statements return a value or
 * write to several variables, or if no verb is found.
 */
export function nameFromTarget(
  candidate: ExtractionCandidate,
  flow: Pick<Flow, 'output' | 'inputs' | 'returns'>,
  neighbours: Neighbours,
): string | null {
  if (flow.output || flow.returns?.value) return null;
  const effects = findEffects(candidate);
  const targetPaths = new Set(effects.map(findTargetPath));
  const [targetPath] = targetPaths;
  if (effects.length === 0 || targetPaths.size !== 1 || !targetPath) return null;
  const words = splitIntoWords(targetPath.split('.').at(-1) ?? '');
  if (!isMeaningful(targetPath.split('.').at(-1) ?? '') || !words.every((word) => /^[a-z][a-z0-9]*$/.test(word)))
    return null;
  const calls = effects.flatMap((effect) => (ts.isCallExpression(effect) ? [readCalledName(effect)] : []));
  if (calls.length === effects.length) {
    const verb = calls.every((method) => GROW_PATTERN.test(method)) ? findGrowingVerb(calls, neighbours) : null;
    return verb && joinInCamelCase([verb, ...words]);
  }
  if (!effects.every((effect) => ts.isBinaryExpression(effect))) return null;
  const properties = new Set(
    effects.map((effect) =>
      ts.isBinaryExpression(effect) && ts.isPropertyAccessExpression(effect.left) ? effect.left.name.text : '',
    ),
  );
  const [property = ''] = properties;
  const verb = neighbours.findVerbFor('nothing', properties.size > 1 ? FILLING_VERBS : SETTING_VERBS);
  if (!verb || properties.size > 1) return verb && joinInCamelCase([verb, ...words]);
  return isMeaningful(property) ? joinInCamelCase([verb, ...words, ...splitIntoWords(property)]) : null;
}

/**
 * Finds the verb of calls that add something: the name of the method if all calls have the same one and it is specific
 * enough; otherwise a verb of neighbouring functions.
 */
function findGrowingVerb(calls: readonly string[], neighbours: Neighbours): string | null {
  const [method = '', ...otherCalls] = new Set(calls);
  if (otherCalls.length === 0 && SPECIFIC_GROW_PATTERN.test(method)) return method;
  return neighbours.findVerbFor('nothing', COLLECTING_VERBS);
}

/**
 * Finds the expression statements of the run whose effects are visible outside: their leftmost name is neither declared
 * in the run nor `output`. They are returned without `await`.
 */
export function findEffects(candidate: ExtractionCandidate, output: string | null = null): ts.Expression[] {
  const nodes = collectCandidateNodes(candidate);
  const declaredNames = new Set([
    output,
    ...nodes.flatMap((node) => (ts.isVariableDeclaration(node) ? listBoundNames(node.name) : [])),
  ]);
  return nodes.flatMap((node) =>
    ts.isExpressionStatement(node) && !declaredNames.has(findLeftmostName(node.expression))
      ? [skipAwait(node.expression)]
      : [],
  );
}

/**
 * The words of the input that the conditions mention most often; null on a draw, or if they mention none. Errors are
 * not counted.
 */
function findSubject(tests: readonly ts.Expression[], { inputs }: Pick<Flow, 'inputs'>): readonly string[] | null {
  const counts = new Map<string, number>();
  for (const test of tests)
    for (const node of [test, ...collectDescendants(test)])
      if (ts.isIdentifier(node) && inputs.some(({ name }) => name === node.text) && !/err(or)?s?$/i.test(node.text))
        counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
  const [bestName, secondName] = [...counts].sort(([, a], [, b]) => b - a);
  if (!bestName || bestName[1] === secondName?.[1]) return null;
  const input = inputs.find(({ name }) => name === bestName[0]);
  return input ? toNoun(input.firstReference) : null;
}

/**
 * Finds the object of an effect: `headers` in `headers.set(…)`, `this.routes` in `this.routes.push(…)`; empty if the
 * effect has none of these forms.
 */
function findTargetPath(effect: ts.Expression): string {
  if (ts.isBinaryExpression(effect))
    return ts.isPropertyAccessExpression(effect.left) || ts.isElementAccessExpression(effect.left)
      ? readPath(effect.left.expression)
      : '';
  return ts.isCallExpression(effect) && ts.isPropertyAccessExpression(effect.expression)
    ? readPath(effect.expression.expression)
    : '';
}

/** The name or `this.name` in an expression; empty for other expressions. */
function readPath(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) && expression.expression.kind === ts.SyntaxKind.ThisKeyword
    ? `this.${expression.name.text}`
    : '';
}

function skipAwait(expression: ts.Expression): ts.Expression {
  return ts.isAwaitExpression(expression) || ts.isParenthesizedExpression(expression)
    ? skipAwait(expression.expression)
    : expression;
}
