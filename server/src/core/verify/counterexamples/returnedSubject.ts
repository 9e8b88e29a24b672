// Finds functions that exported functions return. Both are called together, as in `match("/:id")("/3")`.

import { ts } from 'ts-morph';
import { getNodeRange, type ExaminedFile } from './examinedFile.ts';
import { collectReachedNames } from './outsideNames.ts';
import { SIGNED_PATTERN } from './parameters.ts';
import { readsClock } from './clock.ts';
import { combineParameters, pairLists, chooseArguments, type Arguments, type Lists } from './members.ts';
import { collectOptionNames } from './optionNames.ts';
import type { Subject } from './plan.ts';
import type { ExportedFunction } from './exportedFunctions.ts';

/**
 * The function that this one returns, as a subject of the search. Null if the outer function is declared in another
 * file, if it returns no function, or if neither types nor tests show the arguments of both. `declaringNode`: the node
 * that declares the outer function.
 */
export function createReturnedSubject(
  { name, exportedAs, declaredAs = name, signature, declaration }: ExportedFunction,
  examinedFile: ExaminedFile,
  declaringNode: ts.Node,
): Subject | null {
  const { checker, code, path, outline, examples } = examinedFile;
  if (declaringNode.getSourceFile() !== code) return null;
  const exampleLists =
    [exportedAs, name].map((functionName) => examples.get(`${functionName}()`)).find((lists) => lists !== undefined) ??
    [];
  const outerArguments = chooseArguments(
    signature,
    declaration,
    examples.get(exportedAs) ?? examples.get(name) ?? [],
    examinedFile,
  );
  const returnedArguments = createReturnedArguments(
    checker.getNonNullableType(signature.getReturnType()),
    exampleLists,
    examinedFile,
  );
  if (returnedArguments === null || typeof outerArguments === 'string' || typeof returnedArguments === 'string')
    return null;
  const guided = outerArguments.guided || returnedArguments.guided;
  const allLists = [...exampleLists, ...pairLists(outerArguments.examples, returnedArguments.examples)];
  const uniqueLists = [...new Map(allLists.map((args) => [JSON.stringify(args), args])).values()];
  if (guided && uniqueLists.length === 0) return null;
  const mentioned = collectReachedNames(outline, declaredAs);
  return {
    kind: 'function',
    path,
    name,
    access: declaredAs,
    exportedAs,
    parameters: [combineParameters(outerArguments.parameters), combineParameters(returnedArguments.parameters)],
    member: { className: name, factory: null, name: '', kind: 'returned' },
    range: getNodeRange(declaringNode, code),
    nameRange: getNodeRange(
      ts.getNameOfDeclaration(declaringNode as ts.Declaration) ?? declaringNode.getFirstToken() ?? declaringNode,
      code,
    ),
    readsClock: readsClock(outline, declaredAs, mentioned),
    examples: uniqueLists,
    guided,
    ...(guided && { keys: collectOptionNames(declaringNode) }),
    signed: SIGNED_PATTERN.test(declaringNode.getText(code)),
  };
}

/**
 * The arguments of the returned function, as its type declares them. If the type only shows that it is a function, the
 * arguments are those that tests pass. Null if it is not a function, or if no test calls it.
 */
function createReturnedArguments(
  type: ts.Type,
  exampleLists: Lists,
  examinedFile: ExaminedFile,
): Arguments | string | null {
  const [inner] = type.getCallSignatures();
  if (inner?.declaration)
    return chooseArguments(
      inner,
      inner.declaration as ts.Declaration,
      exampleLists.map(getSecondArguments),
      examinedFile,
    );
  const mayBeFunction = (type.flags & ts.TypeFlags.Any) !== 0 || type.symbol?.name === 'Function';
  if (!mayBeFunction || exampleLists.length === 0) return null;
  const values = { name: 'values', shape: { kind: 'any' }, optional: true, rest: true } as const;
  return { parameters: [values], guided: true, examples: exampleLists.map(getSecondArguments) };
}

function getSecondArguments([, second]: Subject['examples'][number]): Subject['examples'][number] {
  return typeof second === 'object' && second?.$ === 'array' ? second.of : [];
}
