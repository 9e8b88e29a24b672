// Finds the public members of exported classes that can be called on a new instance, with the reasons why others
// cannot. Also determines the arguments with which a member or a function is called.

import { ts } from 'ts-morph';
import { findReferencedNames } from '../differential/declarations.ts';
import type { MemberUse, Parameter } from '../differential/plan.ts';
import { getNodeRange, type ExaminedFile } from './examinedFile.ts';
import { nameFromFile } from './nameFromFile.ts';
import { collectReachedNames, findOutsideName } from './outsideNames.ts';
import { createAnyParameters, SIGNED_PATTERN, readTypedParameters } from './parameters.ts';
import { CLOCK_NAMES, isClockRead, usesClock } from './clock.ts';
import { collectOptionNames } from './optionNames.ts';
import { readRelations } from './measuredCalls.ts';
import { findPrecondition } from './precondition.ts';
import type { ExampleValue, SkippedFunction, Subject } from './plan.ts';

/** Maximum number of examples of a member. Each has one argument list for the constructor and one for the member. */
const MAX_EXAMPLES = 48;
const NO_RESULT = ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never;
const HIDDEN_FLAGS = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;

/** Argument lists, each with the arguments of one call. */
export type Lists = readonly (readonly ExampleValue[])[];

/** The possible arguments of a constructor, a factory or a member. */
export interface Arguments {
  readonly parameters: readonly Parameter[];
  /** True if the types are too vague, so that only the examples show what can be passed. */
  readonly guided: boolean;
  /** Argument lists that tests pass. */
  readonly examples: Lists;
}

/** A class that the file itself declares and exports. */
export interface ExportedClass {
  readonly className: string;
  readonly exportedAs: string;
  readonly node: ts.ClassLikeDeclaration;
}

/** The reason for skipping a class that has neither a public constructor nor a factory. */
const NOT_MADE = 'Nothing public makes an instance of it.';

/** The callable members of the classes that the file itself declares and exports, and the skipped ones. */
export function findMembers(
  file: ts.SourceFile,
  examinedFile: ExaminedFile,
): { readonly subjects: readonly Subject[]; readonly leftOut: readonly SkippedFunction[] } {
  const subjects: Subject[] = [];
  const skipped: SkippedFunction[] = [];
  for (const exportedClass of collectExportedClasses(file, examinedFile.checker)) {
    const { className, node } = exportedClass;
    const addSkipped = (name: string, reason: string) => skipped.push({ path: examinedFile.path, name, reason });
    const creation =
      node.getSourceFile() === examinedFile.code
        ? findCreation(exportedClass, examinedFile)
        : 'Its code is in another file.';
    if (typeof creation === 'string') {
      addSkipped(className, creation);
      continue;
    }
    for (const member of node.members.filter(isCallable)) {
      const subject = createSubject(member, creation, exportedClass, examinedFile);
      if (typeof subject === 'string') addSkipped(`${className}.${getName(member)}`, subject);
      else if (subject) subjects.push(subject);
    }
  }
  return { subjects, leftOut: skipped };
}

/** The classes that the file itself declares and exports. */
export function collectExportedClasses(file: ts.SourceFile, checker: ts.TypeChecker): readonly ExportedClass[] {
  const module = checker.getSymbolAtLocation(file);
  if (!module) return [];
  const classes = checker.getExportsOfModule(module).flatMap((symbol): ExportedClass[] => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const node = target.valueDeclaration;
    if (!node || node.getSourceFile() !== file || !ts.isClassLike(node)) return [];
    const exportedAs = symbol.name === 'export=' ? 'default' : symbol.name;
    const className = exportedAs === 'default' ? (node.name?.text ?? nameFromFile(file.fileName)) : exportedAs;
    return [{ className, exportedAs, node }];
  });
  // A class that is exported both by its name and by default is called by its name.
  const isNamed = ({ exportedAs }: ExportedClass) => exportedAs !== 'default';
  return classes.filter(
    (exportedClass) =>
      isNamed(exportedClass) ||
      !classes.some((otherClass) => isNamed(otherClass) && otherClass.node === exportedClass.node),
  );
}

/**
 * The way to create an instance: the way that the tests use, otherwise the constructor, otherwise a factory. `factory`:
 * the name of a static method; null for the constructor. Returns the reason as a sentence if no instance can be
 * created.
 */
function findCreation(
  { className, exportedAs, node }: ExportedClass,
  examinedFile: ExaminedFile,
): (Arguments & { readonly factory: string | null }) | string {
  if (isDeprecated(node)) return 'It is deprecated.';
  const { checker } = examinedFile;
  const constructorNode = node.members.find(ts.isConstructorDeclaration);
  const isConstructible =
    !(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract) &&
    !(constructorNode && ts.getCombinedModifierFlags(constructorNode) & HIDDEN_FLAGS);
  const type = node.name ? checker.getSymbolAtLocation(node.name) : null;
  const [construct] =
    isConstructible && type ? checker.getTypeOfSymbolAtLocation(type, node).getConstructSignatures() : [];
  const names = [...new Set([exportedAs, className])];
  const ways = [
    ...(construct
      ? [
          {
            factory: null,
            signature: construct,
            keys: names.map((name) => `new ${name}`),
            declaration: constructorNode ?? node,
          },
        ]
      : []),
    ...findFactories(node, checker).map(({ name, signature, declaration }) => ({
      ...{ factory: name, signature, declaration },
      keys: names.map((ownerName) => `${ownerName}.${name}`),
    })),
  ].map(({ factory, signature, keys, declaration }) => {
    const exampleLists = keys.flatMap((key) => examinedFile.examples.get(key) ?? []);
    const possibleArguments = chooseArguments(signature, declaration, exampleLists, examinedFile);
    return typeof possibleArguments === 'string'
      ? possibleArguments
      : { ...possibleArguments, factory, isShown: exampleLists.length > 0 };
  });
  const usable = ways.filter((way) => typeof way !== 'string');
  return usable.find(({ isShown }) => isShown) ?? usable[0] ?? ways.find((way) => typeof way === 'string') ?? NOT_MADE;
}

/** The public static methods that return an instance. */
function findFactories(node: ts.ClassLikeDeclaration, checker: ts.TypeChecker) {
  const instance = checker.getTypeAtLocation(node).symbol;
  return node.members.flatMap((member) => {
    if (!ts.isMethodDeclaration(member) || !ts.isIdentifier(member.name) || !member.body) return [];
    const flags = ts.getCombinedModifierFlags(member);
    if (!(flags & ts.ModifierFlags.Static) || flags & HIDDEN_FLAGS || isDeprecated(member)) return [];
    const signature = findSignature(member, checker);
    if (!signature || signature.getReturnType().symbol !== instance) return [];
    return [{ name: member.name.text, signature, declaration: member }];
  });
}

/** The signature of a method; of overloads, the first one with parameters. */
function findSignature(member: ts.MethodDeclaration, checker: ts.TypeChecker): ts.Signature | undefined {
  const symbol = checker.getSymbolAtLocation(member.name);
  const allSignatures = symbol ? checker.getTypeOfSymbolAtLocation(symbol, member).getCallSignatures() : [];
  return allSignatures.find((candidate) => candidate.getParameters().length > 0) ?? allSignatures[0];
}

/**
 * The possible arguments according to the types, or otherwise to the examples; if neither shows them, the reason as a
 * sentence. `exampleLists`: the argument lists that tests pass.
 */
export function chooseArguments(
  signature: ts.Signature,
  declaration: ts.Declaration,
  exampleLists: Lists,
  examinedFile: ExaminedFile,
): Arguments | string {
  const typed = readTypedParameters({ signature, declaration }, examinedFile);
  const guided = typeof typed === 'string';
  if (guided && exampleLists.length === 0) return typed;
  const parameters = guided ? createAnyParameters(signature) : typed;
  const needsNone = parameters.every(({ optional, rest }) => optional || rest);
  const fitting = exampleLists.filter((args) => args.length <= parameters.length || parameters.at(-1)?.rest === true);
  return { parameters, guided, examples: needsNone ? [[], ...fitting.filter(({ length }) => length > 0)] : fitting };
}

type CallableMember = ts.MethodDeclaration | ts.GetAccessorDeclaration;

/**
 * True for a public method or getter of an instance. A name that begins with an underscore is private by convention.
 */
function isCallable(member: ts.ClassElement): member is CallableMember {
  if (!ts.isMethodDeclaration(member) && !ts.isGetAccessorDeclaration(member)) return false;
  if (!member.body || !ts.isIdentifier(member.name) || member.name.text.startsWith('_')) return false;
  const flags = ts.getCombinedModifierFlags(member);
  return !(flags & (HIDDEN_FLAGS | ts.ModifierFlags.Static | ts.ModifierFlags.Abstract));
}

function getName({ name }: CallableMember): string {
  return (name as ts.Identifier).text;
}

/**
 * The member as a subject of the search; the reason as a sentence if it is skipped; null for a method that returns
 * nothing, because no test could record its result.
 */
function createSubject(
  member: CallableMember,
  creation: Arguments & Pick<MemberUse, 'factory'>,
  { className, exportedAs, node }: ExportedClass,
  examinedFile: ExaminedFile,
): Subject | string | null {
  const { checker, code, path } = examinedFile;
  if (isDeprecated(member)) return 'It is deprecated.';
  const name = getName(member);
  const signature = ts.isMethodDeclaration(member) ? findSignature(member, checker) : null;
  if (signature === undefined || (signature && signature.getReturnType().flags & NO_RESULT)) return null;
  const { mentioned, readsClock } = collectNamesBehind(member, node, examinedFile);
  const outside = findOutsideName(mentioned, code);
  if (outside !== null) return `It uses \`${outside}\`, which reaches outside or is shared.`;
  const memberArguments: Arguments | string = signature
    ? chooseArguments(signature, member, examinedFile.examples.get(name) ?? [], examinedFile)
    : { parameters: [], guided: false, examples: [[]] };
  if (typeof memberArguments === 'string') return memberArguments;
  const examples = pairLists(creation.examples, memberArguments.examples);
  const guided = creation.guided || memberArguments.guided;
  if (guided && examples.length === 0) return 'No test writes out what it takes.';
  const precondition = findPrecondition(member);
  return {
    kind: 'function',
    path,
    name: `${className}.${name}`,
    access: className,
    exportedAs,
    parameters: [combineParameters(creation.parameters), combineParameters(memberArguments.parameters)],
    member: { className, factory: creation.factory, name, kind: signature ? 'method' : 'get' },
    range: getNodeRange(member, code),
    nameRange: getNodeRange(member.name, code),
    readsClock,
    examples,
    guided,
    ...(guided && { keys: collectOptionNames(member) }),
    signed: SIGNED_PATTERN.test(node.getText(code)),
    ...readRelations(
      memberArguments.parameters,
      memberArguments.examples,
      examinedFile.measuredCalls,
      [name],
      member.getText(code),
    ),
    ...(precondition !== null && { precondition }),
  };
}

/** Combines these parameters into one, whose value is the argument list. */
export function combineParameters(parameters: readonly Parameter[]): Parameter {
  const lastParameter = parameters.at(-1);
  const restShape = lastParameter?.rest ? lastParameter.shape : null;
  return {
    name: 'arguments',
    shape: {
      kind: 'tuple',
      of: parameters.filter((parameter) => !parameter.rest).map(({ shape, optional }) => ({ shape, optional })),
      rest: restShape?.kind === 'array' ? restShape.of : restShape && { kind: 'any' },
    },
    optional: false,
    rest: false,
  };
}

/**
 * Pairs of an argument list that creates the instance and one that uses it, at most `MAX_EXAMPLES`. Pairs of early
 * lists come first.
 */
export function pairLists(creations: Lists, uses: Lists): Lists {
  const toArrayValue = (values: readonly ExampleValue[]): ExampleValue => ({ $: 'array', of: values });
  return creations
    .flatMap((creation, row) =>
      uses.map((use, column) => ({ rank: row + column, both: [toArrayValue(creation), toArrayValue(use)] })),
    )
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_EXAMPLES)
    .map(({ both }) => both);
}

/**
 * The names in all code that may run when an instance is created and the member is used, including other members of the
 * class and other declarations of the file; and whether that code reads the clock. `new Date(0)` does not read it.
 */
function collectNamesBehind(
  member: CallableMember,
  node: ts.ClassLikeDeclaration,
  { outline }: ExaminedFile,
): { readonly mentioned: ReadonlySet<string>; readonly readsClock: boolean } {
  const membersByName = new Map<string, ts.ClassElement[]>();
  for (const element of node.members)
    if (element.name && !ts.isComputedPropertyName(element.name))
      membersByName.set(element.name.getText(), [...(membersByName.get(element.name.getText()) ?? []), element]);
  const isRunAlways = (element: ts.ClassElement) =>
    ts.isConstructorDeclaration(element) ||
    ts.isPropertyDeclaration(element) ||
    ts.isClassStaticBlockDeclaration(element);
  const queue: ts.Node[] = [member, ...(node.heritageClauses ?? []), ...node.members.filter(isRunAlways)];
  const visited = new Set<ts.Node>(queue);
  const names = new Set<string>();
  let readsClock = false;
  const visit = (child: ts.Node): void => {
    if (ts.isTypeNode(child) && !ts.isExpressionWithTypeArguments(child)) return;
    readsClock ||= isClockRead(child);
    if (ts.isPropertyAccessExpression(child))
      for (const usedMember of membersByName.get(child.name.text) ?? []) {
        if (visited.has(usedMember)) continue;
        visited.add(usedMember);
        queue.push(usedMember);
      }
    ts.forEachChild(child, visit);
  };
  for (let nextNode = queue.shift(); nextNode; nextNode = queue.shift()) {
    for (const name of findReferencedNames(nextNode)) if (!CLOCK_NAMES.has(name)) names.add(name);
    visit(nextNode);
  }
  // The declaration of the class also contains names that only other members use, so its names are not collected.
  const classOwnName = node.name?.text ?? '';
  names.add(classOwnName);
  for (const name of [...names]) if (name !== classOwnName) collectReachedNames(outline, name, names);
  const otherDeclarations = [...names]
    .filter((name) => name !== classOwnName)
    .flatMap((name) => outline.declarations.get(name) ?? []);
  return {
    mentioned: names,
    readsClock: readsClock || otherDeclarations.some((declaration) => usesClock(declaration.node)),
  };
}

/** True for a declaration that its documentation calls deprecated. */
export function isDeprecated(node: ts.Node): boolean {
  return ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'deprecated');
}
