// Names an extracted function after the value that its statements compute, such as `computeTotal`.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import { splitIntoWords } from '../syntax/prose.ts';
import { collectCandidateNodes, type ExtractionCandidate } from './extractionCandidates.ts';
import type { Flow } from './dataFlow.ts';
import { findEffects } from './nameFromEffects.ts';
import { readCalledName, joinInCamelCase, isMeaningful, isVerb } from './nameWords.ts';
import { classifyExpression, type ValueKind, type Neighbours } from './neighbours.ts';
import { isMutated } from './writtenInputs.ts';
import { listBoundNames } from '../../syntax/names.ts';

/** Matches the first words of names of booleans. */
const PREDICATE_WORD_PATTERN = /^(is|has|can|should|needs|was|will|allows?)$/;
/** Matches verbs that do not show the purpose: methods of arrays and strings, and `get`. */
const VAGUE_VERB_PATTERN = /^(get|push|map|filter|join|split|slice|match|replace|trim|sort)$/;
/** Verbs for creating a value of each kind. The neighbouring functions decide which of them is used. */
const VERBS_BY_KIND: Readonly<Record<ValueKind, readonly string[]>> = {
  list: ['collect', 'gather', 'list', 'build', 'make', 'create', 'find'],
  table: ['build', 'make', 'create', 'collect', 'gather', 'index', 'group'],
  object: ['build', 'make', 'create', 'collect', 'gather', 'assemble'],
  text: ['build', 'make', 'create', 'format', 'compose', 'describe'],
  number: ['compute', 'calculate', 'count', 'sum', 'measure'],
  answer: ['check'],
  value: ['resolve', 'get', 'find', 'determine', 'compute', 'derive'],
  nothing: [],
};

/**
 * Finds a name such as `computeTotal` for `const total = …`, if neighbouring functions that return a number begin with
 * `compute`. Null if the name would mislead: the statements compute no value or have other effects, the name of the
 * value is vague or begins with a verb, or no verb fits.
 */
export function nameFromOutput(
  candidate: ExtractionCandidate,
  { output }: Pick<Flow, 'output'>,
  neighbours: Neighbours,
): string | null {
  if (!output || !isMeaningful(output.name)) return null;
  const words = splitIntoWords(output.name);
  const [first] = words;
  // A name that describes only the value would hide other effects.
  if (findEffects(candidate, output.name).length > 0 || !everyStatementContributesTo(candidate, output.name))
    return null;
  const isBoolean = first !== undefined && PREDICATE_WORD_PATTERN.test(first);
  if (!isBoolean && isVerb(first) && words.length > 1) return null;
  const verb = isBoolean
    ? neighbours.findVerbFor('answer', VERBS_BY_KIND.answer)
    : chooseVerb(candidate, output, neighbours);
  return verb && joinInCamelCase([verb, ...words]);
}

/** True if every statement mentions the value, or computes something for a statement that does. */
function everyStatementContributesTo(candidate: ExtractionCandidate, output: string): boolean {
  const declaredNames = new Set(
    collectCandidateNodes(candidate).flatMap((node) =>
      ts.isVariableDeclaration(node) ? listBoundNames(node.name) : [],
    ),
  );
  const neededNames = new Set([output]);
  for (const statement of candidate.statements.toReversed()) {
    const names = [statement, ...collectDescendants(statement)].flatMap((node) =>
      ts.isIdentifier(node) ? [node.text] : [],
    );
    if (!names.some((name) => neededNames.has(name))) return false;
    for (const name of names) if (declaredNames.has(name)) neededNames.add(name);
  }
  return true;
}

/**
 * Chooses the verb: that of the call that computes the value, otherwise a fitting verb of neighbouring functions. Null
 * if there is none.
 */
function chooseVerb(
  candidate: ExtractionCandidate,
  output: { readonly name: string; readonly declared: boolean },
  neighbours: Neighbours,
): string | null {
  // Changing an existing value does not show a purpose, unless the change initialises it.
  if (!output.declared)
    return onlyInitialises(candidate, output.name) ? neighbours.findVerbFor(null, ['ensure']) : null;
  const declaration = collectCandidateNodes(candidate).find(
    (node): node is ts.VariableDeclaration =>
      ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === output.name,
  );
  const value = declaration?.initializer;
  const kind = classifyExpression(value);
  // A literal or a new collection is created to be filled. A value that a call has returned and that is changed
  // afterwards no longer fits the verb of that call.
  if (kind === 'value' && isMutated(candidate, output.name)) return null;
  const verbs = VERBS_BY_KIND[kind].filter((verb) => verb !== 'find' || hasSearch(candidate));
  return (value && findCalledVerb(value)) ?? neighbours.findVerbFor(kind, verbs);
}

/** True if the statements contain a loop, or a call whose name begins with `find` or `search`. */
function hasSearch(candidate: ExtractionCandidate): boolean {
  return collectCandidateNodes(candidate).some(
    (node) =>
      ts.isIterationStatement(node, false) ||
      (ts.isCallExpression(node) && /^(find|search)/.test(readCalledName(node))),
  );
}

/** The first word of the called function whose result is the value; null if it is vague or not a verb. */
function findCalledVerb(value: ts.Expression): string | null {
  const call = ts.isAwaitExpression(value) ? value.expression : value;
  const [calledVerb] = ts.isCallExpression(call) ? splitIntoWords(readCalledName(call)) : [];
  return isVerb(calledVerb) && !VAGUE_VERB_PATTERN.test(calledVerb) ? calledVerb : null;
}

/**
 * True if the only statement initialises the value: `if (!cache) …` or `if (cache === undefined) …`, also with `null`
 * or `==`, without `else`.
 */
function onlyInitialises({ statements }: ExtractionCandidate, output: string): boolean {
  const [onlyStatement, ...otherStatements] = statements;
  if (!onlyStatement || otherStatements.length > 0 || !ts.isIfStatement(onlyStatement) || onlyStatement.elseStatement)
    return false;
  const condition = onlyStatement.expression;
  return ts.isPrefixUnaryExpression(condition)
    ? condition.operand.getText() === output
    : ts.isBinaryExpression(condition) &&
        condition.left.getText() === output &&
        /^===?$/.test(condition.operatorToken.getText()) &&
        /^(undefined|null)$/.test(condition.right.getText());
}
