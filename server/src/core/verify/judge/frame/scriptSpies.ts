// Finds cases of scripts in which a member of the tested code is newly replaced, such as by a spy with a result.

import { SCRIPT_PATTERN } from '../../../paths/scriptFiles.ts';
import type { FileEdit } from '../../../model.ts';
import type { FoundChange } from '../foundChange.ts';
import { shortenForPerson } from './compareFrames.ts';
import type { CaseSide } from './findReplacedInCase.ts';
import { isSameModule, WHOLE_MODULE } from './modules.ts';
import { isSubject } from './redirects.ts';
import { readTopLevel } from './topLevel.ts';
import { collectReached, createMemberOrigin, type FramePart, type Origin } from './testFrame.ts';

/** A replaced member, such as `object.member`. */
interface Spy {
  readonly object: string;
  readonly member: string;
  readonly text: string;
  /** The variable whose members determine whether the spy calls the original; null if it does not call it. */
  readonly decidedBy: string | null;
  /** The variable that is assigned to the member; absent for other values. */
  readonly value?: string;
}

const OBJECT_SOURCE = String.raw`(?<object>[\w$]+(?:\.[\w$]+)*)`;
const ARGUMENTS_SOURCE = String.raw`${OBJECT_SOURCE},'(?<member>[\w$]+)'`;
/** Matches the members of a spy by which it no longer calls the original. */
const ANSWERS_SOURCE = String.raw`\.(?:(?:mock\.)?mock(?:Return|Resolved|Rejected|Implementation|Throw)|and\.(?:return|resolve|reject|callFake|stub|throw))\w*\(`;
/** Matches type assertions: `math as any`. */
const TYPE_ASSERTION_PATTERN = /(?: as (?:typeof )?[\w$.]+(?:<[^<>()]{0,100}>)?){1,2}(?=[,)])/g;
/** Matches parentheses around a name, which remain without the type assertion in `(math as any).clamp`. */
const PARENTHESES_PATTERN = /(?<![\w$)\]])\(([\w$.]+)\)(?=\.)/g;
/** Matches the type arguments of a call. */
const TYPE_ARGUMENTS_SOURCE = String.raw`(?:<(?:[^()]|\([^()]{0,60}\)){0,100}>)?`;
/** Matches a spy that calls the original unless it has a configured result, in code without layout. */
const SPY_PATTERN = new RegExp(
  String.raw`(?<=(?<![\w$])(?<variable>[\w$]+)=(?:[\w$]+\.){0,4}|)(?<![\w$])(?:spyOn|mock\.method)${TYPE_ARGUMENTS_SOURCE}\(${ARGUMENTS_SOURCE}(?:,'[gs]et')?\)(?:\.mock(?:Clear|Reset|Name)\([^()]{0,100}\)){0,3}(?<answers>${ANSWERS_SOURCE})?`,
  'g',
);
/** Matches a value that is a function. */
const FUNCTION_SOURCE = String.raw`(?:(?:async )?function\b|(?:async)?\([^()]*\)(?::[^=(){}]{0,80})?=>|(?:async )?[\w$]+=>|(?:vi|vitest|jest|mock)\.fn${TYPE_ARGUMENTS_SOURCE}\(|sinon\.(?:stub|fake)\b)`;
/** Match a replaced member of an object. */
const REPLACING_PATTERNS: readonly RegExp[] = [
  String.raw`(?<![\w$])stub\(${ARGUMENTS_SOURCE}(?:,|\)(?!\.callThrough\())`,
  String.raw`(?<![\w$])mock\.method\(${ARGUMENTS_SOURCE},(?!\{times)`,
  String.raw`(?<![\w$])(?:sinon|sandbox|td|testdouble)\.replace\(${ARGUMENTS_SOURCE},`,
  String.raw`(?<![\w$])(?:Object\.defineProperty|Reflect\.(?:set|defineProperty))\(${ARGUMENTS_SOURCE},(?:(?<value>[\w$]+)(?=\)))?`,
  String.raw`(?<![\w$.])${OBJECT_SOURCE}\.(?<member>[\w$]+)=${FUNCTION_SOURCE}`,
  // A name or the result of a call. The name of the member itself stands for the original.
  String.raw`(?<![\w$.])${OBJECT_SOURCE}\.(?<member>[\w$]+)=(?![=>]|\k<member>\b)(?:(?<value>[\w$]+)(?=[ ,)}]|$)|[\w$]+(?=\((?![^()]{0,200}\.\k<member>\b)))`,
  String.raw`(?<![\w$.])${OBJECT_SOURCE}\['(?<member>[\w$]+)'\]=(?![=>])(?:(?<value>[\w$]+)(?=[ ,)}]|$))?`,
].map((pattern) => new RegExp(pattern, 'g'));
/** Matches a replacement of several members of an object. */
const ASSIGNING_PATTERN = new RegExp(
  String.raw`(?<![\w$])Object\.(?:assign|defineProperties)\(${OBJECT_SOURCE},\{`,
  'g',
);
/** Matches a member in the assigned value: `a:`, `a(`, `a,`, `'a':`, or `a` as the last one. */
const ASSIGNED_PATTERN = /(?<=^|,|(?:^|,)(?:async|get) )'?(?<member>[\w$]+)'?(?=[:(,]|$)/g;
/**
 * Matches the text in front of a call whose value is used: as an argument, an assigned or returned value, or a part of
 * an expression.
 */
const USED_SOURCE = String.raw`(?<=(?:[(,=[:>?&|!+*/<-]|=>\{|\$\{|\breturn )(?:await )?(?:new )?)`;
/** Matches the head of the function of a case. */
const HEAD_PATTERN = /^(?:async ?)?(?:function[^(]*)?(?:\([^)]*\)|[\w$]+)(?:=>)?(?=\{)/;

/**
 * The spies in a case, or in the code that it reaches, that replace a function which it called before and still calls.
 */
export function findSpiedSubject(old: CaseSide, current: CaseSide, edits: readonly FileEdit[]): readonly FoundChange[] {
  if (!SCRIPT_PATTERN.test(current.path)) return [];
  if (![findBody(current), ...current.frame.parts].some((part) => findSpiesInText(part).length > 0)) return [];
  const [before, after] = [readSide(old), readSide(current)];
  const knownKeys = new Set(findSpies(before).map((spy) => createSpyKey(spy, before)));
  const place = { from: old.from, edits };
  const newSpy = findSpies(after).find(
    (spy) => !knownKeys.has(createSpyKey(spy, after)) && isTested(spy, after, before, place),
  );
  if (!newSpy) return [];
  return [
    {
      ...{ kind: 'loosened', path: old.path, line: old.line, test: old.name },
      ...{ now: { path: current.path, line: newSpy.line }, before: null, after: shortenForPerson(newSpy.text) },
    },
  ];
}

type Text = Pick<FramePart, 'text' | 'line'>;

/** A case with the code outside of it that it reaches. */
interface Side {
  readonly path: string;
  readonly from: string;
  /** The code of the case without the head of its function, and the code of its helpers. */
  readonly uses: string;
  /** The parts of code that the case runs: its own, and the code outside of it that it reaches. */
  readonly texts: readonly Text[];
  /** These parts as one text. */
  readonly code: string;
  /** The declarations there, those of the case itself last. */
  readonly parts: readonly FramePart[];
}

function readSide(side: CaseSide): Side {
  const { name, words, body = '', declares = [], frame, path, from } = side;
  const reachedParts = [...collectReached(frame, [{ name, words }]).parts];
  const texts = [...reachedParts.filter(({ origin }) => !origin), findBody(side)];
  const code = texts.map(({ text }) => text).join('\n');
  const helpers = reachedParts.filter(({ names, origin }) => names.length > 0 && !origin).map(({ text }) => text);
  const uses = [body.replace(HEAD_PATTERN, ''), ...helpers].join('\n');
  return { path, from, texts, code, uses, parts: [...reachedParts, ...declares] };
}

function findBody({ body = '', line }: CaseSide): Text {
  return { text: body, line };
}

function findSpies({ texts, code }: Side): readonly (Spy & { readonly line: number })[] {
  const answers = ({ decidedBy }: Spy) =>
    decidedBy === null || new RegExp(String.raw`(?<![\w$.])${escape(decidedBy)}${ANSWERS_SOURCE}`).test(code);
  return texts.flatMap((text) =>
    findSpiesInText(text)
      .filter((spy) => answers(spy) && !restoresOriginal(spy, code))
      .map((spy) => ({ ...spy, line: text.line })),
  );
}

/**
 * True if the member is set to the original that a variable has stored: `const original = object.member`, and no other
 * value.
 */
function restoresOriginal({ object, member, value }: Spy, typedCode: string): boolean {
  if (value === undefined) return false;
  const code = removeTypes(typedCode);
  const [owner, name] = [escape(object), escape(member)];
  const memberSource = String.raw`${owner}(?:\.${name}(?![\w$])|\['${name}'\])(?:\.bind\(${owner}\))?`;
  const originalSource = String.raw`(?:${memberSource}|(?:Object|Reflect)\.getOwnPropertyDescriptor\(${owner},'${name}'\))(?![.([?&|])`;
  const assigned = new RegExp(
    String.raw`(?<![\w$.])${escape(value)}(?::[^=(){},]{0,80})?=(?![=>])(?<original>${originalSource})?`,
    'g',
  );
  const destructured = new RegExp(
    String.raw`[{,]${name}:${escape(value)}(?:,[^={}]{0,200})?\}=${owner}(?![\w$.([?&|])`,
  );
  const values = [...code.matchAll(assigned)];
  return (
    values.every(({ groups }) => groups!['original'] !== undefined) && (values.length > 0 || destructured.test(code))
  );
}

/** Returns the code without types that do not affect a value. */
function removeTypes(code: string): string {
  return code.replace(TYPE_ASSERTION_PATTERN, '').replace(PARENTHESES_PATTERN, '$1');
}

const spiesByText = new WeakMap<Text, readonly Spy[]>();

/** The spies in a text, which many cases may reach. */
function findSpiesInText(part: Text): readonly Spy[] {
  const spies = spiesByText.get(part) ?? readSpies(part.text);
  spiesByText.set(part, spies);
  return spies;
}

function readSpies(typedText: string): readonly Spy[] {
  const text = removeTypes(typedText);
  const spies = [...text.matchAll(SPY_PATTERN)].flatMap((match): readonly Spy[] => {
    const { variable = null, answers } = match.groups as Partial<Record<string, string>>;
    if (variable === null && answers === undefined) return [];
    return [{ ...createSpy(match), decidedBy: answers === undefined ? variable : null }];
  });
  const replacements = REPLACING_PATTERNS.flatMap((pattern) => [...text.matchAll(pattern)].map(createSpy));
  const assigned = [...text.matchAll(ASSIGNING_PATTERN)].flatMap((match): readonly Spy[] => {
    const { object = '' } = match.groups as Partial<Record<string, string>>;
    const members = readTopLevel(text, match.index + match[0].length);
    return [...members.matchAll(ASSIGNED_PATTERN)].map(({ groups }) => {
      const member = groups!['member']!;
      return { object, member, decidedBy: null, text: `Object.assign(${object},{${member}` };
    });
  });
  return [...spies, ...replacements, ...assigned];
}

function createSpy(match: RegExpMatchArray): Spy {
  const { object = '', member = '', value } = match.groups as Partial<Record<string, string>>;
  const text = match[0].replace(/[(=,{:]{1,2}$/, '');
  return { object, member, decidedBy: null, text, ...(value === undefined ? {} : { value }) };
}

/** The key of the replaced member, the same for all names that the file gives it. */
function createSpyKey({ object, member }: Spy, { parts }: Side): string {
  const owner = findOwner(object, parts);
  return owner ? `${owner.module.split('/').at(-1)!} ${createMemberOrigin(owner, member).name}` : `${object}.${member}`;
}

/** True if the case used the value of the replaced member, and still uses it. */
function isTested(
  { object, member }: Spy,
  after: Side,
  before: Side,
  context: { readonly from: string; readonly edits: readonly FileEdit[] },
): boolean {
  const sides = [before, after];
  const subjects = before.parts.filter(({ origin }) => origin !== undefined && isSubject(origin, context));
  const owner = findOwner(object, after.parts);
  if (!owner) return isMadeBy(object, before, subjects) && sides.every((side) => usesCall(side, object, member));
  const isFromSameModule = ({ origin }: FramePart, from: string) =>
    origin !== undefined && isSameModule(origin.module, from, owner.module, after.path);
  if (!subjects.some((part) => isFromSameModule(part, before.from))) return false;
  if (object.endsWith('.prototype')) return sides.every((side) => usesCall(side, ANY_OBJECT, member));
  const wantedName = createMemberOrigin(owner, member).name;
  return sides.every((side) =>
    side.parts.some((part) => {
      if (!isFromSameModule(part, side.from)) return false;
      const [{ name }, local] = [part.origin!, part.names[0]!];
      if (name === wantedName) return usesCall(side, null, local);
      if (WHOLE_MODULE.test(name))
        return usesCall(side, WHOLE_MODULE.test(owner.name) ? local : `${local}.${owner.name}`, member);
      const isMember = owner.name === name || owner.name.startsWith(`${name}.`);
      return isMember && usesCall(side, `${local}${owner.name.slice(name.length)}`, member);
    }),
  );
}

/** The origin of an object that the file imports; null for other objects. */
function findOwner(object: string, parts: readonly FramePart[]): Origin | null {
  const [root = '', ...members] = object.split('.');
  const origin = parts.findLast(({ names }) => names.includes(root))?.origin;
  return origin ? members.reduce(createMemberOrigin, origin) : null;
}

/** True if the object was created by a function or class of the tested code. */
function isMadeBy(object: string, { code }: Side, subjects: readonly FramePart[]): boolean {
  const root = escape(object.split('.')[0]!);
  return subjects.some(({ names: [local = ''] }) =>
    new RegExp(String.raw`(?<![\w$.])${root}=(?:await )?(?:new )?${escape(local)}(?:\.[\w$]+)*\(`).test(code),
  );
}

/** Stands for an object whose name is unknown. */
const ANY_OBJECT = '*';

/** True if the case uses the value of the call. `object`: null for a function that is not a member. */
function usesCall({ uses }: Side, object: string | null, name: string): boolean {
  const any = String.raw`[^(),{}=]{0,200}(?:\([^()]{0,200}\))?\.`;
  const owner = object === null ? '' : object === ANY_OBJECT ? any : String.raw`${escape(object)}\.`;
  return new RegExp(String.raw`${USED_SOURCE}${owner}${escape(name)}\(`).test(uses);
}

function escape(text: string): string {
  return text.replace(/\W/g, String.raw`\$&`);
}
