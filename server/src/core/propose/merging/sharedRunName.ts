// Names the function that replaces two equal runs of statements.

import { ts } from 'ts-morph';
import {
  collectCandidateNodes,
  type ExtractionCandidate,
  type FunctionWithBody,
} from '../extraction/extractionCandidates.ts';
import type { Flow } from '../extraction/dataFlow.ts';
import { findEffects } from '../extraction/nameFromEffects.ts';
import { readCalledName, joinInCamelCase, findLeftmostName, isMeaningful, isVerb } from '../extraction/nameWords.ts';
import { chooseName, type FunctionName } from '../extraction/naming.ts';
import type { Neighbours } from '../extraction/neighbours.ts';
import { splitIntoWords } from '../syntax/prose.ts';
import { collectAllNames } from './parameters.ts';
import { readFunctionName } from './copyContext.ts';
import { composeSharedName, composeVerbName } from './sharedName.ts';

/** The quality of a name that comes from the names of both functions, or word by word from a name in the code. */
export const COMMON_NAME_QUALITY = 4;

/** Both places of a pair of runs. */
interface NamedPair {
  readonly typedFile: ts.SourceFile;
  readonly neighbours: Neighbours;
  readonly outer: FunctionWithBody;
  readonly otherOuter: FunctionWithBody;
  readonly candidate: ExtractionCandidate;
  readonly otherCandidate: ExtractionCandidate;
  /** True if both runs consist of all statements of their functions. */
  readonly areWholeBodies: boolean;
}

/**
 * Chooses a name: for two whole functions, the common part of their names; otherwise a name for the first or second
 * place, or one that is only suitable for repeated code. Null if the code contains no meaningful name.
 */
export function chooseSharedName(
  { typedFile, candidate, otherCandidate, outer, otherOuter, areWholeBodies, neighbours }: NamedPair,
  flow: Flow,
  otherFlow: Flow,
): FunctionName | null {
  const [outerName, otherOuterName] = [readFunctionName(outer), readFunctionName(otherOuter)];
  const toNewName = (name: string | null): FunctionName | null =>
    name === null || collectAllNames([typedFile]).has(name)
      ? null
      : { name, quality: COMMON_NAME_QUALITY, isFromComment: false };
  if (areWholeBodies && outerName !== otherOuterName) {
    const noun = findPluralParameter(outer);
    return toNewName(
      composeSharedName(outerName, otherOuterName) ?? (noun && composeVerbName(outerName, otherOuterName, noun)),
    );
  }
  const name = chooseName(typedFile, candidate, flow, outerName, neighbours);
  const otherName = chooseName(typedFile, otherCandidate, otherFlow, otherOuterName, neighbours);
  return (
    // The comment above the second place would be lost, because the function is made from the first place.
    [name, otherName?.isFromComment ? null : otherName].find((each) => each && !isAbbreviated(each.name)) ??
    toNewName(nameFromAdjustedResult(candidate, flow)) ??
    toNewName(nameFromPurposeOfInput(candidate, flow)) ??
    (outer === otherOuter ? toNewName(nameFromRepeatedCall(candidate, flow, outerName)) : null)
  );
}

/** The name of the first parameter if it is a plural such as `orders`; otherwise null. */
function findPluralParameter({ parameters: [parameter] }: FunctionWithBody): string | null {
  const name = parameter?.name.getText() ?? '';
  return isMeaningful(name) && /[^s]s$/.test(name) ? name : null;
}

/**
 * Finds a name by a result that is adjusted: `resolveSpecConfig` for `const config = resolveConfig(…); config.spec.host
 * = …; config.spec.yaml = …`. Null unless the result comes from a call with the same noun, and every other effect
 * writes below one property of it.
 */
function nameFromAdjustedResult(candidate: ExtractionCandidate, { output }: Flow): string | null {
  if (!output?.declared) return null;
  const [first, ...otherStatements] = candidate.statements;
  const declaration = first && ts.isVariableStatement(first) ? first.declarationList.declarations[0] : undefined;
  const call = declaration?.initializer && skipAwait(declaration.initializer);
  if (!call || !ts.isCallExpression(call) || declaration.name.getText() !== output.name) return null;
  const [verb, ...noun] = splitIntoWords(readCalledName(call));
  if (!isVerb(verb) || noun.join(' ') !== splitIntoWords(output.name).join(' ')) return null;
  const effects = findEffects({ ...candidate, statements: otherStatements });
  const properties = new Set(effects.map((effect) => findPropertyBelow(effect, output.name)));
  const [property] = properties;
  return properties.size === 1 && property && isMeaningful(property) && effects.length > 1
    ? joinInCamelCase([verb!, ...splitIntoWords(property), ...noun])
    : null;
}

/**
 * Finds the property below which an effect writes: `spec` in `config.spec.host = …` for `config`. Null for other
 * effects, and for a write to `config.spec` itself.
 */
function findPropertyBelow(effect: ts.Expression, owner: string): string | null {
  if (!ts.isBinaryExpression(effect) || effect.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return null;
  let node = effect.left;
  let [depth, name]: [number, string | null] = [0, null];
  while (ts.isPropertyAccessExpression(node)) {
    [depth, name] = [depth + 1, node.name.text];
    node = node.expression;
  }
  return depth > 1 && ts.isIdentifier(node) && node.text === owner ? name : null;
}

/**
 * Finds a name by an input whose name states a purpose: `runMigrations` for `migrationsToRun` that is passed to
 * `runBatch`. Null unless exactly one input has such a name and a call with it in the run begins with its verb.
 */
function nameFromPurposeOfInput(candidate: ExtractionCandidate, { inputs, output }: Flow): string | null {
  if (output) return null;
  const purposes = inputs.flatMap(({ name }) => {
    const [, nouns = '', verb = ''] = /^([a-z]\w*)To([A-Z][a-z]+)$/.exec(name) ?? [];
    return nouns === '' || !isVerb(verb.toLowerCase()) ? [] : [{ name, things: nouns, verb: verb.toLowerCase() }];
  });
  const [purpose, ...otherPurposes] = purposes;
  if (!purpose || otherPurposes.length > 0) return null;
  const hasMatchingCall = collectCandidateNodes(candidate).some(
    (node) =>
      ts.isCallExpression(node) &&
      splitIntoWords(readCalledName(node))[0] === purpose.verb &&
      node.arguments.some((argument) => ts.isIdentifier(argument) && argument.text === purpose.name),
  );
  return hasMatchingCall ? joinInCamelCase([purpose.verb, ...splitIntoWords(purpose.things)]) : null;
}

/**
 * Finds a name by a method that is called repeatedly: `pushAutolink` for two branches of `autolink` that call
 * `state.push` three times or more. Null if the name of the function is not a noun, or if another call is as frequent.
 */
function nameFromRepeatedCall(candidate: ExtractionCandidate, { output }: Flow, outerName: string): string | null {
  const noun = splitIntoWords(outerName.replace(/^[#_]+/, ''));
  if (output || !isMeaningful(outerName) || noun.length === 0 || isVerb(noun[0])) return null;
  const counts = new Map<string, number>();
  for (const node of collectCandidateNodes(candidate)) {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) continue;
    const key = `${findLeftmostName(node)} ${node.expression.expression.getText()}.${readCalledName(node)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [mostFrequent, secondMostFrequent] = [...counts].sort(([, a], [, b]) => b - a);
  if (!mostFrequent || mostFrequent[1] < 3 || mostFrequent[1] === secondMostFrequent?.[1]) return null;
  const [verb, ...otherWords] = splitIntoWords(mostFrequent[0].split('.').at(-1)!);
  return otherWords.length === 0 && isVerb(verb) ? joinInCamelCase([verb!, ...noun]) : null;
}

function skipAwait(expression: ts.Expression): ts.Expression {
  return ts.isAwaitExpression(expression) ? skipAwait(expression.expression) : expression;
}

/** True if a word of the name contains no vowel, as in `createLbl`. */
function isAbbreviated(name: string): boolean {
  return splitIntoWords(name).some((word) => word.length > 1 && !/[aeiouy]/.test(word));
}
