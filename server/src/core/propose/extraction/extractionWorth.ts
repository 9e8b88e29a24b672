// Judges whether a maintainer would accept a run of statements as a function, and gives the reason if not.

import { ts } from 'ts-morph';
import type { ExtractionCandidate } from './extractionCandidates.ts';
import type { Flow, Input } from './dataFlow.ts';
import { splitsParagraph } from './paragraphs.ts';
import { findWrittenInput } from './writtenInputs.ts';

/** Maximum number of boolean arguments that a reader of the call still understands. */
const MAX_FLAGS = 1;
/** Matches names that are questions to be answered with yes or no. */
const QUESTION_PATTERN = /^(is|has|can|should|was|will|does|needs|allows?|contains|includes)[A-Z]/;

/**
 * The reason against the new function as a sentence; null if there is none. `writer`: the function around the run, if
 * the new function may write to its parameters, because this function does so already.
 */
export function explainRefusedPart(
  checker: ts.TypeChecker,
  sourceFile: ts.SourceFile,
  candidate: ExtractionCandidate,
  flow: Flow,
  writer: ts.SignatureDeclaration | null = null,
): string | null {
  const flags = flow.inputs.filter((input) => isFlag(checker, input));
  if (flags.length > MAX_FLAGS) return `Its call would be a row of booleans: ${listNames(flags)}.`;
  const isOfWriter = ({ symbol: { valueDeclaration } }: Input) =>
    valueDeclaration !== undefined && ts.isParameter(valueDeclaration) && valueDeclaration.parent === writer;
  const writtenName = findWrittenInput(candidate, { inputs: flow.inputs.filter((input) => !isOfWriter(input)) });
  if (writtenName) return `It would write to its parameter ${writtenName}.`;
  const passedFunctions = flow.inputs.filter(isLocalFunction);
  if (passedFunctions.length > 0) return `It would have to be handed functions: ${listNames(passedFunctions)}.`;
  return splitsParagraph(sourceFile, candidate) ? 'The comment above speaks of more than would move.' : null;
}

function listNames(inputs: readonly Input[]): string {
  return inputs.map(({ name }) => name).join(', ');
}

/** True for a boolean input, possibly null or undefined, judged by its type or, if that is `any`, by its name. */
function isFlag(checker: ts.TypeChecker, { name, symbol, firstReference }: Input): boolean {
  const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(symbol, firstReference));
  if ((type.flags & ts.TypeFlags.Any) !== 0) return QUESTION_PATTERN.test(name);
  const parts = type.isUnion() ? type.types : [type];
  return parts.every(({ flags }) => (flags & ts.TypeFlags.BooleanLike) !== 0);
}

/**
 * True for a function that is declared inside the outer function. Passing it as an argument would make the call hard to
 * read.
 */
function isLocalFunction({ symbol: { valueDeclaration } }: Input): boolean {
  if (!valueDeclaration) return false;
  if (ts.isFunctionDeclaration(valueDeclaration)) return true;
  const value = ts.isVariableDeclaration(valueDeclaration) ? valueDeclaration.initializer : undefined;
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
}
