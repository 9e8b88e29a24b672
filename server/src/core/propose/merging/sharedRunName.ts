// Names the function that replaces two equal runs of statements.

import { ts } from 'ts-morph';
import {
  collectCutNodes,
  type ExtractionCandidate,
  type FunctionWithBody,
} from '../extraction/extractionCandidates.ts';
import type { Flow } from '../extraction/dataFlow.ts';
import { findEffects } from '../extraction/nameFromEffects.ts';
import { calledNameOf, joinInCamelCase, findLeftmostName, isMeaningful, isVerb } from '../extraction/nameWords.ts';
import { chooseName, type Name } from '../extraction/naming.ts';
import type { Neighbours } from '../extraction/neighbours.ts';
import { wordsInProse } from '../syntax/prose.ts';
import { collectAllNames } from './parameters.ts';
import { nameText } from './copyContext.ts';
import { composeSharedName, composeVerbName } from './sharedName.ts';

/** The quality of a name that comes from the names of both functions, or word by word from a name in the code. */
export const COMMON_TRUST = 4;

/** Both places of a pair of runs. */
interface NamedPair {
  readonly typed: ts.SourceFile;
  readonly neighbours: Neighbours;
  readonly outer: FunctionWithBody;
  readonly otherOuter: FunctionWithBody;
  readonly candidate: ExtractionCandidate;
  readonly otherCandidate: ExtractionCandidate;
  /** True if both runs consist of all statements of their functions. */
  readonly areWhole: boolean;
}

/**
 * Chooses a name: for two whole functions, the common part of their names; otherwise a name for the first or second
 * place, or one that is only suitable for repeated code. Null if the code contains no meaningful name.
 */
export function chooseSharedName(
  { typed, candidate, otherCandidate, outer, otherOuter, areWhole, neighbours }: NamedPair,
  flow: Flow,
  otherFlow: Flow,
): Name | null {
  const [outerName, otherOuterName] = [nameText(outer), nameText(otherOuter)];
  const named = (name: string | null): Name | null =>
    name === null || collectAllNames([typed]).has(name) ? null : { name, trust: COMMON_TRUST, fromComment: false };
  if (areWhole && outerName !== otherOuterName) {
    const noun = findHandledThings(outer);
    return named(
      composeSharedName(outerName, otherOuterName) ?? (noun && composeVerbName(outerName, otherOuterName, noun)),
    );
  }
  const name = chooseName(typed, candidate, flow, outerName, neighbours);
  const otherName = chooseName(typed, otherCandidate, otherFlow, otherOuterName, neighbours);
  return (
    // The comment above the second place would be lost, because the function is made from the first place.
    [name, otherName?.fromComment ? null : otherName].find((each) => each && !isAbbreviated(each.name)) ??
    named(nameFromAdjustedResult(candidate, flow)) ??
    named(nameFromPurposeOfInput(candidate, flow)) ??
    (outer === otherOuter ? named(nameFromRepeatedCall(candidate, flow, outerName)) : null)
  );
}

/** The name of the first parameter if it is a plural such as `orders`; otherwise null. */
function findHandledThings({ parameters: [parameter] }: FunctionWithBody): string | null {
  const name = parameter?.name.getText() ?? '';
  return isMeaningful(name) && /[^s]s$/.test(name) ? name : null;
}

/**
 * A name by a result that is adjusted: `resolveSpecConfig` for `const config = resolveConfig(…); config.spec.host = …;
 * config.spec.yaml = …`. Null unless the result comes from a call with the same noun, and every other effect writes
 * below one property of it.
 */
function nameFromAdjustedResult(cut: ExtractionCandidate, { output }: Flow): string | null {
  if (!output?.declared) return null;
  const [first, ...otherStatements] = cut.statements;
  const declaration = first && ts.isVariableStatement(first) ? first.declarationList.declarations[0] : undefined;
  const call = declaration?.initializer && skipAwait(declaration.initializer);
  if (!call || !ts.isCallExpression(call) || declaration.name.getText() !== output.name) return null;
  const [verb, ...noun] = wordsInProse(calledNameOf(call));
  if (!isVerb(verb) || noun.join(' ') !== wordsInProse(output.name).join(' ')) return null;
  const effects = findEffects({ ...cut, statements: otherStatements });
  const properties = new Set(effects.map((effect) => findPropertyBelow(effect, output.name)));
  const [property] = properties;
  return properties.size === 1 && property && isMeaningful(property) && effects.length > 1
    ? joinInCamelCase([verb!, ...wordsInProse(property), ...noun])
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
 * A name by an input whose name states a purpose: `runMigrations` for `migrationsToRun` that is passed to `runBatch`.
 * Null unless exactly one input has such a name and a call with it in the run begins with its verb.
 */
function nameFromPurposeOfInput(cut: ExtractionCandidate, { inputs, output }: Flow): string | null {
  if (output) return null;
  const purposes = inputs.flatMap(({ name }) => {
    const [, things = '', verb = ''] = /^([a-z]\w*)To([A-Z][a-z]+)$/.exec(name) ?? [];
    return things === '' || !isVerb(verb.toLowerCase()) ? [] : [{ name, things, verb: verb.toLowerCase() }];
  });
  const [purpose, ...otherPurposes] = purposes;
  if (!purpose || otherPurposes.length > 0) return null;
  const isMet = collectCutNodes(cut).some(
    (node) =>
      ts.isCallExpression(node) &&
      wordsInProse(calledNameOf(node))[0] === purpose.verb &&
      node.arguments.some((argument) => ts.isIdentifier(argument) && argument.text === purpose.name),
  );
  return isMet ? joinInCamelCase([purpose.verb, ...wordsInProse(purpose.things)]) : null;
}

/**
 * A name by a method that is called repeatedly: `pushAutolink` for two branches of `autolink` that call `state.push`
 * three times or more. Null if the name of the function is not a noun, or if another call is as frequent.
 */
function nameFromRepeatedCall(cut: ExtractionCandidate, { output }: Flow, outerName: string): string | null {
  const noun = wordsInProse(outerName.replace(/^[#_]+/, ''));
  if (output || !isMeaningful(outerName) || noun.length === 0 || isVerb(noun[0])) return null;
  const counts = new Map<string, number>();
  for (const node of collectCutNodes(cut)) {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) continue;
    const key = `${findLeftmostName(node)} ${node.expression.expression.getText()}.${calledNameOf(node)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [commonest, next] = [...counts].sort(([, a], [, b]) => b - a);
  if (!commonest || commonest[1] < 3 || commonest[1] === next?.[1]) return null;
  const [verb, ...otherWords] = wordsInProse(commonest[0].split('.').at(-1)!);
  return otherWords.length === 0 && isVerb(verb) ? joinInCamelCase([verb!, ...noun]) : null;
}

function skipAwait(expression: ts.Expression): ts.Expression {
  return ts.isAwaitExpression(expression) ? skipAwait(expression.expression) : expression;
}

/** True if a word of the name contains no vowel, as in `createLbl`. */
function isAbbreviated(name: string): boolean {
  return wordsInProse(name).some((word) => word.length > 1 && !/[aeiouy]/.test(word));
}
