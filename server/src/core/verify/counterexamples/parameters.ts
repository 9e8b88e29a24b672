// Describes the parameters of a function, so that values for calls can be generated.

import { ts } from 'ts-morph';
import { isUnresolved, Unsupported } from '../differential/shapes.ts';
import type { ExaminedFile } from './examinedFile.ts';
import type { Subject } from './plan.ts';
import { removeIrreplaceable } from './irreplaceableTypes.ts';

/**
 * Matches code that treats negative numbers differently: a comparison with 0, a negative literal, `Math.abs` and the
 * like.
 */
export const SIGNED_PATTERN = /[<>]=?\s*0\b|[=(,:?&|[]\s*-\s*[\d.]|Math\.(?:abs|sign|min|max)\b/;

const UNDEFINED_SHAPE = { kind: 'undefined' } as const;

/** The parameters with their declared types; the reason as a sentence if no values for them can be generated. */
export function readTypedParameters(
  { signature, declaration }: { readonly signature: ts.Signature; readonly declaration: ts.Declaration },
  { reader, checker }: ExaminedFile,
): Subject['parameters'] | string {
  for (const symbol of signature.getParameters()) {
    const parameter = symbol.valueDeclaration;
    if (!parameter || !ts.isParameter(parameter)) return 'Its parameters are not declared one by one.';
    if (ts.isIdentifier(parameter.name) && parameter.name.text === 'this') return 'It needs a value for `this`.';
    const type = checker.getTypeOfSymbolAtLocation(symbol, parameter);
    if (type.flags & ts.TypeFlags.Any && !isUnresolved(type))
      return hasType(parameter) ? 'It takes `any`, which allows everything.' : 'Its parameters have no declared types.';
  }
  try {
    const parameters = reader.parametersOf(signature, declaration).map((parameter) => {
      const shape = removeIrreplaceable(parameter.shape, reader.shapes);
      return shape === null && parameter.optional && !parameter.rest
        ? { ...parameter, shape: UNDEFINED_SHAPE }
        : { ...parameter, shape };
    });
    return parameters.every((parameter) => parameter.shape !== null)
      ? (parameters as Subject['parameters'])
      : 'It takes an object with several methods; results with a mock of it would say little.';
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return `It takes ${error.message}, for which no values can be generated.`;
  }
}

function hasType(parameter: ts.ParameterDeclaration): boolean {
  return parameter.type !== undefined || ts.getJSDocType(parameter) !== undefined;
}

/** The parameters with the type `any`, for functions whose types are too vague. */
export function createAnyParameters(signature: ts.Signature): Subject['parameters'] {
  return signature.getParameters().map(({ name, valueDeclaration: parameter }) => {
    const isParameter = parameter !== undefined && ts.isParameter(parameter);
    return {
      name,
      shape: { kind: 'any' },
      optional: isParameter && (parameter.questionToken ?? parameter.initializer) !== undefined,
      rest: isParameter && parameter.dotDotDotToken !== undefined,
    };
  });
}
